//! Line plots as SVG: curves with bands, axes and a legend, legible on light and dark pages.

use std::fmt::Write;

use crate::markup::escape;

/// One curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Its points, x ascending.
    pub points: Vec<(f64, f64)>,
    /// Low and high at each point, drawn as a band.
    pub band: Option<Vec<(f64, f64)>>,
    /// Whether the line is dashed: for the truth, which is not an estimate.
    pub dashed: bool,
}

/// A plot of curves over a common x.
#[derive(Clone, Debug)]
pub struct LinePlot {
    /// Stands above.
    pub title: String,
    /// Stands below.
    pub x_label: String,
    /// Stands to the left.
    pub y_label: String,
    /// The curves, the first drawn first.
    pub curves: Vec<Curve>,
    /// An interval of x that is shaded, with its name: where there is data, say.
    pub shaded: Option<(f64, f64, String)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// Room around the axes: left, right, top, bottom.
const MARGIN: [f64; 4] = [70.0, 20.0, 40.0, 88.0];
/// Okabe and Ito's colours, told apart by colour-blind readers, on light and dark grounds.
const COLORS: [&str; 4] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7"];

impl LinePlot {
    /// The plot as an SVG document. Points that are not finite are left out.
    pub fn to_svg(&self) -> String {
        let frame = Frame::around(self);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#808080\">\n\
             <text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n",
            WIDTH / 2.0,
            escape(&self.title)
        );
        if let Some((from, to, name)) = &self.shaded {
            let (left, right) = (frame.x(*from), frame.x(*to));
            let (top, bottom) = (MARGIN[2], HEIGHT - MARGIN[3]);
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#808080\" \
                 fill-opacity=\"0.10\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{}</text>",
                right - left,
                bottom - top,
                (left + right) / 2.0,
                top + 14.0,
                escape(name)
            );
        }
        self.axes(&frame, &mut svg);
        for (curve, color) in self.curves.iter().zip(COLORS.iter().cycle()) {
            draw(curve, color, &frame, &mut svg);
        }
        self.legend(&mut svg);
        svg + "</svg>\n"
    }

    fn axes(&self, frame: &Frame, svg: &mut String) {
        let (left, bottom) = (MARGIN[0], HEIGHT - MARGIN[3]);
        let (right, top) = (WIDTH - MARGIN[1], MARGIN[2]);
        let _ =
            writeln!(svg, "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"#808080\"/>");
        for tick in ticks(frame.x_range) {
            let x = frame.x(tick);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {bottom}v5\" stroke=\"#808080\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                bottom + 19.0,
                label(tick)
            );
        }
        for tick in ticks(frame.y_range) {
            let y = frame.y(tick);
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {y:.1}h-5\" stroke=\"#808080\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 9.0,
                y + 4.5,
                label(tick)
            );
        }
        let middle = (top + bottom) / 2.0;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"20\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 20 {middle})\">{}</text>",
            (left + right) / 2.0,
            bottom + 42.0,
            escape(&self.x_label),
            escape(&self.y_label)
        );
    }

    fn legend(&self, svg: &mut String) {
        let step = (WIDTH - MARGIN[0] - MARGIN[1]) / self.curves.len().max(1) as f64;
        for (index, (curve, color)) in self.curves.iter().zip(COLORS.iter().cycle()).enumerate() {
            let (x, y) = (MARGIN[0] + step * index as f64, HEIGHT - 16.0);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {y}h26\" stroke=\"{color}\" stroke-width=\"2.5\"{}/><text x=\"{:.1}\" y=\"{}\">{}</text>",
                dashes(curve),
                x + 33.0,
                y + 4.5,
                escape(&curve.name)
            );
        }
    }
}

fn draw(curve: &Curve, color: &str, frame: &Frame, svg: &mut String) {
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let places: Vec<String> = points
            .filter(|(x, y)| x.is_finite() && y.is_finite())
            .map(|(x, y)| format!("{:.1} {:.1}", frame.x(x), frame.y(y)))
            .collect();
        places.join("L")
    };
    if let Some(band) = &curve.band {
        let xs = || curve.points.iter().map(|point| point.0);
        let low = xs().zip(band.iter().map(|b| b.0));
        let high = xs().zip(band.iter().map(|b| b.1));
        let outline = path(&mut low.chain(high.collect::<Vec<_>>().into_iter().rev()));
        let _ = writeln!(svg, "<path d=\"M{outline}Z\" fill=\"{color}\" fill-opacity=\"0.25\"/>");
    }
    let line = path(&mut curve.points.iter().copied());
    let _ = writeln!(
        svg,
        "<path d=\"M{line}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\"{}/>",
        dashes(curve)
    );
}

fn dashes(curve: &Curve) -> &'static str {
    if curve.dashed { " stroke-dasharray=\"7 5\"" } else { "" }
}

/// From data to the page.
struct Frame {
    x_range: (f64, f64),
    y_range: (f64, f64),
}

impl Frame {
    fn around(plot: &LinePlot) -> Self {
        let xs = plot.curves.iter().flat_map(|curve| curve.points.iter().map(|p| p.0));
        let ys = plot.curves.iter().flat_map(|curve| {
            let bands = curve.band.iter().flatten().flat_map(|b| [b.0, b.1]);
            curve.points.iter().map(|p| p.1).chain(bands)
        });
        let (low, high) = range(ys);
        let room = 0.06 * (high - low);
        Self { x_range: range(xs), y_range: (low - room, high + room) }
    }

    fn x(&self, value: f64) -> f64 {
        let share = (value - self.x_range.0) / (self.x_range.1 - self.x_range.0);
        MARGIN[0] + share * (WIDTH - MARGIN[0] - MARGIN[1])
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.y_range.0) / (self.y_range.1 - self.y_range.0);
        HEIGHT - MARGIN[3] - share * (HEIGHT - MARGIN[2] - MARGIN[3])
    }
}

/// Smallest and largest finite value, a little apart if they are equal.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let ends = |(low, high): (f64, f64), v: f64| (low.min(v), high.max(v));
    let (low, high) = values.filter(|v| v.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    match low.partial_cmp(&high) {
        Some(std::cmp::Ordering::Less) => (low, high),
        Some(std::cmp::Ordering::Equal) => (low - 0.5, high + 0.5),
        _ => (0.0, 1.0),
    }
}

/// Round numbers within a range, five to ten of them.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let raw = (high - low) / 6.0;
    let power = 10f64.powf(raw.log10().floor());
    let step = power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= raw).unwrap_or(10.0);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

/// A tick's number without digits that rounding put there.
fn label(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks((-1.3, 1.2)), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(label(-0.5), "−0.5");
        assert_eq!(label(0.1 + 0.2), "0.3");
    }

    #[test]
    fn a_plot_holds_its_curves_and_nothing_that_is_not_finite() {
        let curve = Curve {
            name: "a < b".into(),
            points: vec![(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0)],
            band: Some(vec![(0.5, 1.5), (1.0, 2.0), (2.5, 3.5)]),
            dashed: true,
        };
        let plot = LinePlot {
            title: "t".into(),
            x_label: "x".into(),
            y_label: "y".into(),
            curves: vec![curve],
            shaded: Some((0.5, 1.0, "data".into())),
        };
        let svg = plot.to_svg();
        assert!(svg.contains("a &lt; b") && svg.contains("stroke-dasharray") && !svg.contains("NaN"));
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
    }
}
