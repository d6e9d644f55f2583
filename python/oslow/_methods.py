"""A class for every method. Written by `cargo xtask classes` from the registry; do not edit it by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._discovery import Discoverer
from ._progress import ProgressOption
from ._table import Missing
from .knowledge import Knowledge

__all__ = [
    "BiLsnm",
    "Cam",
    "Daguerreotype",
    "DirectLingam",
    "Exact",
    "GranDag",
    "OSLow",
    "OSLowGumbelSinkhorn",
    "OSLowSoftSinkhorn",
    "R2Sort",
    "Random",
    "Score",
    "VarSort",
    "ViDpDagSinkhorn",
    "ViDpDagTopK",
]


class Exact(Discoverer):
    """Held-out likelihoods of every set of causes, and the best of all orders by dynamic programming.

    Assumes:

    - no hidden common causes
    - no cycles
    - location-scale noise of any shape, after one monotone transform of each column: X = f(causes) + g(causes)·noise
    - the probabilities of a discrete column are smooth functions of its causes
    - independent rows

    >>> import oslow
    >>> oslow.Exact(seed=1)
    Exact(seed=1)

    Parameters
    ----------
    checks
        true unless set.
    confidence
        Settings within: `draws` 200, `evenness` 1.0, `power` 0.5.
    exact_up_to
        25 unless set.
    local
        Settings within: `all_candidates_up_to` 7, `all_others_up_to` 25, `candidate_gain` 0.25, `candidates` 8, `completions` 4, `cubic_up_to` 5, `folds` 4, `interacting` 6, `location_units` 10, `members` 1, `most_fitted` 2000, `most_rows` 20000, `most_sets` 16, `noise` auto, `price` 0.0, `scale` auto, `scale_units` 6, `set_gain` 0.5, `shape_price` 2.0, `splits` 2, `spread_grids` true, `steps` 30, `tolerance` 0.001, `transform` auto.
    starts
        16 unless set.
    sufficient
        Settings within: `explained` 0.9, `standard_errors` 1.0.
    window
        10 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "exact"

    def __init__(
        self,
        *,
        checks: bool = True,
        confidence: Mapping[str, Any] | None = None,
        exact_up_to: int = 25,
        local: Mapping[str, Any] | None = None,
        starts: int = 16,
        sufficient: Mapping[str, Any] | None = None,
        window: int = 10,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.checks = checks
        self.confidence = confidence
        self.exact_up_to = exact_up_to
        self.local = local
        self.starts = starts
        self.sufficient = sufficient
        self.window = window
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class OSLow(Discoverer):
    """Masked flows for every order, learned by a Boltzmann distribution over permutations (the paper).

    Assumes:

    - no hidden common causes
    - no cycles
    - location-scale noise: each variable is a function of its causes plus noise scaled by another
    - continuous variables, independent rows

    >>> import oslow
    >>> oslow.OSLow(seed=1)
    OSLow(seed=1)

    Parameters
    ----------
    answer
        mode unless set.
    batch
        250 unless set.
    cycles
        60 unless set.
    draws
        10 unless set.
    flow
        Settings within: `activation` silu, `actnorm` false, `base` gaussian, `head` {"bounded":{"a":2.0,"b":5.0}}, `hidden` [16,16], `residual` false, `scale` affine, `skip` false, `transforms` 1.
    gamma_batch
        1000 unless set.
    gamma_rate
        0.03 unless set.
    gamma_steps
        5 unless set.
    noise
        1.0 unless set.
    patience
        10 unless set.
    refine
        insertion unless set.
    refine_nodes
        8 unless set.
    refine_rounds
        5 unless set.
    refine_steps
        500 unless set.
    schedule
        phases unless set.
    theta_rate
        0.005 unless set.
    theta_steps
        20 unless set.
    tolerance
        0.001 unless set.
    validation
        0.1 unless set.
    warm_up
        100 unless set.
    weight_decay
        0.01 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "oslow"

    def __init__(
        self,
        *,
        answer: str = "mode",
        batch: int = 250,
        cycles: int = 60,
        draws: int = 10,
        flow: Mapping[str, Any] | None = None,
        gamma_batch: int = 1000,
        gamma_rate: float = 0.03,
        gamma_steps: int = 5,
        noise: float = 1.0,
        patience: int = 10,
        refine: str = "insertion",
        refine_nodes: int = 8,
        refine_rounds: int = 5,
        refine_steps: int = 500,
        schedule: str = "phases",
        theta_rate: float = 0.005,
        theta_steps: int = 20,
        tolerance: float = 0.001,
        validation: float = 0.1,
        warm_up: int = 100,
        weight_decay: float = 0.01,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.answer = answer
        self.batch = batch
        self.cycles = cycles
        self.draws = draws
        self.flow = flow
        self.gamma_batch = gamma_batch
        self.gamma_rate = gamma_rate
        self.gamma_steps = gamma_steps
        self.noise = noise
        self.patience = patience
        self.refine = refine
        self.refine_nodes = refine_nodes
        self.refine_rounds = refine_rounds
        self.refine_steps = refine_steps
        self.schedule = schedule
        self.theta_rate = theta_rate
        self.theta_steps = theta_steps
        self.tolerance = tolerance
        self.validation = validation
        self.warm_up = warm_up
        self.weight_decay = weight_decay
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class OSLowGumbelSinkhorn(Discoverer):
    """Ablation: the same flow, orders learned by straight-through Gumbel-Sinkhorn.

    Assumes:

    - no hidden common causes
    - no cycles
    - location-scale noise: each variable is a function of its causes plus noise scaled by another
    - continuous variables, independent rows

    >>> import oslow
    >>> oslow.OSLowGumbelSinkhorn(seed=1)
    OSLowGumbelSinkhorn(seed=1)

    Parameters
    ----------
    answer
        mode unless set.
    batch
        250 unless set.
    cycles
        60 unless set.
    draws
        10 unless set.
    flow
        Settings within: `activation` silu, `actnorm` false, `base` gaussian, `head` {"bounded":{"a":2.0,"b":5.0}}, `hidden` [16,16], `residual` false, `scale` affine, `skip` false, `transforms` 1.
    gamma_batch
        1000 unless set.
    gamma_rate
        0.03 unless set.
    gamma_steps
        5 unless set.
    noise
        1.0 unless set.
    patience
        10 unless set.
    refine
        none unless set.
    refine_nodes
        8 unless set.
    refine_rounds
        5 unless set.
    refine_steps
        500 unless set.
    schedule
        phases unless set.
    theta_rate
        0.005 unless set.
    theta_steps
        20 unless set.
    tolerance
        0.001 unless set.
    validation
        0.1 unless set.
    warm_up
        100 unless set.
    weight_decay
        0.01 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "oslow-gumbel-sinkhorn"

    def __init__(
        self,
        *,
        answer: str = "mode",
        batch: int = 250,
        cycles: int = 60,
        draws: int = 10,
        flow: Mapping[str, Any] | None = None,
        gamma_batch: int = 1000,
        gamma_rate: float = 0.03,
        gamma_steps: int = 5,
        noise: float = 1.0,
        patience: int = 10,
        refine: str = "none",
        refine_nodes: int = 8,
        refine_rounds: int = 5,
        refine_steps: int = 500,
        schedule: str = "phases",
        theta_rate: float = 0.005,
        theta_steps: int = 20,
        tolerance: float = 0.001,
        validation: float = 0.1,
        warm_up: int = 100,
        weight_decay: float = 0.01,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.answer = answer
        self.batch = batch
        self.cycles = cycles
        self.draws = draws
        self.flow = flow
        self.gamma_batch = gamma_batch
        self.gamma_rate = gamma_rate
        self.gamma_steps = gamma_steps
        self.noise = noise
        self.patience = patience
        self.refine = refine
        self.refine_nodes = refine_nodes
        self.refine_rounds = refine_rounds
        self.refine_steps = refine_steps
        self.schedule = schedule
        self.theta_rate = theta_rate
        self.theta_steps = theta_steps
        self.tolerance = tolerance
        self.validation = validation
        self.warm_up = warm_up
        self.weight_decay = weight_decay
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class OSLowSoftSinkhorn(Discoverer):
    """Ablation that cheats (the paper's appendix): masks are doubly stochastic, so variables see themselves.

    Assumes:

    - no hidden common causes
    - no cycles
    - location-scale noise: each variable is a function of its causes plus noise scaled by another
    - continuous variables, independent rows

    >>> import oslow
    >>> oslow.OSLowSoftSinkhorn(seed=1)
    OSLowSoftSinkhorn(seed=1)

    Parameters
    ----------
    answer
        mode unless set.
    batch
        250 unless set.
    cycles
        60 unless set.
    draws
        10 unless set.
    flow
        Settings within: `activation` silu, `actnorm` false, `base` gaussian, `head` {"bounded":{"a":2.0,"b":5.0}}, `hidden` [16,16], `residual` false, `scale` affine, `skip` false, `transforms` 1.
    gamma_batch
        1000 unless set.
    gamma_rate
        0.03 unless set.
    gamma_steps
        5 unless set.
    noise
        1.0 unless set.
    patience
        10 unless set.
    refine
        none unless set.
    refine_nodes
        8 unless set.
    refine_rounds
        5 unless set.
    refine_steps
        500 unless set.
    schedule
        phases unless set.
    theta_rate
        0.005 unless set.
    theta_steps
        20 unless set.
    tolerance
        0.001 unless set.
    validation
        0.1 unless set.
    warm_up
        100 unless set.
    weight_decay
        0.01 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "oslow-soft-sinkhorn"

    def __init__(
        self,
        *,
        answer: str = "mode",
        batch: int = 250,
        cycles: int = 60,
        draws: int = 10,
        flow: Mapping[str, Any] | None = None,
        gamma_batch: int = 1000,
        gamma_rate: float = 0.03,
        gamma_steps: int = 5,
        noise: float = 1.0,
        patience: int = 10,
        refine: str = "none",
        refine_nodes: int = 8,
        refine_rounds: int = 5,
        refine_steps: int = 500,
        schedule: str = "phases",
        theta_rate: float = 0.005,
        theta_steps: int = 20,
        tolerance: float = 0.001,
        validation: float = 0.1,
        warm_up: int = 100,
        weight_decay: float = 0.01,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.answer = answer
        self.batch = batch
        self.cycles = cycles
        self.draws = draws
        self.flow = flow
        self.gamma_batch = gamma_batch
        self.gamma_rate = gamma_rate
        self.gamma_steps = gamma_steps
        self.noise = noise
        self.patience = patience
        self.refine = refine
        self.refine_nodes = refine_nodes
        self.refine_rounds = refine_rounds
        self.refine_steps = refine_steps
        self.schedule = schedule
        self.theta_rate = theta_rate
        self.theta_steps = theta_steps
        self.tolerance = tolerance
        self.validation = validation
        self.warm_up = warm_up
        self.weight_decay = weight_decay
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class Score(Discoverer):
    """SCORE: leaves first, where the log-density's curvature varies least; its paper takes data as they are.

    Assumes:

    - each variable is a nonlinear function of its causes, plus noise
    - the noise is Gaussian

    >>> import oslow
    >>> oslow.Score(seed=1)
    Score(seed=1)

    Parameters
    ----------
    ridge
        0.001 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "score"

    def __init__(
        self,
        *,
        ridge: float = 0.001,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.ridge = ridge
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class Cam(Discoverer):
    """CAM: adds the edge with the largest gain of an additive model's likelihood, one by one.

    Assumes:

    - each variable is a sum of smooth, nonlinear functions of its causes, plus noise
    - the noise is Gaussian

    >>> import oslow
    >>> oslow.Cam(seed=1)
    Cam(seed=1)

    Parameters
    ----------
    cutoff
        0.001 unless set.
    k
        10 unless set.
    preselect
        true unless set.
    preselect_keep
        10 unless set.
    terms
        smooth unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "cam"

    def __init__(
        self,
        *,
        cutoff: float = 0.001,
        k: int = 10,
        preselect: bool = True,
        preselect_keep: int = 10,
        terms: str = "smooth",
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.cutoff = cutoff
        self.k = k
        self.preselect = preselect
        self.preselect_keep = preselect_keep
        self.terms = terms
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class DirectLingam(Discoverer):
    """DirectLiNGAM: roots first, by pairwise likelihood ratios of linear regressions.

    Assumes:

    - each variable is a linear function of its causes, plus noise
    - the noise is not Gaussian

    >>> import oslow
    >>> oslow.DirectLingam(seed=1)
    DirectLingam(seed=1)

    Parameters
    ----------
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "direct-lingam"

    def __init__(
        self,
        *,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class BiLsnm(Discoverer):
    """LOCI on every pair: the direction by location-scale models of two variables, then the order that agrees best.

    Assumes:

    - each pair alone is a location-scale model in the causal direction only, which many variables rarely are
    - the noise is Gaussian

    >>> import oslow
    >>> oslow.BiLsnm(seed=1)
    BiLsnm(seed=1)

    Parameters
    ----------
    degree
        5 unless set.
    estimator
        net unless set.
    knots
        25 unless set.
    least_score
        0.01 unless set.
    rate
        0.01 unless set.
    ridge
        0.00001 unless set.
    score
        likelihood unless set.
    steps
        1000 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "bi-lsnm"

    def __init__(
        self,
        *,
        degree: int = 5,
        estimator: str = "net",
        knots: int = 25,
        least_score: float = 0.01,
        rate: float = 0.01,
        ridge: float = 0.00001,
        score: str = "likelihood",
        steps: int = 1000,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.degree = degree
        self.estimator = estimator
        self.knots = knots
        self.least_score = least_score
        self.rate = rate
        self.ridge = ridge
        self.score = score
        self.steps = steps
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class ViDpDagSinkhorn(Discoverer):
    """VI-DP-DAG: a distribution over graphs, orders by Gumbel-Sinkhorn, learned with networks that predict.

    Assumes:

    - each variable is a function of its causes, plus noise
    - the right graph predicts best: noises have equal variances in the units of the table

    >>> import oslow
    >>> oslow.ViDpDagSinkhorn(seed=1)
    ViDpDagSinkhorn(seed=1)

    Parameters
    ----------
    batch
        64 unless set.
    check_every
        2 unless set.
    dag_rate
        0.01 unless set.
    draws
        1000 unless set.
    epochs
        100 unless set.
    hidden
        [16,16,16] unless set.
    patience
        10 unless set.
    prior_edge
        0.01 unless set.
    prior_weight
        0.01 unless set.
    rate
        0.001 unless set.
    temperature
        1.0 unless set.
    validation
        0.1 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "vi-dp-dag-sinkhorn"

    def __init__(
        self,
        *,
        batch: int = 64,
        check_every: int = 2,
        dag_rate: float = 0.01,
        draws: int = 1000,
        epochs: int = 100,
        hidden: Sequence[Any] | None = None,
        patience: int = 10,
        prior_edge: float = 0.01,
        prior_weight: float = 0.01,
        rate: float = 0.001,
        temperature: float = 1.0,
        validation: float = 0.1,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.batch = batch
        self.check_every = check_every
        self.dag_rate = dag_rate
        self.draws = draws
        self.epochs = epochs
        self.hidden = hidden
        self.patience = patience
        self.prior_edge = prior_edge
        self.prior_weight = prior_weight
        self.rate = rate
        self.temperature = temperature
        self.validation = validation
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class ViDpDagTopK(Discoverer):
    """VI-DP-DAG: a distribution over graphs, orders by Gumbel-top-k, learned with networks that predict.

    Assumes:

    - each variable is a function of its causes, plus noise
    - the right graph predicts best: noises have equal variances in the units of the table

    >>> import oslow
    >>> oslow.ViDpDagTopK(seed=1)
    ViDpDagTopK(seed=1)

    Parameters
    ----------
    batch
        64 unless set.
    check_every
        2 unless set.
    dag_rate
        0.01 unless set.
    draws
        1000 unless set.
    epochs
        100 unless set.
    hidden
        [16,16,16] unless set.
    patience
        10 unless set.
    prior_edge
        0.01 unless set.
    prior_weight
        0.01 unless set.
    rate
        0.001 unless set.
    temperature
        1.0 unless set.
    validation
        0.1 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "vi-dp-dag-top-k"

    def __init__(
        self,
        *,
        batch: int = 64,
        check_every: int = 2,
        dag_rate: float = 0.01,
        draws: int = 1000,
        epochs: int = 100,
        hidden: Sequence[Any] | None = None,
        patience: int = 10,
        prior_edge: float = 0.01,
        prior_weight: float = 0.01,
        rate: float = 0.001,
        temperature: float = 1.0,
        validation: float = 0.1,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.batch = batch
        self.check_every = check_every
        self.dag_rate = dag_rate
        self.draws = draws
        self.epochs = epochs
        self.hidden = hidden
        self.patience = patience
        self.prior_edge = prior_edge
        self.prior_weight = prior_weight
        self.rate = rate
        self.temperature = temperature
        self.validation = validation
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class Daguerreotype(Discoverer):
    """DAGuerreotype: one score a variable, a sparse distribution over orders from them, and equations for each order.

    Assumes:

    - each variable is a function of its causes, plus noise
    - noises have equal variances in the units of the table

    >>> import oslow
    >>> oslow.Daguerreotype(seed=1)
    Daguerreotype(seed=1)

    Parameters
    ----------
    edge_penalty
        0.001 unless set.
    edges
        none unless set.
    epochs
        5000 unless set.
    equations
        nonlinear unless set.
    hidden
        50 unless set.
    inner_steps
        200 unless set.
    iterations
        100 unless set.
    k
        100 unless set.
    l2
        0.0005 unless set.
    operator
        top-k-sparsemax unless set.
    optimisation
        bilevel unless set.
    patience
        100 unless set.
    rate
        0.03 unless set.
    starts
        5 unless set.
    theta_rate
        0.1 unless set.
    tolerance
        0.0001 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "daguerreotype"

    def __init__(
        self,
        *,
        edge_penalty: float = 0.001,
        edges: str = "none",
        epochs: int = 5000,
        equations: str = "nonlinear",
        hidden: int = 50,
        inner_steps: int = 200,
        iterations: int = 100,
        k: int = 100,
        l2: float = 0.0005,
        operator: str = "top-k-sparsemax",
        optimisation: str = "bilevel",
        patience: int = 100,
        rate: float = 0.03,
        starts: int = 5,
        theta_rate: float = 0.1,
        tolerance: float = 0.0001,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.edge_penalty = edge_penalty
        self.edges = edges
        self.epochs = epochs
        self.equations = equations
        self.hidden = hidden
        self.inner_steps = inner_steps
        self.iterations = iterations
        self.k = k
        self.l2 = l2
        self.operator = operator
        self.optimisation = optimisation
        self.patience = patience
        self.rate = rate
        self.starts = starts
        self.theta_rate = theta_rate
        self.tolerance = tolerance
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class GranDag(Discoverer):
    """GraN-DAG: a network a variable, trained until their connections form no cycle; a graph and no order, pruned by `cam` in its paper.

    Assumes:

    - each variable is a nonlinear function of its causes, plus noise
    - the noise is Gaussian

    >>> import oslow
    >>> oslow.GranDag(seed=1)
    GranDag(seed=1)

    Parameters
    ----------
    acyclic
        1e-8 unless set.
    batch
        64 unless set.
    clamp
        0.0001 unless set.
    decrease
        0.9 unless set.
    hidden
        [10,10] unless set.
    importance
        0.75 unless set.
    iterations
        100000 unless set.
    model
        additive unless set.
    penalty
        0.001 unless set.
    preselect
        auto unless set.
    rate
        0.001 unless set.
    stationary
        0.0001 unless set.
    trees
        500 unless set.
    validation
        0.2 unless set.
    window
        100 unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "gran-dag"

    def __init__(
        self,
        *,
        acyclic: float = 1e-8,
        batch: int = 64,
        clamp: float = 0.0001,
        decrease: float = 0.9,
        hidden: Sequence[Any] | None = None,
        importance: float = 0.75,
        iterations: int = 100000,
        model: str = "additive",
        penalty: float = 0.001,
        preselect: str = "auto",
        rate: float = 0.001,
        stationary: float = 0.0001,
        trees: int = 500,
        validation: float = 0.2,
        window: int = 100,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.acyclic = acyclic
        self.batch = batch
        self.clamp = clamp
        self.decrease = decrease
        self.hidden = hidden
        self.importance = importance
        self.iterations = iterations
        self.model = model
        self.penalty = penalty
        self.preselect = preselect
        self.rate = rate
        self.stationary = stationary
        self.trees = trees
        self.validation = validation
        self.window = window
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class VarSort(Discoverer):
    """Sorts columns by variance; a baseline that exposes simulations with an easy answer. Needs the columns in their own units, otherwise all are tied.

    Assumes:

    - effects vary more than their causes (an artefact of simulations)

    >>> import oslow
    >>> oslow.VarSort(seed=1)
    VarSort(seed=1)

    Parameters
    ----------
    descending
        false unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "var-sort"

    def __init__(
        self,
        *,
        descending: bool = False,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.descending = descending
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class R2Sort(Discoverer):
    """Sorts columns by how well all others explain them linearly; a baseline that exposes simulations with an easy answer.

    Assumes:

    - effects are better explained by the other columns than causes (an artefact of simulations)

    >>> import oslow
    >>> oslow.R2Sort(seed=1)
    R2Sort(seed=1)

    Parameters
    ----------
    descending
        false unless set.
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "r2-sort"

    def __init__(
        self,
        *,
        descending: bool = False,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.descending = descending
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


class Random(Discoverer):
    """A random order, to compare with.

    >>> import oslow
    >>> oslow.Random(seed=1)
    Random(seed=1)

    Parameters
    ----------
    prune, prune_settings
        What makes a graph of the order (`oslow.catalogue("pruners")`), and its settings.
    standardize
        `zscore` or `none`.
    outliers
        `none`, or `mad:K`: rows further than K median absolute deviations from a median are left out.
    knowledge
        What you know beforehand (`oslow.Knowledge`); honoured strictly.
    bootstrap
        So many resamples of the rows say how sure the answer is.
    missing
        `refuse`, `drop-rows`, `impute` (fill gaps with values of rows that are alike, several times) or `auto` (drop few rows, impute many).
    types
        What columns hold, by name, where oslow does not detect it: `continuous`, `count`, `ordinal` (`ordinal:low<high` names its levels), `binary` or `categorical`.
    condition
        The column that names the condition under which each row was observed.
    targets
        What each condition acts on, by name (see `oslow.Knowledge.conditions`); or the name of a column that says which columns were set in each row (`a+b`).
    transform
        The scale on which columns are analysed: `auto`, `none`, `log` or `normal-scores`; only `exact` takes it.
    seed
        The same seed gives the same answer, whatever the number of threads.
    threads
        At most so many; None: one per core.
    budget
        Seconds after which the best so far is the answer.
    progress
        None: a bar in terminals and notebooks; True, False, or a function that is told.
    """

    method = "random"

    def __init__(
        self,
        *,
        prune: str = "likelihood",
        prune_settings: Mapping[str, Any] | None = None,
        standardize: str = "zscore",
        outliers: str = "none",
        knowledge: Knowledge | Mapping[str, Any] | None = None,
        bootstrap: int | None = None,
        missing: Missing = "refuse",
        types: Mapping[str, str] | None = None,
        condition: str | None = None,
        targets: str | Mapping[str, Any] | None = None,
        transform: str | None = None,
        seed: int = 0,
        threads: int | None = None,
        budget: float | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.prune = prune
        self.prune_settings = prune_settings
        self.standardize = standardize
        self.outliers = outliers
        self.knowledge = knowledge
        self.bootstrap = bootstrap
        self.missing = missing
        self.types = types
        self.condition = condition
        self.targets = targets
        self.transform = transform
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.progress = progress


#: Every class, in the order of the registry.
ALL: list[type[Discoverer]] = [Exact, OSLow, OSLowGumbelSinkhorn, OSLowSoftSinkhorn, Score, Cam, DirectLingam, BiLsnm, ViDpDagSinkhorn, ViDpDagTopK, Daguerreotype, GranDag, VarSort, R2Sort, Random]
