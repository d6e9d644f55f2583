//! Every way to hand in a wrong table, and the exact words of the refusal.
//!
//! `DIR` stands for the folder of the test's files.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::PathBuf;

use oslow_data::{Error, Missing, ReadOptions, open, read_table};

/// A folder with one file in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(name: &str, contents: impl AsRef<[u8]>) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        std::fs::write(folder.path(name), contents).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Message and hint of the refusal of a file.
    fn refusal(&self, name: &str, options: &ReadOptions) -> (String, String) {
        self.words(read_table(&self.path(name), options).unwrap_err())
    }

    fn words(&self, error: Error) -> (String, String) {
        assert!(error.is_input(), "{error}");
        let plain = |text: &str| text.replace(&self.0.path().display().to_string(), "DIR");
        (plain(&error.to_string()), plain(&error.hint().expect("a hint")))
    }
}

fn expect(name: &str, contents: impl AsRef<[u8]>, options: &ReadOptions, message: &str, hint: &str) {
    let words = Folder::with(name, contents).refusal(name, options);
    assert_eq!((words.0.as_str(), words.1.as_str()), (message, hint));
}

fn expect_csv(text: &str, message: &str, hint: &str) {
    expect("t.csv", text, &ReadOptions::default(), message, hint);
}

fn only(columns: &[&str]) -> ReadOptions {
    let columns = Some(columns.iter().map(ToString::to_string).collect());
    ReadOptions { columns, ..ReadOptions::default() }
}

#[test]
fn a_missing_file() {
    let folder = Folder::with("data.csv", "");
    let refused = |name: &str| folder.refusal(name, &ReadOptions::default());
    let words = |message: &str, hint: &str| (message.to_string(), hint.to_string());
    assert_eq!(refused("dta.csv"), words("there is no file `DIR/dta.csv`", "did you mean `DIR/data.csv`?"));
    assert_eq!(
        refused("sach.csv"),
        words("there is no file `DIR/sach.csv`", "did you mean the built-in data set `sachs`?")
    );
    assert_eq!(
        refused("xyz.npy"),
        words(
            "there is no file `DIR/xyz.npy`",
            "check the spelling; paths count from the folder where oslow was started"
        )
    );
    assert_eq!(
        refused("no/data.csv"),
        words("there is no folder `DIR/no`", "paths count from the folder where oslow was started")
    );
}

#[test]
fn a_bare_word() {
    let folder = Folder::with("data.csv", "");
    let refused = |name: &str| folder.words(open(name, &ReadOptions::default()).unwrap_err());
    let words = |message: &str, hint: &str| (message.to_string(), hint.to_string());
    assert_eq!(
        refused("sahcs"),
        words("`sahcs` is neither a file nor a built-in data set", "did you mean `sachs`?")
    );
    assert_eq!(
        refused("xyz"),
        words(
            "`xyz` is neither a file nor a built-in data set",
            "built-in are: sachs, sachs-conditions; a file needs its extension"
        )
    );
    assert_eq!(refused("./sachs").0, "there is no file `./sachs`");
}

#[test]
fn a_folder() {
    let folder = Folder::with("data.csv", "");
    let refused = |path: PathBuf| folder.words(read_table(&path, &ReadOptions::default()).unwrap_err());
    let hint = "name a file in it, such as `DIR/data.csv`";
    assert_eq!(refused(folder.path("")), ("`DIR/` is a folder, not a table".into(), hint.into()));
    std::fs::create_dir(folder.path("empty")).unwrap();
    let hint = "name a file: .csv, .tsv, .xlsx, .npy or .parquet";
    assert_eq!(refused(folder.path("empty")), ("`DIR/empty` is a folder, not a table".into(), hint.into()));
}

#[test]
fn an_unknown_extension() {
    let hint = "save it as one of .csv, .tsv, .txt, .xlsx, .xlsm, .npy, .parquet";
    let standard = ReadOptions::default();
    expect("t.ods", "", &standard, "DIR/t.ods: tables in the format `.ods` cannot be read", hint);
    let packed = "name it .csv.gz or .tsv.gz if it holds text; if not, unpack it first";
    expect("t.npy.gz", "", &standard, "DIR/t.npy.gz: only text tables are read from a `.gz` file", packed);
    expect("t", "", &standard, "DIR/t: the name has no extension, so its format is unknown", hint);
}

#[test]
fn nothing_to_read() {
    let hint = "a table has a line of names and a line for each row";
    expect_csv("", "DIR/t.csv: the file is empty", hint);
    expect_csv("\u{feff}\r\n  \n", "DIR/t.csv: the file is empty", hint);
    expect_csv(
        "a,b\n",
        "DIR/t.csv: the table has a header and no rows",
        "if its only line is data, pass `header = false`; an order needs many more rows",
    );
    expect_csv("a,b\n1,2\n", "DIR/t.csv: 1 row: at least 2 are needed", "pass a table with more rows");
    expect(
        "t.csv",
        "a,b\n1,2\nNA,2\n3,inf\n",
        &ReadOptions { missing: Missing::DropRows, ..ReadOptions::default() },
        "DIR/t.csv: 1 row: at least 2 are needed",
        "2 rows with missing values were dropped: leave the columns with gaps out with `columns`",
    );
}

#[test]
fn ragged_rows() {
    let hint = "repair the line; a field that contains the delimiter must stand in quotes";
    expect_csv("a,b,c\n1,2,3\n\n4,5\n", "DIR/t.csv: line 4: 2 fields, but the header (line 1) has 3", hint);
    expect_csv("1,2\n3,4\n5\n", "DIR/t.csv: line 3: 1 field, but the first row (line 1) has 2", hint);
    expect_csv(
        "a,b\n1,5,2\n2,5,4\n",
        "DIR/t.csv: line 2: 3 fields, but the header (line 1) has 2",
        "if the rows begin with a name that the header does not have, add one to it and pass `index` with it",
    );
}

#[test]
fn lines_above_the_header() {
    let hint = "if the table begins below, pass over the lines above it with `skip = 1`";
    for (below, fields) in
        [("age,dose,marker\n1,2,3\n4,5,7\n", 3), ("age,dose,marker,sex\n1,2,3,m\n4,5,7,f\n", 4)]
    {
        let message = format!("DIR/t.csv: line 2: {fields} fields, but the header (line 1) has 2");
        expect_csv(&format!("clinic,2024\n{below}"), &message, hint);
    }
}

#[test]
fn text_in_a_number_column() {
    expect_csv(
        "a,b\n1,2\n3,high\n",
        "DIR/t.csv: line 3, column `b`: `high` is not a number",
        "if the column holds categories, pass `types = b=categorical`; if not, repair the cell or leave the column out with `index = b`",
    );
    expect(
        "t.csv",
        "a;b\n1;2\n3,5;4\n",
        &ReadOptions { decimal: Some('.'), ..ReadOptions::default() },
        "DIR/t.csv: line 3, column `a`: `3,5` is not a number",
        "if that is a decimal comma, pass `decimal = ,`",
    );
    expect(
        "t.tsv",
        "a\tb\n1\t2\n3.5\t4\n",
        &ReadOptions { decimal: Some(','), ..ReadOptions::default() },
        "DIR/t.tsv: line 3, column `a`: `3.5` is not a number",
        "with `decimal = ,` numbers are written like 1,5 or 1.234,5",
    );
}

#[test]
fn missing_and_infinite_values() {
    let hint = "pass `missing = auto` to use what the other cells say, `missing = drop-rows` to leave such rows out, or repair the table";
    expect_csv("a,b\n1,2\n3,\n", "DIR/t.csv: line 3, column `b`: the value is missing", hint);
    for word in ["NA", "NaN", "nan", "null", "?"] {
        let message = format!("DIR/t.csv: line 2, column `a`: the value is missing (`{word}`)");
        expect_csv(&format!("a,b\n{word},2\n"), &message, hint);
    }
    expect_csv("a,b\n1,-inf\n", "DIR/t.csv: line 2, column `b`: -inf is not a finite number", hint);
    expect_csv("a,b\n1e999,1\n", "DIR/t.csv: line 2, column `a`: inf is not a finite number", hint);
}

#[test]
fn names_that_do_not_tell_columns_apart() {
    expect_csv(
        "a,b,a\n1,2,3\n",
        "DIR/t.csv: columns 1 and 3 are both named `a`",
        "rename one, or choose other columns with `columns`",
    );
    expect_csv(
        ",a,b\n1,2,3\n",
        "DIR/t.csv: column 1 has no name",
        "name it in the header, or leave it out with `index = `",
    );
}

#[test]
fn too_few_columns() {
    expect_csv(
        "a b c\n1 2 3\n",
        "DIR/t.csv: only one column, `a b c`: an order needs at least 2",
        "if the columns are not separated by `,` `;` or tab, say by what with `delimiter`",
    );
    let hint = "choose two or more columns with `columns`";
    let text = "a,b,c\n1,2,3\n4,5,7\n";
    expect("t.csv", text, &only(&["b"]), "DIR/t.csv: only one column, `b`: an order needs at least 2", hint);
    expect("t.csv", text, &only(&[]), "DIR/t.csv: no column is left: an order needs at least 2", hint);
}

#[test]
fn columns_that_are_not_there() {
    let text = "alpha,beta,gamma\n1,2,3\n4,5,7\n";
    let index = |name: &str| ReadOptions { index: Some(name.to_string()), ..ReadOptions::default() };
    let no_alhpa = "DIR/t.csv: there is no column `alhpa`";
    expect("t.csv", text, &only(&["alhpa", "beta"]), no_alhpa, "did you mean `alpha`?");
    expect("t.csv", text, &index("alhpa"), no_alhpa, "did you mean `alpha`?");
    expect(
        "t.csv",
        text,
        &index("id"),
        "DIR/t.csv: there is no column `id`",
        "there are: alpha, beta, gamma",
    );
    expect(
        "t.csv",
        text,
        &only(&["beta", "beta"]),
        "DIR/t.csv: column `beta` is chosen twice",
        "name each column once in `columns`",
    );
    expect(
        "t.csv",
        text,
        &ReadOptions { index: Some("beta".into()), ..only(&["alpha", "beta"]) },
        "DIR/t.csv: column `beta` is both chosen and left out",
        "take it out of `columns` or drop `index`",
    );
}

#[test]
fn columns_without_information() {
    expect_csv(
        "a,b\n1,2\n1,3\n",
        "DIR/t.csv: column `a` is constant, so it can neither be standardised nor ordered",
        "drop it, or choose the others with `columns`",
    );
    expect_csv("a,b\n1,1\n2,2\n", "DIR/t.csv: columns `a` and `b` hold the same values", "drop one of them");
}

#[test]
fn files_that_are_not_what_they_are_called() {
    let standard = ReadOptions::default();
    expect(
        "t.csv",
        b"\xc3\xa4,b\n1,2\n\xc3,3\n",
        &standard,
        "DIR/t.csv: line 3: the text is not UTF-8",
        "save the file as UTF-8",
    );
    for (start, what, hint) in [
        (&b"PAR1...."[..], "a Parquet file", "give it the extension .parquet"),
        (b"\x93NUMPY\x01\x00", "a NumPy array", "give it the extension .npy"),
        (
            b"PK\x03\x04....",
            "a zip archive or an Excel workbook",
            "give it the extension .xlsx if it is a workbook, or unpack the archive",
        ),
        (b"\x1f\x8b\x08\x00", "a gzip archive", "give it the extension .csv.gz"),
        (b"\xd0\xcf\x11\xe0", "an old Excel or Word file", "save the sheet as .xlsx or .csv"),
    ] {
        expect("t.csv", start, &standard, &format!("DIR/t.csv: this is {what}, not a text table"), hint);
    }
    let hint = "check that the extension fits the contents and that the file is complete";
    let message = "DIR/t.npy: not a readable NumPy file: it does not begin as one";
    expect("t.npy", "a,b\n1,2\n", &standard, message, hint);
}

#[test]
#[cfg(feature = "parquet")]
fn a_parquet_file_that_is_none() {
    let folder = Folder::with("t.parquet", "a,b\n1,2\n3,4\n");
    let (message, hint) = folder.refusal("t.parquet", &ReadOptions::default());
    assert!(message.starts_with("DIR/t.parquet: not a readable Parquet file: "), "{message}");
    assert_eq!(hint, "check that the extension fits the contents and that the file is complete");
}

#[test]
fn options_that_contradict_themselves() {
    let text = "a,b\n1,2\n3,5\n";
    expect(
        "t.csv",
        text,
        &ReadOptions { delimiter: Some(b','), decimal: Some(','), ..ReadOptions::default() },
        "`,` cannot be both the delimiter and the decimal sign",
        "pass another `delimiter` (such as `;`) or another `decimal`",
    );
    expect(
        "t.csv",
        text,
        &ReadOptions { decimal: Some('\''), ..ReadOptions::default() },
        "the decimal sign `'` is neither `.` nor `,`",
        "pass `decimal = .` or `decimal = ,`",
    );
    expect(
        "t.csv",
        text,
        &ReadOptions { delimiter: Some(b'"'), ..ReadOptions::default() },
        "'\"' cannot be the delimiter",
        "common delimiters are `,` `;` and tab",
    );
}
