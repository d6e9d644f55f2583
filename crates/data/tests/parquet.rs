//! Parquet files as other programs write them.

#![cfg(feature = "parquet")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod stored;

use std::sync::Arc;

use oslow_data::{Missing, ReadOptions, Sample};
use parquet::{
    basic::Compression,
    data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type},
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};
use proptest::prelude::*;
use stored::{Stored, csv_bytes, npy_bytes, read, sample};

/// What is stored in a column.
enum Column {
    Double(Vec<f64>),
    /// Values, and for each row whether there is one.
    Nullable(Vec<f64>, Vec<i16>),
    Float(Vec<f32>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Text(Vec<&'static str>),
}

/// A file with these columns in every row group.
fn parquet_bytes(schema: &str, groups: &[Vec<Column>], compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message table {{ {schema} }}")).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    for group in groups {
        let mut writer = file.next_row_group().unwrap();
        for column in group {
            let mut w = writer.next_column().unwrap().unwrap();
            match column {
                Column::Double(x) => w.typed::<DoubleType>().write_batch(x, None, None),
                Column::Nullable(x, levels) => w.typed::<DoubleType>().write_batch(x, Some(levels), None),
                Column::Float(x) => w.typed::<FloatType>().write_batch(x, None, None),
                Column::Int32(x) => w.typed::<Int32Type>().write_batch(x, None, None),
                Column::Int64(x) => w.typed::<Int64Type>().write_batch(x, None, None),
                Column::Text(x) => {
                    let x: Vec<ByteArray> = x.iter().map(|&text| text.into()).collect();
                    w.typed::<ByteArrayType>().write_batch(&x, None, None)
                }
            }
            .unwrap();
            w.close().unwrap();
        }
        writer.close().unwrap();
    }
    file.close().unwrap();
    bytes
}

fn of_sample(sample: &Sample, compression: Compression) -> Vec<u8> {
    let schema: String = sample.names().iter().map(|name| format!("required double {name};")).collect();
    let half = sample.rows() / 2;
    let part = |from: usize, to: usize| {
        let column = |j| Column::Double(sample.column(j).skip(from).take(to - from).collect());
        (0..sample.columns()).map(column).collect()
    };
    parquet_bytes(&schema, &[part(0, half), part(half, sample.rows())], compression)
}

#[test]
fn parquet_holds_the_same_sample() {
    let sample = sample();
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(Default::default())]
    {
        assert_eq!(read("t.parquet", &of_sample(&sample, compression)).unwrap().sample, sample);
    }
}

#[test]
fn csv_to_npy_to_parquet_and_back_is_the_same_sample() {
    let first = read("t.csv", &csv_bytes(&sample())).unwrap().sample;
    let second = read("t.npy", &npy_bytes(&first)).unwrap().sample;
    let third = read("t.parquet", &of_sample(&second, Compression::SNAPPY)).unwrap().sample;
    assert_eq!(csv_bytes(&third), csv_bytes(&sample()));
}

#[test]
fn all_kinds_of_numbers_are_read() {
    let schema = "required float a; required int32 b; required int32 c (UINT_32); required int64 d (UINT_64);
                  required int64 e; required int64 __index_level_0__;";
    let columns = vec![
        Column::Float(vec![0.5, 1.5]),
        Column::Int32(vec![-1, 2]),
        Column::Int32(vec![-1, 2]),
        Column::Int64(vec![-1, 5]),
        Column::Int64(vec![-1, 6]),
        Column::Int64(vec![0, 1]),
    ];
    let table = read("t.parquet", &parquet_bytes(schema, &[columns], Compression::UNCOMPRESSED)).unwrap();
    assert_eq!(table.sample.row(0), [0.5, -1.0, u32::MAX as f64, u64::MAX as f64, -1.0]);
    assert_eq!(table.sample.row(1), [1.5, 2.0, 2.0, 5.0, 6.0]);
    assert!(
        table
            .notes
            .iter()
            .any(|note| note.text == "left out `__index_level_0__`, the index that pandas stored")
    );
}

#[test]
fn nulls_are_missing_values() {
    let columns = vec![
        Column::Nullable(vec![1.0, 3.0, 4.0], vec![1, 0, 1, 1]),
        Column::Double(vec![5.0, 6.0, 7.0, 9.0]),
    ];
    let bytes = parquet_bytes("optional double a; required double b;", &[columns], Compression::UNCOMPRESSED);
    let file = Stored::new("t.parquet", &bytes);
    let message = file.read(&ReadOptions::default()).unwrap_err().to_string();
    assert!(message.ends_with("t.parquet: row 2, column `a`: the value is missing (`NaN`)"), "{message}");
    let drop = ReadOptions { missing: Missing::DropRows, ..ReadOptions::default() };
    assert_eq!(file.read(&drop).unwrap().sample.values(), [1.0, 5.0, 3.0, 7.0, 4.0, 9.0]);
}

#[test]
fn columns_that_hold_no_numbers_are_refused_unless_left_out() {
    let schema =
        "required binary id (UTF8); required int32 day (DATE); required int64 at (TIMESTAMP(NANOS,true));
                  required double a; required double b;";
    let columns = vec![
        Column::Text(vec!["x", "y"]),
        Column::Int32(vec![1, 2]),
        Column::Int64(vec![1, 2]),
        Column::Double(vec![1.0, 2.0]),
        Column::Double(vec![2.0, 1.0]),
    ];
    let file = Stored::new("t.parquet", &parquet_bytes(schema, &[columns], Compression::UNCOMPRESSED));
    for (name, kind) in [("id", "UTF8"), ("day", "DATE"), ("at", "TIMESTAMP")] {
        let columns = Some(vec![name.to_string(), "a".to_string()]);
        let error = file.read(&ReadOptions { columns, ..ReadOptions::default() }).unwrap_err();
        let message = format!("{}: column `{name}` holds {kind}, not numbers", file.path.display());
        assert_eq!(error.to_string(), message);
    }
    let columns = Some(vec!["b".to_string(), "a".to_string()]);
    let table = file.read(&ReadOptions { columns, ..ReadOptions::default() }).unwrap();
    assert_eq!(table.sample.values(), [2.0, 1.0, 1.0, 2.0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn damaged_parquet_never_panics(at in 0usize..10_000, byte: u8, cut in 0usize..10_000) {
        let mut bytes = of_sample(&sample(), Compression::SNAPPY);
        let length = bytes.len();
        bytes[at % length] = byte;
        let _ = read("t.parquet", &bytes);
        bytes.truncate(cut % length);
        let _ = read("t.parquet", &bytes);
    }
}
