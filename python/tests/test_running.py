"""While it runs: other threads, progress, stopping."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import oslow


def slow() -> oslow.Dataset:
    return oslow.simulate(graph="tournament", nodes=7, rows=1000, seed=1)


def test_another_thread_goes_on_during_fit() -> None:
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    table = slow()
    other.start()
    before = counted
    model = oslow.OSLow(cycles=5, refine="none", prune="none", progress=False).fit(table)
    during = counted - before
    stop.set()
    other.join()
    # It sleeps a thousandth of a second each time: a tenth of what it could do is far more than a held lock would allow.
    assert during > 100 * model.seconds_


def test_progress_is_told_and_may_stop() -> None:
    seen: list[oslow.Progress] = []

    def watch(progress: oslow.Progress) -> bool:
        seen.append(progress)
        return len(seen) < 3

    model = oslow.OSLow(prune="none", progress=watch).fit(slow())
    assert model.interrupted_ and len(seen) == 3
    assert seen[-1].total > 0 and sorted(model.order_ or []) == sorted(model.feature_names_in_)


@pytest.mark.parametrize("budget", [float("nan"), -1.0])
def test_a_budget_is_a_time(budget: float) -> None:
    with pytest.raises(oslow.InputError, match="`budget` must be a number of seconds, 0 or more"):
        oslow.Cam(prune="none", budget=budget).fit(slow())


def test_a_budget_stops_with_the_best_so_far() -> None:
    model = oslow.OSLow(prune="none", budget=0.3, progress=False).fit(slow())
    assert model.interrupted_ and len(model.order_ or []) == 7


def test_an_error_of_the_callback_comes_through() -> None:
    def fail(progress: oslow.Progress) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        oslow.OSLow(prune="none", progress=fail).fit(slow())


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_stops_a_long_call() -> None:
    program = (
        "import oslow, sys\n"
        "data = oslow.simulate(graph='tournament', nodes=8, rows=4000, seed=1)\n"
        "print('ready', flush=True)\n"
        "oslow.OSLow(cycles=100000, prune='none').fit(data)\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout is not None and running.stdout.readline() == "ready\n"
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode != 0 and errors.rstrip().endswith("KeyboardInterrupt")
