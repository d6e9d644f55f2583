"""Average effects with the doubt about the graph, and flows that follow a graph."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import oslow


@pytest.fixture(scope="module")
def data() -> oslow.Dataset:
    return oslow.simulate(graph="path", nodes=3, mechanism="linear", noise="laplace", rows=300, seed=2)


@pytest.fixture(scope="module")
def model(data: oslow.Dataset) -> oslow.Exact:
    return oslow.Exact(seed=1).fit(data)


def test_the_answer_is_typed_and_consistent(data: oslow.Dataset, model: oslow.Exact) -> None:
    first, last = data.order[0], data.order[-1]
    found = model.effects(first, last, grid=np.array([-1.0, 0.0, 1.0]))
    assert found.p_no_effect is not None and found.curve is not None
    assert isinstance(found, oslow.MeanEffect)
    assert found.low <= found.mean <= found.high
    assert 0.0 <= found.p_no_effect <= 1.0
    assert found.curve.grid.tolist() == [-1.0, 0.0, 1.0]
    assert found.curve.interval == "90 % interval"
    assert (found.curve.low <= found.curve.high).all()
    values = np.sort(data.values[:, list(model.feature_names_in_).index(first)])
    assert (found.from_, found.to) == (values[round(0.25 * 299)], values[round(0.75 * 299)])
    total = sum(each["probability"] for each in found.parent_sets)
    assert sum(each["probability"] * each["mean"] for each in found.parent_sets) / total == pytest.approx(found.mean)
    assert "90 % interval" in found.curve.plot().svg


def test_it_is_that_of_the_saved_run(data: oslow.Dataset, model: oslow.Exact, tmp_path: Path) -> None:
    first, last = data.order[0], data.order[-1]
    found = model.effects(first, last, from_=0, to=np.float64(1.0))
    assert (found.from_, found.to, found.curve) == (0.0, 1.0, None)
    again = pickle.loads(pickle.dumps(model)).effects(first, last, from_=0, to=1)
    assert again == found
    model.save(tmp_path / "run")
    info = json.loads((tmp_path / "run" / "run.json").read_text())["columns_info"]
    sets = info[list(model.feature_names_in_).index(first)]["parent_sets"]
    assert [each["parents"] for each in sets] == [each["parents"] for each in found.parent_sets]


def test_later_changes_of_the_array_do_not_matter(data: oslow.Dataset) -> None:
    values = data.values.copy()
    model = oslow.Exact(seed=1).fit(values)
    before = model.effects("X0", "X1")
    values[:] = 0.0
    assert model.effects("X0", "X1") == before


def test_words_are_those_of_python(data: oslow.Dataset, model: oslow.Exact) -> None:
    with pytest.raises(oslow.InputError, match="there is no column `X7`"):
        model.effects("X7", "X0")
    with pytest.raises(oslow.InputError, match="is not a number"):
        model.effects("X0", "X1", from_="much")
    with pytest.raises(oslow.OslowError, match="not hold the probabilities of causes"):
        oslow.R2Sort(prune="none").fit(data).effects("X0", "X1")
    with pytest.raises(oslow.OslowError, match="has no answer yet"):
        oslow.Exact().effects("X0", "X1")
    with pytest.warns(oslow.OslowWarning, match="lies outside the central 99 %"):
        model.effects("X0", "X1", to=50.0)
    rng = np.random.default_rng(0)
    words = {"kind": rng.choice(["a", "b", "c"], 200).tolist(), "y": rng.normal(size=200)}
    pandas = pytest.importorskip("pandas")
    typed = oslow.Exact().fit(pandas.DataFrame(words))
    with pytest.raises(oslow.InputError, match="`from_`") as refused:
        typed.effects("kind", "y")
    assert "--" not in str(refused.value)
    assert typed.effects("kind", "y", "a", "c").from_ == "a"


def test_a_flow_follows_the_graph_of_a_model(data: oslow.Dataset, model: oslow.Exact) -> None:
    flow = oslow.Flow(model, settings={"epochs": 2}).fit(data)
    assert flow.order_ == model.order_
    full = oslow.Flow(order=model.order_, settings={"epochs": 2}).fit(data)
    # The ends of a path are not neighbours: the full order uses more.
    assert flow.nll_ != full.nll_
    again = pickle.loads(pickle.dumps(flow))
    assert (again.sample(5) == flow.sample(5)).all()
    with pytest.raises(oslow.InputError, match="other columns than the model"):
        oslow.Flow(model).fit(data.values[:, :2])
