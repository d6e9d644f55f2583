"""What the tests share."""

from __future__ import annotations

import pytest

import oslow


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--program", help="the command line's program, to compare with")


@pytest.fixture(scope="session")
def data() -> oslow.Dataset:
    """A small table with a truth that several methods can find."""
    return oslow.simulate(graph="path", nodes=4, mechanism="linear", noise="laplace", additive=True, rows=300, seed=5)


#: Settings that make slow methods quick: their answers are not judged here.
QUICK: dict[str, dict[str, object]] = {
    "oslow": {"cycles": 2, "refine": "none"},
    "oslow-gumbel-sinkhorn": {"cycles": 2},
    "oslow-soft-sinkhorn": {"cycles": 2},
    "bi-lsnm": {"estimator": "spline"},
    "daguerreotype": {"inner_steps": 5},
    "gran-dag": {"iterations": 200},
}


def quick(method: str, **params: object) -> oslow.Discoverer:
    """A method with quick settings, silent."""
    return oslow.methods()[method](**{"progress": False, "prune": "none", **QUICK.get(method, {}), **params})
