//! Workbooks that Python wrote (`fixtures/workbooks/make.py`) against the same tables as text, and damaged ones.

#![cfg(feature = "xlsx")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::io::{Cursor, Write};
use std::path::PathBuf;

use oslow_data::{Missing, ReadOptions, Result, Sample, Table, read_table};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/workbooks").join(name)
}

fn with_gaps() -> ReadOptions {
    ReadOptions { missing: Missing::Impute, ..ReadOptions::default() }
}

/// Reads a workbook of these bytes.
fn read(bytes: &[u8], options: &ReadOptions) -> Result<Table> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.xlsx");
    std::fs::write(&path, bytes).unwrap();
    read_table(&path, options)
}

/// What the table of a workbook must equal.
fn same(workbook: &Table, text: &Table) {
    let (a, b) = (&workbook.sample, &text.sample);
    assert_eq!((a.names(), a.values()), (b.names(), b.values()));
    let gaps = |sample: &Sample| {
        let cells = (0..sample.rows()).flat_map(|i| (0..sample.columns()).map(move |j| (i, j)));
        cells.map(|(i, j)| sample.is_gap(i, j)).collect::<Vec<bool>>()
    };
    assert_eq!(gaps(a), gaps(b));
    assert_eq!((a.labels(1), a.type_of(1)), (b.labels(1), b.type_of(1)));
}

fn notes(table: &Table) -> Vec<&str> {
    table.notes.iter().map(|note| note.text.as_str()).collect()
}

#[test]
fn workbooks_of_others_are_read_as_the_same_tables_in_text() {
    for name in ["clinic", "from_1904"] {
        let workbook = read_table(&fixture(&format!("{name}.xlsx")), &with_gaps()).unwrap();
        let text = read_table(&fixture(&format!("{name}.csv")), &with_gaps()).unwrap();
        same(&workbook, &text);
        assert_eq!(workbook.sample.names()[..3], ["visit", "treated", "body weight (kg)"]);
        assert_eq!(
            (workbook.sample.labels(1), workbook.sample.rows()),
            (&["FALSE", "TRUE"].map(String::from)[..], 40)
        );
    }
}

#[test]
fn the_first_sheet_is_read_where_none_is_named() {
    let table = read_table(&fixture("clinic.xlsx"), &with_gaps()).unwrap();
    assert_eq!(
        notes(&table)[..3],
        [
            "read the first of 2 sheets, `Clinic data`",
            "passed over a title above the header: `Study 12, Bern`",
            "left out 1 column without names and values",
        ]
    );
    let sheet = |name: &str| {
        let options = ReadOptions { sheet: Some(name.into()), ..ReadOptions::default() };
        read_table(&fixture("clinic.xlsx"), &options)
    };
    let other = sheet("Other sheet").unwrap();
    assert_eq!((other.sample.names(), other.sample.rows()), (&["a", "b"].map(String::from)[..], 29));
    let refused = sheet("Othersheet").unwrap_err();
    assert!(refused.to_string().ends_with("clinic.xlsx: there is no sheet `Othersheet`"), "{refused}");
    assert_eq!(refused.hint().unwrap(), "did you mean `Other sheet`?");
}

#[test]
fn rows_are_counted_as_excel_counts_them() {
    let refused = read_table(&fixture("clinic.xlsx"), &ReadOptions::default()).unwrap_err().to_string();
    // The title, an empty row and the header stand above the fifth row of data.
    assert!(
        refused.ends_with("clinic.xlsx: row 8, column `age`: the value is missing (`#N/A`)"),
        "{refused}"
    );
}

/// A workbook of one sheet with this content.
fn workbook(sheet: &str) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relations = "http://schemas.openxmlformats.org/package/2006/relationships";
    let related = |id: &str, kind: &str, target: &str| {
        format!(
            "<Relationships xmlns=\"{relations}\"><Relationship Id=\"{id}\" Type=\"{office}/{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let files = [
        ("_rels/.rels", related("r1", "officeDocument", "xl/workbook.xml")),
        ("xl/_rels/workbook.xml.rels", related("r1", "worksheet", "worksheets/sheet1.xml")),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                "<worksheet xmlns=\"{main}\"><dimension ref=\"A1:XFD1048576\"/><sheetData>{sheet}</sheetData></worksheet>"
            ),
        ),
    ];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn refusal(bytes: &[u8]) -> String {
    read(bytes, &ReadOptions::default()).unwrap_err().to_string()
}

#[test]
fn a_sheet_that_claims_every_cell_takes_no_memory_for_them() {
    let cells = "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>a</v></c><c r=\"XFD1\" t=\"str\"><v>b</v></c></row>\
                 <row r=\"2\"><c r=\"A2\"><v>1.5</v></c><c r=\"XFD2\"><v>2</v></c></row>\
                 <row r=\"1048576\"><c r=\"A1048576\"><v>3</v></c><c r=\"XFD1048576\"><v>7</v></c></row>";
    let table = read(&workbook(cells), &ReadOptions::default()).unwrap();
    assert_eq!(table.sample.values(), [1.5, 2.0, 3.0, 7.0]);
}

#[test]
fn a_bomb_is_refused() {
    let bomb = workbook(&" ".repeat(70 << 20));
    assert!(bomb.len() < 1 << 20);
    let refused = refusal(&bomb);
    assert!(refused.contains("the file unpacks to more than "), "{refused}");
}

#[test]
fn damaged_workbooks_are_refused_in_words() {
    let whole = std::fs::read(fixture("clinic.xlsx")).unwrap();
    for length in (0..whole.len()).step_by(97) {
        assert!(refusal(&whole[..length]).contains("not a readable Excel file: "), "{length}");
    }
    for at in (0..whole.len()).step_by(53) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        // Some bytes do not matter.
        if let Err(refused) = read(&damaged, &with_gaps()) {
            assert!(refused.is_input(), "{at}: {refused}");
        }
    }
    let empty = refusal(&workbook(""));
    assert!(empty.ends_with("t.xlsx: the file is empty"), "{empty}");
}
