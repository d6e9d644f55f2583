"""Batches of work on workers: processes of this computer, or those of a cluster.

joblib starts them and brings batches to them. Ray is used directly: its backend for joblib neither hands over results as they come nor starts a worker again that died.
A batch never raises on a worker: what it raises is handed over. So whatever an engine itself raises means that batches were lost, and these are done again.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from types import ModuleType
from typing import Any

from ._errors import InputError

#: The most batches that work is cut into: each is sent to a worker with everything that it needs.
MOST_BATCHES = 256
#: How often in a row an engine may fail before any batch is finished.
_TRIES = 3

#: A number of a batch, its result, and what it raised.
_Done = tuple[int, Any, "Exception | None"]


def on_workers(
    function: Callable[..., Any],
    shared: Any,
    batches: Sequence[tuple[Any, ...]],
    backend: str,
    n_jobs: int | None,
    keep: Callable[[int, Any], bool],
) -> None:
    """Calls ``function(shared, *batch)`` for each batch on a worker, and ``keep(number, result)`` here for each result as it comes.

    Where a worker dies, the batches that were lost with it are done again. If ``keep`` returns False, the others are left out. Of the errors that batches raise the one of
    the first batch is raised here, whichever came first.
    """
    engine = _engine(backend)
    left = dict(enumerate(batches))
    error: Exception | None = None
    failures = 0
    while left:
        before = len(left)
        # Closed, the engine leaves out what is not wanted any more.
        with closing(engine(function, shared, left, n_jobs)) as results:
            while True:
                try:
                    number, result, raised = next(results)
                except StopIteration:
                    break
                except Exception as lost:
                    failures = 1 if len(left) < before else failures + 1
                    if failures == _TRIES:
                        raise RuntimeError(f"the workers of {backend!r} failed {_TRIES} times: {lost}") from lost
                    break
                del left[number]
                if raised is not None:
                    # Those before it may have failed, too.
                    error, left = raised, {other: batch for other, batch in left.items() if other < number}
                    break
                if not keep(number, result):
                    return
    if error is not None:
        raise error


_Results = Generator[_Done, None, None]
_Engine = Callable[[Callable[..., Any], Any, Mapping[int, "tuple[Any, ...]"], "int | None"], _Results]


def _engine(backend: str) -> _Engine:
    if backend == "multiprocessing":
        raise InputError('backend: "multiprocessing" forks this process, which can hang', 'use backend="loky"')
    if backend == "ray":
        ray = _package("ray", backend)
        return lambda *work: _on_ray(ray, *work)
    if backend == "dask":
        _package("distributed", backend)
    joblib = _package("joblib", backend)
    known = [*joblib.parallel.BACKENDS, *joblib.parallel.EXTERNAL_BACKENDS, "ray"]
    if backend not in known:
        known.remove("multiprocessing")
        raise InputError(f"backend: unknown backend {backend!r}", f"choose one of {', '.join(sorted(known))}")
    return lambda *work: _by_joblib(joblib, backend, *work)


def _package(name: str, backend: str) -> ModuleType:
    extra = backend if backend in ("dask", "ray") else "joblib"
    found = importlib.util.find_spec(name)
    # A folder of that name is no package, but Python finds it.
    if found is None or found.origin is None:
        raise ImportError(f"backend={backend!r} needs the package `{name}`: pip install 'oslow[{extra}]'")
    return importlib.import_module(name)


def _batch(function: Callable[..., Any], shared: Any, number: int, batch: tuple[Any, ...]) -> _Done:
    try:
        return number, function(shared, *batch), None
    except Exception as error:
        return number, None, error


def _by_joblib(
    joblib: Any,
    backend: str,
    function: Callable[..., Any],
    shared: Any,
    batches: Mapping[int, tuple[Any, ...]],
    n_jobs: int | None,
) -> _Results:
    jobs = -1 if n_jobs is None else n_jobs
    # joblib knows backends of others only here.
    with joblib.parallel_config(backend, n_jobs=jobs):
        parallel = joblib.Parallel(batch_size=1, return_as="generator_unordered")
    calls = [joblib.delayed(_batch)(function, shared, number, batch) for number, batch in batches.items()]
    results: _Results = parallel(calls)
    return results


def _on_ray(
    ray: Any,
    function: Callable[..., Any],
    shared: Any,
    batches: Mapping[int, tuple[Any, ...]],
    n_jobs: int | None,
) -> _Results:
    if not ray.is_initialized():
        ray.init()
    # Ray itself does a batch again whose worker died, so often.
    task = ray.remote(max_retries=_TRIES)(_batch)
    stored = ray.put(shared)
    waiting = iter(batches.items())
    running: list[Any] = []
    try:
        while True:
            while n_jobs is None or len(running) < n_jobs:
                following = next(waiting, None)
                if following is None:
                    break
                running.append(task.remote(function, stored, *following))
            if not running:
                return
            finished, running = ray.wait(running)
            yield ray.get(finished[0])
    finally:
        for one in running:
            ray.cancel(one, force=True)
