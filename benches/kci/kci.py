"""Times causal-learn's kernel test and PC on the data that crates/prune/benches/kci.rs times too; `cargo xtask bench-kci` runs both.

    python benches/kci/kci.py write FILE [TABLE GRAPH]    the data; TABLE and GRAPH (csv files, GRAPH row → column) add a table
    python benches/kci/kci.py time FILE                   time them, a JSON object a line

A test is timed from raw columns to the p-value, with a test object that has seen nothing before. PC is timed from the
table to the graph, with causal-learn's own cache of p-values; it goes on to orient edges, which takes no time to speak of. An added
table is not timed here: PC on 500 × 20 numbers takes minutes. The number of threads is that of OMP_NUM_THREADS.
"""

import json
import pathlib
import sys
import time
import warnings

import numpy as np
from causallearn.search.ConstraintBased.PC import pc
from causallearn.utils.cit import CIT

SACHS = pathlib.Path("crates/data/data/sachs.csv")
# A known order of the Sachs data; see crates/prune/src/pc_kci/tests.rs.
ORDER = "PKC PKA Plcg PIP3 PIP2 Raf Mek Erk Akt P38 Jnk".split()
# Each test is taken as often as fits into this many seconds, at least twice; the best counts.
PATIENCE = 2.0


def read(path):
    names = pathlib.Path(path).read_text().splitlines()[0].split(",")
    return names, np.loadtxt(path, delimiter=",", skiprows=1)


def topological(graph):
    """An order of the nodes that the graph's edges (row → column) follow."""
    order = []
    while len(order) < len(graph):
        left = [j for j in range(len(graph)) if j not in order]
        order.append(next(j for j in left if not graph[left, j].any()))
    return order


def write(path, extra):
    names, sachs = read(SACHS)
    normal = np.random.default_rng(5).normal(size=sachs.shape)
    tests = [
        {"name": f"{name}, given {given}", "columns": data[:, [0, 3, 1, 5, 7, 9][: 2 + given]].T.tolist()}
        for name, data in (("sachs", sachs), ("normal", normal))
        for given in range(5)
    ]
    order = [names.index(name) for name in ORDER]
    tables = [{"name": "PC, sachs", "names": names, "rows": sachs.tolist(), "order": order, "both": True}]
    if extra:
        (names, data), (_, graph) = read(extra[0]), read(extra[1])
        name, order = f"PC, {len(data)} × {len(names)}", topological(graph)
        tables.append({"name": name, "names": names, "rows": data.tolist(), "order": order, "both": False})
    pathlib.Path(path).write_text(json.dumps({"tests": tests, "tables": tables}))


def best(work):
    start, least, rounds = time.perf_counter(), float("inf"), 0
    while rounds < 2 or time.perf_counter() - start < PATIENCE:
        before = time.perf_counter()
        value = work()
        least = min(least, time.perf_counter() - before)
        rounds += 1
    return 1e3 * least, value


def say(name, ms, value):
    print(json.dumps({"name": name, "ms": ms, "value": value}), flush=True)


def measure(path):
    warnings.simplefilter("ignore")
    work = json.loads(pathlib.Path(path).read_text())
    for test in work["tests"]:
        data = np.array(test["columns"]).T
        say(test["name"], *best(lambda: float(CIT(data, "kci")(0, 1, list(range(2, data.shape[1]))))))
    for table in (table for table in work["tables"] if table["both"]):
        before = time.perf_counter()
        graph = pc(np.array(table["rows"]), 0.05, "kci", show_progress=False).G.graph
        ms = 1e3 * (time.perf_counter() - before)
        say(table["name"], ms, int(np.count_nonzero(np.triu((graph != 0) | (graph.T != 0), 1))))


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3:])
    else:
        measure(sys.argv[2])
