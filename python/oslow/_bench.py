"""Experiments: methods on many data sets."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Union

from . import _oslow
from ._errors import InputError
from ._progress import ProgressOption, listener
from ._workers import MOST_BATCHES, on_workers

_Path = Union[str, "os.PathLike[str]"]


class BenchResult(NamedTuple):
    """An experiment that was run; made by :func:`bench`.

    Attributes
    ----------
    folder : Path
        Where ``results.csv``, one row per run, and the tables are.
    summary : str
        The tables as Markdown.
    done, total : int
        Cells that are done, and all cells. They differ where ``progress`` asked to stop.
    skipped : list of str
        What was left out, and why.

    >>> import oslow
    >>> oslow.BenchResult._fields
    ('folder', 'summary', 'done', 'total', 'skipped')
    """

    folder: Path
    summary: str
    done: int
    total: int
    skipped: list[str]

    def _repr_markdown_(self) -> str:
        return self.summary


def bench(
    experiment: _Path,
    out: _Path,
    *,
    profile: str | None = None,
    seed: int | None = None,
    sets: int | None = None,
    folders: Mapping[str, _Path] | None = None,
    resume: bool = False,
    threads: int | None = None,
    backend: str | None = None,
    n_jobs: int | None = None,
    progress: ProgressOption = None,
) -> BenchResult:
    """Runs an experiment, as ``oslow bench`` does: methods on many data sets, beside the published numbers.

    Parameters
    ----------
    experiment : path
        The experiment's TOML file.
    out : path
        The folder for results.
    profile : str, optional
        A profile of the experiment.
    seed, sets : int, optional
        Another seed, another number of data sets per kind than the experiment's.
    folders : dict, optional
        Where the data folders of the experiment are, by name. Workers need to see the same paths.
    resume : bool, default False
        Go on with the results in ``out``.
    threads : int, optional
        How many cells at a time without a ``backend`` (default: one per core).
    backend, n_jobs : str and int, optional
        Do the cells on workers, as in :func:`bootstrap`. The results are the same, but for the seconds that each run took.
    progress : bool or function, optional
        As in :class:`Exact`.

    >>> import oslow, pathlib, tempfile
    >>> home = pathlib.Path(tempfile.mkdtemp())
    >>> text = "methods = [{ name = 'random' }]\\nproblems = [{ column = 'Sachs', dataset = 'sachs' }]"
    >>> _ = (home / "small.toml").write_text(text)
    >>> found = oslow.bench(home / "small.toml", home / "results")
    >>> found.done == found.total
    True
    """
    if backend is None and n_jobs is not None:
        raise InputError("n_jobs: there are no workers without a `backend`", "pass `threads`, or backend=\"loky\"")
    path = Path(experiment)
    if not path.is_file():
        raise InputError(f"file not found: `{path}`", "paths are relative to the current directory")
    chosen = {"profile": profile, "seed": seed, "sets": sets}
    said: dict[str, Any] = {
        **chosen,
        "experiment": path.read_text(encoding="utf-8"),
        "name": str(path),
        "out": os.fspath(out),
        "resume": resume,
        "shard": None,
        "folders": {name: os.path.abspath(folder) for name, folder in (folders or {}).items()},
        "threads": threads,
        "command": _command(path, chosen),
    }
    told = listener(progress, [])
    if backend is None:
        return _result(said, told)
    cells = _oslow.bench_cells(json.dumps(said))
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    there = _shards_in(folder)
    of = next(iter(there))[1] if len({of for _, of in there}) == 1 else min(cells, MOST_BATCHES)
    left = [(index, of) for index in range(1, of + 1) if (index, of) not in there]
    kept = of - len(left)

    def keep(number: int, rows: bytes) -> bool:
        nonlocal kept
        _write_whole(folder / _oslow.shard_file(*left[number]), rows)
        kept += 1
        return told("progress", {"stage": "shards", "done": kept, "total": of, "loss": None, "best": None})

    on_workers(_shard, said, left, backend, n_jobs, keep)
    result = _result({**said, "resume": True}, told)
    if result.done == result.total:
        for shard in _shards_in(folder):
            (folder / _oslow.shard_file(*shard)).unlink()
    return result


def _result(said: dict[str, Any], told: Any) -> BenchResult:
    done, total, skipped, summary = _oslow.bench(json.dumps(said), told)
    return BenchResult(Path(said["out"]), summary or "", done, total, skipped)


def _shard(said: dict[str, Any], index: int, of: int) -> bytes:
    """The rows of a shard: the file that it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        _oslow.bench(json.dumps({**said, "out": folder, "resume": False, "shard": (index, of), "threads": 1}), None)
        return (Path(folder) / _oslow.shard_file(index, of)).read_bytes()


def _shards_in(folder: Path) -> set[tuple[int, int]]:
    found = (_oslow.shard_of_file(path.name) for path in folder.iterdir())
    return {shard for shard in found if shard is not None}


def _write_whole(path: Path, content: bytes) -> None:
    beside = path.with_suffix(".part")
    beside.write_bytes(content)
    beside.replace(path)


def _command(path: Path, chosen: Mapping[str, Any]) -> str:
    """What makes the same numbers again."""
    words = [f"{str(path)!r}", "out", *(f"{name}={value!r}" for name, value in chosen.items() if value is not None)]
    return f"oslow.bench({', '.join(words)})"
