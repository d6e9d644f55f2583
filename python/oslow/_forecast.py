"""What a run will need."""

from __future__ import annotations

from typing import NamedTuple


class Forecast(NamedTuple):
    """What a run will need, roughly; made by :meth:`Discoverer.forecast`.

    Attributes
    ----------
    seconds : float or None
        How long it will take on these threads, where that can be told.
    bytes : int or None
        The most memory at a time besides the table, where that can be told.
    threads : int
        How many threads will work.

    >>> import oslow
    >>> needs = oslow.Exact(threads=1).forecast("sachs")
    >>> 1 < needs.seconds < 60
    True
    """

    seconds: float | None
    bytes: int | None
    threads: int
