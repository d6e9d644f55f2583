"""Cuts sachs.csv out of the table that PyPI's cdt 0.6.0 ships.

    pip download --no-deps cdt==0.6.0 && unzip cdt-0.6.0-*.whl
    python make_sachs.py cdt/data/resources/cyto_full_data.csv > sachs.csv

The table holds 7466 cells under 9 conditions; its first 853 rows are the observational one (anti-CD3/CD28).
The text of the numbers is left as it is; only the header is renamed to the names of the consensus graph.
"""

import sys

ROWS = 853
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
    header = table.readline().strip().split(",")
    print(",".join(NAMES[name] for name in header))
    for _ in range(ROWS):
        print(table.readline().strip())
