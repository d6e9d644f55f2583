//! One of the ways for each node.

use rand::RngExt;

use super::{
    MixEntry, additive, location_scale, nonadditive, post_nonlinear, product, product_exp, product_uniform,
};

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "any",
    summary: "for each node `additive`, `location-scale`, `nonadditive`, `product`, `product-uniform`, `product-exp`, \
              or (four times as likely) `post-nonlinear`",
    standardized: true,
    draw: |spec, rows, rng| (WAYS[rng.random_range(0..WAYS.len())].draw)(spec, rows, rng),
};

/// Post-nonlinear ones stand for four: one for each of their outputs.
const WAYS: [MixEntry; 10] = [
    additive::ENTRY,
    location_scale::ENTRY,
    nonadditive::ENTRY,
    product::ENTRY,
    product_uniform::ENTRY,
    product_exp::ENTRY,
    post_nonlinear::ENTRY,
    post_nonlinear::ENTRY,
    post_nonlinear::ENTRY,
    post_nonlinear::ENTRY,
];
