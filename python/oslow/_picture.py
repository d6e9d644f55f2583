"""A picture that notebooks show by themselves."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from . import _oslow
from ._errors import InputError


class Picture:
    """An SVG picture: shown by a notebook if it is the last value of a cell, written by ``save``.

    >>> import oslow
    >>> picture = oslow.Random().fit("sachs").plot()
    >>> picture.svg.startswith("<svg")
    True
    """

    def __init__(self, svg: str) -> None:
        #: The SVG document.
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "<oslow.Picture: shown in a notebook; .save('graph.svg') writes it>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG document.

        >>> import oslow, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "graph.svg"
        >>> oslow.Random().fit("sachs").plot().save(path)
        >>> path.stat().st_size > 1000
        True
        """
        Path(path).write_text(self.svg, encoding="utf-8")


def plot_orders(losses: Mapping[tuple[str, ...], float]) -> Picture:
    """The loss over all orders of three or four variables: the Birkhoff polytope, seen so that orders which differ by one
    exchange of neighbours are neighbours.

    >>> import itertools, oslow
    >>> data = oslow.simulate(graph="path", nodes=3, rows=200, seed=2)
    >>> losses = {
    ...     order: oslow.Flow(order=order, settings={"epochs": 3}).fit(data).nll_
    ...     for order in itertools.permutations(data.columns)
    ... }
    >>> oslow.plot_orders(losses).svg.count("<circle")
    6
    """
    if not losses:
        raise InputError("there are no orders to show")
    names = sorted(next(iter(losses)))
    return Picture(_oslow.order_plot(names, [(list(order), float(loss)) for order, loss in losses.items()]))
