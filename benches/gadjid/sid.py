"""Times gadjid's distances on the graphs that crates/metrics/benches/sid.rs times too; `cargo xtask bench-sid` runs both.

    python benches/gadjid/sid.py write FILE    draw the pairs of graphs
    python benches/gadjid/sid.py time FILE     time them, a JSON object a line

What is timed is a call from Python with matrices that are ready: int8, C order, row → column. The number of threads is that of
RAYON_NUM_THREADS. Drawing and reading are not timed.
"""

import json
import pathlib
import sys
import time

import gadjid
import numpy as np

WAY = {"edge_direction": "from row to column"}
DISTANCES = {
    "sid": lambda truth, guess: gadjid.sid(truth, guess, **WAY)[1],
    "parent_aid": lambda truth, guess: gadjid.parent_aid(truth, guess, **WAY)[1],
    "ancestor_aid": lambda truth, guess: gadjid.ancestor_aid(truth, guess, **WAY)[1],
    "oset_aid": lambda truth, guess: gadjid.oset_aid(truth, guess, **WAY)[1],
    "shd": lambda truth, guess: gadjid.shd(truth, guess)[1],
}
# Each distance is taken as often as fits into this many seconds, at least twice; the best counts.
PATIENCE = 0.5


def write(path):
    rng = np.random.default_rng(11)

    def dag(d, p):
        order = rng.permutation(d)
        graph = np.zeros((d, d), dtype=np.int8)
        graph[np.ix_(order, order)] = np.triu(rng.random((d, d)) < p, 1)
        return np.argwhere(graph).tolist()

    pairs = []
    for d in (100, 300):
        # Three edges a node in expectation, and a dense graph.
        for name, p in (("sparse", 6 / (d - 1)), ("dense", 0.3)):
            pairs.append({"name": f"{name} {d}", "nodes": d, "truth": dag(d, p), "guess": dag(d, p)})
    pathlib.Path(path).write_text(json.dumps(pairs))


def matrix(edges, d):
    graph = np.zeros((d, d), dtype=np.int8)
    graph[tuple(np.array(edges).T)] = 1
    return graph


def best(work):
    start, least, rounds = time.perf_counter(), float("inf"), 0
    while rounds < 2 or time.perf_counter() - start < PATIENCE:
        before = time.perf_counter()
        value = work()
        least = min(least, time.perf_counter() - before)
        rounds += 1
    return 1e3 * least, value


def measure(path):
    for pair in json.loads(pathlib.Path(path).read_text()):
        truth, guess = (matrix(pair[key], pair["nodes"]) for key in ("truth", "guess"))
        for name, distance in DISTANCES.items():
            ms, value = best(lambda: distance(truth, guess))
            print(json.dumps({"pair": pair["name"], "distance": name, "ms": ms, "value": value}), flush=True)


if __name__ == "__main__":
    {"write": write, "time": measure}[sys.argv[1]](sys.argv[2])
