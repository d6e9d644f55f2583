"""Simulated data with its truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _model, _oslow
from ._discovery import as_json


class TrueModel:
    """The model that made the data: what would really happen under an intervention.

    >>> import oslow
    >>> model = oslow.simulate(graph="path", nodes=2, rows=100).model
    >>> model.do({"X0": 1.0}, rows=3).shape
    (3, 2)
    """

    def __init__(self, engine: _oslow.Model) -> None:
        self._engine = engine

    def do(self, do: Mapping[str, float], rows: int = 1000, seed: int = 0) -> npt.NDArray[np.float64]:
        """Rows drawn while some variables are set.

        >>> import oslow
        >>> float(oslow.simulate(graph="path", nodes=2, rows=100).model.do({"X0": 1.0}, rows=3)[0, 0])
        1.0
        """
        return self._engine.draw(rows, _model.setting(do), seed)

    def effects(self, do: Mapping[str, float], rows: int = 1000, seed: int = 0) -> dict[str, _model.Effect]:
        """The mean of every variable that is not set, with its 99 % Monte-Carlo interval.

        >>> import oslow
        >>> list(oslow.simulate(graph="path", nodes=2, rows=100).model.effects({"X0": 1.0}))
        ['X1']
        """
        return _model.effects(self._engine, do, rows, seed)

    def effect_curve(
        self,
        variable: str,
        grid: Sequence[float] | npt.NDArray[Any],
        *,
        target: str,
        do: Mapping[str, float] | None = None,
        rows: int = 1000,
        seed: int = 0,
    ) -> _model.Curve:
        """The mean of a target while a variable is set to each value of a grid.

        >>> import oslow
        >>> model = oslow.simulate(graph="path", nodes=2, rows=100).model
        >>> model.effect_curve("X0", [0.0, 1.0, 2.0], target="X1").grid.tolist()
        [0.0, 1.0, 2.0]
        """
        return _model.curve(self._engine, variable, grid, target, do or {}, rows, seed)


class Dataset:
    """A table with its truth, where it is known; taken wherever a table is taken.

    >>> import oslow
    >>> data = oslow.datasets.load("sachs")
    >>> data.values.shape
    (853, 11)
    """

    def __init__(
        self,
        values: npt.NDArray[np.float64],
        names: list[str],
        edges: list[tuple[str, str]] | None,
        model: TrueModel | None = None,
        conditions: dict[str, Any] | None = None,
    ) -> None:
        #: The numbers, row by row.
        self.values = values
        #: The names of the columns.
        self.columns = names
        #: The true edges (cause, effect), where they are known.
        self.edges = edges
        #: The true model, where there is one.
        self.model = model
        self._conditions = conditions
        #: The condition under which each row was observed, where there are several.
        self.conditions: list[str] | None = None if conditions is None else list(conditions["of_row"])

    def to_numpy(self) -> npt.NDArray[np.float64]:
        """The numbers.

        >>> import oslow
        >>> oslow.datasets.load("sachs").to_numpy().shape
        (853, 11)
        """
        return self.values

    def to_pandas(self) -> Any:
        """A pandas data frame.

        >>> import oslow
        >>> oslow.datasets.load("sachs").to_pandas().shape
        (853, 11)
        """
        import pandas

        return pandas.DataFrame(self.values, columns=self.columns)

    @property
    def truth(self) -> TrueGraph:
        """The true graph, for :mod:`oslow.metrics`; an error where it is not known.

        >>> import oslow
        >>> int(oslow.datasets.load("sachs").truth.adjacency.sum())
        17
        """
        if self.edges is None:
            raise AttributeError("the truth is not known")
        return TrueGraph(self.columns, self.edges)

    @property
    def order(self) -> list[str]:
        """One of the causal orders of the true graph.

        >>> import oslow
        >>> oslow.simulate(graph="path", nodes=3, rows=100, seed=1).order
        ['X2', 'X1', 'X0']
        """
        left, placed = list(self.columns), list[str]()
        edges = self.truth.edges
        while left:
            free = next(name for name in left if not any(b == name and a in left for a, b in edges))
            left.remove(free)
            placed.append(free)
        return placed

    def __repr__(self) -> str:
        rows, columns = self.values.shape
        return f"<oslow.Dataset: {rows} rows, {columns} columns>"


class TrueGraph:
    """A true graph: edges and adjacency matrix, and what networkx asks of a directed graph.

    >>> import oslow
    >>> ("PKA", "Akt") in oslow.datasets.load("sachs").truth.edges
    True
    """

    def __init__(self, nodes: list[str], edges: list[tuple[str, str]]) -> None:
        self.nodes = nodes
        self.edges = edges

    @property
    def adjacency(self) -> npt.NDArray[np.int8]:
        """The adjacency matrix, from row to column.

        >>> import oslow
        >>> oslow.datasets.load("sachs").truth.adjacency.shape
        (11, 11)
        """
        matrix = np.zeros((len(self.nodes), len(self.nodes)), dtype=np.int8)
        for cause, effect in self.edges:
            matrix[self.nodes.index(cause), self.nodes.index(effect)] = 1
        return matrix

    def is_directed(self) -> bool:
        """Yes.

        >>> import oslow
        >>> oslow.datasets.load("sachs").truth.is_directed()
        True
        """
        return True


def simulate(
    *,
    graph: str = "erdos-renyi",
    nodes: int = 5,
    mechanism: str | None = None,
    noise: str | None = None,
    additive: bool = False,
    rows: int = 1000,
    seed: int = 0,
    family: str | None = None,
    problem: str | None = None,
    **settings: Any,
) -> Dataset:
    """Draws a model and data from it; ``settings`` are those of ``oslow simulate --set``. ``family`` starts from the
    settings of a ready-made family (``oslow.catalogue("families")``). Without one the mechanism is ``sinusoid`` and the
    noise ``gaussian``. With ``problem`` a ready-made model is taken instead.

    >>> import oslow
    >>> data = oslow.simulate(graph="tournament", nodes=4, mechanism="linear", noise="laplace", rows=500, seed=7)
    >>> data
    <oslow.Dataset: 500 rows, 4 columns>
    >>> len(data.edges)
    6
    """
    if problem is not None:
        names, values, edges, model = _oslow.simulate_problem(problem, rows, seed)
    else:
        named = {"family": family, "mechanism": mechanism, "noise": noise}
        given = {key: value for key, value in named.items() if value is not None}
        wanted = {"graph": graph, "nodes": nodes, "additive": additive, **given, **settings}
        names, values, edges, model = _oslow.simulate(as_json(wanted), rows, seed)
    return Dataset(values, names, [(names[a], names[b]) for a, b in edges], TrueModel(model))
