"""Times SCORE as its Python program computes it, on the tables that crates/order/benches/score.rs times too; `cargo xtask bench-score` runs both.

    python benches/score/score.py write FILE    the tables
    python benches/score/score.py time FILE     time them, a JSON object a line

A table is timed from the array to the order. As in the original, each step makes the tensor of all differences, n × n × d, and inverts the
kernel matrix once for the gradient and once for the Hessian; here in numpy and double precision, there in PyTorch. The number of
threads is that of OMP_NUM_THREADS.
"""

import json
import pathlib
import sys
import time

import numpy as np

SACHS = pathlib.Path("crates/data/data/sachs.csv")
ETA = 0.001
# Each table is taken as often as fits into this many seconds, at least twice; the best counts.
PATIENCE = 2.0


def hessian(x):
    n = len(x)
    differences = x[:, None, :] - x[None, :, :]
    distances = np.linalg.norm(differences, axis=2)
    s = np.partition(distances.ravel(), (n * n - 1) // 2)[(n * n - 1) // 2]
    k = np.exp(-(distances**2) / (2 * s**2)) / s
    first = -np.einsum("kij,ik->kj", differences, k) / s**2
    gradient = np.linalg.inv(k + ETA * np.eye(n)) @ first
    second = np.einsum("kij,ik->kj", differences**2 / s**4 - 1 / s**2, k)
    return -(gradient**2) + np.linalg.inv(k + ETA * np.eye(n)) @ second


def order(x):
    left, leaves = list(range(x.shape[1])), []
    while len(left) > 1:
        leaf = int(np.argmin(hessian(x[:, left]).var(axis=0)))
        leaves.append(left.pop(leaf))
    return (leaves + left)[::-1]


def write(path):
    raw = np.loadtxt(SACHS, delimiter=",", skiprows=1)
    rng = np.random.default_rng(1)
    drawn = rng.normal(size=(500, 20))
    for j in range(1, 20):
        drawn[:, j] += np.sin(2 * drawn[:, max(0, j - 3) : j]).sum(axis=1)
    tables = {"sachs, raw": raw, "sachs": (raw - raw.mean(axis=0)) / raw.std(axis=0), "500 × 20": drawn}
    rows = [{"name": name, "rows": table.tolist()} for name, table in tables.items()]
    pathlib.Path(path).write_text(json.dumps(rows))


def measure(path):
    for table in json.loads(pathlib.Path(path).read_text()):
        x = np.array(table["rows"])
        start, least, rounds = time.perf_counter(), float("inf"), 0
        while rounds < 2 or time.perf_counter() - start < PATIENCE:
            before = time.perf_counter()
            found = order(x)
            least = min(least, time.perf_counter() - before)
            rounds += 1
        print(json.dumps({"name": table["name"], "ms": 1e3 * least, "order": found}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        measure(sys.argv[2])
