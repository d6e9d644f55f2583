"""Every public name is explained, with an example that runs."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

import oslow


def public() -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name in oslow.__all__:
        if name.startswith("_"):
            continue
        thing = getattr(oslow, name)
        found.append((name, thing))
        if isinstance(thing, ModuleType):
            found += [(f"{name}.{inner}", getattr(thing, inner)) for inner in thing.__all__]
        elif inspect.isclass(thing):
            own = {k: v for base in thing.__mro__ if base.__module__.startswith("oslow") for k, v in vars(base).items()}
            found += [
                (f"{name}.{key}", value)
                for key, value in own.items()
                if not key.startswith("_") and (inspect.isfunction(value) or isinstance(value, (property, classmethod)))
            ]
    return found


@pytest.mark.parametrize(("name", "thing"), public(), ids=lambda value: value if isinstance(value, str) else "")
def test_it_has_a_docstring_with_an_example(name: str, thing: object) -> None:
    text = inspect.getdoc(thing) or ""
    assert ">>> " in text, name
