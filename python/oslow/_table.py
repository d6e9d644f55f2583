"""Tables in: arrays, data frames of pandas and polars, files and built-in data sets."""

from __future__ import annotations

import datetime
import json
import os
import warnings
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from . import _oslow
from ._errors import InputError, OslowWarning

Matrix = npt.NDArray[np.float64]
#: What is taken for a table: an array, a data frame of pandas or polars, a path or the name of a built-in data set.
Data = Union[npt.ArrayLike, "os.PathLike[str]", str, Any]
#: What to do with missing and infinite values.
Missing = Literal["refuse", "drop-rows", "impute", "auto"]
_MISSING = ("refuse", "drop-rows", "impute", "auto")


class Table(NamedTuple):
    """Numbers, row by row, the names of their columns, and in JSON what the numbers of columns stand for."""

    values: Matrix
    names: list[str]
    typing: str


def read(
    data: Data,
    missing: Missing = "refuse",
    types: Mapping[str, str] | None = None,
    condition: str | None = None,
    targets: str | None = None,
) -> Table:
    """The table that the user means. Numbers that lie row by row in memory are copied once, when work begins."""
    if missing not in _MISSING:
        raise InputError(f"missing: `{missing}` is none of {', '.join(_MISSING)}")
    known = given(types)
    if isinstance(data, (str, os.PathLike)):
        names, values, typing, notes = _oslow.read_table(
            os.fspath(data),
            json.dumps({"missing": missing, "types": known, "condition": condition, "targets": targets}),
        )
        for note in notes:
            warnings.warn(note, OslowWarning, stacklevel=4)
        typed = json.loads(typing)
    else:
        columns = _columns_of(data)
        unknown = [name for name in known if name not in columns.names]
        if unknown:
            raise InputError(f"types: there is no column `{unknown[0]}`", f"the columns are {', '.join(columns.names)}")
        special = condition or targets
        if special is not None and special not in columns.names:
            named = "condition" if condition else "targets"
            raise InputError(f"{named}: there is no column `{special}`", f"the columns are {', '.join(columns.names)}")
        if missing == "drop-rows" and special is None:
            columns = _without_missing(columns)
        values, names = columns.values, columns.names
        typed = {"types": {**columns.types, **known}, "words": columns.words, "condition": condition, "targets": targets}
        if special is not None:
            typed["missing"] = missing
        # A data set of ours brings its own.
        typed["conditions"] = getattr(data, "_conditions", None)
    if missing in ("impute", "auto"):
        typed["missing"] = missing
    return Table(values, names, json.dumps(typed))


def given(types: Mapping[str, str] | None) -> dict[str, str]:
    """The types that the user says, by name."""
    if types is None:
        return {}
    if not isinstance(types, Mapping):
        raise InputError(f"types: {types!r} is not a dictionary", 'for example types={"sex": "categorical"}')
    return {str(name): str(kind) for name, kind in types.items()}


class _Columns(NamedTuple):
    """Numbers, NaN where there is none; the numbers 0, 1, 2… of some columns stand for words."""

    values: Matrix
    names: list[str]
    types: dict[str, str]
    words: dict[str, list[str]]


def _columns_of(data: Any) -> _Columns:
    if isinstance(getattr(data, "_types", None), dict):  # what `oslow.read_table` read
        return _Columns(data.values, data.columns, data._types, data.words)
    return _from_frame(data) if _is_frame(data) else _from_array(data)


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "to_numpy")


def _from_frame(frame: Any) -> _Columns:
    names = [str(name) for name in frame.columns]
    # A frame without types, such as a `Dataset`, holds numbers.
    if all(_is_plain(dtype) for dtype in getattr(frame, "dtypes", ())):
        return _Columns(_rows(np.asarray(frame.to_numpy())), names, {}, {})
    series = [frame.iloc[:, j] if hasattr(frame, "iloc") else frame.to_series(j) for j in range(len(names))]
    return _of_columns(names, [_Column.of_series(one, name) for one, name in zip(series, names)])


def _is_plain(dtype: Any) -> bool:
    """Whether a column of this type is numbers of NumPy, or of polars, where they may lack values all the same."""
    if hasattr(dtype, "is_numeric"):
        return bool(dtype.is_numeric()) and not bool(getattr(dtype, "is_decimal", lambda: False)())
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def _from_array(data: Any) -> _Columns:
    values = _masked_as_nan(data) if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    if values.ndim != 2:
        raise InputError(f"expected a 2-D table (rows × columns), got a {values.ndim}-D array")
    names = [f"X{j}" for j in range(values.shape[1])]
    if _is_numeric(values):
        return _Columns(_rows(values), names, {}, {})
    return _of_columns(names, [_Column.of_objects(values[:, j].tolist(), name) for j, name in enumerate(names)])


def _of_columns(names: list[str], columns: list[_Column]) -> _Columns:
    values = np.ascontiguousarray(np.column_stack([column.values for column in columns]), dtype=np.float64)
    types = {name: column.kind for name, column in zip(names, columns) if column.kind is not None}
    words = {name: column.words for name, column in zip(names, columns) if column.words is not None}
    return _Columns(values, names, types, words)


class _Column(NamedTuple):
    values: Matrix
    words: list[str] | None = None
    kind: str | None = None

    @staticmethod
    def of_series(series: Any, name: str) -> _Column:
        """A column of pandas or polars."""
        categories = getattr(series, "cat", None) if hasattr(series, "iloc") else None
        if categories is not None:
            codes = np.asarray(categories.codes, dtype=np.float64)
            codes[codes < 0] = np.nan
            words = [str(category) for category in categories.categories]
            kind = "ordinal:" + "<".join(words) if categories.ordered and len(words) > 1 else "categorical"
            return _Column(codes, words, kind)
        return _Column.of_objects(series.to_list(), name)

    @staticmethod
    def of_objects(cells: list[Any], name: str) -> _Column:
        """Numbers, dates or words; what none of them is, is refused."""
        known = [cell for cell in cells if not _is_missing(cell)]
        if any(isinstance(cell, str) for cell in known):
            words = sorted({str(cell) for cell in known})
            place = {word: float(code) for code, word in enumerate(words)}
            codes = [np.nan if _is_missing(cell) else place[str(cell)] for cell in cells]
            return _Column(np.array(codes), words)
        if known and all(isinstance(cell, datetime.date) for cell in known):
            warnings.warn(f"`{name}` holds dates: read as days since 1970-01-01", OslowWarning, stacklevel=7)
            return _Column(np.array([np.nan if _is_missing(cell) else _days(cell) for cell in cells]))
        return _Column(np.array([_number(cell, row, name) for row, cell in enumerate(cells)]))


def _is_missing(cell: Any) -> bool:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float) and cell != cell


def _days(moment: datetime.date) -> float:
    if isinstance(moment, datetime.datetime):
        zone = moment.tzinfo
        return (moment - datetime.datetime(1970, 1, 1, tzinfo=zone)).total_seconds() / 86400.0
    return float((moment - datetime.date(1970, 1, 1)).days)


def _number(cell: Any, row: int, name: str) -> float:
    if _is_missing(cell):
        return float("nan")
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise InputError(
            f"column `{name}`, row {row + 1}: {cell!r} is neither a number nor a text",
            "drop the column or turn it into numbers",
        ) from None


def _masked_as_nan(data: np.ma.MaskedArray[Any, Any]) -> npt.NDArray[Any]:
    """Masked values are missing values; ``np.asarray`` would show what lies under the mask."""
    values = np.asarray(data.data)
    mask = np.ma.getmaskarray(data)
    if not mask.any():
        return values
    values = values.astype(np.float64 if _is_numeric(values) else object)
    values[mask] = np.nan
    return values


def _is_numeric(values: npt.NDArray[Any]) -> bool:
    return values.dtype.kind in "biuf"


def _rows(values: npt.NDArray[Any]) -> Matrix:
    return np.ascontiguousarray(values, dtype=np.float64)


def _without_missing(table: _Columns) -> _Columns:
    kept = np.isfinite(table.values).all(axis=1)
    dropped = int((~kept).sum())
    if dropped == 0:
        return table
    rows = "row" if dropped == 1 else "rows"
    warnings.warn(f"{dropped} {rows} with missing or infinite values left out", OslowWarning, stacklevel=5)
    return table._replace(values=table.values[kept])
