"""Flows: densities, interventions, counterfactuals, and back from disk."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import oslow


@pytest.fixture(scope="module")
def simulated() -> oslow.Dataset:
    return oslow.simulate(graph="path", nodes=3, mechanism="linear", additive=True, rows=2000, seed=3)


@pytest.fixture(scope="module")
def flow(simulated: oslow.Dataset) -> oslow.Flow:
    return oslow.Flow(order=simulated.order, progress=False).fit(simulated)


def test_effects_are_those_of_the_truth(flow: oslow.Flow, simulated: oslow.Dataset) -> None:
    cause, effect, _ = simulated.order
    grid = np.linspace(-1.5, 1.5, 7)
    ours = flow.effect_curve(cause, grid, target=effect, rows=4000)
    assert simulated.model is not None
    truth = simulated.model.effect_curve(cause, grid, target=effect, rows=4000)
    assert np.sqrt(np.mean((ours.mean - truth.mean) ** 2)) < 0.1
    assert (ours.low < ours.mean).all() and (ours.mean < ours.high).all()
    assert ours.plot(truth=truth, observed=flow.observed_[cause]).svg.count("<path") > 3


def test_density_integrates_to_one_and_draws_have_it(flow: oslow.Flow, simulated: oslow.Dataset) -> None:
    # The mean of 1 under the model, by importance: draws of a normal with a wider spread.
    rng = np.random.default_rng(0)
    spread = 1.7 * simulated.values.std(axis=0)
    points = rng.normal(size=(60_000, 3)) * spread + simulated.values.mean(axis=0)
    normal = -0.5 * (((points - simulated.values.mean(axis=0)) / spread) ** 2).sum(axis=1)
    normal -= np.log(spread).sum() + 1.5 * np.log(2 * np.pi)
    assert abs(np.exp(flow.log_prob(points) - normal).mean() - 1.0) < 0.05
    drawn = flow.sample(5000, seed=1)
    assert np.abs(drawn.mean(axis=0) - simulated.values.mean(axis=0)).max() < 0.15


def test_counterfactuals_keep_what_is_not_downstream(flow: oslow.Flow, simulated: oslow.Dataset) -> None:
    first, second, third = (simulated.columns.index(name) for name in simulated.order)
    rows = simulated.values[:20]
    same = flow.counterfactual(rows, do={})
    assert np.allclose(same, rows, atol=1e-4)
    changed = flow.counterfactual(rows, do={simulated.order[1]: 0.5})
    assert np.allclose(changed[:, first], rows[:, first], atol=1e-4) and (changed[:, second] == 0.5).all()
    assert not np.allclose(changed[:, third], rows[:, third])
    assert np.allclose(flow.counterfactual(rows[0], do={simulated.order[1]: 0.5})[0], changed[0])
    shuffled = simulated.to_pandas().iloc[:20, ::-1]
    assert np.allclose(flow.counterfactual(shuffled, do={simulated.order[1]: 0.5}), changed)


def test_it_goes_through_files_and_pickles(flow: oslow.Flow, simulated: oslow.Dataset, tmp_path) -> None:  # type: ignore[no-untyped-def]
    flow.save(tmp_path / "flow.safetensors")
    for again in (oslow.Flow.load(tmp_path / "flow.safetensors"), pickle.loads(pickle.dumps(flow))):
        assert again.order_ == simulated.order
        assert np.array_equal(again.log_prob(simulated), flow.log_prob(simulated))
        assert np.array_equal(again.sample(5, seed=2), flow.sample(5, seed=2))


def test_what_lies_outside_the_data_is_said(flow: oslow.Flow, simulated: oslow.Dataset) -> None:
    with pytest.warns(oslow.OslowWarning, match="outside the central 99 %"):
        flow.effects({simulated.order[0]: 50.0})
    with pytest.raises(oslow.InputError, match="there is no variable `X9`"):
        flow.effects({"X9": 1.0})
    with pytest.raises(oslow.InputError, match="it is set"):
        flow.effect_curve(simulated.order[0], [0.0], target=simulated.order[0])
    with pytest.raises(oslow.InputError, match="order: column"):
        oslow.Flow(order=simulated.order[:2]).fit(simulated)
