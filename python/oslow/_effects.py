"""Average effects with the doubt about the graph."""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np

from ._model import Curve

#: A value of a column: a number, or the name of a level.
Value = Union[float, int, str, bool]


class MeanEffect(NamedTuple):
    """The average effect of setting a column on the mean of another; made by :meth:`Discoverer.effects`.

    Attributes
    ----------
    on, target : str
        The column that is set, and the column whose mean changes.
    from_, to : float or str
        Where the column is set from, and where to.
    mean : float
        How much the mean of the target changes, in the units of the data.
    low, high : float
        The ends of its 90 % interval, which holds the doubt about the rows and about the graph.
    p_no_effect : float or None
        The probability that the column is not a cause of the target, directly or indirectly.
    curve : Curve or None
        The mean of the target itself at each value of ``grid``, with its 90 % interval.
    measure : str
        What the mean is of: ``"mean"``, ``"probability"`` (of ``level``) or ``"mean of codes"``.
    level : str or None
        The level whose probability it is.
    parent_sets : list of dict
        The sets of direct causes that were averaged over: ``parents``, ``probability``, ``mean``.
    assumptions : list of str
        What must hold for the answer to be right.

    >>> import oslow
    >>> data = oslow.simulate(graph="path", nodes=2, rows=200, seed=1)
    >>> found = oslow.Exact().fit(data).effects(data.order[0], data.order[1])
    >>> found.low <= found.high
    True
    """

    on: str
    target: str
    from_: float | str
    to: float | str
    mean: float
    low: float
    high: float
    p_no_effect: float | None
    curve: Curve | None
    measure: str
    level: str | None
    parent_sets: list[dict[str, Any]]
    assumptions: list[str]


def told(value: Value | None) -> str | None:
    """A value as the engine takes it: what JSON would call it, or the name of a level."""
    if value is None or isinstance(value, str):
        return value
    return str(value.item() if isinstance(value, np.generic) else value)


def effect(found: dict[str, Any]) -> MeanEffect:
    """The answer of the engine."""
    points = found["curve"]
    curve = None
    if points:
        grid, mean, low, high = (
            np.array([point[key] for point in points], dtype=np.float64) for key in ("value", "mean", "low", "high")
        )
        curve = Curve(found["on"], found["target"], grid, mean, low, high, "90 % interval")
    return MeanEffect(
        found["on"],
        found["target"],
        found["from"],
        found["to"],
        found["mean"],
        found["low"],
        found["high"],
        found.get("p_no_effect"),
        curve,
        found["measure"],
        found.get("level"),
        found["parent_sets"],
        found["assumptions"],
    )
