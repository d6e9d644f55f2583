"""Causal discovery: a table in, causal order, graph and the effects of interventions out.

>>> import oslow
>>> model = oslow.discover("sachs", method="r2-sort", prune="cam")
>>> model.order_[:3]
['Plcg', 'PIP2', 'PIP3']
>>> model.plot()  # a picture, in a notebook
<oslow.Picture: shown in a notebook; .save('graph.svg') writes it>
"""

from . import datasets, metrics
from ._bench import BenchResult, bench
from ._bootstrap import bootstrap
from ._discover import Pruned, catalogue, discover, methods, prune
from ._discovery import Discoverer
from ._effects import MeanEffect
from ._errors import InputError, InternalError, NonFiniteError, OslowError, OslowWarning
from ._file import Table, read_table
from ._forecast import Forecast
from ._graph import from_causal_learn
from ._methods import *  # noqa: F403
from ._methods import __all__ as _classes
from ._model import Curve, Effect
from ._oslow import __version__
from ._picture import Picture, plot_orders
from ._progress import Progress
from ._simulate import Dataset, TrueGraph, TrueModel, simulate
from .flow import Flow
from .knowledge import Knowledge

__all__ = [
    "BenchResult",
    "Curve",
    "Dataset",
    "Discoverer",
    "Effect",
    "Flow",
    "Forecast",
    "InputError",
    "InternalError",
    "Knowledge",
    "MeanEffect",
    "NonFiniteError",
    "OslowError",
    "OslowWarning",
    "Picture",
    "Progress",
    "Pruned",
    "Table",
    "TrueGraph",
    "TrueModel",
    "__version__",
    "bench",
    "bootstrap",
    "catalogue",
    "datasets",
    "discover",
    "from_causal_learn",
    "methods",
    "metrics",
    "plot_orders",
    "prune",
    "read_table",
    "simulate",
    *_classes,
]
