"""Cuts sachs.csv and sachs_conditions.csv out of the table that PyPI's cdt 0.6.0 ships.

    pip download --no-deps cdt==0.6.0 && unzip cdt-0.6.0-*.whl
    python make_sachs.py cdt/data/resources/cyto_full_data.csv

The table holds 7466 cells under 9 conditions, one after the other and without a column that says which; the sizes of these blocks are those of
the factor `grp` of Debian's r-cran-gss (data set Sachs). Its first 853 rows are the observational one (anti-CD3/CD28).
The text of the numbers is left as it is; only the header is renamed to the names of the consensus graph.
"""

import sys

# The reagents of each block, by the publication's order of experiments.
CONDITIONS = [
    ("cd3cd28", 853),
    ("cd3cd28+icam2", 902),
    ("cd3cd28+aktinhib", 911),
    ("cd3cd28+g0076", 723),
    ("cd3cd28+psitect", 810),
    ("cd3cd28+u0126", 799),
    ("cd3cd28+ly", 848),
    ("pma", 913),
    ("b2camp", 707),
]
NAMES = {
    "praf": "Raf",
    "pmek": "Mek",
    "plcg": "Plcg",
    "PIP2": "PIP2",
    "PIP3": "PIP3",
    "p44/42": "Erk",
    "pakts473": "Akt",
    "PKA": "PKA",
    "PKC": "PKC",
    "P38": "P38",
    "pjnk": "Jnk",
}

with open(sys.argv[1], encoding="utf-8") as table:
    names = ",".join(NAMES[name] for name in table.readline().strip().split(","))
    rows = [line.strip() for line in table]
assert len(rows) == sum(size for _, size in CONDITIONS)
with open("sachs.csv", "w", encoding="utf-8") as out:
    out.write("\n".join([names, *rows[: CONDITIONS[0][1]]]) + "\n")
said = [name for name, size in CONDITIONS for _ in range(size)]
with open("sachs_conditions.csv", "w", encoding="utf-8") as out:
    out.write("\n".join([names + ",condition", *(f"{row},{name}" for row, name in zip(rows, said))]) + "\n")
