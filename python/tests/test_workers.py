"""Resamples and experiments on workers: the same bytes, also where a worker dies."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import runpy
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import oslow
from oslow import _workers

EXPERIMENT = """
metrics = ["cbc", "shd"]
sets = 2
rows = 100
nodes = [3]
methods = [{ name = "r2-sort" }]
[[problems]]
column = "sinusoid"
simulate = { mechanism = "sinusoid" }
graphs = ["path", "tournament"]
[[problems]]
column = "genes"
folder = "genes"
"""


def files(model: oslow.Discoverer) -> dict[str, bytes]:
    """Every file of a run, without its seconds."""
    found = dict(model._files)
    run = json.loads(found["run.json"])
    assert run.pop("seconds") >= 0.0
    return {**found, "run.json": json.dumps(run).encode()}


def sure(backend: str | None = None, n_jobs: int | None = None) -> dict[str, bytes]:
    made = oslow.bootstrap("sachs", n=12, method="cam", prune="cam", seed=3, progress=False, backend=backend, n_jobs=n_jobs)
    return files(made)


@pytest.fixture(scope="module")
def alone() -> dict[str, bytes]:
    return sure()


@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_processes_give_the_same_bytes(alone: dict[str, bytes], n_jobs: int) -> None:
    assert sure("loky", n_jobs) == alone


def test_threads_give_the_same_bytes_and_tell_how_far_they_are(alone: dict[str, bytes]) -> None:
    seen: list[oslow.Progress] = []
    made = oslow.bootstrap("sachs", n=12, method="cam", prune="cam", seed=3, progress=seen.append, backend="threading", n_jobs=2)
    assert files(made) == alone
    assert [now.done for now in seen if now.stage == "resamples"][:12] == list(range(1, 13))


def test_batches_of_many_resamples_give_the_same_bytes(alone: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oslow._bootstrap.MOST_BATCHES", 5)
    assert sure("threading", 2) == alone


def dies_once(shared: tuple[str, int], number: int) -> int:
    """A batch whose worker is killed the first time."""
    folder, fatal = shared
    died = Path(folder) / "died"
    if number == fatal and not died.exists():
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    (Path(folder) / f"{number}-{os.getpid()}").touch()
    return number * number


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_what_a_dead_worker_had_is_done_again(tmp_path: Path) -> None:
    found: dict[int, int] = {}

    def keep(number: int, result: int) -> bool:
        assert number not in found
        found[number] = result
        return True

    _workers.on_workers(dies_once, (str(tmp_path), 7), [(number,) for number in range(20)], "loky", 2, keep)
    assert found == {number: number * number for number in range(20)}
    assert (tmp_path / "died").exists()
    # Only what was under way is done again: 20 batches, and at most as many more as there are workers and batches that wait for them.
    assert len(list(tmp_path.glob("*-*"))) <= 20 + 4


def always_dies(shared: None, number: int) -> None:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_batch_that_kills_every_worker_ends_it() -> None:
    with pytest.raises(RuntimeError, match="the workers of 'loky' failed 3 times"):
        _workers.on_workers(always_dies, None, [(number,) for number in range(4)], "loky", 2, lambda number, result: True)


def fails(shared: None, number: int) -> None:
    if number in (3, 5):
        raise oslow.InputError(f"batch {number}", "a hint")


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_the_error_of_the_first_batch_is_raised(backend: str) -> None:
    with pytest.raises(oslow.InputError) as raised:
        _workers.on_workers(fails, None, [(number,) for number in range(8)], backend, 2, lambda number, result: True)
    assert (raised.value.message, raised.value.hint) == ("batch 3", "a hint")


def kill_a_worker(named: bytes) -> int:
    """Kills a process with this in its name that this one, or one that it started, has started."""
    parents: dict[int, int] = {}
    names: dict[int, bytes] = {}
    for entry in Path("/proc").iterdir():
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            names[int(entry.name)] = (entry / "cmdline").read_bytes()
        except (OSError, ValueError):
            continue

    def is_ours(pid: int) -> bool:
        return pid in parents and (parents[pid] == os.getpid() or is_ours(parents[pid]))

    workers = [pid for pid, name in names.items() if named in name and is_ours(pid)]
    assert workers
    os.kill(workers[0], signal.SIGKILL)
    return workers[0]


def killing(worker: bytes, killed: list[int]) -> Callable[[oslow.Progress], None]:
    """What is told of progress, and kills a worker when the first resamples are done."""

    def told(progress: oslow.Progress) -> None:
        if progress.stage == "resamples" and not killed:
            killed.append(kill_a_worker(worker))

    return told


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")
def test_a_bootstrap_whose_worker_is_killed_gives_the_same_bytes(alone: dict[str, bytes]) -> None:
    killed: list[int] = []
    watch = killing(b"popen_loky_posix", killed)
    made = oslow.bootstrap("sachs", n=12, method="cam", prune="cam", seed=3, progress=watch, backend="loky", n_jobs=2)
    assert files(made) == alone and killed


def timeless(folder: Path) -> list[list[str]]:
    """The rows of results without their seconds."""
    with (folder / "results.csv").open(newline="") as file:
        lines = list(csv.reader(file))
    timed = [k for k, name in enumerate(lines[0]) if name.endswith("seconds")]
    assert len(timed) == 2
    return [[field for k, field in enumerate(line) if k not in timed] for line in lines]


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    return tmp_path / "small.toml"


def test_an_experiment_on_workers_is_that_of_the_threads(experiment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = experiment.parent
    alone = oslow.bench(experiment, home / "alone", seed=4)
    assert (alone.done, alone.total) == (20, 20) and alone.summary == (home / "alone/summary.md").read_text()
    assert alone.skipped == ["`genes` is skipped: nothing says where its folder is"]
    monkeypatch.setattr("oslow._bench.MOST_BATCHES", 5)
    for n_jobs in [1, 2]:
        out = home / f"on {n_jobs}"
        found = oslow.bench(experiment, out, seed=4, backend="loky", n_jobs=n_jobs)
        assert found.done == found.total and found.summary == alone.summary
        assert timeless(out) == timeless(home / "alone")
        assert sorted(path.name for path in out.iterdir()) == sorted(path.name for path in (home / "alone").iterdir())


def test_an_experiment_that_was_stopped_goes_on(experiment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oslow._bench.MOST_BATCHES", 6)
    home = experiment.parent
    whole = oslow.bench(experiment, home / "whole")
    shards: list[int] = []

    def stop_after_two(progress: oslow.Progress) -> bool:
        if progress.stage == "shards":
            shards.append(progress.done)
        return len(shards) < 2

    cut = oslow.bench(experiment, home / "cut", backend="threading", n_jobs=1, progress=stop_after_two)
    assert 0 < cut.done < cut.total and shards == [1, 2]
    with pytest.raises(oslow.InputError) as raised:
        oslow.bench(experiment, home / "cut", backend="threading")
    assert raised.value.message.endswith("holds results")
    assert raised.value.hint == "go on with them with `resume=True`, or name another folder with `out`"
    seen: list[int] = []
    watch: Any = lambda progress: seen.append(progress.done) if progress.stage == "shards" else None
    found = oslow.bench(experiment, home / "cut", resume=True, backend="threading", n_jobs=2, progress=watch)
    assert found.done == found.total == whole.total and seen == [3, 4, 5, 6]
    assert timeless(home / "cut") == timeless(home / "whole")


def test_wrong_words_are_refused(experiment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(oslow.InputError, match='backend: unknown backend \'sky\'\nhint: choose one of dask, loky, ray'):
        oslow.bootstrap("sachs", n=2, method="random", backend="sky")
    with pytest.raises(oslow.InputError, match="forks this process, which can hang"):
        oslow.bootstrap("sachs", n=2, method="random", backend="multiprocessing")
    with pytest.raises(oslow.InputError, match="n_jobs: there are no workers without a `backend`"):
        oslow.bootstrap("sachs", n=2, method="random", n_jobs=2)
    with pytest.raises(oslow.InputError, match="budget: a bootstrap on workers cannot be cut short"):
        oslow.bootstrap("sachs", n=2, method="random", backend="loky", budget=3)
    with pytest.raises(oslow.InputError, match="did you mean `random`"):
        oslow.bootstrap("sachs", n=2, method="randon", backend="loky")
    with pytest.raises(oslow.InputError, match="bootstrap = 0"):
        oslow.bootstrap("sachs", n=0, method="random", backend="loky")
    with pytest.raises(oslow.InputError, match="file not found: `nowhere.toml`"):
        oslow.bench("nowhere.toml", experiment.parent / "out")
    with pytest.raises(oslow.InputError, match="there is no profile `tiny`"):
        oslow.bench(experiment, experiment.parent / "out", profile="tiny", backend="loky")
    assert not (experiment.parent / "out").exists()


@pytest.mark.parametrize(("backend", "package", "extra"), [("ray", "ray", "ray"), ("dask", "distributed", "dask"), ("loky", "joblib", "joblib")])
def test_a_missing_package_is_named_with_its_extra(backend: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else find(name))
    with pytest.raises(ImportError) as raised:
        oslow.bootstrap("sachs", n=2, method="random", backend=backend)
    assert str(raised.value) == f"backend={backend!r} needs the package `{package}`: pip install 'oslow[{extra}]'"


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    found = pytest.importorskip("ray", reason="ray is not installed")
    found.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield found
    found.shutdown()


def test_ray_gives_the_same_bytes(ray: Any, alone: dict[str, bytes]) -> None:
    assert sure("ray") == alone and sure("ray", 1) == alone


def die_once_on(backend: str, folder: Path, most_again: int) -> None:
    found: dict[int, int] = {}

    def keep(number: int, result: int) -> bool:
        found[number] = result
        return True

    _workers.on_workers(dies_once, (str(folder), 7), [(number,) for number in range(20)], backend, None, keep)
    assert found == {number: number * number for number in range(20)}
    # The batch that died left no file.
    assert (folder / "died").exists() and len(list(folder.glob("*-*"))) <= 20 + most_again


def test_ray_does_again_only_what_a_dead_worker_had(ray: Any, tmp_path: Path) -> None:
    die_once_on("ray", tmp_path, 0)


def test_a_bootstrap_on_ray_whose_worker_is_killed_gives_the_same_bytes(ray: Any, alone: dict[str, bytes]) -> None:
    killed: list[int] = []
    watch = killing(b"ray::_batch", killed)
    made = oslow.bootstrap("sachs", n=12, method="cam", prune="cam", seed=3, progress=watch, backend="ray")
    assert files(made) == alone and killed


def test_the_script_for_ray_writes_the_run_folder(ray: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    oslow.simulate(graph="path", nodes=3, rows=100, seed=1).to_pandas().to_csv(tmp_path / "data.csv", index=False)
    script = Path(__file__).parents[2] / "docs/cluster/ray_bootstrap.py"
    main = runpy.run_path(str(script))["main"]
    main(str(tmp_path / "data.csv"), "3", str(tmp_path / "run"))
    alone = oslow.bootstrap(str(tmp_path / "data.csv"), n=3)
    assert json.loads((tmp_path / "run/run.json").read_text())["edges"] == alone.run_["edges"]
    assert len(capsys.readouterr().out.splitlines()) == len(alone.edges_)


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        yield client


def test_dask_gives_the_same_bytes(dask: Any, alone: dict[str, bytes]) -> None:
    assert sure("dask") == alone


def test_dask_does_again_only_what_a_dead_worker_had(dask: Any, tmp_path: Path) -> None:
    # A result that the worker had not yet handed over is lost with it.
    die_once_on("dask", tmp_path, 2)
