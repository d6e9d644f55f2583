//! Mean CBC of an order method on simulated data, for choosing settings:
//! `cargo run --release -p oslow-order --example accuracy -- oslow 0 10 'mechanism="sinusoid"' 'draws=10'`
use oslow_core::*;
use oslow_metrics::cbc;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let method = find("method", &args[1], oslow_order::methods()).unwrap();
    let (from, to): (u64, u64) = (args[2].parse().unwrap(), args[3].parse().unwrap());
    let spec: Settings = args[4].parse().unwrap();
    let settings: Settings = args.get(5).map_or("", |s| s).parse().unwrap();
    let learner = (method.build)(&settings).unwrap();
    let mut all: Vec<Vec<f64>> = vec![];
    let mut secs = vec![];
    let dims: Vec<usize> = std::env::var("D").map_or(vec![3,4,5,6], |d| d.split(',').map(|x| x.parse().unwrap()).collect());
    for d in dims {
        let mut per = vec![];
        for graph in ["path", "tournament", "erdos-renyi"] {
            for seed in from..to {
                let mut spec = spec.clone();
                spec.insert("nodes".into(), (d as i64).into());
                spec.insert("graph".into(), graph.into());
                let spec: oslow_scm::Spec = configure(&spec).unwrap();
                let sim = oslow_scm::simulate(&spec, 1000, Seed(seed * 100 + d as u64)).unwrap();
                let k = Knowledge::none(d);
                let t = Instant::now();
                let l = learner.learn(&sim.sample, &mut Run { seed: Seed(0), knowledge: &k, threads: 2, observer: &mut Silent, checkpoint: &mut ForgetfulCheckpoint }).unwrap();
                let s = t.elapsed().as_secs_f64();
                let mut row = vec![cbc(&sim.dag, l.order.as_ref().unwrap()).unwrap()];
                row.extend(l.evidence.alternatives.iter().map(|a| cbc(&sim.dag, &a.order).unwrap()));
                if std::env::var("V").is_ok() { println!("{d} {graph} {seed} {row:.3?} {s:.2}s"); }
                per.push(row.clone()); all.push(row); secs.push(s);
            }
        }
        println!("d={d} {:.3?} {:.2}s", mean(&per), secs[secs.len()-per.len()..].iter().sum::<f64>()/per.len() as f64);
    }
    let m = mean(&all); let n = all.len() as f64;
    let se = (all.iter().map(|r| (r[0]-m[0]).powi(2)).sum::<f64>()/n/n).sqrt();
    println!("ALL n={n} answer,mode,best,... {m:.3?} se {se:.3}  {:.2}s each", secs.iter().sum::<f64>()/n);
}
fn mean(rows: &[Vec<f64>]) -> Vec<f64> { (0..rows[0].len()).map(|j| rows.iter().map(|r| r[j]).sum::<f64>()/rows.len() as f64).collect() }
