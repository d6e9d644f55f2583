//! The paper's main figure: all orders of three or four variables, and the loss over the polytope between them.
//!
//! Permutation matrices are the corners of the Birkhoff polytope, which has (d − 1)² dimensions. Multiplied with (1, …, d) each of
//! them becomes the list of its nodes' positions, and the polytope the permutohedron of d − 1 dimensions: a hexagon for three
//! nodes, a truncated octahedron for four. Orders that differ by one exchange of neighbours are neighbours there.
//!
//! Between the corners stands the expected loss of a Boltzmann distribution over the orders, Σ α(P) ℓ(P) with
//! α(P) ∝ exp(−‖x − x_P‖² / 2τ): what permutation learning descends.

use std::fmt::Write;

use oslow_core::{Error, Ordering, Result};

use crate::markup::escape;

const SIZE: f64 = 560.0;
const RADIUS: f64 = 190.0;
const MIDDLE: (f64, f64) = (280.0, 272.0);
/// τ: how far the influence of a corner reaches.
const TEMPERATURE: f64 = 0.35;
/// Into how many pieces each side of a triangle is cut for shading.
const PIECES: usize = 8;
/// Good (Okabe and Ito's blue) and bad.
const GOOD: [f64; 3] = [0.0, 114.0, 178.0];
const BAD: [f64; 3] = [244.0, 241.0, 232.0];

/// The losses of all orders of three or four variables.
#[derive(Clone, Debug)]
pub struct BirkhoffPicture {
    /// The variables' names.
    pub names: Vec<String>,
    /// Every order with its loss, smaller is better.
    pub losses: Vec<(Ordering, f64)>,
}

/// A point in space; of a hexagon the last coordinate is 0.
type Point = [f64; 3];

struct Corner {
    at: Point,
    loss: f64,
    label: String,
}

impl BirkhoffPicture {
    /// The picture as an SVG document.
    ///
    /// # Errors
    ///
    /// Where there are not three or four variables, an order is missing or a loss is not finite.
    pub fn to_svg(&self) -> Result<String> {
        let d = self.names.len();
        if !(3..=4).contains(&d) {
            return Err(Error::input(format!("{d} variables: the polytope can be drawn for 3 or 4")));
        }
        let mut losses = self.losses.clone();
        losses.sort_by(|a, b| a.0.cmp(&b.0));
        losses.dedup_by(|a, b| a.0 == b.0);
        let wanted: usize = (1..=d).product();
        if losses.len() != wanted || losses.iter().any(|(order, loss)| order.len() != d || !loss.is_finite())
        {
            return Err(Error::input(format!(
                "{} orders with a finite loss: there must be all {wanted}",
                losses.len()
            )));
        }
        let best = losses.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(order, _)| place(order));
        // No corner of the solid lies on the axis that `seen_from` turns around.
        let seen = |point: Point| best.filter(|_| d == 4).map_or(point, |best| seen_from(best, point));
        let corners: Vec<Corner> = losses
            .iter()
            .map(|(order, loss)| Corner {
                at: seen(place(order)),
                loss: *loss,
                label: order.names(&self.names).join(" "),
            })
            .collect();
        Ok(draw(&corners, &faces(d, &losses)))
    }
}

/// Where an order stands: its positions, centred, in an orthonormal basis of the space that they span.
fn place(order: &Ordering) -> Point {
    let d = order.len();
    let positions: Vec<f64> = order.positions().iter().map(|&p| p as f64 - (d as f64 - 1.0) / 2.0).collect();
    // Helmert's basis: (1, −1, 0, …), (1, 1, −2, 0, …), …
    let mut point = [0.0; 3];
    for (k, coordinate) in point.iter_mut().enumerate().take(d - 1) {
        let sum: f64 = positions[..=k].iter().sum::<f64>() - (k + 1) as f64 * positions[k + 1];
        *coordinate = sum / (((k + 1) * (k + 2)) as f64).sqrt();
    }
    point
}

/// A point of a solid, seen from the side of its corner `front`, a little from beside so that corners do not cover each other.
fn seen_from(front: Point, point: Point) -> Point {
    let towards = unit(front);
    let across = unit(cross([0.0, 0.0, 1.0], towards));
    let upwards = cross(towards, across);
    let [x, y, z] = [across, upwards, towards].map(|axis| dot(axis, point));
    let (a, b): (f64, f64) = (0.30, 0.22);
    let (x, z) = (x * a.cos() + z * a.sin(), z * a.cos() - x * a.sin());
    let (y, z) = (y * b.cos() - z * b.sin(), z * b.cos() + y * b.sin());
    [x, y, z]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: Point) -> Point {
    let length = dot(a, a).sqrt();
    a.map(|x| x / length)
}

/// The faces by the numbers of their corners. A face holds the orders in which the same nodes come first; the hexagon is its own.
fn faces(d: usize, losses: &[(Ordering, f64)]) -> Vec<Vec<usize>> {
    if d == 3 {
        return vec![(0..losses.len()).collect()];
    }
    let first = |set: usize| {
        let size = set.count_ones() as usize;
        let begins = |order: &Ordering| order.nodes()[..size].iter().all(|node| set >> node & 1 == 1);
        (0..losses.len()).filter(|&k| begins(&losses[k].0)).collect()
    };
    (1..(1 << d) - 1).map(first).collect()
}

fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn mean(points: &[Point]) -> Point {
    [0, 1, 2].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64)
}

/// The corners of a face in the order in which one walks around it, as seen from the front.
fn around(face: &[usize], corners: &[Corner]) -> Vec<usize> {
    let points: Vec<Point> = face.iter().map(|&k| corners[k].at).collect();
    let center = mean(&points);
    let mut sorted = face.to_vec();
    let angle = |k: usize| {
        let from = sub(corners[k].at, center);
        from[1].atan2(from[0])
    };
    sorted.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
    sorted
}

/// Whether a face is turned to the reader. A face of a solid around 0 points where its middle lies.
fn in_front(face: &[usize], corners: &[Corner]) -> bool {
    let points: Vec<Point> = face.iter().map(|&k| corners[k].at).collect();
    mean(&points)[2] >= -1e-9
}

/// The expected loss of the Boltzmann distribution at a point.
fn expected(corners: &[Corner], at: Point) -> f64 {
    let weight = |corner: &Corner| {
        let from = sub(corner.at, at);
        (-dot(from, from) / (2.0 * TEMPERATURE)).exp()
    };
    let (sum, total) = corners.iter().fold((0.0, 0.0), |(sum, total), corner| {
        (sum + weight(corner) * corner.loss, total + weight(corner))
    });
    sum / total
}

fn draw(corners: &[Corner], faces: &[Vec<usize>]) -> String {
    let reach = corners.iter().map(|c| c.at[0].hypot(c.at[1])).fold(0.0, f64::max);
    let page = |p: Point| (MIDDLE.0 + RADIUS * p[0] / reach, MIDDLE.1 - RADIUS * p[1] / reach);
    let low = corners.iter().map(|c| c.loss).fold(f64::INFINITY, f64::min);
    let high = corners.iter().map(|c| c.loss).fold(f64::NEG_INFINITY, f64::max);
    let color = |loss: f64| {
        let share = if high > low { (loss - low) / (high - low) } else { 0.0 };
        // Most of the interest lies near the best: the scale is stretched there.
        let share = share.clamp(0.0, 1.0).sqrt();
        let mixed = [0, 1, 2].map(|k| (GOOD[k] + share * (BAD[k] - GOOD[k])).round() as u8);
        format!("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2])
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {SIZE}\" width=\"{SIZE}\" height=\"{SIZE}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>The loss over the polytope of orders</title>\n\
         <style>.page{{fill:#fff}}.rim{{fill:none;stroke:#333;stroke-width:1.3}}.back{{fill:none;stroke:#999;stroke-dasharray:3 4}}\
         text{{fill:#222;stroke:#fff;stroke-width:3px;paint-order:stroke}}.best{{fill:none;stroke:#d55e00;stroke-width:2.5}}\
         @media (prefers-color-scheme:dark){{.page{{fill:#14181c}}.rim{{stroke:#ddd}}.back{{stroke:#777}}text{{fill:#eee;stroke:#14181c}}}}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    );
    let outline = |face: &[usize]| {
        let places: Vec<String> = around(face, corners)
            .into_iter()
            .map(|k| {
                let (x, y) = page(corners[k].at);
                format!("{x:.1} {y:.1}")
            })
            .collect();
        format!("M{}z", places.join("L"))
    };
    let (front, back): (Vec<_>, Vec<_>) = faces.iter().partition(|face| in_front(face, corners));
    for face in &back {
        let _ = writeln!(svg, "<path class=\"back\" d=\"{}\"/>", outline(face));
    }
    for face in &front {
        for piece in pieces(&around(face, corners), corners) {
            let [a, b, c] = piece.map(page);
            let shade = color(expected(corners, mean(&piece)));
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\" fill=\"{shade}\" stroke=\"{shade}\" stroke-width=\"0.6\"/>",
                a.0, a.1, b.0, b.1, c.0, c.1
            );
        }
        let _ = writeln!(svg, "<path class=\"rim\" d=\"{}\"/>", outline(face));
    }
    let visible = |k: usize| front.iter().any(|face| face.contains(&k));
    for (k, corner) in corners.iter().enumerate().filter(|(k, _)| visible(*k)) {
        let (x, y) = page(corner.at);
        let best = if corner.loss == low { " class=\"best\"" } else { "" };
        let radius = if corner.loss == low { 7.0 } else { 4.0 };
        let _ = writeln!(
            svg,
            "<circle{best} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"{}><title>{}: {:.4}</title></circle>",
            if best.is_empty() {
                format!(" fill=\"{}\" stroke=\"#333\"", color(corner.loss))
            } else {
                String::new()
            },
            escape(&corner.label),
            corner.loss
        );
        label(corner, (x, y), corners[k].at[0].hypot(corners[k].at[1]) > 0.55 * reach, &mut svg);
    }
    legend(low, high, &color, &mut svg);
    svg + "</svg>\n"
}

/// The order at a corner: outside the picture where the corner is near its rim, below the corner otherwise.
fn label(corner: &Corner, (x, y): (f64, f64), outside: bool, svg: &mut String) {
    let (dx, dy) = (x - MIDDLE.0, y - MIDDLE.1);
    let length = dx.hypot(dy).max(1.0);
    let anchor = match (outside, dx) {
        (true, dx) if dx > 30.0 => "start",
        (true, dx) if dx < -30.0 => "end",
        _ => "middle",
    };
    let (x, y) = match outside {
        true => (x + 12.0 * dx / length, y + 16.0 * dy / length + 4.0),
        false => (x, y + 19.0),
    };
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escape(&corner.label)
    );
}

/// The triangles between the middle of a face and its sides, cut small.
fn pieces(face: &[usize], corners: &[Corner]) -> Vec<[Point; 3]> {
    let points: Vec<Point> = face.iter().map(|&k| corners[k].at).collect();
    let center = mean(&points);
    let mut all = Vec::new();
    for (k, &a) in points.iter().enumerate() {
        let b = points[(k + 1) % points.len()];
        let at = |i: usize, j: usize| {
            let (s, t) = (i as f64 / PIECES as f64, j as f64 / PIECES as f64);
            [0, 1, 2].map(|c| center[c] + s * (a[c] - center[c]) + t * (b[c] - center[c]))
        };
        for i in 0..PIECES {
            for j in 0..PIECES - i {
                all.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 2 <= PIECES {
                    all.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    all
}

fn legend(low: f64, high: f64, color: &dyn Fn(f64) -> String, svg: &mut String) {
    let (left, top, width) = (SIZE / 2.0 - 120.0, SIZE - 38.0, 240.0);
    for k in 0..48 {
        let share = f64::from(k) / 48.0;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{top}\" width=\"5.4\" height=\"10\" fill=\"{}\"/>",
            left + share * width,
            color(low + share * (high - low))
        );
    }
    for (at, value, anchor) in [(left - 8.0, low, "end"), (left + width + 8.0, high, "start")] {
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"{anchor}\">{value:.2}</text>",
            top + 9.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\">expected loss in nats per row; the best order is circled</text>",
        SIZE / 2.0,
        top + 26.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(d: usize) -> Vec<Ordering> {
        (0..d.pow(d as u32))
            .filter_map(|k| Ordering::new((0..d as u32).map(|p| k / d.pow(p) % d).collect()).ok())
            .collect()
    }

    fn picture(d: usize) -> BirkhoffPicture {
        let losses = all(d).into_iter().map(|order| {
            let loss = order.nodes()[0] as f64 + 0.1 * order.nodes()[1] as f64;
            (order, loss)
        });
        BirkhoffPicture { names: (0..d).map(|k| format!("X{k}")).collect(), losses: losses.collect() }
    }

    #[test]
    fn distances_are_those_of_positions() {
        // The map is an isometry: neighbours stand √2 apart, an order and its reverse furthest.
        for d in [3, 4] {
            let orders = all(d);
            for a in &orders {
                for b in &orders {
                    let apart: f64 = a
                        .positions()
                        .iter()
                        .zip(b.positions())
                        .map(|(&p, q)| (p as f64 - q as f64).powi(2))
                        .sum();
                    let between = sub(place(a), place(b));
                    let turned =
                        sub(seen_from(place(&orders[1]), place(a)), seen_from(place(&orders[1]), place(b)));
                    assert!((apart - dot(between, between)).abs() < 1e-9);
                    assert!(d == 3 || (apart - dot(turned, turned)).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn the_solid_has_eight_hexagons_and_six_squares() {
        let picture = picture(4);
        let faces = faces(4, &picture.losses);
        let count = |size: usize| faces.iter().filter(|face| face.len() == size).count();
        assert_eq!((count(6), count(4), faces.len()), (8, 6, 14));
    }

    #[test]
    fn every_order_is_there_and_none_may_be_missing() {
        let svg = picture(3).to_svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), 6);
        assert!(svg.contains("X2 X0 X1") && svg.matches("class=\"best\"").count() == 1);
        let mut short = picture(4);
        short.losses.pop();
        assert_eq!(
            short.to_svg().unwrap_err().to_string(),
            "23 orders with a finite loss: there must be all 24"
        );
        assert!(picture(2).to_svg().unwrap_err().to_string().starts_with("2 variables"));
    }
}
