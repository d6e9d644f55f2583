"""Tables in: arrays, data frames of pandas and polars, files and built-in data sets."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Literal, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from . import _oslow
from ._errors import InputError, OslowWarning

Matrix = npt.NDArray[np.float64]
#: What is taken for a table: an array, a data frame of pandas or polars, a path or the name of a built-in data set.
Data = Union[npt.ArrayLike, "os.PathLike[str]", str, Any]
#: What to do with rows that have a missing or infinite value.
Missing = Literal["refuse", "drop-rows"]


class Table(NamedTuple):
    """Numbers, row by row, and the names of their columns."""

    values: Matrix
    names: list[str]


def read(data: Data, missing: Missing = "refuse") -> Table:
    """The table that the user means. Numbers that lie row by row in memory are copied once, when work begins."""
    if missing not in ("refuse", "drop-rows"):
        raise InputError(f"missing: `{missing}` is neither `refuse` nor `drop-rows`")
    if isinstance(data, (str, os.PathLike)):
        found, values, notes = _oslow.read_table(os.fspath(data), json.dumps({"missing": missing}))
        for note in notes:
            warnings.warn(note, OslowWarning, stacklevel=4)
        return Table(values, found)
    table = _from_frame(data) if _is_frame(data) else _from_array(data)
    return _without_missing(table) if missing == "drop-rows" else table


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "to_numpy")


def _from_frame(frame: Any) -> Table:
    names = [str(name) for name in frame.columns]
    values = np.asarray(frame.to_numpy())
    if values.ndim == 2 and not _is_numeric(values):
        for column, name in enumerate(names):
            _check_numbers(values[:, column], name)
    return Table(_rows(values), names)


def _from_array(data: Any) -> Table:
    values = _masked_as_nan(data) if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    if values.ndim != 2:
        raise InputError(
            f"an array of {values.ndim} dimensions is no table", "pass rows and columns: shape (rows, columns)"
        )
    names = [f"X{j}" for j in range(values.shape[1])]
    if not _is_numeric(values):
        for column, name in enumerate(names):
            _check_numbers(values[:, column], name)
    return Table(_rows(values), names)


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


def _check_numbers(column: npt.NDArray[Any], name: str) -> None:
    for row, value in enumerate(column.tolist()):
        try:
            float("nan" if value is None else value)
        except (TypeError, ValueError):
            raise InputError(
                f"column `{name}`, row {row + 1}: {value!r} is not a number", "drop the column or turn it into numbers"
            ) from None


def _rows(values: npt.NDArray[Any]) -> Matrix:
    return np.ascontiguousarray(values, dtype=np.float64)


def _without_missing(table: Table) -> Table:
    kept = np.isfinite(table.values).all(axis=1)
    dropped = int((~kept).sum())
    if dropped == 0:
        return table
    rows = "row" if dropped == 1 else "rows"
    warnings.warn(f"{dropped} {rows} with missing or infinite values left out", OslowWarning, stacklevel=5)
    return Table(table.values[kept], table.names)
