//! Parquet files: flat columns of floats, integers or booleans.
//!
//! Columns are read through the column readers and not through Arrow, whose build would cost more than the
//! rest of this crate together.

use std::{fs::File, path::Path};

use oslow_core::{Choice, Error, Remedy, Result};
use parquet::{
    basic::{Compression, ConvertedType, Type},
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::DataType,
    errors::ParquetError,
    file::{reader::ChunkReader, reader::FileReader, serialized_reader::SerializedFileReader},
    schema::types::ColumnDescriptor,
};

use crate::{
    ReadOptions,
    decoder::{damaged, guarded},
    rows::Rows,
    selection,
};

const FORMAT: &str = "Parquet";

/// How many values are read at a time.
const BATCH: usize = 8192;

/// The column in which pandas keeps an index that has no name.
const PANDAS_INDEX: &str = "__index_level_0__";

/// Reads a `.parquet` file.
pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Rows> {
    let file = File::open(path).map_err(|e| Error::io("read", path, e))?;
    guarded(FORMAT, || parse(file, options))
}

/// Reads the bytes of one.
pub(crate) fn read_bytes(bytes: Vec<u8>, options: &ReadOptions) -> Result<Rows> {
    guarded(FORMAT, || parse(bytes::Bytes::from(bytes), options))
}

fn parse(file: impl ChunkReader + 'static, options: &ReadOptions) -> Result<Rows> {
    let reader = SerializedFileReader::new(file).map_err(unreadable)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let names: Vec<String> = schema.columns().iter().map(|column| column.path().parts().join(".")).collect();

    let pandas_index =
        names.iter().any(|name| name == PANDAS_INDEX) && options.index.is_none() && options.columns.is_none();
    let index = if pandas_index { Some(PANDAS_INDEX.to_string()) } else { options.index.clone() };
    let chosen = selection::choose(&names, &ReadOptions { index, ..options.clone() })?;
    for &j in &chosen {
        check_numeric(schema.column(j).as_ref(), &names[j])?;
    }

    let mut rows = Rows::new(chosen.iter().map(|&j| names[j].clone()).collect(), "row", options);
    if pandas_index {
        rows.notes.push(format!("left out `{PANDAS_INDEX}`, the index that pandas stored").into());
    }
    let mut number = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(unreadable)?;
        for &j in &chosen {
            check_compression(group.metadata().column(j).compression())?;
        }
        let columns = chosen
            .iter()
            .map(|&j| numbers(group.get_column_reader(j).map_err(unreadable)?, schema.column(j).as_ref()))
            .collect::<Result<Vec<_>>>()?;
        let n = columns.first().map_or(0, Vec::len);
        if let Some(k) = columns.iter().position(|column| column.len() != n) {
            return Err(damaged(
                FORMAT,
                format!("column `{}` is not as long as the others", names[chosen[k]]),
            ));
        }
        for i in 0..n {
            number += 1;
            rows.push(number, columns.iter().map(|column| column[i].into()))?;
        }
    }
    Ok(rows)
}

/// Refuses text, dates, decimals and nested columns.
fn check_numeric(column: &ColumnDescriptor, name: &str) -> Result<()> {
    use ConvertedType as C;
    let stored = column.physical_type();
    let plain = matches!(stored, Type::BOOLEAN | Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE);
    let integer = matches!(
        column.converted_type(),
        C::NONE
            | C::INT_8
            | C::INT_16
            | C::INT_32
            | C::INT_64
            | C::UINT_8
            | C::UINT_16
            | C::UINT_32
            | C::UINT_64
    );
    // Nanosecond timestamps have no converted type, only a logical one.
    let dated = format!("{:?}", column.logical_type_ref()).contains("Time");
    let kind = match column.converted_type() {
        _ if column.max_rep_level() > 0 => "lists".to_string(),
        C::NONE => {
            if dated {
                "TIMESTAMP".to_string()
            } else {
                stored.to_string()
            }
        }
        converted => converted.to_string(),
    };
    if plain && integer && !dated && column.max_rep_level() == 0 {
        return Ok(());
    }
    Err(Error::input(format!("column `{name}` holds {kind}, not numbers")).with_hint(
        Remedy::from("leave it out with ")
            .and(Choice::Index.set(name))
            .and(", choose the numeric ones with ")
            .and(Choice::Columns)
            .and(", or store it as DOUBLE"),
    ))
}

/// Refuses compressions that are not built in; the others are what pandas, polars and DuckDB write.
fn check_compression(compression: Compression) -> Result<()> {
    if matches!(compression, Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_)) {
        return Ok(());
    }
    let shown = compression.to_string();
    let name = shown.split('(').next().unwrap_or_default();
    Err(Error::input(format!("the columns are compressed with {name}, which is not supported"))
        .with_hint("store the table with the compression snappy, zstd or none"))
}

/// The values of a column in one row group; a null is a NaN.
fn numbers(reader: ColumnReader, column: &ColumnDescriptor) -> Result<Vec<f64>> {
    use ConvertedType as C;
    let present = column.max_def_level();
    let values = match (reader, column.converted_type()) {
        (ColumnReader::BoolColumnReader(r), _) => collect(r, present, |x| f64::from(u8::from(x))),
        (ColumnReader::Int32ColumnReader(r), C::UINT_32) => {
            collect(r, present, |x| f64::from(x.cast_unsigned()))
        }
        (ColumnReader::Int32ColumnReader(r), _) => collect(r, present, f64::from),
        (ColumnReader::Int64ColumnReader(r), C::UINT_64) => collect(r, present, |x| x.cast_unsigned() as f64),
        (ColumnReader::Int64ColumnReader(r), _) => collect(r, present, |x| x as f64),
        (ColumnReader::FloatColumnReader(r), _) => collect(r, present, f64::from),
        (ColumnReader::DoubleColumnReader(r), _) => collect(r, present, |x| x),
        _ => return Err(damaged(FORMAT, "a column is stored in two ways")),
    };
    values.map_err(unreadable)
}

fn collect<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    present: i16,
    number: impl Fn(T::T) -> f64,
) -> std::result::Result<Vec<f64>, ParquetError> {
    let mut column = Vec::new();
    loop {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let (records, ..) = reader.read_records(BATCH, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Ok(column);
        }
        let mut values = values.into_iter().map(&number);
        if present == 0 {
            column.extend(values);
        } else {
            column.extend(
                levels.iter().map(|&level| {
                    if level == present { values.next().unwrap_or(f64::NAN) } else { f64::NAN }
                }),
            );
        }
    }
}

fn unreadable(error: ParquetError) -> Error {
    damaged(FORMAT, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsupported_compression_is_named() {
        let error = check_compression(Compression::GZIP(Default::default())).unwrap_err();
        assert_eq!(error.to_string(), "the columns are compressed with GZIP, which is not supported");
        assert!(check_compression(Compression::ZSTD(Default::default())).is_ok());
    }
}
