"""What earlier versions wrote is read: fixtures/compatibility holds files of each."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import oslow

VERSIONS = sorted(
    path for path in (Path(__file__).parents[2] / "fixtures" / "compatibility").iterdir() if path.is_dir()
)


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: folder.name)
def test_models_answer_as_they_did(folder: Path) -> None:
    flow = oslow.Flow.load(folder / "run" / "model.safetensors")
    then = json.loads((folder / "intervene.json").read_text())["effects"]
    now = flow.effects({"X0": 1.0})
    assert {effect["target"]: pytest.approx(effect["mean"], rel=1e-6, abs=1e-6) for effect in then} == {
        name: effect.mean for name, effect in now.items()
    }
    rows = oslow.read_table(folder / "data.csv")
    with (folder / "counterfactual.csv").open() as file:
        table = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    assert np.allclose(flow.counterfactual(rows, do={"X0": 1.0}), table, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: folder.name)
def test_knowledge_is_read(folder: Path) -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 brings it")
    known = tomllib.loads((folder / "known.toml").read_text())
    model = oslow.Exact(knowledge=known, progress=False).fit(folder / "data.csv")
    then = json.loads((folder / "run" / "run.json").read_text())
    assert model.order_ == then["order"]
    assert model.edges_ == [(edge["from"], edge["to"]) for edge in then["edges"]]
