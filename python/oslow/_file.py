"""Reading a file where more must be said than its name."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

import numpy as np

from . import _oslow, _table
from ._errors import InputError, OslowWarning

#: Which rows to keep: ``{"site": "A"}``, ``"age>=18"`` or a list of such texts.
Where = Union[Mapping[str, Any], str, Sequence[str]]


class Table:
    """A table that :func:`read_table` read; taken wherever a table is taken.

    >>> import oslow
    >>> oslow.read_table("sachs", columns=["Raf", "Mek"])
    <oslow.Table: 853 rows, 2 columns>
    """

    def __init__(self, values: _table.Matrix, names: list[str], typing: dict[str, Any]) -> None:
        #: The numbers, row by row; NaN where a value is missing, and 0, 1, 2… for the words in ``words``.
        self.values = values
        #: The names of the columns.
        self.columns = names
        #: What the numbers of some columns stand for.
        self.words: dict[str, list[str]] = typing["words"]
        self._types: dict[str, str] = typing["types"]

    def __len__(self) -> int:
        return len(self.values)

    def to_numpy(self) -> _table.Matrix:
        """The numbers.

        >>> import oslow
        >>> oslow.read_table("sachs").to_numpy().shape
        (853, 11)
        """
        return self.values

    def to_pandas(self) -> Any:
        """A pandas data frame, with words where the file had words.

        >>> import oslow
        >>> oslow.read_table("sachs").to_pandas().shape
        (853, 11)
        """
        import pandas

        return pandas.DataFrame({name: self._column(j, name) for j, name in enumerate(self.columns)})

    def _column(self, j: int, name: str) -> Any:
        numbers = self.values[:, j]
        if name not in self.words:
            return numbers
        words = self.words[name]
        return [None if np.isnan(code) else words[int(code)] for code in numbers]

    def __repr__(self) -> str:
        return f"<oslow.Table: {len(self)} rows, {len(self.columns)} columns>"


def read_table(
    path: str | os.PathLike[str],
    *,
    sheet: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    skip: int = 0,
    comment: str | None = None,
    index: str | None = None,
    columns: Sequence[str] | None = None,
    where: Where | None = None,
    missing_values: Iterable[float | str] | None = None,
    types: Mapping[str, str] | None = None,
) -> Table:
    """Reads a file (.csv, .tsv, .csv.gz, .xlsx, .parquet, .npy) or a built-in data set.

    Methods take a path as well. Read the file first where oslow does not detect how it is written, or to choose rows and columns. What to do with missing values is said to the method
    (``missing=``).

    Parameters
    ----------
    path
        The file, or the name of a built-in data set.
    sheet
        The sheet of a workbook; None: the first.
    delimiter, decimal
        The field separator (one character or ``"tab"``) and the decimal sign (``"."`` or ``","``) of a text table; None: detected.
    header
        Whether the first line holds the names; None: detected.
    skip
        Lines above the header to pass over; titles and comments are detected without it.
    comment
        The sign with which lines of comments begin; None: ``#``, if lines above the header begin with it.
    index
        A column to leave out.
    columns
        The columns to take; None: all.
    where
        Which rows to keep: ``{"site": "A"}``, or conditions such as ``"age>=18"`` (``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``) that must all hold.
    missing_values
        Numbers and words that stand for a missing value in this table, e.g. ``[-999, "unknown"]``.
    types
        What columns hold, by name, where oslow does not detect it.

    >>> import oslow
    >>> table = oslow.read_table("sachs", where="PKA>100", columns=["Raf", "Mek", "Erk"])
    >>> oslow.R2Sort(prune="none").fit(table).n_features_in_
    3
    """
    options = {
        "sheet": sheet,
        "delimiter": delimiter,
        "decimal": decimal,
        "header": header,
        "skip": skip,
        "comment": comment,
        "index": index,
        "columns": None if columns is None else _names("columns", columns),
        "where": _conditions(where),
        "missing_values": _values(missing_values),
        "types": _table.given(types),
        # Rows with gaps are kept: the method that takes the table decides.
        "missing": "impute",
    }
    names, values, typing, notes = _oslow.read_table(os.fspath(path), json.dumps(options))
    for note in notes:
        warnings.warn(note, OslowWarning, stacklevel=2)
    return Table(values, names, json.loads(typing))


def _names(parameter: str, names: Sequence[str]) -> list[str]:
    if isinstance(names, str):
        raise InputError(f"{parameter}: {names!r} is not a list", f'for example {parameter}=["age", "weight"]')
    return [str(name) for name in names]


def _conditions(where: Where | None) -> list[str]:
    if where is None:
        return []
    if isinstance(where, Mapping):
        return [f"{column}={'' if value is None else value}" for column, value in where.items()]
    return [where] if isinstance(where, str) else [str(condition) for condition in where]


def _values(values: Iterable[float | str] | None) -> list[str]:
    if values is None:
        return []
    return [str(value) for value in ([values] if isinstance(values, (str, int, float)) else values)]
