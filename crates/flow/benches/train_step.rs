//! The training step: speed, share of the machine's matrix-product rate, threads and memory, in one run.
//!
//! `cargo bench -p oslow-flow` prints ours; `cargo xtask bench` adds PyTorch's step on the same work, interleaved.
//!
//! The step: two masked networks, silu, log-scale 5·tanh(h/2), Gaussian base; a batch of 256 rows shared by 8
//! random orders; loss, gradient, AdamW. Useful FLOPs count only blocks that some output depends on.

#![expect(unsafe_code, reason = "gemm takes pointers and strides")]

use std::hint::black_box;
use std::time::Instant;

use oslow_core::{Knowledge, Ordering, Seed};
use oslow_flow::{Engine, FlowConfig, Layout, Mask, NetLayout};
use oslow_math::{AdamW, AdamWConfig};
use rand_distr::{Distribution, StandardNormal};

const ROWS: usize = 256;
const ORDERS: usize = 8;

fn main() {
    // First, while the process has needed nothing else yet.
    memory();
    let peak = sgemm_rate();
    println!("sgemm of the gemm crate, n = 2048, one thread: {peak:.1} GFLOP/s");
    println!(
        "{:>3} {:>14} {:>10} {:>9} {:>7} {:>12} {:>8}",
        "d", "hidden", "ms/step", "GFLOP/s", "share", "ms, 2 threads", "speed-up"
    );
    for (d, hidden) in
        [(6, vec![64, 64]), (20, vec![64, 64]), (6, vec![128, 64, 128]), (20, vec![128, 64, 128])]
    {
        let mut step = Step::new(d, &hidden);
        let one = step.milliseconds(1);
        let two = step.milliseconds(2);
        let rate = step.useful_flops() / one / 1e6;
        println!(
            "{d:>3} {:>14} {one:>10.2} {rate:>9.1} {:>6.0}% {two:>12.2} {:>8.2}",
            format!("{hidden:?}"),
            100.0 * rate / peak,
            one / two,
        );
    }
}

/// The best of several products of two 2048 × 2048 matrices, in GFLOP/s.
fn sgemm_rate() -> f64 {
    const N: usize = 2048;
    let (a, b, mut c) = (vec![0.5f32; N * N], vec![0.25f32; N * N], vec![0f32; N * N]);
    let stride = N as isize;
    let once = |c: &mut [f32]| {
        let start = Instant::now();
        // SAFETY: three N × N matrices, row by row.
        unsafe {
            let (c, a, b) = (c.as_mut_ptr(), a.as_ptr(), b.as_ptr());
            let serial = gemm::Parallelism::None;
            gemm::gemm(
                N, N, N, c, 1, stride, false, a, 1, stride, b, 1, stride, 0.0, 1.0, false, false, false,
                serial,
            );
        }
        start.elapsed().as_secs_f64()
    };
    let best = (0..6).map(|_| once(&mut c)).fold(f64::INFINITY, f64::min);
    black_box(c);
    2.0 * (N as f64).powi(3) / best / 1e9
}

/// One training step, ready to be repeated.
struct Step {
    layout: Layout,
    engine: Engine<f32>,
    theta: Vec<f32>,
    gradient: Vec<f32>,
    adam: AdamW<f32>,
    x: Vec<f32>,
    orders: Vec<Ordering>,
    masks: Vec<Mask>,
}

impl Step {
    fn new(d: usize, hidden: &[usize]) -> Self {
        let config = FlowConfig { hidden: hidden.to_vec(), ..FlowConfig::default() };
        let layout = Layout::new(d, &config);
        let mut rng = Seed(0).stream("bench");
        let orders: Vec<Ordering> = (0..ORDERS).map(|_| Ordering::random(d, &mut rng)).collect();
        Self {
            engine: Engine::new(&layout),
            theta: layout.initial(&mut rng),
            gradient: vec![0.0; layout.len],
            adam: AdamW::new(layout.len, AdamWConfig::default()),
            x: (0..ROWS * d).map(|_| StandardNormal.sample(&mut rng)).collect(),
            masks: orders.iter().map(|order| Mask::hard(order, &Knowledge::none(d))).collect(),
            orders,
            layout,
        }
    }

    fn run(&mut self) {
        self.gradient.fill(0.0);
        let weights = [1.0 / ORDERS as f64; ORDERS];
        self.engine
            .gradient(&self.theta, &self.x, &self.masks, &weights, &mut self.gradient, self.adam.steps)
            .expect("finite");
        self.adam.step(&mut self.theta, &self.gradient, 1e-4).expect("finite");
    }

    /// The median over repetitions that last about two seconds together.
    fn milliseconds(&mut self, threads: usize) -> f64 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            self.run();
            let (begin, mut times) = (Instant::now(), Vec::new());
            while times.len() < 5 || begin.elapsed().as_secs_f64() < 2.0 {
                let start = Instant::now();
                self.run();
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        })
    }

    /// Multiplications and additions of all products that some output depends on, forward and back.
    fn useful_flops(&self) -> f64 {
        let d = self.layout.d;
        // The blocks are the same for every order: position p reads p + 1 blocks, the last position is read by none.
        let hidden_blocks = d * (d - 1) / 2;
        let output_blocks = d * (d - 1) / 2;
        let per_net = |net: &NetLayout| -> usize {
            let hidden: usize = net
                .hidden
                .iter()
                .enumerate()
                .map(|(depth, layer)| {
                    hidden_blocks * layer.input * layer.output * if depth == 0 { 2 } else { 3 }
                })
                .sum();
            hidden + 3 * output_blocks * net.last.input
        };
        let per_row: usize =
            self.layout.transforms.iter().map(|t| per_net(&t.shift) + per_net(&t.scale)).sum();
        (2 * per_row * ROWS * self.orders.len()) as f64
    }
}

/// The peak memory of scoring 100 orders on a table of Sachs' size with the public code's widths.
fn memory() {
    let (d, rows) = (11, 853);
    let config = FlowConfig { hidden: vec![128, 64, 128], ..FlowConfig::default() };
    let layout = Layout::new(d, &config);
    let mut rng = Seed(0).stream("bench/memory");
    let theta: Vec<f32> = layout.initial(&mut rng);
    let x: Vec<f32> = (0..rows * d).map(|_| StandardNormal.sample(&mut rng)).collect();
    let masks: Vec<Mask> =
        (0..100).map(|_| Mask::hard(&Ordering::random(d, &mut rng), &Knowledge::none(d))).collect();
    let start = Instant::now();
    let nll = Engine::new(&layout).nll(&theta, &x, &masks);
    println!(
        "scoring 100 orders, {rows} × {d}, [128, 64, 128]: {:.2} s, peak memory of the process {} (mean nll {:.3})",
        start.elapsed().as_secs_f64(),
        peak_memory().map_or("unknown here".into(), |kib| format!("{:.0} MB", kib / 1024.0)),
        nll.iter().sum::<f64>() / 100.0,
    );
}

/// The process' peak resident memory in KiB, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
