"""Times the nets of our PyTorch prototype on the table that crates/exact/benches/local.rs scores too; `cargo xtask bench-local` runs both.

    python benches/local/prototype.py PROTOTYPES write FILE    the table: an affine sinusoid model of 5 variables, 1000 rows
    python benches/local/prototype.py PROTOTYPES time FILE     time it, a JSON object

PROTOTYPES is the folder of the prototype's files. Timed is its `fit_scores` for every variable and every set of the others: one family (affine, Gaussian), 32 units, 400 steps, 2 folds, all nets in
one batch. It stops each net at the step that is best on the scored rows, so that its `nll` is not held out; `nll_last` is that of a second run, not timed, which takes the last step.
"""

import json
import pathlib
import sys
import time

prototypes, action, path = sys.argv[1:4]
sys.path.insert(0, prototypes)
sys.argv = sys.argv[:1]
import torch  # noqa: E402
from exact import all_nets, fit_scores  # noqa: E402
from gen import simulate  # noqa: E402

if action == "write":
    rows, _ = simulate("sin", False, "normal", "full", 5, 1000, 5000)
    pathlib.Path(path).write_text(json.dumps(rows.tolist()))
else:
    rows = torch.tensor([json.loads(pathlib.Path(path).read_text())], dtype=torch.float32)
    masks, targets, which = all_nets(5, 1)
    start = time.perf_counter()
    scores, _ = fit_scores(rows, masks, targets, which, H=32, steps=400, folds=2)
    seconds = time.perf_counter() - start
    last, _ = fit_scores(rows, masks, targets, which, H=32, steps=400, folds=2, last=True)
    print(json.dumps({"seconds": seconds, "nll": float(scores.mean()), "nll_last": float(last.mean())}))
