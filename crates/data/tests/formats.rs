//! The same table in every format is the same sample, and no bytes make a reader panic.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod stored;

use oslow_data::{Missing, ReadOptions, Sample, write_delimited};
use proptest::prelude::*;
use stored::{Stored, csv_bytes, npy_bytes, read, sample};

#[test]
fn text_and_arrays_hold_the_same_sample() {
    let sample = sample();
    assert_eq!(read("t.csv", &csv_bytes(&sample)).unwrap().sample, sample);
    assert_eq!(read("t.npy", &npy_bytes(&sample)).unwrap().sample, sample);
}

#[test]
fn notes_reach_the_user() {
    let text: String = (0..60).map(|i| format!("{},{}\n", i % 3, (i * i) as f64 * 0.37)).collect();
    let table = read("t.csv", format!("kind,size\n{text}NA,1\n").as_bytes());
    assert!(table.unwrap_err().to_string().contains("line 62, column `kind`"));
    let drop = ReadOptions { missing: Missing::DropRows, ..ReadOptions::default() };
    let table = Stored::new("t.csv", format!("kind,size\n{text}NA,1\n").as_bytes()).read(&drop).unwrap();
    assert_eq!(table.dropped_rows, 1);
    assert_eq!(
        table.notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>(),
        ["dropped 1 of 61 rows: values are missing or infinite", "types detected: `kind` (ordinal)"]
    );
}

#[test]
fn an_array_that_is_no_table_is_refused() {
    let header = |text: &str, data: &[u8]| {
        let text = format!("{text}\n");
        let size = (text.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &size[..], text.as_bytes(), data].concat()
    };
    let refusal = |descr: &str, shape: &str, bytes: usize| {
        let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
        let error = read("t.npy", &header(&text, &vec![0; bytes])).unwrap_err();
        let message = error.to_string();
        (message[message.find(": ").unwrap() + 2..].to_string(), error.hint().unwrap().to_string())
    };
    let words = |message: &str, hint: &str| (message.to_string(), hint.to_string());
    assert_eq!(
        refusal("'<f8'", "(4,)", 32),
        words("the array has 1 axes, a table has 2", "save an array of shape (rows, columns)")
    );
    let float = "save it with `numpy.save(file, array.astype(float))`";
    assert_eq!(refusal("'<U2'", "(2, 2)", 32), words("the array holds '<U2', not numbers", float));
    assert_eq!(refusal("'<M8[ns]'", "(2, 2)", 32), words("the array holds '<M8[ns]', not numbers", float));
    assert_eq!(refusal("'|O'", "(2, 2)", 32), words("the array holds '|O', not numbers", float));
    let damaged = "check that the extension fits the contents and that the file is complete";
    assert_eq!(
        refusal("'<f8'", "(9, 2)", 32),
        words("not a readable NumPy file: it promises 9 × 2 values and ends before", damaged)
    );
    // The product of the shape overflows inside the decoder.
    assert_eq!(refusal("'<f8'", "(9223372036854775807, 4)", 32).1, damaged);
    assert_eq!(
        refusal("'<f8'", "(0, 2)", 0),
        words(
            "the array has shape (0, 2), so it is empty",
            "save an array with two or more rows and columns"
        )
    );
}

/// Finite numbers of all sizes.
fn finite() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    NORMAL | SUBNORMAL | ZERO | POSITIVE | NEGATIVE
}

/// Tables whose names may need quotes.
fn tables() -> impl Strategy<Value = (Vec<String>, Vec<f64>)> {
    (2usize..6, 2usize..12).prop_flat_map(|(d, n)| {
        let names = proptest::collection::vec("[a-z ,;.\"\t'0-9é]{0,6}", d)
            .prop_map(|middles| middles.iter().enumerate().map(|(j, m)| format!("v{m}{j}")).collect());
        (names, proptest::collection::vec(finite(), n * d))
    })
}

/// Whether a file of this name and content is read or refused in an orderly way.
fn survives(name: &str, bytes: &[u8]) -> bool {
    match read(name, bytes) {
        Ok(table) => table.sample.rows() >= 2,
        Err(error) => error.is_input() && error.to_string().contains(name) && error.hint().is_some(),
    }
}

proptest! {
    #[test]
    fn any_finite_table_reads_back_bit_by_bit((names, values) in tables(), which in 0usize..4) {
        let (file, delimiter) = [("t.csv", b','), ("t.csv", b';'), ("t.txt", b'\t'), ("t.tsv", b'\t')][which];
        let sample = Sample::new(names, values).unwrap();
        prop_assume!(sample.check_informative().is_ok());
        let mut text = Vec::new();
        write_delimited(sample.names(), sample.values(), delimiter, &mut text).unwrap();
        let back = read(file, &text).unwrap().sample;
        prop_assert_eq!(back.names(), sample.names());
        let bits = |sample: &Sample| sample.values().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&back), bits(&sample));
    }

    #[test]
    fn random_bytes_never_panic(bytes: Vec<u8>, text in "[0-9a-c.,;\"\t\r\n -]{0,80}") {
        for name in ["t.csv", "t.tsv", "t.txt", "t.npy", "t.parquet"] {
            prop_assert!(survives(name, &bytes));
            prop_assert!(survives(name, text.as_bytes()));
        }
    }

    #[test]
    fn damaged_arrays_never_panic(at in 0usize..10_000, byte: u8) {
        let mut bytes = npy_bytes(&sample());
        let length = bytes.len();
        // Half of the damage goes to the header, which is a small part of the file.
        bytes[if at % 2 == 0 { at % 128 } else { at % length }] = byte;
        let _ = read("t.npy", &bytes);
    }
}

#[test]
fn a_single_row_can_be_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.csv");
    std::fs::write(&path, "a,b\n1,1\n").unwrap();
    let rows = oslow_data::open_observations(&path.display().to_string(), &ReadOptions::default()).unwrap();
    assert_eq!((rows.names.join(" "), rows.values), ("a b".into(), vec![1.0, 1.0]));
}
