//! What is doubtful about a table, though it can be used.

use oslow_core::{Choice, Remedy, Result, Sample};

use crate::Note;

/// |correlation| of a pair and R² given all others above which columns count as collinear.
const COLLINEAR: f64 = 0.9999;
/// Wider tables are not searched for collinear columns: it would take longer than reading them.
const WIDEST: usize = 1000;
/// Multiplications spent on correlations; longer tables are searched by evenly spaced rows.
const EFFORT: usize = 1_000_000_000;
/// Added to the diagonal, so that exactly collinear columns have a factor too; far below 1 − `COLLINEAR`.
const RIDGE: f64 = 1e-9;

/// What the user should know of columns: those that nearly follow from others. Refuses a table that no learner can
/// use, before anything doubtful is said of it.
pub fn doubts(sample: &Sample) -> Result<Vec<Note>> {
    sample.check_informative()?;
    Ok(collinear(sample).into_iter().map(Note::from).collect())
}

/// The columns that are not continuous: most users can tell at a glance whether that is right.
pub(crate) fn types(sample: &Sample) -> Option<Note> {
    let of = |j: usize| {
        let (name, kind, levels) = (&sample.names()[j], sample.type_of(j), sample.labels(j).len());
        let levels = if levels > 2 { format!(", {levels} levels") } else { String::new() };
        kind.is_discrete().then(|| format!("`{name}` ({kind}{levels})"))
    };
    let found: Vec<String> = (0..sample.columns()).filter_map(of).collect();
    (!found.is_empty()).then(|| Note {
        text: format!("types detected: {}", found.join(", ")),
        remedy: Some(Remedy::from("if one is wrong, say so with ").and(Choice::Type)),
    })
}

fn collinear(sample: &Sample) -> Vec<String> {
    let d = sample.columns();
    if d > WIDEST {
        return Vec::new();
    }
    let rows = sample.rows().min((EFFORT / (d * d)).max(2 * d));
    let correlation = correlations(sample, rows);
    let names = sample.names();
    let mut paired = vec![false; d];
    let mut notes = Vec::new();
    for j in 0..d {
        // The first partner stands for all: three equal columns are two pairs, not three.
        if let Some(i) = (0..j).find(|&i| correlation[i * d + j].abs() > COLLINEAR) {
            (paired[i], paired[j]) = (true, true);
            notes.push(format!(
                "columns `{}` and `{}` are nearly collinear (correlation {:.6}): their order cannot be told reliably",
                names[i],
                names[j],
                correlation[i * d + j]
            ));
        }
    }
    let explained = explained(correlation, d, rows);
    let follow: Vec<String> = (0..d)
        .filter(|&j| explained[j] > COLLINEAR && !paired[j])
        .map(|j| format!("`{}`", names[j]))
        .collect();
    if !follow.is_empty() {
        let are = if follow.len() == 1 { "is" } else { "are" };
        notes.push(format!(
            "{} {are} nearly a linear combination of other columns (R² > {COLLINEAR}): their order cannot be told reliably",
            columns(&follow)
        ));
    }
    notes
}

/// Pearson correlations over this many evenly spaced rows, d × d.
fn correlations(sample: &Sample, rows: usize) -> Vec<f64> {
    let (n, d) = (sample.rows(), sample.columns());
    let standard: Vec<Vec<f64>> = (0..d)
        .map(|j| {
            let x: Vec<f64> = (0..rows).map(|i| sample.value(i * n / rows, j)).collect();
            let mean = x.iter().sum::<f64>() / rows as f64;
            let centred: Vec<f64> = x.iter().map(|x| x - mean).collect();
            let norm = dot(&centred, &centred).sqrt();
            centred.iter().map(|x| x / norm).collect()
        })
        .collect();
    let mut correlation = vec![1.0; d * d];
    for i in 0..d {
        for j in 0..i {
            let r = dot(&standard[i], &standard[j]);
            (correlation[i * d + j], correlation[j * d + i]) = (r, r);
        }
    }
    correlation
}

/// Adjusted R² of every column given all others: 1 − 1 / (R⁻¹)ⱼⱼ with R the correlations, less what chance
/// explains. Zeros where there are too few rows to tell.
fn explained(mut correlation: Vec<f64>, d: usize, rows: usize) -> Vec<f64> {
    if rows < d + 2 {
        return vec![0.0; d];
    }
    cholesky(&mut correlation, d);
    let chance = (rows - 1) as f64 / (rows - d) as f64;
    inverse_diagonal(&correlation, d).into_iter().map(|p| 1.0 - chance / p).collect()
}

/// Replaces the lower triangle by the Cholesky factor of `matrix + RIDGE · 1`.
fn cholesky(matrix: &mut [f64], d: usize) {
    for j in 0..d {
        for i in j..d {
            let (above, below) = matrix.split_at_mut(i * d);
            let row_j = if i == j { &below[..j] } else { &above[j * d..j * d + j] };
            let rest = below[j] - dot(&below[..j], row_j);
            // Rounding may leave an exactly collinear column a little below zero.
            below[j] = if i == j { (rest + RIDGE).max(RIDGE).sqrt() } else { rest / above[j * d + j] };
        }
    }
}

/// The diagonal of (L Lᵀ)⁻¹: the squared lengths of the columns of L⁻¹, found by forward substitution.
fn inverse_diagonal(factor: &[f64], d: usize) -> Vec<f64> {
    (0..d)
        .map(|j| {
            let mut column = vec![0.0; d - j];
            for i in j..d {
                let unit = if i == j { 1.0 } else { 0.0 };
                let rest = unit - dot(&factor[i * d + j..i * d + i], &column[..i - j]);
                column[i - j] = rest / factor[i * d + i];
            }
            dot(&column, &column)
        })
        .collect()
}

/// Σ aᵢbᵢ in eight lanes: one running sum could not be vectorised.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_lanes, a_rest) = a.as_chunks::<8>();
    let (b_lanes, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (x, y) in a_lanes.iter().zip(b_lanes) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum::<f64>()
}

/// "column a", "columns a, b", and no more than fits into a message.
fn columns(names: &[String]) -> String {
    const MOST: usize = 10;
    let listed = names[..names.len().min(MOST)].join(", ");
    match names.len() {
        1 => format!("column {listed}"),
        n if n > MOST => format!("columns {listed} and {} more", n - MOST),
        _ => format!("columns {listed}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of n rows from formulas of irregular numbers.
    fn sample(names: &[&str], n: usize, row: impl Fn([f64; 3]) -> Vec<f64>) -> Sample {
        let noise = |i: usize, k: f64| (i as f64 * k).sin() * 10.0 % 1.0;
        let values = (0..n).flat_map(|i| row([noise(i, 12.9), noise(i, 78.2), noise(i, 45.3)])).collect();
        Sample::new(names.iter().map(ToString::to_string).collect(), values).unwrap()
    }

    fn texts(sample: &Sample) -> Vec<String> {
        types(sample).into_iter().chain(doubts(sample).unwrap()).map(|note| note.text).collect()
    }

    #[test]
    fn a_sound_table_raises_no_doubt() {
        assert_eq!(texts(&sample(&["a", "b", "c"], 100, |x| x.to_vec())), [""; 0]);
    }

    #[test]
    fn discrete_columns_are_named() {
        let coded = |x: [f64; 3]| vec![x[0], x[1].signum(), (x[2] * 3.0).round()];
        assert_eq!(
            texts(&sample(&["a", "b", "c"], 100, coded)),
            ["types detected: `b` (binary), `c` (ordinal)"]
        );
        assert_eq!(texts(&sample(&["a", "b", "c"], 15, coded)), [""; 0]);
    }

    #[test]
    fn collinear_pairs_are_named_once() {
        let table = sample(&["a", "b", "c"], 100, |x| vec![x[0], x[1], 3.0 - 2.0 * x[0] + 1e-4 * x[1]]);
        let notes = texts(&table);
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(
            notes[0].starts_with("columns `a` and `c` are nearly collinear (correlation -1.0"),
            "{notes:?}"
        );
    }

    #[test]
    fn sums_of_columns_are_named() {
        for slip in [0.0, 1e-3] {
            let table = sample(&["a", "b", "c", "sum"], 200, |x| {
                vec![x[0], x[1], x[2], x[0] + x[1] + slip * x[2].powi(2)]
            });
            assert_eq!(
                texts(&table),
                ["columns `a`, `b`, `sum` are nearly a linear combination of other columns (R² > 0.9999): \
                  their order cannot be told reliably"]
            );
        }
    }

    #[test]
    fn few_rows_and_huge_numbers_raise_no_false_alarm() {
        assert_eq!(texts(&sample(&["a", "b", "c"], 4, |x| x.to_vec())), [""; 0]);
        doubts(&sample(&["a", "b"], 60, |x| vec![x[0] * 1e308, x[1] * 1e-308])).unwrap();
        let constant = doubts(&sample(&["a", "b"], 60, |x| vec![x[0], 1.0]));
        assert!(constant.unwrap_err().to_string().starts_with("column `b` is constant"));
    }
}
