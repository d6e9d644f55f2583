"""The short way: a table in, a fitted model out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from . import _methods, _oslow, _table, knowledge as _knowledge
from ._discovery import Discoverer, as_json
from ._errors import InputError
from ._progress import ProgressOption, listener


def methods() -> dict[str, type[Discoverer]]:
    """The class of every method, by the name that the command line knows.

    >>> import oslow
    >>> oslow.methods()["direct-lingam"]
    <class 'oslow._methods.DirectLingam'>
    """
    return {kind.method: kind for kind in _methods.ALL}


def catalogue(kind: str) -> list[dict[str, Any]]:
    """What there is of a kind: ``methods``, ``pruners``, ``metrics``, ``families``, ``graphs``, ``mechanisms``,
    ``noises``, ``mixes``, ``outputs``, ``seen``, ``problems``, ``datasets``; as ``oslow list --json`` says it.

    >>> import oslow
    >>> sorted(pruner["name"] for pruner in oslow.catalogue("pruners"))
    ['cam', 'likelihood', 'none', 'pc-kci']
    """
    everything: dict[str, list[dict[str, Any]]] = json.loads(_oslow.catalogue())
    if kind not in everything:
        raise InputError(f"there is no list of `{kind}`", f"there are {', '.join(everything)}")
    return everything[kind]


def discover(data: _table.Data, method: str = "exact", **params: Any) -> Discoverer:
    """Learns order and graph of a table; ``params`` are those of the method's class.

    >>> import oslow
    >>> model = oslow.discover("sachs", method="r2-sort", prune="cam")
    >>> model.edges_[0]
    ('Raf', 'Mek')
    """
    return method_class(data, method, params)(**params).fit(data)


def method_class(data: _table.Data, method: str, params: Mapping[str, Any]) -> type[Discoverer]:
    """The class of a method that takes these parameters."""
    known = methods()
    if method not in known:
        _oslow.check_options(*_table.read(data), as_json({"method": method}))
    chosen = known[method]
    unknown = [name for name in params if name not in chosen._names()]
    if unknown:
        near = _oslow.nearest(unknown[0], chosen._names())
        hint = f"did you mean `{near}`?" if near else f"there are {', '.join(chosen._names())}"
        raise InputError(f"`{unknown[0]}` is no parameter of {chosen.__name__}", hint)
    return chosen


class Pruned(Discoverer):
    """The graph of a known order: what :func:`prune` gives.

    >>> import oslow
    >>> order = oslow.R2Sort(prune="none").fit("sachs").order_
    >>> type(oslow.prune("sachs", order))
    <class 'oslow._discover.Pruned'>
    """

    method = "given"

    def __init__(self) -> None:
        pass


def prune(
    data: _table.Data,
    order: Sequence[str],
    prune: str = "likelihood",
    *,
    prune_settings: Mapping[str, Any] | None = None,
    standardize: str = "zscore",
    outliers: str = "none",
    knowledge: _knowledge.Knowledge | Mapping[str, Any] | None = None,
    missing: _table.Missing = "refuse",
    types: Mapping[str, str] | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> Pruned:
    """The graph of a known order.

    >>> import oslow
    >>> order = oslow.R2Sort(prune="none").fit("sachs").order_
    >>> len(oslow.prune("sachs", order, "cam").edges_)
    9
    """
    table = _table.read(data, missing, types)
    config = {
        "prune": prune,
        "prune_settings": dict(prune_settings or {}),
        "standardize": standardize,
        "outliers": outliers,
        "knowledge": _knowledge.told(knowledge),
        "seed": seed,
    }
    files = _oslow.prune(
        table.values,
        table.names,
        table.typing,
        [str(name) for name in order],
        as_json(config),
        threads,
        listener(progress, table.names),
    )
    graph = Pruned()
    graph._keep(files)
    return graph
