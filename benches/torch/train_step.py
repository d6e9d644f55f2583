"""Times one training step of the masked flow in PyTorch, in several formulations of the same computation.

The step: two masked MLPs (shift, scale), silu, log-scale 5 * tanh(h / 2), Gaussian base; 256 rows shared by 8
permutations; loss = mean over permutations of the mean negative log-likelihood; backward; AdamW.

Fairness: this is what our own kernels are compared with, so PyTorch gets every advantage we know of. Masks
and permutations are fixed and built outside the timing; the mask is multiplied between variables and broadcast
over the units; gathers and slices have a backward that costs no more than they do (PyTorch's own scatters, and
fills and adds whole tensors); AdamW is the fused one where there is one. All formulations are checked to give
the same loss and gradients before they are timed. They take turns, so that a busy machine harms all of them
alike, and CPU time is given beside wall time.

    python benches/torch/train_step.py --threads 1 --json
"""

import argparse
import json
import math
import time

import torch
import torch.nn.functional as F

ROWS, PERMUTATIONS = 256, 8
WARM_UP, BURST = 3, 2
LOG_2_PI = math.log(2 * math.pi)


class Problem:
    """Rows, permutations and masks, the same for all formulations."""

    def __init__(self, d, hidden):
        generator = torch.Generator().manual_seed(d)
        self.d, self.widths = d, [1, *hidden, 1]
        self.x = torch.randn(ROWS, d, generator=generator)
        # orders[q] is position -> variable, ranks[q] variable -> position.
        self.orders = torch.stack([torch.randperm(d, generator=generator) for _ in range(PERMUTATIONS)])
        self.ranks = self.orders.argsort(1)
        later, earlier = self.ranks[:, :, None], self.ranks[:, None, :]
        self.hidden_masks = (later >= earlier).float()
        self.last_masks = (later > earlier).float()

    def parameters(self):
        """Weights [net, variable out, unit out, variable in, unit in] and biases [net, variable, unit]."""
        generator = torch.Generator().manual_seed(1)
        weights, biases = [], []
        for inn, out in zip(self.widths, self.widths[1:]):
            bound = 1 / math.sqrt(self.d * inn)
            uniform = lambda *shape: (torch.rand(*shape, generator=generator) * 2 - 1) * bound
            weights.append(uniform(2, self.d, out, self.d, inn).requires_grad_())
            biases.append(uniform(2, self.d, out).requires_grad_())
        return weights, biases


def nll(x, t, h):
    """Mean over everything but the variables, summed over those."""
    s = 5 * torch.tanh(h / 2)
    z = (x - t) * torch.exp(-s)
    return (0.5 * z * z + s).sum(-1).mean() + 0.5 * x.shape[-1] * LOG_2_PI


def batched(problem):
    """One product for both nets and all permutations: [2 * permutations, rows, in] by masked weights."""
    d, layers = problem.d, len(problem.widths) - 1
    masks = [problem.last_masks if k == layers - 1 else problem.hidden_masks for k in range(layers)]
    masks = [m[None, :, :, None, :, None] for m in masks]

    def loss(weights, biases):
        h = problem.x.expand(2 * PERMUTATIONS, ROWS, d)
        for k, (w, b) in enumerate(zip(weights, biases)):
            masked = (w[:, None] * masks[k]).view(2 * PERMUTATIONS, d * w.shape[2], d * w.shape[4])
            bias = b.view(2, 1, 1, -1).expand(2, PERMUTATIONS, 1, -1).reshape(2 * PERMUTATIONS, 1, -1)
            h = torch.baddbmm(bias, h, masked.transpose(1, 2))
            h = F.silu(h) if k < layers - 1 else h
        t, s = h.view(2, PERMUTATIONS, ROWS, d)
        return nll(problem.x, t, s)

    return loss


def looped(problem):
    """One masked linear layer at a time, permutation by permutation and net by net."""
    d, layers = problem.d, len(problem.widths) - 1

    def loss(weights, biases):
        total = 0.0
        # Taken apart once: the gradient of an index inside the loop would fill all of both nets each time.
        nets = list(zip(zip(*[w.unbind() for w in weights]), zip(*[b.unbind() for b in biases])))
        for q in range(PERMUTATIONS):
            outputs = []
            for net in nets:
                h = problem.x
                for k, (w, b) in enumerate(zip(*net)):
                    mask = (problem.last_masks if k == layers - 1 else problem.hidden_masks)[q]
                    masked = (w * mask[:, None, :, None]).view(d * w.shape[1], d * w.shape[3])
                    h = F.linear(h, masked, b.reshape(-1))
                    h = F.silu(h) if k < layers - 1 else h
                outputs.append(h)
            total = total + nll(problem.x, *outputs)
        return total / PERMUTATIONS

    return loss


class Gather(torch.autograd.Function):
    """Permutes one dimension; the gradient is permuted back."""

    @staticmethod
    def forward(ctx, tensor, dim, order, rank):
        ctx.dim, ctx.rank = dim, rank
        return tensor.index_select(dim, order)

    @staticmethod
    def backward(ctx, gradient):
        return gradient.index_select(ctx.dim, ctx.rank), None, None, None


class PrefixLinear(torch.autograd.Function):
    """A hidden layer for all permutations: the output at a position is multiplied with the prefix of inputs.

    h [permutations, rows, d * in] in the order of positions; w [d out, d in, in, out] and b [d, out] by
    variable. Half of the multiplications vanish. Only the blocks in use are gathered, and the gradient is
    added in place: autograd's own would gather, fill and add all of w for every permutation.
    """

    @staticmethod
    def forward(ctx, h, w, b, orders):
        _, _, inn, out = w.shape
        output = h.new_empty(*h.shape[:2], len(w) * out)
        blocks = []
        for q, order in enumerate(orders):
            for p, node in enumerate(order.tolist()):
                block = w[node].index_select(0, order[: p + 1]).view((p + 1) * inn, out)
                target = output[q, :, p * out : (p + 1) * out]
                torch.addmm(b[node], h[q, :, : (p + 1) * inn], block, out=target)
                blocks.append(block)
        ctx.save_for_backward(h, orders, *blocks)
        ctx.shape = w.shape
        return output

    @staticmethod
    def backward(ctx, gradient):
        h, orders, *blocks = ctx.saved_tensors
        d, _, inn, out = ctx.shape
        to_h, to_w = torch.zeros_like(h), h.new_zeros(ctx.shape)
        for q, order in enumerate(orders):
            for p, node in enumerate(order.tolist()):
                part = gradient[q, :, p * out : (p + 1) * out]
                to_h[q, :, : (p + 1) * inn].addmm_(part, blocks[q * d + p].t())
                to_block = torch.mm(h[q, :, : (p + 1) * inn].t(), part)
                to_w[node].index_add_(0, order[: p + 1], to_block.view(p + 1, inn, out))
        sums = gradient.sum(1).view(-1, out)
        return to_h, to_w, h.new_zeros(d, out).index_add_(0, orders.flatten(), sums), None


def prefix(problem):
    """Variables in the order of their positions, so that each permutation is a lower triangle of blocks."""
    d, layers = problem.d, len(problem.widths) - 1
    position = torch.arange(d)
    masks = {
        False: (position[:, None] >= position[None, :]).float()[:, None, :, None],
        True: (position[:, None] > position[None, :]).float()[:, None, :, None],
    }
    permutations = list(zip(problem.orders, problem.ranks))
    xs = torch.stack([problem.x[:, order] for order in problem.orders])

    def narrow(h, w, b, last):
        """First and last layer: one input or output a variable, so a masked product is cheap."""
        outputs = []
        for rows, (order, rank) in zip(h.unbind(), permutations):
            gathered = Gather.apply(Gather.apply(w, 0, order, rank), 2, order, rank) * masks[last]
            bias = Gather.apply(b, 0, order, rank).reshape(-1)
            outputs.append(F.linear(rows, gathered.view(len(bias), -1), bias))
        return torch.stack(outputs)

    def net(weights, biases):
        h = xs
        for k, (w, b) in enumerate(zip(weights, biases)):
            if k in (0, layers - 1):
                h = narrow(h, w, b, k == layers - 1)
            else:
                h = PrefixLinear.apply(h, w.permute(0, 2, 3, 1).contiguous(), b, problem.orders)
            h = F.silu(h) if k < layers - 1 else h
        return h

    def loss(weights, biases):
        weights, biases = zip(*[w.unbind() for w in weights]), zip(*[b.unbind() for b in biases])
        return nll(xs, *[net(*parameters) for parameters in zip(weights, biases)])

    return loss


def formulations(problem, compiled):
    found = {
        "bmm": batched(problem),
        "loop": looped(problem),
        "prefix": prefix(problem),
    }
    if compiled:
        found["bmm-compiled"] = torch.compile(batched(problem))
        found["loop-compiled"] = torch.compile(looped(problem))
    return found


def optimizer(parameters):
    try:
        return torch.optim.AdamW(parameters, lr=1e-3, fused=True), "fused"
    except (RuntimeError, TypeError):
        return torch.optim.AdamW(parameters, lr=1e-3, foreach=True), "foreach"


class Contestant:
    """A formulation with its own weights and optimiser."""

    def __init__(self, problem, loss):
        self.weights, self.biases = problem.parameters()
        self.loss = loss
        self.optimizer, self.adam = optimizer([*self.weights, *self.biases])
        self.wall, self.cpu = [], []

    def gradients(self):
        self.optimizer.zero_grad(set_to_none=True)
        value = self.loss(self.weights, self.biases)
        value.backward()
        return value.item(), [p.grad.clone() for p in (*self.weights, *self.biases)]

    def step(self):
        wall, cpu = time.perf_counter(), time.process_time()
        self.optimizer.zero_grad(set_to_none=True)
        self.loss(self.weights, self.biases).backward()
        self.optimizer.step()
        self.wall.append(1e3 * (time.perf_counter() - wall))
        self.cpu.append(1e3 * (time.process_time() - cpu))


def check_equal(contestants):
    """Same loss, same gradients, or the comparison means nothing."""
    reference, expected = contestants["loop"].gradients()
    for name, contestant in contestants.items():
        value, got = contestant.gradients()
        assert abs(value - reference) < 1e-4 * max(1.0, abs(reference)), (name, value, reference)
        for a, b in zip(got, expected):
            assert (a - b).abs().max() < 1e-4 * max(1.0, b.abs().max().item()), name
    return reference


def median(values):
    return round(sorted(values)[len(values) // 2], 3)


def measure(d, hidden, steps, compiled):
    problem = Problem(d, hidden)
    contestants = {name: Contestant(problem, loss) for name, loss in formulations(problem, compiled).items()}
    loss = check_equal(contestants)
    for contestant in contestants.values():
        for _ in range(WARM_UP):
            contestant.step()
        contestant.wall.clear(), contestant.cpu.clear()
    while len(next(iter(contestants.values())).wall) < steps:
        for contestant in contestants.values():
            for _ in range(BURST):
                contestant.step()
    wall = {name: median(c.wall) for name, c in contestants.items()}
    cpu = {name: median(c.cpu) for name, c in contestants.items()}
    best = min(wall, key=wall.get)
    return {
        "d": d,
        "hidden": hidden,
        "formulation": best,
        "ms_per_step": wall[best],
        "cpu_ms_per_step": cpu[best],
        "all_ms": wall,
        "all_cpu_ms": cpu,
        "fastest_ms": {name: round(min(c.wall), 3) for name, c in contestants.items()},
        "rows": ROWS,
        "permutations": PERMUTATIONS,
        "steps": steps,
        "threads": torch.get_num_threads(),
        "adamw": next(iter(contestants.values())).adam,
        "loss": round(loss, 6),
        "torch": torch.__version__,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--d", type=int, nargs="+", default=[6, 20])
    parser.add_argument("--hidden", nargs="+", default=["64,64", "128,64,128"], help="units per variable")
    parser.add_argument("--steps", type=int, default=20, help="timed steps of each formulation, at least")
    parser.add_argument("--compile", action="store_true", help="also try torch.compile (needs a C++ compiler)")
    parser.add_argument("--json", action="store_true", help="one JSON line per setting")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    for hidden in ([int(w) for w in text.split(",")] for text in args.hidden):
        for d in args.d:
            row = measure(d, hidden, args.steps, args.compile)
            if args.json:
                print(json.dumps(row), flush=True)
            else:
                times = ", ".join(f"{name} {ms:.1f}" for name, ms in row["all_ms"].items())
                print(f"d = {d}, hidden {hidden}: {row['formulation']} is best; ms per step: {times}", flush=True)


if __name__ == "__main__":
    main()
