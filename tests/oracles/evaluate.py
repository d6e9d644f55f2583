"""The program's distances between graphs against gadjid's: 500 random pairs of 3 to 100 nodes.

Run by `cargo xtask oracles`; by hand: python tests/oracles/evaluate.py path/to/oslow

Both see the same graphs, ours as files: pairs take turns between a table of edges and a matrix, with names that are
shuffled, so that a mistake about rows, columns or names cannot cancel out.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import gadjid
import numpy as np

PAIRS = 500
WAY = {"edge_direction": "from row to column"}
DISTANCES = {
    "shd": lambda truth, guess: gadjid.shd(truth, guess)[1],
    "sid": lambda truth, guess: gadjid.sid(truth, guess, **WAY)[1],
    "parent_aid": lambda truth, guess: gadjid.parent_aid(truth, guess, **WAY)[1],
    "ancestor_aid": lambda truth, guess: gadjid.ancestor_aid(truth, guess, **WAY)[1],
    "oset_aid": lambda truth, guess: gadjid.oset_aid(truth, guess, **WAY)[1],
}


def graph_along(order, p, rng):
    d = len(order)
    graph = np.zeros((d, d), dtype=np.int8)
    graph[np.ix_(order, order)] = np.triu(rng.random((d, d)) < p, 1)
    return graph


def pair(rng):
    """Truth and guess: independent, or with most edges in common, or over one order; from a few edges to nearly all."""
    d = int(rng.integers(3, 101))
    # Dense graphs of many nodes are few: the other program needs a second for one.
    p = rng.random() if d <= 30 else min(1.0, rng.uniform(0.5, 8) / (d - 1))
    order = rng.permutation(d)
    truth = graph_along(order, p, rng)
    kind = rng.integers(3)
    if kind == 0:
        return truth, graph_along(rng.permutation(d), p, rng)
    if kind == 1:
        return truth, graph_along(order, p, rng)
    near = order.copy()
    at = int(rng.integers(d - 1))
    near[[at, at + 1]] = near[[at + 1, at]]
    kept = np.where(rng.random((d, d)) < 0.9, truth, graph_along(near, p, rng))
    rank = np.argsort(near)
    return truth, (kept * (rank[:, None] < rank[None, :])).astype(np.int8)


def write(graph, names, path, matrix, rng):
    order = rng.permutation(len(graph))
    if matrix:
        rows = [",".join(names[order])] + [",".join(map(str, row)) for row in graph[np.ix_(order, order)]]
    else:
        edges = np.argwhere(graph)
        rng.shuffle(edges)
        rows = ["from,to"] + [f"{names[a]},{names[b]}" for a, b in edges]
    path.write_text("\n".join(rows) + "\n")


def ours(program, folder, columns):
    files = [str(folder / name) for name in ("truth.csv", "guess.csv")]
    call = [program, "evaluate", "--truth", files[0], "--graph", files[1], "--columns", columns, "--json"]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def main(program):
    rng = np.random.default_rng(7)
    different = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for number in range(PAIRS):
            truth, guess = pair(rng)
            names = np.array([f"n{k}" for k in rng.permutation(len(truth))])
            write(truth, names, folder / "truth.csv", number % 2 == 0, rng)
            write(guess, names, folder / "guess.csv", number % 3 == 0, rng)
            found = ours(program, folder, ",".join(rng.permutation(names)))
            expected = {name: distance(truth, guess) for name, distance in DISTANCES.items()}
            got = {name: found[name] for name in DISTANCES}
            if got != expected:
                different += 1
                print(f"pair {number}, {len(truth)} nodes: gadjid {expected}, oslow {got}")
    if different:
        sys.exit(f"{different} of {PAIRS} pairs differ from gadjid")
    print(f"{PAIRS} pairs of graphs: {', '.join(DISTANCES)} all equal gadjid's")


if __name__ == "__main__":
    main(*sys.argv[1:])
