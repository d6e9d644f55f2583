//! NumPy arrays: two axes, floats or integers, C or Fortran order. Columns are named X0, X1, …

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use npyz::{DType, NpyFile, Order, TypeChar};
use oslow_core::{Error, Result};

use crate::{
    ReadOptions,
    decoder::{damaged, guarded},
    format, npy_header,
    rows::Rows,
    selection,
};

const FORMAT: &str = "NumPy";

/// An array with two axes.
#[derive(Debug)]
pub(crate) struct Array {
    pub rows: usize,
    pub columns: usize,
    /// Row by row.
    pub values: Vec<f64>,
}

/// Reads the table in an `.npy` file.
pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Rows> {
    table(&read_array(path)?, options)
}

/// Reads the table in the bytes of one.
pub(crate) fn read_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Rows> {
    table(&guarded(FORMAT, || parse(bytes, bytes.len() as u64))?, options)
}

/// Reads an `.npy` file.
pub(crate) fn read_array(path: &Path) -> Result<Array> {
    let file = File::open(path).map_err(|e| Error::io("read", path, e))?;
    let bytes = file.metadata().map_err(|e| Error::io("read", path, e))?.len();
    guarded(FORMAT, || parse(BufReader::new(file), bytes))
}

fn parse(mut reader: impl Read, bytes: u64) -> Result<Array> {
    let head = npy_header::checked(&mut reader, bytes)?;
    let array = NpyFile::new(head.as_slice().chain(reader)).map_err(|e| damaged(FORMAT, e))?;
    let (n, d) = match array.shape()[..] {
        [n, d] => (n as usize, d as usize),
        _ => {
            return Err(Error::input(format!("the array has {} axes, a table has 2", array.shape().len()))
                .with_hint("save an array of shape (rows, columns)"));
        }
    };
    let width = array.dtype().num_bytes().unwrap_or(0) as u64;
    // Checked before anything is allocated: a damaged header may promise any number of values.
    if array.len().saturating_mul(width) > bytes {
        return Err(damaged(FORMAT, format!("it promises {n} × {d} values and ends before")));
    }
    if d == 0 || n == 0 {
        return Err(Error::input(format!("the array has shape ({n}, {d}), so it is empty"))
            .with_hint("save an array with two or more rows and columns"));
    }
    let order = array.order();
    let stored = numbers(array)?;
    let values = match order {
        Order::C => stored,
        Order::Fortran => (0..n * d).map(|k| stored[k % d * n + k / d]).collect(),
    };
    Ok(Array { rows: n, columns: d, values })
}

fn table(array: &Array, options: &ReadOptions) -> Result<Rows> {
    let names = format::default_names(array.columns);
    let chosen = selection::choose(&names, options)?;
    let mut rows = Rows::new(chosen.iter().map(|&j| names[j].clone()).collect(), "row", options);
    for (i, row) in array.values.chunks(array.columns).enumerate() {
        rows.push(i as u64 + 1, chosen.iter().map(|&j| row[j].into()))?;
    }
    Ok(rows)
}

/// All values as they lie in the file.
fn numbers(array: NpyFile<impl Read>) -> Result<Vec<f64>> {
    let dtype = array.dtype();
    let kind = match &dtype {
        DType::Plain(kind) => Some((kind.type_char(), kind.size_field())),
        _ => None,
    };
    macro_rules! as_f64 {
        ($t:ty) => {
            array.into_vec::<$t>().map(|values| values.into_iter().map(|x| x as f64).collect())
        };
    }
    let values: std::io::Result<Vec<f64>> = match kind {
        Some((TypeChar::Float, 8)) => array.into_vec::<f64>(),
        Some((TypeChar::Float, 4)) => as_f64!(f32),
        Some((TypeChar::Int, 8)) => as_f64!(i64),
        Some((TypeChar::Int, 4)) => as_f64!(i32),
        Some((TypeChar::Int, 2)) => as_f64!(i16),
        Some((TypeChar::Int, 1)) => as_f64!(i8),
        Some((TypeChar::Uint, 8)) => as_f64!(u64),
        Some((TypeChar::Uint, 4)) => as_f64!(u32),
        Some((TypeChar::Uint, 2)) => as_f64!(u16),
        Some((TypeChar::Uint, 1)) => as_f64!(u8),
        Some((TypeChar::Bool, _)) => {
            array.into_vec::<bool>().map(|values| values.into_iter().map(f64::from).collect())
        }
        _ => {
            return Err(Error::input(format!("the array holds {}, not numbers", dtype.descr()))
                .with_hint("save it with `numpy.save(file, array.astype(float))`"));
        }
    };
    values.map_err(|e| damaged(FORMAT, e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use npyz::{AutoSerialize, WriterBuilder};

    fn stored<T: AutoSerialize + Copy>(values: &[T], shape: &[u64], order: Order) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = npyz::WriteOptions::new()
            .default_dtype()
            .shape(shape)
            .order(order)
            .writer(&mut bytes)
            .begin_nd()
            .unwrap();
        writer.extend(values.iter().copied()).unwrap();
        writer.finish().unwrap();
        bytes
    }

    fn values(bytes: &[u8]) -> Vec<f64> {
        let array = parse(bytes, bytes.len() as u64).unwrap();
        table(&array, &ReadOptions::default()).unwrap().finish().unwrap().0.values().to_vec()
    }

    #[test]
    fn both_orders_and_all_kinds_of_numbers_are_read() {
        let expected = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(values(&stored(&[1.0f64, 2., 3., 4., 5., 6.], &[3, 2], Order::C)), expected);
        assert_eq!(values(&stored(&[1.0f32, 3., 5., 2., 4., 6.], &[3, 2], Order::Fortran)), expected);
        assert_eq!(values(&stored(&[1i64, 2, 3, 4, 5, 6], &[2, 3], Order::C)), expected);
        assert_eq!(values(&stored(&[1u8, 4, 2, 5, 3, 6], &[2, 3], Order::Fortran)), expected);
        assert_eq!(values(&stored(&[true, false, false, true], &[2, 2], Order::C)), [1.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_cut_file_is_refused() {
        let whole = stored(&[1.0f64; 6], &[3, 2], Order::C);
        for length in 0..whole.len() {
            let cut = &whole[..length];
            assert!(parse(cut, length as u64).unwrap_err().is_input());
        }
    }
}
