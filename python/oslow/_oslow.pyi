from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

__version__: str

_Matrix = npt.NDArray[np.float64]
_Do = list[tuple[str, float]]
_Effect = tuple[str, float, float, float]
_Listener = Callable[[str, dict[str, Any]], bool] | None

def catalogue() -> str: ...
def nearest(name: str, known: list[str]) -> str | None: ...
def read_table(source: str, options: str) -> tuple[list[str], _Matrix, str, list[str]]: ...
def load_dataset(
    name: str,
) -> tuple[tuple[list[str], _Matrix, str, list[str]], list[tuple[str, str]] | None]: ...
def discover(
    values: _Matrix,
    names: list[str],
    typing: str,
    config: str,
    threads: int | None,
    budget: float | None,
    listener: _Listener,
    resamples: list[bytes],
) -> dict[str, bytes]: ...
def check_options(values: _Matrix, names: list[str], typing: str, config: str) -> None: ...
def resamples(values: _Matrix, names: list[str], typing: str, config: str, first: int, end: int) -> bytes: ...
def forecast(
    values: _Matrix, names: list[str], typing: str, config: str, threads: int | None
) -> tuple[float | None, int | None, int] | None: ...
def bench(said: str, listener: _Listener) -> tuple[int, int, list[str], str | None]: ...
def bench_cells(said: str) -> int: ...
def prune(
    values: _Matrix,
    names: list[str],
    typing: str,
    order: list[str],
    config: str,
    threads: int | None,
    listener: _Listener,
) -> dict[str, bytes]: ...
def mean_effect(
    values: _Matrix,
    names: list[str],
    typing: str,
    run: str,
    question: str,
    threads: int | None,
    budget: float | None,
    listener: _Listener,
) -> str | None: ...
def report(files: list[tuple[str, bytes]]) -> str: ...
def write_run(folder: str, files: list[tuple[str, bytes]]) -> None: ...
def judge(
    metric: str,
    nodes: int,
    truth: list[tuple[int, int]],
    graph: list[tuple[int, int]] | None,
    order: list[int] | None,
) -> float | None: ...
def sortability(by: str, values: _Matrix, names: list[str], truth: list[tuple[int, int]]) -> float | None: ...
def simulate(family: str, rows: int, seed: int) -> tuple[list[str], _Matrix, list[tuple[int, int]], Model]: ...
def simulate_problem(
    name: str, rows: int, seed: int
) -> tuple[list[str], _Matrix, list[tuple[int, int]], Model]: ...
def line_plot(
    title: str,
    x_label: str,
    y_label: str,
    curves: list[tuple[str, list[tuple[float, float]], list[tuple[float, float]], bool]],
    shaded: tuple[float, float, str] | None,
) -> str: ...
def order_plot(names: list[str], losses: list[tuple[list[str], float]]) -> str: ...
def fit_flow(
    values: _Matrix,
    names: list[str],
    typing: str,
    order: list[str],
    config: str,
    threads: int | None,
    budget: float | None,
    listener: _Listener,
) -> FittedFlow: ...

class FittedFlow:
    names: list[str]
    order: list[str]
    nll: float | None
    observed: list[tuple[float, float]]
    @staticmethod
    def from_bytes(bytes: bytes) -> FittedFlow: ...
    def to_bytes(self) -> bytes: ...
    def log_prob(self, values: _Matrix) -> _Matrix: ...
    def draw(self, rows: int, set: _Do, seed: int) -> _Matrix: ...
    def counterfactual(self, values: _Matrix, set: _Do) -> _Matrix: ...
    def effects(self, set: _Do, rows: int, seed: int) -> list[_Effect]: ...
    def effect_curve(
        self, variable: str, grid: list[float], set: _Do, rows: int, seed: int
    ) -> list[list[_Effect]]: ...
    def far_rows(self, values: _Matrix) -> list[str]: ...
    def extrapolations(self, set: _Do) -> list[str]: ...

class Model:
    def draw(self, rows: int, set: _Do, seed: int) -> _Matrix: ...
    def effects(self, set: _Do, rows: int, seed: int) -> list[_Effect]: ...
    def effect_curve(
        self, variable: str, grid: list[float], set: _Do, rows: int, seed: int
    ) -> list[list[_Effect]]: ...
