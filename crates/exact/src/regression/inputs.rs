//! What a regression is given: some variables on some rows, and fixed terms made of them.

/// Which fixed terms stand beside the smooth units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    /// A constant and the variables.
    Linear,
    /// Every monomial up to the third degree.
    Cubic,
}

impl Basis {
    /// The number of terms for so many variables.
    pub fn terms(self, variables: usize) -> usize {
        let k = variables;
        match self {
            Self::Linear => 1 + k,
            Self::Cubic => (k + 1) * (k + 2) * (k + 3) / 6,
        }
    }
}

/// Variables and terms, each a run of `rows` numbers.
pub(crate) struct Inputs {
    pub rows: usize,
    pub variables: usize,
    /// One variable after the other.
    pub values: Vec<f64>,
    /// One term after the other: the constant, the variables, their products.
    pub terms: Vec<f64>,
}

impl Inputs {
    /// The given rows of some columns.
    pub fn new(columns: &[&[f64]], rows: &[usize], basis: Basis) -> Self {
        let (n, k) = (rows.len(), columns.len());
        let values: Vec<f64> =
            columns.iter().flat_map(|column| rows.iter().map(|&row| column[row])).collect();
        let mut terms = vec![1.0; n];
        terms.extend_from_slice(&values);
        if basis == Basis::Cubic {
            let variable = |i: usize| &values[i * n..(i + 1) * n];
            for i in 0..k {
                for j in i..k {
                    let square: Vec<f64> = variable(i).iter().zip(variable(j)).map(|(a, b)| a * b).collect();
                    for l in j..k {
                        terms.extend(square.iter().zip(variable(l)).map(|(a, b)| a * b));
                    }
                    terms.extend(square);
                }
            }
        }
        debug_assert_eq!(terms.len(), n * basis.terms(k));
        Self { rows: n, variables: k, values, terms }
    }

    /// The number of fixed terms.
    pub fn term_count(&self) -> usize {
        self.terms.len() / self.rows
    }
}
