//! How training went, as a picture.

use oslow_core::History;
use oslow_report::{Curve, LinePlot};

/// The losses of a history over its first column, which counts.
pub(crate) fn training_plot(history: &History) -> LinePlot {
    let curve = |(column, name): (usize, &&'static str)| Curve {
        name: name.replace('_', " "),
        points: history.rows.iter().map(|row| (row[0], row[column])).collect(),
        band: None,
        dashed: false,
    };
    let losses = history.columns.iter().enumerate().filter(|(_, name)| name.ends_with("loss"));
    LinePlot {
        title: "How training went".into(),
        x_label: history.columns.first().copied().unwrap_or("round").into(),
        y_label: "nats per row".into(),
        curves: losses.map(curve).collect(),
        shaded: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loss_has_its_curve() {
        let columns = vec!["round", "noise", "theta_loss", "gamma_loss"];
        let history = History { columns, rows: vec![vec![1.0, 0.5, 3.0, 4.0], vec![2.0, 0.4, 2.0, 3.5]] };
        let plot = training_plot(&history);
        let names: Vec<&str> = plot.curves.iter().map(|curve| curve.name.as_str()).collect();
        assert_eq!(names, ["theta loss", "gamma loss"]);
        assert_eq!(plot.curves[1].points, [(1.0, 4.0), (2.0, 3.5)]);
    }
}
