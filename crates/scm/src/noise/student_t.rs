//! Student-t noise.

use oslow_core::{Error, Rng};
use rand_distr::{Distribution, StudentT};

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "student-t",
    summary: "Student-t, scale 1, 5 degrees of freedom unless `degrees_of_freedom` says otherwise",
    build: |spec, _| {
        let nu = spec.degrees_of_freedom;
        let wrong = |e| Error::input(format!("degrees_of_freedom = {nu}: {e}"));
        Ok(Box::new(Student { distribution: StudentT::new(nu).map_err(wrong)?, nu }))
    },
};

#[derive(Debug)]
struct Student {
    distribution: StudentT<f64>,
    nu: f64,
}

impl Noise for Student {
    fn draw(&self, rng: &mut Rng) -> f64 {
        self.distribution.sample(rng)
    }

    fn sd(&self) -> f64 {
        (self.nu / (self.nu - 2.0)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_the_moments_of_its_formula() {
        // 1 − 2·P(T₅ > 1) by the closed form of the distribution with 5 degrees of freedom.
        let root = 5.0_f64.sqrt();
        let angle = (1.0 / root).atan();
        let (sin, cos) = angle.sin_cos();
        let inside = 2.0 / std::f64::consts::PI * (angle + sin * (cos + 2.0 / 3.0 * cos.powi(3)));
        super::super::check(&super::ENTRY, 5.0 / 3.0, inside);
    }
}
