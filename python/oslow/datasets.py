"""Built-in data sets.

>>> import oslow
>>> oslow.datasets.load("sachs")
<oslow.Dataset: 853 rows, 11 columns>
"""

from __future__ import annotations

import json

from . import _oslow
from ._simulate import Dataset

__all__ = ["load"]


def load(name: str) -> Dataset:
    """A built-in data set by its name; ``oslow.catalogue("datasets")`` lists them all.

    >>> import oslow
    >>> oslow.datasets.load("sachs").columns[:3]
    ['Raf', 'Mek', 'Plcg']
    """
    (names, values, typing, _), edges = _oslow.load_dataset(name)
    return Dataset(values, names, edges, conditions=json.loads(typing)["conditions"])
