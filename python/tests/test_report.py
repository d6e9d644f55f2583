"""The run as a page, and the picture in a notebook."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import numpy as np
import pytest

import oslow

HOSTILE = "</script><img src=x onerror=alert(1)>"


def table() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rng = np.random.default_rng(3)
    a = rng.normal(size=200)
    b = np.sin(2 * a) + 0.3 * rng.normal(size=200)
    return np.column_stack([a, b, b**2 + 0.3 * rng.normal(size=200)])


def test_the_page_is_text_or_a_file(tmp_path: Path) -> None:
    model = oslow.R2Sort(prune="cam").fit("sachs")
    page = model.report()
    assert page.startswith("<!doctype html>") and "<h1>sachs</h1>" in page
    model.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page


def test_a_saved_run_holds_the_same_page(tmp_path: Path) -> None:
    model = oslow.R2Sort(prune="cam").fit(table())
    model.save(tmp_path / "run")
    assert (tmp_path / "run" / "report.html").read_text(encoding="utf-8") == model.report()
    assert "evidence.json" in os.listdir(tmp_path / "run")


def test_names_stay_text() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table(), columns=[HOSTILE, "b", "c"])
    assert "<img" not in oslow.R2Sort(prune="none").fit(frame).report()


def test_a_notebook_shows_the_graph_of_a_fitted_model() -> None:
    model = oslow.R2Sort(prune="cam")
    assert model._repr_html_() is None
    shown = model.fit("sachs")._repr_html_()
    assert shown is not None and shown.startswith("<img ") and len(shown) < 100_000
    picture = base64.b64decode(shown.split("base64,")[1].split('"')[0]).decode()
    assert picture == model.plot().svg


def test_without_an_answer_there_is_no_page() -> None:
    with pytest.raises(oslow.OslowError, match="no answer yet"):
        oslow.Exact().report()
