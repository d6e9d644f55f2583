"""What is taken for a table, and what is refused."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import oslow
from oslow import _table


def test_rows_in_memory_are_not_copied(data: oslow.Dataset) -> None:
    assert np.shares_memory(_table.read(data.values).values, data.values)
    assert np.shares_memory(_table.read(data).values, data.values)
    frame = pd.DataFrame(data.values, columns=data.columns, copy=False)
    assert np.shares_memory(_table.read(frame).values, data.values)


def test_masked_values_are_missing(data: oslow.Dataset) -> None:
    masked = np.ma.array(data.values, copy=True)
    assert np.shares_memory(_table.read(masked).values, masked.data)
    masked.data[5, 0] = -9999
    masked[5, 0] = np.ma.masked
    with pytest.warns(oslow.OslowWarning, match="1 row with missing or infinite values left out"):
        read = _table.read(masked, missing="drop-rows")
    assert np.array_equal(read.values, np.delete(data.values, 5, axis=0))


def test_files_and_names(tmp_path, data: oslow.Dataset) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "data.csv"
    data.to_pandas().to_csv(path, index=False)
    from_file = oslow.R2Sort(prune="cam").fit(path)
    assert from_file.edges_ == oslow.R2Sort(prune="cam").fit(data).edges_
    assert oslow.R2Sort(prune="none").fit("sachs").run_["dataset"] == "sachs"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (np.zeros(5), "expected a 2-D table"),
        (np.random.default_rng(0).normal(size=(9, 1)), "1 column: an order needs at least 2"),
        (np.ones((9, 2)), "column `X0` is constant"),
        (pd.DataFrame({"a": [b"x", b"y"], "b": [1.0, 2.0]}), "column `a`, row 1: b'x' is neither a number nor a text"),
        (
            pd.DataFrame({"a": list("xyzxyz"), "b": [1.0, 2.0, 4.0, 3.0, 5.0, 7.0]}),
            "`r2-sort` takes numbers only, and column `a` holds categories",
        ),
        (pd.DataFrame({"a": [1.0, None], "b": [1.0, 2.0]}), "column `a`, row 2: NaN is not a finite number"),
        (np.ma.masked_equal([[1, 2], [3, -9], [5, 4]], -9), "column `X1`, row 2: NaN is not a finite number"),
        ("missing.csv", "there is no file `missing.csv`"),
    ],
)
def test_bad_tables(table: object, words: str) -> None:
    with pytest.raises(oslow.InputError, match=words) as caught:
        oslow.discover(table, method="r2-sort")
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"method": "exat"}, "did you mean `exact`"),
        ({"method": "score", "rigde": 1.0}, "did you mean `ridge`"),
        ({"method": "score", "ridge": -1.0}, "ridge = -1: it must be above 0 and at most 1000000"),
        ({"method": "exact", "local": {"fold": 3}}, "unknown setting `local.fold`"),
        ({"prune": "ca"}, "did you mean `cam`"),
        ({"standardize": "yes"}, "standardize"),
        ({"missing": "fill"}, "none of refuse, drop-rows, impute, auto"),
        ({"types": {"X9": "count"}}, "there is no column `X9`"),
        ({"types": {"X0": "nominal"}}, "there is no type `nominal`"),
        ({"knowledge": {"tier": [["X0"]]}}, "tier"),
        ({"knowledge": oslow.Knowledge(required=[("X0", "X1"), ("X1", "X0")])}, "X0"),
    ],
)
def test_bad_parameters(params: dict[str, object], words: str, data: oslow.Dataset) -> None:
    with pytest.raises(oslow.InputError, match=words):
        oslow.discover(data, **params)  # type: ignore[arg-type]


FLAG = re.compile(r"--[a-z]|`oslow [a-z]")


def said(call: Callable[[], object]) -> str:
    """All that a call that fails says, warnings included."""
    with warnings.catch_warnings(record=True) as warned, pytest.raises(oslow.OslowError) as caught:
        warnings.simplefilter("always")
        call()
    return "\n".join([str(caught.value), *(str(warning.message) for warning in warned)])


def test_messages_name_no_flags(tmp_path: Path, data: oslow.Dataset) -> None:
    def table(text: str) -> str:
        path = tmp_path / "table.csv"
        path.write_text(text)
        return str(path)

    rows = "1,2\n2,5\n4,3\n"
    gap = said(lambda: oslow.discover(table("a,b\n1,\n" + rows)))
    assert "`missing=\"drop-rows\"` to leave such rows out" in gap
    bad_tables = ["a,b\n", "a,a\n" + rows, "a\n1\n2\n", "a,b\nx,1\n" + rows, "a,b\n1,2,3\n" + rows]
    messages = [gap, *(said(lambda text=text: oslow.discover(table(text))) for text in bad_tables)]
    for params in (
        {"standardize": "minmax"},
        {"outliers": "iqr"},
        {"outliers": "mad:1e-9"},
        {"bootstrap": 0},
        {"missing": "fill"},
        {"method": "r2-sort", "prune": "cam", "prune_settings": {"preselect_keep": 0}},
        {"local": {"folds": "abc"}},
    ):
        messages.append(said(lambda params=params: oslow.discover(data, **params)))
    messages.append(said(lambda: oslow.Flow.load(table("no model"))))
    assert [message for message in messages if FLAG.search(message)] == []
    assert not FLAG.search("\n".join(method.__doc__ or "" for method in oslow.methods().values()))


def test_doubts_are_warned_of() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    table = np.column_stack([x, 2.0 * x + 1e-4 * rng.normal(size=200)])
    with pytest.warns(oslow.OslowWarning, match="columns `X0` and `X1` are nearly collinear"):
        oslow.R2Sort(prune="none").fit(table)


def test_unfitted_models_say_so() -> None:
    for ask in (oslow.Exact().plot, oslow.Exact().to_dot, oslow.Exact().to_networkx, lambda: oslow.Flow().sample(2)):
        with pytest.raises(oslow.OslowError, match="call `fit`"):
            ask()


def _messy(rows: int = 240) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    sex, stage = rng.choice(["f", "m"], rows), rng.integers(0, 3, rows)
    x = stage + rng.normal(size=rows)
    x[::10] = np.nan
    return pd.DataFrame(
        {
            "sex": sex,
            "stage": pd.Categorical.from_codes(stage, ["III", "II", "I"], ordered=True),
            "region": rng.choice(["north", "east", "west"], rows),
            "visits": pd.array(rng.poisson(4.0, rows), dtype="Int64"),
            "x": x,
        }
    )


def test_types_of_a_data_frame_are_honoured() -> None:
    frame = _messy()
    model = oslow.Exact(missing="impute", confidence={"draws": 0}, checks=False).fit(frame)
    info = {column["name"]: column for column in model.columns_info_}
    assert {name: column["kind"] for name, column in info.items()} == {
        "sex": "binary",
        "stage": "ordinal",
        "region": "categorical",
        "visits": "count",
        "x": "continuous",
    }
    assert info["x"]["missing"] == 24 and info["sex"]["missing"] == 0
    with pytest.warns(oslow.OslowWarning, match="24 rows with missing or infinite values left out"):
        told = oslow.Exact(missing="drop-rows", types={"visits": "continuous"}, confidence={"draws": 0}).fit(frame)
    assert told.columns_info_[3]["kind"] == "continuous" and told.n_samples_in_ == 216


def test_a_file_and_a_frame_give_the_same_answer(tmp_path) -> None:  # type: ignore[no-untyped-def]
    frame = _messy().drop(columns=["stage"])
    path = tmp_path / "messy.csv"
    frame.to_csv(path, index=False)
    fit = lambda data: oslow.Exact(missing="impute", confidence={"draws": 0}, checks=False).fit(data)  # noqa: E731
    with pytest.warns(oslow.OslowWarning) as warned:
        from_file = fit(path)
    assert [str(one.message).partition(":")[0] for one in warned] == ["values are missing", "types detected"]
    assert from_file.edges_ == fit(frame).edges_


def test_dates_are_days() -> None:
    days = pd.date_range("2024-03-01", periods=12)
    with pytest.warns(oslow.OslowWarning, match="`when` holds dates"):
        read = _table.read(pd.DataFrame({"when": days, "x": np.arange(12.0)}))
    assert read.values[0, 0] == 19783.0 and read.values[11, 0] == 19794.0


def _experiment() -> pd.DataFrame:
    """X causes Y; in two rows of five Y is set."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=400)
    y = 2 * x + rng.normal(size=400)
    drug = np.where(np.arange(400) < 240, "none", "drug")
    y[240:] = rng.normal(5.0, 1.0, 160)
    return pd.DataFrame({"X": x, "drug": drug, "Y": y})


def test_conditions_tell_what_observation_cannot(tmp_path: Path) -> None:
    frame = _experiment()
    quick = {"confidence": {"draws": 0}, "checks": False}
    found = oslow.Exact(condition="drug", **quick).fit(frame)  # type: ignore[arg-type]
    assert found.feature_names_in_.tolist() == ["X", "Y"] and found.edges_ == [("X", "Y")]
    drug, none = found.conditions_
    assert (drug["name"], drug["rows"], none["acts_on"]) == ("drug", 160, [])
    assert [(acts["column"], acts["action"], acts["known"]) for acts in drug["acts_on"]] == [("Y", "changes", False)]

    known = oslow.Exact(condition="drug", targets={"drug": ["Y"], "none": []}, **quick).fit(frame)  # type: ignore[arg-type]
    assert known.edges_ == [("X", "Y")] and known.conditions_[0]["acts_on"][0]["action"] == "sets"
    path = tmp_path / "experiment.csv"
    frame.to_csv(path, index=False)
    from_file = oslow.Exact(condition="drug", **quick).fit(path)  # type: ignore[arg-type]
    assert from_file.nll_ == found.nll_

    frame["drug"] = np.where(frame["drug"] == "drug", "Y", None)
    told = oslow.Exact(targets="drug", **quick).fit(frame)  # type: ignore[arg-type]
    assert told.edges_ == known.edges_ and told.nll_ == known.nll_


def test_wrong_conditions_are_refused_in_words_of_python() -> None:
    frame = _experiment()
    with pytest.raises(oslow.InputError, match="condition: there is no column `dose`"):
        oslow.Exact(condition="dose").fit(frame)
    with pytest.raises(oslow.InputError, match="takes rows of one condition only") as refused:
        oslow.R2Sort(condition="drug").fit(frame)
    assert "drop `condition`" in str(refused.value) and "--" not in str(refused.value)
    with pytest.raises(oslow.InputError, match="no row was observed under the condition `pill`"):
        oslow.Exact(condition="drug", targets={"pill": ["Y"]}).fit(frame)
    with pytest.raises(oslow.InputError, match="takes columns as they are"):
        oslow.R2Sort(transform="log").fit("sachs")


def test_a_built_in_set_brings_its_conditions() -> None:
    data = oslow.datasets.load("sachs-conditions")
    assert data.columns[-1] == "Jnk" and data.conditions is not None and len(set(data.conditions)) == 9
    with pytest.raises(oslow.InputError, match="takes rows of one condition only"):
        oslow.R2Sort().fit(data)


def _german(tmp_path: Path) -> Path:
    rng = np.random.default_rng(5)
    age = rng.normal(50, 10, 60)
    weight = age + rng.normal(0, 5, 60)
    site = np.where(np.arange(60) % 2 == 0, "Köln", "Bern")
    lines = [f"{a:.2f};{w:.2f};{s}".replace(".", ",") for a, w, s in zip(age, weight, site)]
    lines[7] = "-999;50,5;Bern"
    lines[9] = "-999;51,5;Bern"
    path = tmp_path / "german.csv"
    path.write_text("\n".join(["made by hand", "on a Monday", "alter;gewicht;ort", *lines]), encoding="latin-1")
    return path


def test_a_german_table_is_read_by_path(tmp_path: Path) -> None:
    path = _german(tmp_path)
    with pytest.warns(oslow.OslowWarning) as warned:
        table = oslow.read_table(
            path, skip=2, delimiter=";", decimal=",", where={"ort": "Bern"}, missing_values=[-999], types={"alter": "continuous"}
        )
    said = [str(one.message) for one in warned]
    assert "kept 30 of 60 rows: `ort=Bern`" in said and "not UTF-8: read as Windows-1252 (Latin-1)" in said
    assert table.columns == ["alter", "gewicht"] and len(table) == 30
    assert np.isnan(table.values[3:5, 0]).all() and not np.isnan(table.values[:3]).any()
    frame = table.to_pandas()
    assert frame.columns.tolist() == table.columns and frame["gewicht"].tolist() == table.values[:, 1].tolist()
    with pytest.raises(oslow.InputError, match="NaN is not a finite number"):
        oslow.R2Sort(prune="none").fit(table)
    with pytest.warns(oslow.OslowWarning, match="2 rows with missing"):
        dropped = oslow.R2Sort(prune="none", missing="drop-rows").fit(table)
    assert dropped.order_ == oslow.R2Sort(prune="none").fit(frame.dropna()).order_
    with pytest.warns(oslow.OslowWarning):
        words = oslow.read_table(path, columns=["ort", "gewicht"]).to_pandas()
    assert set(words["ort"]) == {"Köln", "Bern"}


def test_what_reading_refuses_is_said_in_words_of_python(tmp_path: Path) -> None:
    path = _german(tmp_path)
    data = tmp_path / "codes.csv"
    data.write_text("a,b\n" + "\n".join(f"{k * k % 17},{-999 if k % 9 == 0 else k % 7}" for k in range(40)))
    with pytest.warns(oslow.OslowWarning, match=r"oslow\.read_table\(path, missing_values=\[-999\]\)"):
        oslow.R2Sort(prune="none").fit(data)
    for options, words in (
        ({"where": "ort=Bernn"}, "did you mean `Bern`"),
        ({"where": ["ort"]}, r"oslow\.read_table\(path, where=\"site=A\"\)"),
        ({"sheet": "x"}, "only .xlsx files have sheets"),
        ({"columns": "ort"}, "is not a list"),
        ({"types": ["ort"]}, "is not a dictionary"),
    ):
        with warnings.catch_warnings(), pytest.raises(oslow.InputError, match=words):
            warnings.simplefilter("ignore")
            oslow.read_table(path, **options)  # type: ignore[arg-type]


def test_a_workbook_is_read() -> None:
    path = Path(__file__).parents[2] / "fixtures" / "workbooks" / "clinic.xlsx"
    with pytest.warns(oslow.OslowWarning):
        table = oslow.read_table(path)
    expected = pd.read_csv(path.with_suffix(".csv"))
    assert table.columns == expected.columns.tolist() and table.words == {"treated": ["FALSE", "TRUE"]}
    assert np.array_equal(table.values, expected.to_numpy(dtype=float), equal_nan=True)
    with pytest.warns(oslow.OslowWarning) as warned:
        assert oslow.read_table(path, sheet="Other sheet").columns == ["a", "b"]
    assert str(warned[0].message).startswith("`a` counts the rows by one")
