"""What is known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Knowledge:
    """What you know before you look at the data. It is strict: no order that is tried and no edge contradicts it.

    ``tiers``: groups of columns, earlier groups come before later ones. ``required`` and ``forbidden``: edges as
    (cause, effect). ``roots``: columns without causes. ``leaves``: columns without effects. ``conditions``: what each condition acts on, where the table
    has a column of conditions: a list of columns that it sets, ``{"targets": [...], "kind": "imperfect"}`` for columns that still follow from their causes, or ``"unknown"``.

    >>> import oslow
    >>> known = oslow.Knowledge(tiers=[["PKC", "PKA"], ["Raf", "Mek", "Erk"]], forbidden=[("Raf", "Erk")])
    >>> model = oslow.Random(prune="none", knowledge=known).fit("sachs")
    >>> model.order_.index("PKC") < model.order_.index("Mek")
    True
    >>> ("Raf", "Erk") in model.edges_
    False
    """

    tiers: Sequence[Sequence[str]] = field(default=())
    required: Iterable[tuple[str, str]] = field(default=())
    forbidden: Iterable[tuple[str, str]] = field(default=())
    roots: Sequence[str] = field(default=())
    leaves: Sequence[str] = field(default=())
    conditions: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The keys of a knowledge file that say anything.

        >>> import oslow
        >>> oslow.Knowledge(roots=["a"]).to_dict()
        {'roots': ['a']}
        """
        told: dict[str, Any] = {
            "tiers": [list(tier) for tier in self.tiers],
            "required": [list(edge) for edge in self.required],
            "forbidden": [list(edge) for edge in self.forbidden],
            "roots": list(self.roots),
            "leaves": list(self.leaves),
            "conditions": {name: list(acts) if isinstance(acts, (tuple, set)) else acts for name, acts in self.conditions.items()},
        }
        return {key: value for key, value in told.items() if value}


def told(
    knowledge: Knowledge | Mapping[str, Any] | None, targets: str | Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Knowledge as the engine takes it, with what conditions act on."""
    known: dict[str, Any] = {}
    if knowledge is not None:
        known = knowledge.to_dict() if isinstance(knowledge, Knowledge) else dict(knowledge)
    if isinstance(targets, Mapping):
        known["conditions"] = {**known.get("conditions", {}), **Knowledge(conditions=targets).to_dict()["conditions"]}
    return known
