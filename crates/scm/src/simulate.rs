//! From a spec to a sample and its truth.

use oslow_core::{Dag, Error, Result, Rng, Sample, Seed, room_for, within};

use crate::discrete::recoding::{recoded, recodings};
use crate::discrete::{Kind, events, kinds, levels, named};
use crate::graph::hidden::with_hidden;
use crate::mechanism::root::Root;
use crate::scm::node_name;
use crate::unit::mean_and_sd;
use crate::{Members, Node, ParentRows, Scm, Spec, graph, noise};

/// A simulated sample with its truth.
#[derive(Debug)]
pub struct Simulated {
    /// The observations, columns `X0`, `X1`, …; a problem has its own names.
    pub sample: Sample,
    /// The model that made them.
    pub scm: Scm,
    /// Its graph, over the columns.
    pub dag: Dag,
}

/// One seed for each of the three things that are drawn; a single [`Seed`] serves all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The graph, its labels and hidden common causes: stream `scm/graph`.
    pub graph: Seed,
    /// Coefficients and functions, and how columns are seen: stream `scm/mechanism`.
    pub mechanism: Seed,
    /// The noise and errors of measurement: stream `scm/noise`, and `scm/noise-family` for noises that differ from
    /// node to node.
    pub noise: Seed,
}

impl From<Seed> for Seeds {
    fn from(seed: Seed) -> Self {
        Self { graph: seed, mechanism: seed, noise: seed }
    }
}

/// Most nodes, and most hidden common causes.
const MOST_NODES: usize = 10_000;

/// Draws a model of the family and `rows` observations of it.
///
/// ```
/// use oslow_core::Seed;
/// let spec = oslow_scm::Spec { nodes: 3, graph: "path".into(), ..Default::default() };
/// let simulated = oslow_scm::simulate(&spec, 100, Seed(0)).unwrap();
/// assert_eq!((simulated.sample.rows(), simulated.dag.edges().len()), (100, 2));
/// ```
///
/// # Algorithm
///
/// The graph, its nodes labelled at random, and hidden common causes; then each node along the order: mechanism, noise,
/// mix, output, standardisation to mean 0 and standard deviation 1 of the rows (where mechanism or mix is a
/// standardised one), so that its children see it so; nodes with categories and counts stay as they are. At last what happens to columns before they are seen.
pub fn simulate(spec: &Spec, rows: usize, seeds: impl Into<Seeds>) -> Result<Simulated> {
    let members = spec.resolve()?;
    if rows < 2 {
        return Err(Error::input(format!("rows = {rows}: at least 2 are needed")));
    }
    within("nodes", spec.nodes, 0..=MOST_NODES)?;
    within("hidden", spec.hidden, 0..=MOST_NODES)?;
    let columns = (spec.nodes + spec.hidden) as f64;
    // The table, what is seen of it, and what a node is made of.
    let numbers = rows as f64 * (2.0 * columns + 8.0);
    room_for(&format!("a simulated table of {rows} rows"), numbers, "simulate fewer rows or nodes")?;
    let seeds = seeds.into();
    let mut graph_rng = seeds.graph.stream("scm/graph");
    let dag = graph::draw(members.graph, spec, &mut graph_rng)?;
    let whole = with_hidden(&dag, spec.hidden, &mut graph_rng)?;
    let mut streams = Streams {
        mechanism: seeds.mechanism.stream("scm/mechanism"),
        noise: seeds.noise.stream("scm/noise"),
        noise_family: seeds.noise.stream("scm/noise-family"),
    };

    let (d, width) = (dag.nodes(), whole.nodes());
    let mut kinds = kinds(spec, d, &mut streams.mechanism);
    kinds.resize(width, Kind::Number);
    let names: Vec<String> = (0..d).map(|j| format!("X{j}")).collect();
    let mut table = vec![0.0; rows * width];
    let mut nodes: Vec<Option<Node>> = (0..width).map(|_| None).collect();
    for &node in whole.topological_order().nodes() {
        let parents = ParentRows::of(&table, width, &whole.parents(node));
        let causes: Vec<Kind> = whole.parents(node).iter().map(|&cause| kinds[cause]).collect();
        let recodings = recodings(&causes, &parents, &mut streams.mechanism);
        let at = draw_node(spec, &members, kinds[node], &recoded(&parents, &recodings), &mut streams)?;
        let mut at = Node { recodings, ..at };
        let noise = at.draw_noise(rows, &mut streams.noise);
        let raw = at.settle(&parents, &noise)?;
        let (mean, sd) = mean_and_sd(&raw);
        if !(sd > 0.0 && sd.is_finite() && mean.is_finite()) {
            let name = node_name(&names, node);
            return Err(Error::input(format!("{name} has no finite standard deviation")).with_hint(
                "the values grow along the order: choose fewer nodes, or another mechanism or output",
            ));
        }
        if kinds[node] == Kind::Number && (members.mechanism.standardized || members.mix.standardized) {
            (at.mean, at.sd) = (mean, sd);
        }
        for (row, raw) in raw.into_iter().enumerate() {
            table[row * width + node] = at.standardized(raw);
        }
        nodes[node] = Some(at);
    }
    let column = |j: usize| table.iter().skip(j).step_by(width).copied().collect::<Vec<f64>>();
    let sight = |(j, kind): (usize, &Kind)| match kind {
        Kind::Number => (members.seen.draw)(spec, &column(j), &mut streams.mechanism),
        _ => None,
    };
    let seen = kinds[..d].iter().enumerate().map(sight).collect();
    let nodes = nodes.into_iter().flatten().collect();
    let scm = Scm { names: names.clone(), dag: dag.clone(), whole, nodes, seen };
    let sample = Sample::new(names, scm.observed(&table, &mut streams.noise))?;
    let sample =
        if kinds.iter().all(|kind| *kind == Kind::Number) { sample } else { named(sample, &kinds[..d])? };
    Ok(Simulated { sample, dag, scm })
}

/// Where randomness comes from while nodes are drawn.
struct Streams {
    /// Coefficients and functions, and how columns are seen.
    mechanism: Rng,
    /// The noise itself, and that of measurement.
    noise: Rng,
    /// The parameters of noises that are drawn for each node.
    noise_family: Rng,
}

/// A node with everything drawn, before its constants are known.
fn draw_node(
    spec: &Spec,
    members: &Members,
    kind: Kind,
    parents: &ParentRows,
    streams: &mut Streams,
) -> Result<Node> {
    match kind {
        Kind::Levels(levels) => {
            return levels::draw(members.mechanism, spec, levels, parents, &mut streams.mechanism);
        }
        Kind::Count => return events::draw(members.mechanism, spec, parents, &mut streams.mechanism),
        Kind::Number => {}
    }
    let is_root = parents.parents() == 0;
    let family = if is_root { members.root } else { members.noise };
    let mut draw_noise = || noise::draw(family, spec, members.mix.standardized, &mut streams.noise_family);
    if is_root && members.mix.standardized {
        return Ok(Node::affine(Box::new(Root), draw_noise()?, |y| y));
    }
    let mechanism = (members.mechanism.draw)(spec, parents, &mut streams.mechanism)?;
    let mix = (members.mix.draw)(spec, parents, &mut streams.mechanism);
    let noise = mix.noise().map_or_else(draw_noise, Ok)?;
    let output = (members.output.draw)(&mut streams.mechanism);
    Ok(Node { mechanism, noise, mix, output, recodings: Vec::new(), mean: 0.0, sd: 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GRAPHS, MECHANISMS, NOISES};
    use oslow_core::{Intervention, Interventional};

    /// A third of all combinations of the registries, every two members together in some, affine and additive, with
    /// one output after the other.
    fn specs() -> Vec<Spec> {
        let mut specs = Vec::new();
        for (g, graph) in GRAPHS.iter().enumerate() {
            for (m, mechanism) in MECHANISMS.iter().enumerate() {
                for (k, noise) in NOISES.iter().enumerate().filter(|(k, _)| (g + m + k) % 3 == 0) {
                    specs.push(Spec {
                        nodes: 4,
                        graph: graph.name.into(),
                        edges: if graph.relabelled { vec![] } else { vec![(3, 0), (0, 2)] },
                        mechanism: mechanism.name.into(),
                        noise: noise.name.into(),
                        additive: k % 2 == 1,
                        output: ["identity", "cube", "asinh", "hinge"][k % 4].into(),
                        ..Spec::default()
                    });
                }
            }
        }
        specs
    }

    #[test]
    fn standardised_nodes_have_mean_0_and_sd_1() {
        for spec in specs() {
            let Simulated { sample, scm, .. } = simulate(&spec, 60, Seed(11)).unwrap();
            let standardised = spec.resolve().unwrap().mechanism.standardized;
            for node in 0..4 {
                let (mean, sd) = mean_and_sd(&sample.column(node).collect::<Vec<_>>());
                if standardised {
                    assert!(mean.abs() < 1e-10 && (sd - 1.0).abs() < 1e-10, "{spec:?}");
                } else {
                    assert_eq!((scm.nodes()[node].mean, scm.nodes()[node].sd), (0.0, 1.0));
                }
            }
        }
    }

    #[test]
    fn the_model_replays_its_sample_from_the_noise_stream() {
        for spec in specs() {
            let Simulated { sample, scm, dag } = simulate(&spec, 40, Seed(12)).unwrap();
            let replay = scm.draw(40, &[], &mut Seed(12).stream("scm/noise")).unwrap();
            assert_eq!(replay, sample.values(), "{spec:?}");
            assert_eq!((&dag, sample.names()), (scm.dag(), scm.names()));
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_and_another_seed_another_sample() {
        for spec in specs() {
            let draw = |seed| simulate(&spec, 30, Seed(seed)).unwrap().sample;
            assert_eq!(draw(1), draw(1));
            assert_ne!(draw(1), draw(2));
        }
    }

    #[test]
    fn each_seed_changes_only_its_own_part() {
        let spec = Spec { nodes: 8, mechanism: "polynomial".into(), ..Spec::default() };
        let draw = |graph, mechanism, noise| {
            let seeds = Seeds { graph: Seed(graph), mechanism: Seed(mechanism), noise: Seed(noise) };
            let Simulated { sample, scm, dag } = simulate(&spec, 30, seeds).unwrap();
            // The drawn coefficients, without the standardisation constants, which depend on the noise.
            let mechanisms: Vec<String> =
                scm.nodes().iter().map(|node| format!("{:?}", node.mechanism)).collect();
            (dag, mechanisms, sample)
        };
        let (dag, mechanisms, sample) = draw(1, 1, 1);
        let noise = draw(1, 1, 2);
        assert_eq!((&noise.0, &noise.1), (&dag, &mechanisms));
        assert_ne!(noise.2, sample);
        let mechanism = draw(1, 2, 1);
        assert_eq!(mechanism.0, dag);
        assert_ne!(mechanism.1, mechanisms);
        let root = dag.topological_order().nodes()[0];
        let near = |a: f64, b: f64| (a - b).abs() < 1e-10;
        assert!(mechanism.2.column(root).zip(sample.column(root)).all(|(a, b)| near(a, b)));
        assert_ne!(draw(2, 1, 1).0, dag);
    }

    /// Mean and standard error.
    fn estimate(values: &[f64]) -> (f64, f64) {
        let (mean, sd) = mean_and_sd(values);
        (mean, sd / (values.len() as f64).sqrt())
    }

    #[test]
    fn a_gaussian_process_answers_interventions() {
        let spec =
            Spec { mechanism: "gaussian-process".into(), graph: "path".into(), nodes: 3, ..Spec::default() };
        let Simulated { scm, dag, .. } = simulate(&spec, 200, Seed(3)).unwrap();
        let order = dag.topological_order();
        let (root, child) = (order.nodes()[0], order.nodes()[1]);
        let draw = |does: &[Intervention], rows| scm.draw(rows, does, &mut Seed(4).stream("test")).unwrap();
        let seen = draw(&[], 400_000);
        for value in [-1.5, -0.4, 0.7, 1.2] {
            let set = draw(&[Intervention { node: root, value }], 4_000);
            assert!(set.iter().all(|x| x.is_finite()));
            let near = |row: &&[f64]| (row[root] - value).abs() < 0.02;
            let given: Vec<f64> = seen.chunks(3).filter(near).map(|row| row[child]).collect();
            let set: Vec<f64> = set.chunks(3).map(|row| row[child]).collect();
            // A root has no confounders: E[child | do(root)] = E[child | root].
            let ((do_mean, do_error), (mean, error)) = (estimate(&set), estimate(&given));
            assert!((do_mean - mean).abs() < 4.0 * do_error.hypot(error), "{value}: {do_mean}, {mean}");
        }
    }

    #[test]
    fn the_output_is_undone_by_its_inverse() {
        let of = |output: &str| {
            let (output, mechanism) = (output.into(), "intervention".into());
            let spec = Spec { output, mechanism, graph: "fork".into(), ..Spec::default() };
            simulate(&spec, 40, Seed(5)).unwrap()
        };
        // Not standardised, so a root is g(U): its cube root is the root of the model without g.
        let (cube, plain) = (of("cube"), of("identity"));
        let root = plain.dag.topological_order().nodes()[0];
        let pairs = cube.sample.column(root).zip(plain.sample.column(root));
        assert!(pairs.clone().all(|(x, u)| (x.cbrt() - u).abs() < 1e-12));
        // A child is g(t + s·U) of the parent as it is now: both draws below set the root to the same value.
        let does = [Intervention { node: root, value: 0.6 }];
        let draw = |simulated: &Simulated| simulated.scm.draw(9, &does, &mut Seed(6).stream("test")).unwrap();
        for (at, (x, y)) in draw(&cube).iter().zip(draw(&plain)).enumerate() {
            let expected = if at % 5 == root { y } else { y.powi(3) };
            assert!((x - expected).abs() < 1e-12, "{x}, {y}");
        }
    }

    #[test]
    fn a_model_that_explodes_is_refused() {
        let spec = Spec {
            mechanism: "intervention".into(),
            graph: "path".into(),
            nodes: 12,
            output: "cube".into(),
            ..Spec::default()
        };
        let error = simulate(&spec, 100, Seed(0)).unwrap_err();
        assert!(
            error.is_input() && error.to_string().ends_with("has no finite standard deviation"),
            "{error}"
        );
    }

    #[test]
    fn too_few_rows_are_refused() {
        assert!(simulate(&Spec::default(), 1, Seed(0)).unwrap_err().is_input());
    }
}
