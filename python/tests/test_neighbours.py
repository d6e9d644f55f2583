"""Graphs of other packages, in and out."""

from __future__ import annotations

import json
import subprocess

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import oslow


@pytest.fixture(scope="module")
def model() -> oslow.Discoverer:
    return oslow.R2Sort(prune="cam").fit("sachs")


def test_networkx_and_its_formats(model: oslow.Discoverer) -> None:
    graph = model.to_networkx()
    assert set(graph.edges) == set(model.edges_) and list(graph.nodes) == model.feature_names_in_.tolist()
    assert graph.edges[model.edges_[0]]["p_value"] < 0.001
    assert set(nx.parse_gml(model.to_gml()).edges) == set(model.edges_)
    parsed = nx.parse_graphml(model.to_graphml())
    named = {node: facts.get("name", node) for node, facts in parsed.nodes(data=True)}
    assert {(named[a], named[b]) for a, b in parsed.edges} == set(model.edges_)
    assert nx.is_directed_acyclic_graph(graph)


def test_odd_names_survive() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(50, 2)), columns=['say "hi" & bye', "größe"])
    graph = oslow.Random(prune="none").fit(table)
    assert set(nx.parse_gml(graph.to_gml()).nodes) == set(table.columns)


def test_the_matrix_says_which_way_it_is_read(model: oslow.Discoverer) -> None:
    names = model.feature_names_in_.tolist()
    cause, effect = model.edges_[0]
    assert model.adjacency("from row to column")[names.index(cause), names.index(effect)] == 1
    assert model.adjacency("from column to row")[names.index(effect), names.index(cause)] == 1
    with pytest.raises(oslow.InputError, match="which way is the matrix read"):
        oslow.metrics.shd(model.adjacency_, model.adjacency_)
    with pytest.raises(oslow.InputError, match="neither 'from row to column'"):
        oslow.metrics.shd(model.adjacency_, model.adjacency_, edge_direction="down")  # type: ignore[arg-type]


def test_gadjid_agrees(model: oslow.Discoverer) -> None:
    gadjid = pytest.importorskip("gadjid")
    truth = oslow.datasets.load("sachs").truth
    names = model.feature_names_in_.tolist()
    assert truth.nodes == names
    for ours, theirs in (
        ("sid", gadjid.sid),
        ("shd", gadjid.shd),
        ("parent_aid", gadjid.parent_aid),
        ("ancestor_aid", gadjid.ancestor_aid),
        ("oset_aid", gadjid.oset_aid),
    ):
        arguments = [truth.adjacency, model.adjacency_]
        theirs = theirs(*arguments) if ours == "shd" else theirs(*arguments, edge_direction="from row to column")
        assert getattr(oslow.metrics, ours)(truth, model) == theirs[1]
        flipped = [matrix.T for matrix in arguments]
        assert getattr(oslow.metrics, ours)(*flipped, edge_direction="from column to row") == theirs[1]


def test_metrics_match_by_name(model: oslow.Discoverer) -> None:
    sachs = oslow.datasets.load("sachs")
    graph = nx.DiGraph()
    graph.add_nodes_from(reversed(sachs.columns))
    graph.add_edges_from(sachs.edges or [])
    assert oslow.metrics.shd(graph, model) == oslow.metrics.shd(sachs.truth, model)
    frame = pd.DataFrame(sachs.truth.adjacency, index=sachs.columns, columns=sachs.columns)
    assert oslow.metrics.sid(frame, model, edge_direction="from row to column") == oslow.metrics.sid(graph, model)
    assert oslow.metrics.cbc(graph, model) == oslow.metrics.cbc(graph, model.order_ or [])
    with pytest.raises(oslow.InputError, match="different nodes"):
        oslow.metrics.shd(nx.DiGraph([("a", "b")]), model)
    with pytest.raises(oslow.InputError, match="cycle"):
        oslow.metrics.shd(np.array([[0, 1], [1, 0]]), np.zeros((2, 2)), edge_direction="from row to column")


def test_every_metric_of_the_registry_is_there() -> None:
    assert {metric["name"] for metric in oslow.catalogue("metrics")} <= set(oslow.metrics.__all__)


def test_causal_learn_takes_and_gives(model: oslow.Discoverer) -> None:
    pytest.importorskip("causallearn")
    graph = model.to_causal_learn()
    names = model.feature_names_in_.tolist()
    cause, effect = (names.index(name) for name in model.edges_[0])
    assert graph.graph[effect, cause] == 1 and graph.graph[cause, effect] == -1  # causal-learn's way to write cause → effect
    adjacency, found = oslow.from_causal_learn(graph)
    assert found == names and (adjacency == model.adjacency_).all()
    assert oslow.metrics.shd(graph, model) == 0


def test_dowhy_takes_the_graph_as_it_is(model: oslow.Discoverer) -> None:
    dowhy = pytest.importorskip("dowhy")
    frame = oslow.datasets.load("sachs").to_pandas()
    for graph in (model.to_networkx(), model.to_gml()):
        causal = dowhy.CausalModel(data=frame, treatment="PKA", outcome="Akt", graph=graph)
        estimand = causal.identify_effect(proceed_when_unidentifiable=True)
        effect = causal.estimate_effect(estimand, method_name="backdoor.linear_regression")
        assert np.isfinite(effect.value)


def test_a_saved_run_is_that_of_the_command_line(model: oslow.Discoverer, tmp_path) -> None:  # type: ignore[no-untyped-def]
    model.save(tmp_path / "run")
    saved = json.loads((tmp_path / "run" / "run.json").read_text())
    assert saved["order"] == model.order_ and (tmp_path / "run" / "graph.svg").read_text() == model.plot().svg
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    with pytest.raises(oslow.InputError, match="holds no run"):
        model.save(tmp_path / "other")


def test_the_command_line_says_the_same(tmp_path, pytestconfig) -> None:  # type: ignore[no-untyped-def]
    program = pytestconfig.getoption("--program")
    if program is None:
        pytest.skip("no --program given")
    printed = subprocess.run(
        [program, "discover", "--method", "score", "--prune", "cam", "--seed", "4", "--json"], capture_output=True, check=True
    )
    theirs = json.loads(printed.stdout)
    ours = oslow.Score(prune="cam", seed=4).fit("sachs").run_
    theirs.pop("seconds"), ours.pop("seconds")
    assert ours == theirs
