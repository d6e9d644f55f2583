"""A bootstrap on a Ray cluster.

    ray start --head                                    on one computer
    ray start --address=HEAD:6379                       on each of the others; all have the same version of oslow
    RAY_ADDRESS=auto python ray_bootstrap.py data.csv 1000 run

The run folder is that of `oslow discover data.csv --bootstrap 1000 --out run`, but for the seconds that it took.
"""

import sys

import oslow


def main(data: str, resamples: str, folder: str) -> None:
    sure = oslow.bootstrap(data, n=int(resamples), backend="ray")
    sure.save(folder)
    for (cause, effect), share in sorted(sure.confidence_.items(), key=lambda edge: -edge[1]):
        print(f"{cause} -> {effect}  {share:.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
