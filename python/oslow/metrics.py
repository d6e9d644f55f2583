"""Judges of an order or a graph, where the truth is known.

``truth`` and ``guess`` may be adjacency matrices (then say with ``edge_direction`` which way they are read), directed graphs
of networkx or causal-learn, or fitted models. Graphs with names are matched by name.

>>> import numpy as np, oslow
>>> truth = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
>>> guess = np.array([[0, 1, 0], [0, 0, 0], [0, 1, 0]])
>>> oslow.metrics.shd(truth, guess, edge_direction="from row to column")
2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _oslow, _table
from ._discovery import Discoverer
from ._errors import InputError
from ._graph import EdgeDirection, GraphLike, edges_of

__all__ = [
    "accuracy",
    "ancestor_aid",
    "cbc",
    "evaluate",
    "f1",
    "oset_aid",
    "parent_aid",
    "precision",
    "r2_sortability",
    "recall",
    "shd",
    "shd_reversal_twice",
    "sid",
    "skeleton_f1",
    "skeleton_precision",
    "skeleton_recall",
    "var_sortability",
]

#: The metrics that judge an order.
_OF_ORDERS = ["cbc", "accuracy"]
#: The metrics that judge a graph, by their names in the registry.
_OF_GRAPHS = [name for name in __all__ if name not in (*_OF_ORDERS, "evaluate", "r2_sortability", "var_sortability")]


def _graphs(metric: str, truth: GraphLike, guess: GraphLike, edge_direction: str | None) -> float | None:
    names, nodes, true_edges = edges_of(truth, edge_direction)
    _, others, edges = edges_of(guess, edge_direction, names)
    if nodes != others:
        raise InputError(f"the truth has {nodes} nodes, the guess {others}")
    return _oslow.judge(metric, nodes, true_edges, edges, None)


def _count(metric: str, truth: GraphLike, guess: GraphLike, edge_direction: str | None) -> int:
    value = _graphs(metric, truth, guess, edge_direction)
    if value is None:
        raise InputError(f"`{metric}` does not apply")
    return int(value)


def cbc(truth: GraphLike, order: Sequence[Any] | Discoverer, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """The share of true edges that point backwards in an order; None if there are no edges.

    The order holds the names of the nodes, or their numbers if the truth has no names; or it is a fitted model.

    >>> import numpy as np, oslow
    >>> truth = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    >>> oslow.metrics.cbc(truth, [0, 2, 1], edge_direction="from row to column")
    0.3333333333333333
    """
    return _order("cbc", truth, order, edge_direction)


def accuracy(
    truth: GraphLike, order: Sequence[Any] | Discoverer, *, edge_direction: EdgeDirection | None = None
) -> float | None:
    """The share of true edges whose direction an order has right, 1 − `cbc`; None if there are no edges.

    >>> import numpy as np, oslow
    >>> truth = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    >>> oslow.metrics.accuracy(truth, [0, 2, 1], edge_direction="from row to column")
    0.6666666666666667
    """
    return _order("accuracy", truth, order, edge_direction)


def _order(
    metric: str, truth: GraphLike, order: Sequence[Any] | Discoverer, edge_direction: EdgeDirection | None
) -> float | None:
    names, nodes, edges = edges_of(truth, edge_direction)
    if isinstance(order, Discoverer):
        order._fitted()
        if order.order_ is None:
            raise InputError(f"`{order.method}` yields no order")
        if names is None:
            names = order.feature_names_in_.tolist()
        order = order.order_
    if names is None:
        places = [int(node) for node in order]
    else:
        unknown = [name for name in order if name not in names]
        if unknown:
            raise InputError(f"order: there is no node `{unknown[0]}`")
        places = [names.index(name) for name in order]
    return _oslow.judge(metric, nodes, edges, None, places)


def shd(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> int:
    """Structural Hamming distance: edges missing, extra or reversed, a reversed one counted once.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
    >>> oslow.metrics.shd(truth, guess, edge_direction="from row to column")
    1
    """
    return _count("shd", truth, guess, edge_direction)


def shd_reversal_twice(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> int:
    """Structural Hamming distance with a reversed edge counted twice, as CDT does.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
    >>> oslow.metrics.shd_reversal_twice(truth, guess, edge_direction="from row to column")
    2
    """
    return _count("shd_reversal_twice", truth, guess, edge_direction)


def sid(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> int:
    """Structural intervention distance: pairs whose effect the guess gets wrong.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
    >>> oslow.metrics.sid(truth, guess, edge_direction="from row to column")
    2
    """
    return _count("sid", truth, guess, edge_direction)


def parent_aid(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> int:
    """Adjustment identification distance with parent adjustment; equals SID on graphs without cycles.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [0, 0]])
    >>> oslow.metrics.parent_aid(truth, guess, edge_direction="from row to column")
    1
    """
    return _count("parent_aid", truth, guess, edge_direction)


def ancestor_aid(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> int:
    """Adjustment identification distance with ancestor adjustment.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [0, 0]])
    >>> oslow.metrics.ancestor_aid(truth, guess, edge_direction="from row to column")
    1
    """
    return _count("ancestor_aid", truth, guess, edge_direction)


def oset_aid(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> int:
    """Adjustment identification distance with optimal adjustment.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [0, 0]])
    >>> oslow.metrics.oset_aid(truth, guess, edge_direction="from row to column")
    1
    """
    return _count("oset_aid", truth, guess, edge_direction)


def precision(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """The share of guessed edges that are true; None if none is guessed.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 1], [0, 0]])
    >>> oslow.metrics.precision(truth, guess, edge_direction="from row to column")
    1.0
    """
    return _graphs("precision", truth, guess, edge_direction)


def recall(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """The share of true edges that are guessed; None if there are none.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
    >>> oslow.metrics.recall(truth, guess, edge_direction="from row to column")
    0.0
    """
    return _graphs("recall", truth, guess, edge_direction)


def f1(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """The harmonic mean of precision and recall.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 1], [0, 0]])
    >>> oslow.metrics.f1(truth, guess, edge_direction="from row to column")
    1.0
    """
    return _graphs("f1", truth, guess, edge_direction)


def skeleton_precision(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """Precision of the edges without their directions.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
    >>> oslow.metrics.skeleton_precision(truth, guess, edge_direction="from row to column")
    1.0
    """
    return _graphs("skeleton_precision", truth, guess, edge_direction)


def skeleton_recall(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """Recall of the edges without their directions.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
    >>> oslow.metrics.skeleton_recall(truth, guess, edge_direction="from row to column")
    1.0
    """
    return _graphs("skeleton_recall", truth, guess, edge_direction)


def skeleton_f1(truth: GraphLike, guess: GraphLike, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """F1 of the edges without their directions.

    >>> import numpy as np, oslow
    >>> truth, guess = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
    >>> oslow.metrics.skeleton_f1(truth, guess, edge_direction="from row to column")
    1.0
    """
    return _graphs("skeleton_f1", truth, guess, edge_direction)


def evaluate(
    truth: GraphLike, model: Discoverer, *, edge_direction: EdgeDirection | None = None
) -> dict[str, float | None]:
    """Every metric of a fitted model; None where one does not apply. A truth without names has the model's columns.

    >>> import oslow
    >>> sachs = oslow.datasets.load("sachs")
    >>> judged = oslow.metrics.evaluate(sachs.truth, oslow.R2Sort(prune="cam").fit(sachs))
    >>> judged["shd"]
    13
    """
    model._fitted()
    judged: dict[str, float | None] = dict.fromkeys(_OF_ORDERS)
    for name in _OF_ORDERS if model.order_ is not None else []:
        judged[name] = globals()[name](truth, model, edge_direction=edge_direction)
    for name in _OF_GRAPHS:
        value = globals()[name](truth, model, edge_direction=edge_direction)
        judged[name] = value
    return judged


def _sortability(by: str, X: _table.Data, truth: GraphLike, edge_direction: str | None) -> float | None:
    table = _table.read(X)
    _, _, edges = edges_of(truth, edge_direction, table.names if not _unnamed(truth) else None)
    return _oslow.sortability(by, table.values, table.names, edges)


def _unnamed(truth: GraphLike) -> bool:
    return not any(hasattr(truth, name) for name in ("nodes", "columns", "get_graph_edges", "feature_names_in_"))


def var_sortability(X: _table.Data, truth: GraphLike, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """How far sorting columns by variance agrees with the truth: 1 means that a sort solves the data set.

    >>> import numpy as np, oslow
    >>> X = np.random.default_rng(0).normal(size=(100, 1)) * [1.0, 2.0] + np.random.default_rng(1).normal(size=(100, 2)) / 10
    >>> oslow.metrics.var_sortability(X, np.array([[0, 1], [0, 0]]), edge_direction="from row to column")
    1.0
    """
    return _sortability("variance", X, truth, edge_direction)


def r2_sortability(X: _table.Data, truth: GraphLike, *, edge_direction: EdgeDirection | None = None) -> float | None:
    """How far sorting columns by how well the others predict them agrees with the truth.

    >>> import oslow
    >>> sachs = oslow.datasets.load("sachs")
    >>> 0 <= oslow.metrics.r2_sortability(sachs, sachs.truth) <= 1
    True
    """
    return _sortability("r2", X, truth, edge_direction)
