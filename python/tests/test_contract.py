"""What every method keeps, seen from Python."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.base
from conftest import quick

import oslow

METHODS = sorted(oslow.methods())


def answer(model: oslow.Discoverer) -> tuple[object, list[tuple[str, str]]]:
    return model.order_, model.edges_


@pytest.mark.parametrize("method", METHODS)
def test_frames_and_arrays_agree_and_seeds_reproduce(method: str, data: oslow.Dataset) -> None:
    frame = data.to_pandas()
    model = quick(method, seed=3).fit(frame)
    assert answer(quick(method, seed=3).fit(frame)) == answer(model)
    assert answer(quick(method, seed=3, threads=1).fit(pl.from_pandas(frame))) == answer(model)
    assert answer(quick(method, seed=3).fit(data.values)) == answer(model)  # its columns are called X0, X1, … too
    assert answer(quick(method, seed=3).fit(np.asfortranarray(data.values))) == answer(model)
    assert model.feature_names_in_.tolist() == data.columns
    assert model.adjacency_.sum() == len(model.edges_)
    for cause, effect in model.edges_:
        assert model.adjacency_[data.columns.index(cause), data.columns.index(effect)] == 1
        if model.order_ is not None:
            assert model.order_.index(cause) < model.order_.index(effect)


@pytest.mark.parametrize("method", METHODS)
def test_clone_and_pickle(method: str, data: oslow.Dataset) -> None:
    model = quick(method, seed=2)
    cloned = sklearn.base.clone(model)
    assert type(cloned) is type(model) and cloned.get_params() == model.get_params()
    again = pickle.loads(pickle.dumps(model.fit(data)))
    assert answer(again) == answer(model) and again.plot().svg == model.plot().svg


@pytest.mark.parametrize("method", METHODS)
def test_knowledge_is_honoured(method: str, data: oslow.Dataset) -> None:
    first, second, third, fourth = reversed(data.order)  # against the truth
    known = oslow.Knowledge(tiers=[[first], [second, third], [fourth]], forbidden=[(second, third), (third, second)])
    model = quick(method, knowledge=known).fit(data)
    assert (second, third) not in model.edges_ and (third, second) not in model.edges_
    tier = {first: 0, second: 1, third: 1, fourth: 2}
    assert all(tier[cause] <= tier[effect] for cause, effect in model.edges_)
    if model.order_ is not None:
        assert model.order_[0] == first and model.order_[-1] == fourth


@pytest.mark.parametrize("method", METHODS)
def test_nan_is_a_clear_error(method: str, data: oslow.Dataset) -> None:
    values = data.values.copy()
    values[6, 2] = np.nan
    with pytest.raises(oslow.InputError, match="column `X2`, row 7: NaN is not a finite number"):
        quick(method).fit(values)
    with pytest.warns(oslow.OslowWarning, match="1 row with missing"):
        model = quick(method, missing="drop-rows").fit(values)
    assert model.n_samples_in_ == 299


def test_defaults_are_those_of_the_registry(data: oslow.Dataset) -> None:
    for entry in oslow.catalogue("methods"):
        params = oslow.methods()[entry["name"]]().get_params()
        for key, value in entry["defaults"].items():
            assert params[key] == (None if isinstance(value, (dict, list)) else value), (entry["name"], key)


def test_the_answer_is_that_of_the_truth(data: oslow.Dataset) -> None:
    model = oslow.Exact(progress=False).fit(pd.DataFrame(data.values, columns=["a", "b", "c", "d"]))
    names = dict(zip(data.columns, "abcd"))
    assert sorted(model.edges_) == sorted((names[a], names[b]) for a, b in data.edges or [])
    assert repr(model) == "Exact(progress=False)"


def test_every_edge_says_how_sure_it_is(data: oslow.Dataset) -> None:
    model = quick("exact").fit(data.to_pandas())
    assert model.edges_ and model.edge_probabilities_ is not None
    d = len(data.columns)
    assert model.edge_probabilities_.shape == (d, d) and len(model.pairs_) == d * (d - 1) // 2
    for cause, effect in model.edges_:
        a, b = data.columns.index(cause), data.columns.index(effect)
        assert model.confidence_[cause, effect] == pytest.approx(model.edge_probabilities_[a, b], abs=1e-4)
        decided = model.direction_confidence_[cause, effect] >= 0.8
        assert model.direction_[cause, effect] == ("decided" if decided else "undecided")
        assert model.gain_se_[cause, effect] > 0
        assert model.effect_[cause, effect] in ("rising", "falling", "bent", "spread")
    assert model.nll_no_causes_ is not None and model.nll_ is not None and model.nll_no_causes_ > model.nll_
    assert {check["verdict"] for check in model.checks_} <= {"fine", "violated"} and model.checks_
    assert [column["name"] for column in model.columns_info_] == data.columns
    edge = model.to_networkx().edges[model.edges_[0]]
    assert {"confidence", "direction", "direction_confidence", "gain", "gain_se", "effect"} == set(edge)
