"""A flow for one known order: densities, draws, interventions, counterfactuals."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _model, _oslow, _table, knowledge as _knowledge
from ._discovery import Discoverer, as_json
from ._errors import InputError, OslowError, OslowWarning
from ._progress import ProgressOption, listener


class Flow:
    """A model of the data along a causal order: what is likely, what would be, what would have been.

    ``order`` is a causal order of the columns, in which each may depend on all before it. Or it is a fitted model, e.g. of ``oslow.Exact``,
    whose graph the flow follows: each variable depends on its direct causes only.

    ``settings`` are those of ``oslow fit --set``, e.g. ``{"flow": {"base": "laplace"}}`` for Laplace noise, or
    ``{"flow": {"base": "learned"}}`` to learn the shape of each variable's noise from the data.

    >>> import oslow
    >>> data = oslow.simulate(graph="path", nodes=3, rows=300, seed=1)
    >>> flow = oslow.Flow(order=data.order, settings={"epochs": 5}).fit(data)
    >>> flow.sample(4).shape
    (4, 3)
    >>> cause, effect = data.order[0], data.order[1]
    >>> effects = flow.effects({cause: 0.5})
    >>> effects[effect].low < effects[effect].mean < effects[effect].high
    True
    """

    def __init__(
        self,
        order: Sequence[str] | Discoverer | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        knowledge: _knowledge.Knowledge | Mapping[str, Any] | None = None,
        missing: _table.Missing = "refuse",
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.order = order
        self.settings = settings
        self.standardize = standardize
        self.knowledge = knowledge
        self.missing = missing
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress
        self._engine: _oslow.FittedFlow | None = None

    def fit(self, X: _table.Data, y: None = None) -> Flow:
        """Fits the flow; without an ``order`` the columns are taken as they stand, causes first.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data).nll_ is not None
        True
        """
        table = _table.read(X, self.missing)
        config = {
            "standardize": self.standardize,
            "settings": dict(self.settings or {}),
            "knowledge": _knowledge.told(self.knowledge),
            "seed": self.seed,
        }
        if isinstance(self.order, Discoverer):
            self.order._fitted()
            if list(self.order.feature_names_in_) != table.names:
                raise InputError("the data have other columns than the model", "it has " + ", ".join(self.order.feature_names_in_))
            if self.knowledge is not None:
                raise InputError("the model has a graph already", "leave out `knowledge`, or pass an order instead of the model")
            config["edges"] = self.order.edges_
            order = self.order.order_ or []
        else:
            order = table.names if self.order is None else [str(name) for name in self.order]
        self._engine = _oslow.fit_flow(
            table.values,
            table.names,
            table.typing,
            order,
            as_json(config),
            self.threads,
            self.budget,
            listener(self.progress, table.names),
        )
        return self

    @property
    def fitted(self) -> _oslow.FittedFlow:
        """The engine underneath; an error if there is none yet.

        >>> import oslow
        >>> oslow.Flow().fitted
        Traceback (most recent call last):
        ...
        oslow._errors.OslowError: this flow is not fitted yet
        hint: call `fit` with your data first
        """
        if self._engine is None:
            raise OslowError("this flow is not fitted yet", "call `fit` with your data first")
        return self._engine

    @property
    def order_(self) -> list[str]:
        """The causal order of the fitted flow.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data).order_ == data.order
        True
        """
        return self.fitted.order

    @property
    def feature_names_in_(self) -> npt.NDArray[Any]:
        """The columns, in the order of the data.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data).feature_names_in_.tolist()
        ['X0', 'X1']
        """
        return np.array(self.fitted.names, dtype=object)

    @property
    def nll_(self) -> float | None:
        """Held-out negative log-likelihood per row, in standardised units.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data).nll_ < 10
        True
        """
        return self.fitted.nll

    @property
    def observed_(self) -> dict[str, tuple[float, float]]:
        """The central 99 % of each variable in the data: outside it answers extrapolate.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> flow = oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data)
        >>> low, high = flow.observed_["X0"]
        """
        return dict(zip(self.fitted.names, self.fitted.observed))

    def log_prob(self, X: _table.Data) -> npt.NDArray[np.float64]:
        """The logarithm of the density of each row, in the units of the data.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> flow = oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data)
        >>> flow.log_prob(data).shape
        (200,)
        """
        return self.fitted.log_prob(self._columns(X))

    def sample(self, rows: int, seed: int = 0) -> npt.NDArray[np.float64]:
        """Rows drawn from the model.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data).sample(3).shape
        (3, 2)
        """
        return self.fitted.draw(rows, [], seed)

    def do(self, do: Mapping[str, float], rows: int = 1000, seed: int = 0) -> npt.NDArray[np.float64]:
        """Rows drawn from the model while some variables are set.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> flow = oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data)
        >>> set(flow.do({"X0": 1.0})[:, 0].tolist())
        {1.0}
        """
        self._warn(do)
        return self.fitted.draw(rows, _model.setting(do), seed)

    def effects(self, do: Mapping[str, float], rows: int = 1000, seed: int = 0) -> dict[str, _model.Effect]:
        """The mean of every variable that is not set, with the 99 % Monte-Carlo interval of the fitted model.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> flow = oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data)
        >>> list(flow.effects({"X0": 1.0}))
        ['X1']
        """
        self._warn(do)
        return _model.effects(self.fitted, do, rows, seed)

    def effect_curve(
        self,
        variable: str,
        grid: Sequence[float] | npt.NDArray[Any],
        *,
        target: str,
        do: Mapping[str, float] | None = None,
        rows: int = 1000,
        seed: int = 0,
    ) -> _model.Curve:
        """The mean of a target while a variable is set to each value of a grid; others can be held by ``do``.

        >>> import numpy as np, oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> flow = oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data)
        >>> flow.effect_curve("X0", np.linspace(-1, 1, 5), target="X1").mean.shape
        (5,)
        """
        values = np.asarray(grid, dtype=np.float64)
        ends = {float(values.min()), float(values.max())} if values.size else set()
        for end in sorted(ends):
            self._warn({variable: end, **(do or {})})
        return _model.curve(self.fitted, variable, values, target, do or {}, rows, seed)

    def counterfactual(self, X: _table.Data, do: Mapping[str, float]) -> npt.NDArray[np.float64]:
        """Each row as it would have been, had these variables been set: its noise is kept.

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> flow = oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data)
        >>> flow.counterfactual(data.values[:5], do={"X0": 0.0}).shape
        (5, 2)
        """
        self._warn(do)
        rows = self._columns(X)
        for text in self.fitted.far_rows(rows):
            warnings.warn(text, OslowWarning, stacklevel=2)
        return self.fitted.counterfactual(rows, _model.setting(do))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a safetensors file, the one that ``oslow fit`` writes.

        >>> import oslow, tempfile, os
        >>> path = os.path.join(tempfile.mkdtemp(), "model.safetensors")
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200)
        >>> oslow.Flow(order=data.order, settings={"epochs": 2}).fit(data).save(path)
        >>> oslow.Flow.load(path).order_ == data.order
        True
        """
        Path(path).write_bytes(self.fitted.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Flow:
        """The flow of a safetensors file, of :meth:`save` or of the command line.

        >>> import oslow
        >>> oslow.Flow.load("missing.safetensors")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] No such file or directory: 'missing.safetensors'
        """
        return cls._of(Path(path).read_bytes())

    @classmethod
    def _of(cls, model: bytes) -> Flow:
        flow = cls()
        flow._engine = _oslow.FittedFlow.from_bytes(model)
        flow.order = flow._engine.order
        return flow

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state["_engine"] = None if self._engine is None else self._engine.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if state["_engine"] is not None:
            self._engine = _oslow.FittedFlow.from_bytes(state["_engine"])

    def __repr__(self) -> str:
        if self.order is None or isinstance(self.order, Discoverer):
            return f"Flow(order={self.order!r})"
        return f"Flow(order={list(self.order)!r})"

    def _columns(self, X: _table.Data) -> npt.NDArray[np.float64]:
        """The rows with the columns where the model has them."""
        named = hasattr(X, "columns")
        table = _table.read(np.atleast_2d(X) if not named and not isinstance(X, (str, os.PathLike)) else X)
        if not named or table.names == self.fitted.names:
            return table.values
        missing = [name for name in self.fitted.names if name not in table.names]
        if missing:
            raise OslowError(f"column `{missing[0]}` is missing", "the model needs " + ", ".join(self.fitted.names))
        return np.ascontiguousarray(table.values[:, [table.names.index(name) for name in self.fitted.names]])

    def _warn(self, do: Mapping[str, float]) -> None:
        for text in self.fitted.extrapolations(_model.setting(do)):
            warnings.warn(text, OslowWarning, stacklevel=3)
