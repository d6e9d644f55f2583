"""What a call from Python costs beside the command line on the same work.

Both read the same CSV file, learn with one thread and make every file of the run folder; they take turns, and each is judged by its
best. The command line's time is that of its whole process; Python's is that of the call in a process that has imported oslow, and that of
a whole process beside it.

usage: overhead.py PROGRAM FOLDER
"""

import subprocess
import sys
import time
from pathlib import Path

import oslow

ROUNDS = 5
TABLES = {
    "exact, 5 variables": ("exact", oslow.simulate(graph="tournament", nodes=5, rows=1000, seed=41)),
    "score, Sachs": ("score", oslow.datasets.load("sachs")),
    "oslow, 4 variables": ("oslow", oslow.simulate(graph="tournament", nodes=4, rows=1000, seed=42)),
}


def timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(program: str, folder: str) -> None:
    print(f"{'':24}{'command line':>14}{'Python call':>14}{'ratio':>8}{'Python process':>16}")
    for name, (method, data) in TABLES.items():
        path = str(Path(folder) / "table.csv")
        data.to_pandas().to_csv(path, index=False)
        shell = [program, "discover", path, "--method", method, "--threads", "1", "--json"]
        inside = f"import oslow; oslow.discover({path!r}, {method!r}, threads=1)"
        best = [float("inf")] * 3
        for _ in range(ROUNDS):
            times = [
                timed(lambda: subprocess.run(shell, capture_output=True, check=True)),
                timed(lambda: oslow.discover(path, method, threads=1, progress=False)),
                timed(lambda: subprocess.run([sys.executable, "-c", inside], check=True)),
            ]
            best = [min(a, b) for a, b in zip(best, times)]
        print(f"{name:24}{best[0]:>12.3f} s{best[1]:>12.3f} s{best[1] / best[0]:>8.3f}{best[2]:>14.3f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
