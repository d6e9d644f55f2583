"""Who listens while oslow works: a progress bar, or the user's own function."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

from ._errors import OslowWarning

#: Seconds before a bar is worth showing.
_SHOWN_AFTER = 1.0


class Progress(NamedTuple):
    """How far a run is; what a ``progress`` function is called with.

    >>> import oslow
    >>> seen = []
    >>> model = oslow.Random(progress=lambda progress: seen.append(progress.stage)).fit("sachs")
    >>> len(seen) > 0
    True
    """

    #: What is being done.
    stage: str
    #: Steps done, and steps in all.
    done: int
    total: int
    #: Negative log-likelihood per row, where there is one.
    loss: float | None
    #: The best order so far, where there is one.
    best: list[str] | None


#: True: a bar. False: nothing. None: a bar in terminals and notebooks. A function: called with each
#: :class:`Progress`; if it returns False, the run stops with the best it has.
ProgressOption = Union[bool, None, Callable[[Progress], Any]]


def listener(progress: ProgressOption, names: Sequence[str]) -> Callable[[str, dict[str, Any]], bool]:
    """What the engine calls with everything that it has to say."""
    told = progress if callable(progress) else _bar(progress)

    def listen(kind: str, facts: dict[str, Any]) -> bool:
        if kind == "warning":
            warnings.warn(facts["text"], OslowWarning, stacklevel=5)
        elif kind == "progress" and told is not None:
            best = facts.pop("best")
            now = Progress(**facts, best=None if best is None else [names[node] for node in best])
            return told(now) is not False
        return True

    return listen


def _bar(progress: bool | None) -> Callable[[Progress], None] | None:
    if progress is False or (progress is None and not _somebody_watches()):
        return None
    tqdm = _tqdm()
    if tqdm is None:
        if progress:
            warnings.warn("tqdm is not installed, so there is no progress bar", OslowWarning, stacklevel=5)
        return None
    bars: dict[str, Any] = {}
    start = time.monotonic()

    def show(now: Progress) -> None:
        if now.stage not in bars:
            if progress is None and time.monotonic() - start < _SHOWN_AFTER:
                return
            for bar in bars.values():
                bar.close()
            bars[now.stage] = tqdm(total=now.total, desc=now.stage, leave=False)
        bar = bars[now.stage]
        bar.update(now.done - bar.n)
        if now.loss is not None:
            bar.set_postfix_str(f"loss {now.loss:.3f}")
        if now.done >= now.total:
            bar.close()

    return show


def _tqdm() -> Any:
    """tqdm's bar for this place: one of letters where a notebook has no widgets; None if there is no tqdm."""
    if importlib.util.find_spec("tqdm") is None:
        return None
    widgets = "ipykernel" in sys.modules and importlib.util.find_spec("ipywidgets") is not None
    return importlib.import_module("tqdm.notebook" if widgets else "tqdm").tqdm


def _somebody_watches() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules
