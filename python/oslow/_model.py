"""Effects of interventions, of a fitted flow and of a true model alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ._errors import InputError
from ._picture import Picture
from . import _oslow


class Effect(NamedTuple):
    """The mean of a variable under an intervention, and its 99 % Monte-Carlo interval.

    The interval is that of drawing a limited number of rows from the model. It does not hold the doubt about the model.

    >>> import oslow
    >>> oslow.Effect(mean=1.0, low=0.9, high=1.1).mean
    1.0
    """

    mean: float
    low: float
    high: float


class Curve(NamedTuple):
    """Means of a target over values that a variable is set to.

    >>> import numpy as np, oslow
    >>> truth = oslow.simulate(graph="path", nodes=2, rows=200).model
    >>> curve = truth.effect_curve("X0", [0.0, 1.0], target="X1")
    >>> curve.mean.shape
    (2,)
    """

    variable: str
    target: str
    grid: npt.NDArray[np.float64]
    mean: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    #: What ``low`` and ``high`` are the ends of.
    interval: str = "99 % Monte-Carlo interval"

    def plot(self, truth: Curve | None = None, observed: tuple[float, float] | None = None) -> Picture:
        """The curve with its interval; ``truth`` is drawn dashed beside it, ``observed`` is where there was data.

        >>> import oslow
        >>> model = oslow.simulate(graph="path", nodes=2, rows=200).model
        >>> model.effect_curve("X0", [0.0, 1.0], target="X1").plot().svg[:4]
        '<svg'
        """
        curves = [(f"estimate, {self.interval}", self.grid, self.mean, list(zip(self.low, self.high)), False)]
        if truth is not None:
            curves.append(("truth", truth.grid, truth.mean, [], True))
        return Picture(
            _oslow.line_plot(
                f"The mean of {self.target} when {self.variable} is set",
                f"value that {self.variable} is set to",
                f"mean of {self.target}",
                [
                    (name, [(float(x), float(y)) for x, y in zip(xs, ys)], [(float(a), float(b)) for a, b in band], dashed)
                    for name, xs, ys, band, dashed in curves
                ],
                None if observed is None else (*observed, "99 % of the data"),
            )
        )


class Engine(Protocol):
    """What draws under interventions."""

    def draw(self, rows: int, set: list[tuple[str, float]], seed: int) -> npt.NDArray[np.float64]: ...

    def effects(
        self, set: list[tuple[str, float]], rows: int, seed: int
    ) -> list[tuple[str, float, float, float]]: ...

    def effect_curve(
        self, variable: str, grid: list[float], set: list[tuple[str, float]], rows: int, seed: int
    ) -> list[list[tuple[str, float, float, float]]]: ...


def setting(do: Mapping[str, float]) -> list[tuple[str, float]]:
    """What is set to what, as the engine takes it."""
    return [(str(name), float(value)) for name, value in do.items()]


def effects(engine: Engine, do: Mapping[str, float], rows: int, seed: int) -> dict[str, Effect]:
    """The mean of every variable that is not set."""
    return {target: Effect(*numbers) for target, *numbers in engine.effects(setting(do), rows, seed)}


def curve(
    engine: Engine, variable: str, grid: Sequence[float] | npt.NDArray[Any], target: str, do: Mapping[str, float], rows: int, seed: int
) -> Curve:
    """The mean of a target at each value of a grid."""
    values = np.asarray(grid, dtype=np.float64)
    points = engine.effect_curve(variable, values.tolist(), setting(do), rows, seed)
    chosen = [[numbers for name, *numbers in point if name == target] for point in points]
    if any(not found for found in chosen):
        raise InputError(f"target: `{target}` is no variable, or it is set")
    mean, low, high = np.array([found[0] for found in chosen], dtype=np.float64).reshape(-1, 3).T
    return Curve(variable, target, values, mean, low, high)
