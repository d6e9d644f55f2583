"""gCastle's port of GraN-DAG on tables of which ours can be run too, with SHD (a reversal counted once) and seconds.

    pip install gcastle torch scikit-learn matplotlib
    python benches/gcastle/gran_dag.py TABLE.csv EDGES.csv [KEY=VALUE ...]

TABLE.csv has a header; EDGES.csv has the header from,to. Columns are standardised, as `oslow discover` does by default. KEY=VALUE are arguments of
gCastle's GraNDAG; without any they are its own defaults: 10,000 iterations, additive model, no preselection, Jacobian threshold. Its
graph is not pruned. Ours beside it, as near as settings allow:

    oslow discover TABLE.csv --method gran-dag --prune none --set iterations=10000 --set preselect='"never"'
"""

import ast
import csv
import os
import sys
import time

os.environ.setdefault("CASTLE_BACKEND", "pytorch")

import numpy as np
from castle.algorithms import GraNDAG


def read(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def shd(truth, guess):
    different = truth != guess
    return int(np.triu(different | different.T).sum())


table, edges, *settings = sys.argv[1:]
header, *rows = read(table)
x = np.array(rows, dtype=float)
x = (x - x.mean(axis=0)) / x.std(axis=0)
d = len(header)
truth = np.zeros((d, d), dtype=bool)
for cause, effect in read(edges)[1:]:
    truth[header.index(cause), header.index(effect)] = True

arguments = {key: ast.literal_eval(value) for key, value in (setting.split("=", 1) for setting in settings)}
start = time.perf_counter()
model = GraNDAG(input_dim=d, **arguments)
model.learn(x)
guess = np.asarray(model.causal_matrix) != 0
print(f"SHD {shd(truth, guess)}, {guess.sum()} edges, {time.perf_counter() - start:.1f} s")
for cause, effect in zip(*np.nonzero(guess)):
    print(f"{header[cause]},{header[effect]}")
