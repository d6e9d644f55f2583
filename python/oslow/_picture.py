"""A picture that notebooks show by themselves."""

from __future__ import annotations

import os
from pathlib import Path


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
