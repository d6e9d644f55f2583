"""What all methods have in common: parameters, ``fit`` and the answer."""

from __future__ import annotations

import base64
import csv
import inspect
import io
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import _effects, _oslow, _table, knowledge as _knowledge
from ._errors import InputError, OslowError, OslowWarning
from ._forecast import Forecast
from ._graph import GraphExports
from ._picture import Picture
from ._progress import ProgressOption, listener

Self = TypeVar("Self", bound="Discoverer")

#: Parameters that every method has; all others are the method's own settings.
_COMMON = (
    "prune",
    "prune_settings",
    "standardize",
    "outliers",
    "knowledge",
    "bootstrap",
    "missing",
    "types",
    "condition",
    "targets",
    "transform",
    "seed",
    "threads",
    "budget",
    "progress",
)


class Task(NamedTuple):
    """A table and everything that an answer about it depends on, as the engine takes them."""

    values: _table.Matrix
    names: list[str]
    typing: str
    config: str


class Discoverer(GraphExports):
    """A method: parameters in the constructor, :meth:`fit`, then the answer in attributes that end in an underscore.

    >>> import oslow
    >>> isinstance(oslow.Exact(), oslow.Discoverer)
    True

    Attributes
    ----------
    order_ : list of str or None
        The causal order, causes first; None for a method that yields none.
    adjacency_ : array of shape (d, d), int8
        1 where row causes column: ``adjacency_[i, j] == 1`` means column i of the data → column j.
    edges_ : list of (str, str)
        The same as pairs (cause, effect).
    confidence_, p_values_ : dict
        What is known of each edge: how probable it is (with ``bootstrap``, the share of resamples that have it), and the p-value where it was tested.
    order_pairs_ : array of shape (d, d) or None
        With a bootstrap, how often row came before column.
    other_edges_ : dict
        With a bootstrap, edges that resamples have and the answer has not, with their share.
    nll_ : float or None
        Held-out negative log-likelihood per row in standardised units, where the method has one.
    ties_ : int or None
        How many orders are as good as ``order_``, itself included.
    direction_ : dict
        Of each edge ``"decided"``, or ``"undecided"`` where the data do not tell which way it points.
    direction_confidence_ : dict
        How probable the direction of each edge is, given that there is an edge.
    gain_, gain_se_ : dict
        What each cause is worth beside the others, in nats per held-out row, and its standard error.
    effect_ : dict
        What each cause does: ``"rising"``, ``"falling"``, ``"bent"``, ``"spread"`` or ``"levels"``.
    edge_probabilities_ : array of shape (d, d) or None
        How probable each edge row → column is, whether the answer has it or not.
    pairs_ : list of dict
        The same pair by pair, with the probabilities of no edge, of coming before and of being a direct or indirect cause.
    nll_no_causes_ : float or None
        What ``nll_`` would be if no column had a cause.
    checks_ : list of dict
        What the data say about the assumptions: ``name``, ``column``, ``verdict`` (``"fine"`` or ``"violated"``), ``meaning``.
    columns_info_ : list of dict
        How the method saw each column: its type (``kind``), its transform, the step of its grid, how many values are missing, and
        the likeliest sets of its direct causes (``parent_sets``) where the method estimates them.
    determined_ : list of (str, str)
        Columns that determine each other: nothing tells which is the cause.
    conditions_ : list of dict
        The conditions under which rows were observed: ``name``, ``rows``, and the columns that each was found or is known to act on.
    assumptions_ : list of str
        What must hold for the answer to be right.
    history_ : dict of arrays or None
        How training went, by column.
    interrupted_ : bool
        Whether the run was stopped before it was finished.
    feature_names_in_ : array of str
    n_features_in_, n_samples_in_ : int
    seconds_ : float
    """

    #: The name of the method in the registry.
    method: ClassVar[str]

    prune: str
    prune_settings: Mapping[str, Any] | None
    standardize: str
    outliers: str
    knowledge: _knowledge.Knowledge | Mapping[str, Any] | None
    bootstrap: int | None
    missing: _table.Missing
    types: Mapping[str, str] | None
    condition: str | None
    targets: str | Mapping[str, Any] | None
    transform: str | None
    seed: int
    threads: int | None
    budget: float | None
    progress: ProgressOption

    def fit(self: Self, X: _table.Data, y: None = None) -> Self:
        """Learns order and graph of a table; ``y`` is there for scikit-learn and is not looked at.

        The array is copied, so that you may write into it while this runs.

        >>> import oslow
        >>> model = oslow.R2Sort(prune="none").fit("sachs")
        >>> len(model.order_)
        11
        """
        return self._learn(self._task(X))

    def forecast(self, X: _table.Data) -> Forecast | None:
        """What :meth:`fit` will need: seconds, memory and threads. None where the method cannot tell.

        Learning is counted, also on resamples; pruning is not. Other programs that use the processor make it longer.

        >>> import oslow
        >>> oslow.Exact(threads=1).forecast("sachs").threads
        1
        """
        task = self._task(X)
        needs = _oslow.forecast(*task, self.threads)
        return None if needs is None else Forecast(*needs)

    def _task(self, X: _table.Data) -> Task:
        column = self.targets if isinstance(self.targets, str) else None
        table = _table.read(X, self.missing, self.types, self.condition, column)
        settings = {key: value for key, value in self._settings().items() if value is not None}
        if self.transform is not None:
            if "local" not in self._names():
                takes_none = f"transform: the method `{self.method}` takes columns as they are"
                raise InputError(takes_none, "only `exact` transforms columns")
            settings["local"] = {**settings.get("local", {}), "transform": self.transform}
        config = {
            "data": X if isinstance(X, str) else None,
            "method": self.method,
            "settings": settings,
            "prune": self.prune,
            "prune_settings": dict(self.prune_settings or {}),
            "standardize": self.standardize,
            "outliers": self.outliers,
            "knowledge": _knowledge.told(self.knowledge, self.targets),
            "bootstrap": self.bootstrap,
            "seed": self.seed,
        }
        return Task(*table, as_json(config))

    def _learn(self: Self, task: Task, resamples: Sequence[bytes] = ()) -> Self:
        """Learns, but for resamples that were done elsewhere."""
        told = listener(self.progress, task.names)
        files = _oslow.discover(*task, self.threads, self.budget, told, list(resamples))
        self._keep(files)
        # A copy: what is asked later is about the rows that were learned from.
        self._table = _table.Table(task.values.copy(), task.names, task.typing)
        return self

    def _keep(self, files: dict[str, bytes]) -> None:
        found = json.loads(files["run.json"])
        names: list[str] = found["columns"]
        place = {name: node for node, name in enumerate(names)}
        self.run_ = found
        self._files = files
        self.feature_names_in_: npt.NDArray[Any] = np.array(names, dtype=object)
        self.n_features_in_ = len(names)
        self.n_samples_in_: int = found["rows"]
        self.order_: list[str] | None = found["order"]
        self.edges_: list[tuple[str, str]] = [(edge["from"], edge["to"]) for edge in found["edges"]]
        self.adjacency_: npt.NDArray[np.int8] = np.zeros((len(names), len(names)), dtype=np.int8)
        for cause, effect in self.edges_:
            self.adjacency_[place[cause], place[effect]] = 1
        self.confidence_ = _by_edge(found["edges"], "confidence")
        self.p_values_ = _by_edge(found["edges"], "p_value")
        self.other_edges_ = _by_edge(found.get("other_edges", []), "confidence")
        pairs = found.get("order_pairs")
        self.order_pairs_: _table.Matrix | None = None
        if pairs is not None:
            self.order_pairs_ = np.array([[pairs[a].get(b, np.nan) for b in names] for a in names], dtype=np.float64)
        self.nll_: float | None = found["nll"]
        self.ties_: int | None = found["ties"]
        self.nll_no_causes_: float | None = found.get("nll_no_causes")
        self.direction_: dict[tuple[str, str], str] = _by_edge(found["edges"], "direction")
        self.direction_confidence_: dict[tuple[str, str], float] = _by_edge(found["edges"], "direction_confidence")
        self.gain_: dict[tuple[str, str], float] = _by_edge(found["edges"], "gain")
        self.gain_se_: dict[tuple[str, str], float] = _by_edge(found["edges"], "gain_se")
        self.effect_: dict[tuple[str, str], str] = _by_edge(found["edges"], "effect")
        self.pairs_: list[dict[str, Any]] = found.get("pairs", [])
        self.edge_probabilities_: _table.Matrix | None = None
        if self.pairs_:
            self.edge_probabilities_ = np.zeros((len(names), len(names)))
            for pair in self.pairs_:
                a, b = place[pair["a"]], place[pair["b"]]
                self.edge_probabilities_[a, b], self.edge_probabilities_[b, a] = pair["a_to_b"], pair["b_to_a"]
        self.checks_: list[dict[str, Any]] = found.get("checks", [])
        self.columns_info_: list[dict[str, Any]] = found.get("columns_info", [])
        self.determined_: list[tuple[str, str]] = [(a, b) for a, b in found.get("determined", [])]
        self.conditions_: list[dict[str, Any]] = found.get("conditions", [])
        self.assumptions_: list[str] = found["assumptions"]
        self.interrupted_: bool = found["interrupted"]
        self.seconds_: float = found["seconds"]
        self.history_ = _columns(files["history.csv"]) if "history.csv" in files else None

    def effects(
        self,
        on: str,
        target: str,
        from_: _effects.Value | None = None,
        to: _effects.Value | None = None,
        grid: Sequence[float] | npt.NDArray[Any] | None = None,
    ) -> _effects.MeanEffect:
        """The average effect of setting a column on the mean of another, averaged over the doubt about the graph.

        Parameters
        ----------
        on, target : str
            The column to set, and the column whose mean to report.
        from_, to : float or str, optional
            The values to set it from and to, or names of levels. Without them, the lower and upper quartile, or the two levels of a
            column that has two.
        grid : array of float, optional
            Values at which to report the mean itself, as ``curve``.

        Only models that estimate the probabilities of graphs can answer (``oslow.Exact`` does by default).

        >>> import oslow
        >>> data = oslow.simulate(graph="path", nodes=2, rows=200, seed=1)
        >>> found = oslow.Exact().fit(data).effects(data.order[0], data.order[1], grid=[-1.0, 0.0, 1.0])
        >>> found.curve.mean.shape
        (3,)
        """
        self._fitted()
        if not hasattr(self, "_table"):
            raise OslowError("this graph was made without probabilities of other graphs", "fit `oslow.Exact()` to the data")
        question = {
            "on": on,
            "target": target,
            "from": _effects.told(from_),
            "to": _effects.told(to),
            "grid": [] if grid is None else np.asarray(grid, dtype=np.float64).ravel().tolist(),
        }
        table = self._table
        found = _oslow.mean_effect(
            table.values,
            table.names,
            table.typing,
            self._files["run.json"].decode(),
            as_json(question),
            self.threads,
            self.budget,
            listener(self.progress, table.names),
        )
        if found is None:
            raise OslowError("stopped before the effect was estimated", "allow more time with `budget`")
        answer = json.loads(found)
        for text in answer["warnings"]:
            warnings.warn(text, OslowWarning, stacklevel=2)
        return _effects.effect(answer)

    def plot(self) -> Picture:
        """The graph as a picture: causes above effects. A notebook shows it; ``.save(path)`` writes it.

        >>> import oslow
        >>> oslow.R2Sort(prune="cam").fit("sachs").plot()
        <oslow.Picture: shown in a notebook; .save('graph.svg') writes it>
        """
        return Picture(self._file("graph.svg").decode())

    def plot_training(self) -> Picture:
        """How training went, for methods that train.

        >>> import oslow
        >>> oslow.OSLow(cycles=1, refine="none", prune="none").fit("sachs").plot_training().svg[:4]
        '<svg'
        """
        if self._fitted() and "history.svg" not in self._files:
            raise InputError(f"`{self.method}` has no training to show")
        return Picture(self._file("history.svg").decode())

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the run folder that ``oslow discover --out`` writes: JSON, settings, order, edges, graph and picture.

        >>> import oslow, tempfile, os
        >>> folder = os.path.join(tempfile.mkdtemp(), "run")
        >>> oslow.R2Sort(prune="none").fit("sachs").save(folder)
        >>> sorted(os.listdir(folder))[:3]
        ['config.toml', 'edges.csv', 'evidence.json']
        """
        self._fitted()
        _oslow.write_run(os.fspath(folder), list(self._files.items()))

    @overload
    def report(self, path: None = None) -> str: ...
    @overload
    def report(self, path: str | os.PathLike[str]) -> None: ...
    def report(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """The run as one HTML page for anybody to read: the graph, each link with its evidence, columns, checks, how it was done.

        Parameters
        ----------
        path : str or path-like, optional
            The file to write. Without it, the page is returned as text. The page needs no network.

        >>> import oslow, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
        >>> model = oslow.R2Sort(prune="cam").fit("sachs")
        >>> model.report(path)
        >>> path.read_text(encoding="utf-8")[:15]
        '<!doctype html>'
        """
        self._fitted()
        page: str = _oslow.report(list(self._files.items()))
        if path is None:
            return page
        Path(path).write_text(page, encoding="utf-8")
        return None

    def _repr_html_(self) -> str | None:
        """The graph, for a notebook: an image, in which nothing can run."""
        if not hasattr(self, "run_"):
            return None
        picture = base64.b64encode(self._files["graph.svg"]).decode()
        return f'<img alt="Causal graph, causes above effects" src="data:image/svg+xml;base64,{picture}">'

    def _file(self, name: str) -> bytes:
        self._fitted()
        return self._files[name]

    def _fitted(self) -> bool:
        if not hasattr(self, "run_"):
            raise OslowError(f"this {type(self).__name__} has no answer yet", "call `fit` with your data first")
        return True

    # scikit-learn's conventions, without scikit-learn.

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def _settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._names() if name not in _COMMON}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's parameters, as scikit-learn wants them.

        >>> import oslow
        >>> oslow.Score(ridge=0.01).get_params()["ridge"]
        0.01
        """
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Changes parameters by name.

        >>> import oslow
        >>> oslow.Score().set_params(seed=3).seed
        3
        """
        for name, value in params.items():
            if name not in self._names():
                raise InputError(
                    f"`{name}` is no parameter of {type(self).__name__}", f"there are {', '.join(self._names())}"
                )
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "run_")

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def as_json(config: Mapping[str, Any]) -> str:
    """What is said, as JSON: numpy's numbers as numbers, and what is not said left out."""

    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, np.ndarray):
            return value.tolist()
        raise InputError(f"{value!r} is no value for a setting")

    return json.dumps({key: value for key, value in config.items() if value is not None}, default=plain)


def _by_edge(edges: Sequence[Mapping[str, Any]], key: str) -> dict[tuple[str, str], Any]:
    return {(edge["from"], edge["to"]): edge[key] for edge in edges if edge.get(key) is not None}


def _columns(text: bytes) -> dict[str, _table.Matrix]:
    header, *rows = csv.reader(io.StringIO(text.decode()))
    values = np.array(rows, dtype=np.float64).reshape(len(rows), len(header))
    return {name: values[:, column] for column, name in enumerate(header)}
