"""How sure an answer is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _oslow, _table
from ._discover import discover, method_class
from ._discovery import Discoverer, Task
from ._errors import InputError
from ._progress import listener
from ._workers import MOST_BATCHES, on_workers


def bootstrap(
    data: _table.Data,
    n: int = 200,
    method: str = "exact",
    *,
    backend: str | None = None,
    n_jobs: int | None = None,
    **params: Any,
) -> Discoverer:
    """The answer of :func:`discover`, and how sure it is: the same on ``n`` resamples of the rows.

    ``confidence_`` then holds the share of resamples that have each edge, ``order_pairs_`` how often one variable came
    before another, ``other_edges_`` what only resamples have.

    Parameters
    ----------
    n : int, default 200
        The number of resamples.
    method : str, default "exact"
        The method, see :func:`methods`.
    backend : str, optional
        Where resamples are done: ``"loky"`` (processes of this computer), ``"threading"``, ``"dask"`` or ``"ray"`` (a cluster). Without it,
        on the threads of this process. A batch whose worker dies is done again. The answer is the same everywhere.
        Needs ``pip install 'oslow[joblib]'``, ``'oslow[dask]'`` or ``'oslow[ray]'``.
    n_jobs : int, optional
        With a ``backend``, the most batches at a time. Without it, as many as there are workers; each uses one thread.
    **params
        The parameters of the method's class, see :func:`discover`.

    >>> import oslow
    >>> sure = oslow.bootstrap("sachs", n=10, method="r2-sort", prune="none")
    >>> sure.order_pairs_.shape
    (11, 11)
    """
    params["bootstrap"] = n
    if backend is None:
        if n_jobs is not None:
            raise InputError("n_jobs: there are no workers without a `backend`", "pass `threads`, or backend=\"loky\"")
        return discover(data, method, **params)
    if params.get("budget") is not None:
        raise InputError("budget: a bootstrap on workers cannot be cut short", "leave out `budget`, or ask for fewer resamples")
    model = method_class(data, method, params)(**params)
    task = model._task(data)
    _oslow.check_options(*task)
    size = math.ceil(n / MOST_BATCHES)
    batches = [(first, min(first + size, n)) for first in range(0, n, size)]
    told = listener(model.progress, task.names)
    finished: list[bytes] = []

    def keep(number: int, part: bytes) -> bool:
        finished.append(part)
        done = min(size * len(finished), n)
        return told("progress", {"stage": "resamples", "done": done, "total": n, "loss": None, "best": None})

    on_workers(_resamples, task, batches, backend, n_jobs, keep)
    return model._learn(task, finished)


def _resamples(task: Task, first: int, end: int) -> bytes:
    # Where an engine laid the table into memory of its own, it need not be aligned.
    values = np.require(task.values, requirements=["C", "A"])
    return _oslow.resamples(*task._replace(values=values), first, end)
