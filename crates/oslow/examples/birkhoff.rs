//! The paper's main figure: the loss over the polytope of orders, for three variables or four.
//!
//! `cargo run --release --example birkhoff -p oslow -- 4 > docs/pictures/birkhoff4.svg`

use oslow::prelude::*;
use oslow::report::BirkhoffPicture;
use oslow::scm::{Spec, simulate};

fn main() -> Result<()> {
    let nodes = match std::env::args().nth(1).as_deref() {
        None | Some("3") => 3,
        Some("4") => 4,
        Some(other) => return Err(Error::input(format!("`{other}` is neither 3 nor 4"))),
    };
    let spec = Spec { graph: "tournament".into(), nodes, ..Spec::default() };
    let truth = simulate(&spec, 1000, Seed(2))?;
    // A flow for every order: its held-out negative log-likelihood is the order's loss.
    let loss = |order: Ordering| -> Result<(Ordering, f64)> {
        let flow = fit(&truth.sample, &FitOptions::new(order.clone()), &mut Silent)?.flow;
        let nll = flow.nll().ok_or_else(|| Error::input("the fit has no held-out likelihood"))?;
        Ok((order, nll))
    };
    let losses = orders(nodes).into_iter().map(loss).collect::<Result<Vec<_>>>()?;
    let names = truth.sample.names().to_vec();
    print!("{}", BirkhoffPicture { names, losses }.to_svg()?);
    eprintln!("the true order is {}", truth.dag.topological_order().names(truth.sample.names()).join(" "));
    Ok(())
}

/// All orders of so many nodes.
fn orders(nodes: usize) -> Vec<Ordering> {
    let numbers = 0..nodes.pow(nodes as u32);
    let digits = |number: usize| (0..nodes as u32).map(|place| number / nodes.pow(place) % nodes).collect();
    numbers.filter_map(|number| Ordering::new(digits(number)).ok()).collect()
}
