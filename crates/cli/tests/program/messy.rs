//! Tables as people have them, through the program: an answer, or one message.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::home::{Home, outcome};

const ROWS: usize = 40;

/// Age, weight and sugar of a row, in hundredths.
fn row(k: usize) -> [i64; 3] {
    let noise = |j: usize| ((k * 37 + j * 101 + k * k * (7 + j)) % 89) as i64 * 20;
    let age = 2000 + noise(0);
    [age, age / 2 + noise(1) / 4 + 3000, 400 + noise(2)]
}

/// Hundredths with a decimal sign.
fn written(number: i64, decimal: char) -> String {
    format!("{}{decimal}{:02}", number / 100, number % 100)
}

/// Rows of numbers as text.
fn rows(delimiter: &str, decimal: char) -> Vec<String> {
    (0..ROWS).map(|k| row(k).map(|number| written(number, decimal)).join(delimiter)).collect()
}

fn lines(header: &str, rows: &[String]) -> String {
    format!("{header}\n{}\n", rows.join("\n"))
}

/// Warnings about a table, and what the program prints of it. The last two lines say what ran.
fn answer(home: &Home, line: &str) -> (Vec<String>, String) {
    let (code, out, err) = home.run(line);
    assert_eq!(code, 0, "oslow {line}\n{err}");
    let warnings = err.lines().filter_map(|line| line.strip_prefix("warning: ")).map(String::from).collect();
    (warnings, out)
}

/// The answer about a file with this content.
fn about(bytes: &[u8], options: &str) -> (Vec<String>, String) {
    let home = Home::new();
    std::fs::write(home.path("t.csv"), bytes).unwrap();
    answer(&home, &format!("discover t.csv --method r2-sort --prune none --json {options}"))
}

/// The plain table, in JSON, with these names in place of its own.
fn plain(names: [&str; 3]) -> String {
    let text = lines(&names.map(|name| format!("\"{name}\"")).join(","), &rows(",", '.'));
    about(text.as_bytes(), "").1
}

/// Without what differs from call to call.
fn stripped(json: &str) -> String {
    json.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n")
}

fn same_as_plain(bytes: &[u8], names: [&str; 3], warnings: &[&str]) {
    let (said, out) = about(bytes, "");
    assert_eq!(said, warnings);
    assert_eq!(stripped(&out), stripped(&plain(names)));
}

const NAMES: [&str; 3] = ["age", "weight", "sugar"];

#[test]
fn semicolons_and_decimal_commas() {
    same_as_plain(lines("age;weight;sugar", &rows(";", ',')).as_bytes(), NAMES, &[]);
}

#[test]
fn a_byte_order_mark() {
    same_as_plain(lines("\u{feff}age,weight,sugar", &rows(",", '.')).as_bytes(), NAMES, &[]);
}

#[test]
fn quoted_decimal_commas() {
    let quoted: Vec<String> =
        (0..ROWS).map(|k| row(k).map(|number| format!("\"{}\"", written(number, ','))).join(",")).collect();
    same_as_plain(lines("\"age\",\"weight\",\"sugar\"", &quoted).as_bytes(), NAMES, &[]);
}

#[test]
fn latin_1_and_utf_16() {
    let text = lines("größe;gewicht;zucker", &rows(";", ','));
    let names = ["größe", "gewicht", "zucker"];
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    same_as_plain(&latin, names, &["not UTF-8: read as Windows-1252 (Latin-1)"]);
    let units = || std::iter::once(0xfeff).chain(text.encode_utf16());
    let utf_16 = &["not UTF-8: read as UTF-16"];
    same_as_plain(&units().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(), names, utf_16);
    same_as_plain(&units().flat_map(u16::to_be_bytes).collect::<Vec<u8>>(), names, utf_16);
}

#[test]
fn an_index_and_row_names() {
    let unnamed = "left out the first column: it has no name and names the rows";
    let named = |start: fn(usize) -> String| -> Vec<String> {
        rows(",", '.').iter().enumerate().map(|(k, row)| format!("{},{row}", start(k))).collect()
    };
    // pandas, R's write.csv and R's write.table.
    same_as_plain(lines(",age,weight,sugar", &named(|k| k.to_string())).as_bytes(), NAMES, &[unnamed]);
    same_as_plain(
        lines("\"\",age,weight,sugar", &named(|k| format!("\"r{k}\""))).as_bytes(),
        NAMES,
        &[unnamed],
    );
    same_as_plain(lines("age,weight,sugar", &named(|k| format!("\"r{k}\""))).as_bytes(), NAMES, &[unnamed]);
    let id = "left out `patient_id`: it numbers the rows";
    same_as_plain(
        lines("patient_id,age,weight,sugar", &named(|k| (k + 1).to_string())).as_bytes(),
        NAMES,
        &[id],
    );
    let (said, _) = about(lines("turn,age,weight,sugar", &named(|k| (k + 1).to_string())).as_bytes(), "");
    assert_eq!(
        said[0],
        "`turn` counts the rows by one; if it only numbers them, leave it out with `--index turn`"
    );
}

#[test]
fn an_export_of_excel_with_a_title_and_empty_rows_and_columns() {
    let filled: Vec<String> = rows(";", ',').iter().map(|row| format!("{row};;")).collect();
    let text =
        format!("Study 12, Bern;;;;\n;;;;\n{}{}", lines("age;weight;sugar;;", &filled), ";;;;\n".repeat(5));
    same_as_plain(
        text.as_bytes(),
        NAMES,
        &[
            "passed over a title above the header: `Study 12, Bern`",
            "left out 2 columns without names and values",
            "passed over 5 empty rows",
        ],
    );
    let trailing: Vec<String> = rows(",", '.').iter().map(|row| format!("{row},")).collect();
    same_as_plain(lines("age,weight,sugar", &trailing).as_bytes(), NAMES, &[]);
}

#[test]
fn comments_titles_and_lines_to_skip() {
    let table = lines("age,weight,sugar", &rows(",", '.'));
    let comments = |n: usize| {
        format!("passed over {n} line{} of comments above the table", if n == 1 { "" } else { "s" })
    };
    same_as_plain(format!("# by hand\n# 2024\n{table}# end\n").as_bytes(), NAMES, &[&comments(2)]);
    same_as_plain(format!("# {table}").as_bytes(), NAMES, &[&comments(1)]);
    same_as_plain(
        format!("My study\n\n{table}").as_bytes(),
        NAMES,
        &["passed over a title above the header: `My study`"],
    );
    let (said, out) = about(format!("% by hand\n{table}% end\n").as_bytes(), "--comment %");
    assert_eq!((said, stripped(&out)), (vec![comments(1)], stripped(&plain(NAMES))));
    let (said, out) = about(format!("made on,Monday,by hand\n1,2\n{table}").as_bytes(), "--skip 2");
    assert_eq!((said, stripped(&out)), (vec![], stripped(&plain(NAMES))));
}

#[test]
fn a_row_of_units_and_a_name_of_two_lines() {
    let text = lines("age [years],\"weight\n(kg)\",sugar\nyears,kg,mmol/l", &rows(",", '.'));
    same_as_plain(
        text.as_bytes(),
        ["age [years]", "weight (kg)", "sugar"],
        &[
            "line breaks in names became spaces: `weight (kg)`",
            "passed over line 3, which holds units (years, kg, mmol/l)",
        ],
    );
}

#[test]
fn separators_of_thousands() {
    let thousands = |number: i64| format!("\"{},{:03}\"", number / 1000, number % 1000);
    let separated: Vec<String> =
        (0..ROWS).map(|k| row(k).map(|number| thousands(number + 1000)).join(",")).collect();
    let whole: Vec<String> =
        (0..ROWS).map(|k| row(k).map(|number| (number + 1000).to_string()).join(",")).collect();
    let read = |rows: &[String]| about(lines("age,weight,sugar", rows).as_bytes(), "");
    let (separated, whole) = (read(&separated), read(&whole));
    assert_eq!((separated.0, stripped(&separated.1)), (whole.0, stripped(&whole.1)));
}

#[test]
fn words_and_dates() {
    let home = Home::new();
    let messy = |k: usize, row: &String| {
        format!(
            "{},{},2024-{:02}-{:02},{row}",
            ["f", "m"][k * 7 % 5 % 2],
            ["Bern", "Köln", "Wien"][k % 3],
            k % 12 + 1,
            k % 28 + 1
        )
    };
    let all: Vec<String> = rows(",", '.').iter().enumerate().map(|(k, row)| messy(k, row)).collect();
    home.write("t.csv", &lines("sex,site,when,age,weight,sugar", &all));
    let quick = "discover t.csv --prune likelihood --set confidence.draws=0 --columns sex,site,when,age";
    let (said, out) = answer(&home, quick);
    assert_eq!(said[0], "`when` holds dates: read as days since 1970-01-01");
    assert!(
        said[1].starts_with("types detected: `sex` (binary), `site` (categorical, 3 levels)"),
        "{said:?}"
    );
    assert!(out.starts_with("order "), "{out}");
}

#[test]
fn markers_and_codes_of_missing_values() {
    let home = Home::new();
    let markers = ["NA", "", "n/a", "-", "#N/A", "?", "#DIV/0!"];
    let gap = |k: usize, row: &String| match k % 9 {
        0 => format!("{},{}", markers[k / 9], row.split_once(',').unwrap().1),
        _ => row.clone(),
    };
    let all: Vec<String> = rows(",", '.').iter().enumerate().map(|(k, row)| gap(k, row)).collect();
    home.write("t.csv", &lines("age,weight,sugar", &all));
    let quick = "discover t.csv --method r2-sort --prune none";
    let (code, _, err) = home.run(quick);
    assert_eq!(
        (code, err.lines().next()),
        (2, Some("error: t.csv: line 2, column `age`: the value is missing (`NA`)"))
    );
    let dropped = "dropped 5 of 40 rows: values are missing or infinite";
    let (said, out) = answer(&home, &format!("{quick} --missing drop-rows --json"));
    assert_eq!(said, [dropped]);

    let code = |text: String| {
        markers
            .iter()
            .filter(|marker| !marker.is_empty())
            .fold(text, |text, marker| text.replace(&format!("\n{marker},"), "\n-999,"))
    };
    home.write("t.csv", &code(home.read("t.csv")).replace("\n,", "\n-999,"));
    let (said, wrong) = answer(&home, &format!("{quick} --json"));
    assert_eq!(
        said,
        [
            "values far from all others may stand for missing ones: `age` has -999 5 times (the rest: 20.4 to 37.4); \
          if so, pass `--missing-values=-999` and `--missing auto`"
        ]
    );
    assert_ne!(stripped(&wrong), stripped(&out));
    let (said, right) = answer(&home, &format!("{quick} --json --missing-values=-999 --missing drop-rows"));
    assert_eq!((said, stripped(&right)), (vec![dropped.to_string()], stripped(&out)));
}

#[test]
fn names_that_are_numbers() {
    let text = lines("2019,2020,2021", &rows(",", '.'));
    let (said, _) = about(text.as_bytes(), "");
    assert_eq!(
        said[0],
        "no header found: the columns are named X0 to X2; if the first line (`2019,2020,2021`) holds names, pass `--header`"
    );
    let (said, out) = about(text.as_bytes(), "--header");
    let named = NAMES
        .iter()
        .zip(["2019", "2020", "2021"])
        .fold(plain(NAMES), |json, (name, year)| json.replace(name, year));
    assert_eq!((said, stripped(&out)), (vec![], stripped(&named)));
}

#[test]
fn rows_are_chosen_by_a_column() {
    let home = Home::new();
    let sited: Vec<String> = rows(",", '.')
        .iter()
        .enumerate()
        .map(|(k, row)| format!("{},{row}", ["Bern", "Wien"][k % 2]))
        .collect();
    let of_bern: Vec<String> = rows(",", '.').into_iter().step_by(2).collect();
    home.write("t.csv", &lines("site,age,weight,sugar", &sited));
    home.write("bern.csv", &lines("age,weight,sugar", &of_bern));
    let quick = "--method r2-sort --prune none --json";
    let (said, out) = answer(&home, &format!("discover t.csv {quick} --where site=Bern --out run"));
    assert_eq!(
        said,
        ["kept 20 of 40 rows: `site=Bern`", "left out `site`: it is the same in all rows that were kept"]
    );
    let without_name = |json: &str| stripped(json).replace("t.csv", "").replace("bern.csv", "");
    assert_eq!(without_name(&out), without_name(&answer(&home, &format!("discover bern.csv {quick}")).1));
    // The rule stands in the configuration, so that the run can be repeated.
    assert!(home.read("run/config.toml").contains("where = [\"site=Bern\"]"));
    assert_eq!(stripped(&answer(&home, "discover --config run/config.toml --json").1), stripped(&out));
    let (said, _) = answer(
        &home,
        &format!("discover t.csv {quick} --columns age,weight --where site!=Bern --where age>30"),
    );
    assert_eq!(said[0].split_once(':').unwrap().1, " `site!=Bern`, `age>30`");
    for (filter, words) in [
        ("site=Brn", "error: t.csv: no row has `site=Brn`\nhint: did you mean `Bern`?\n"),
        ("site=Rome", "error: t.csv: no row has `site=Rome`\nhint: the values of `site` are: Bern, Wien\n"),
        ("sites=Bern", "error: t.csv: there is no column `sites`\nhint: did you mean `site`?\n"),
        ("age>99", "error: t.csv: no row has `age>99`\nhint: `age` lies between 20 and 37.4\n"),
    ] {
        let (code, out, err) = home.run(&format!("discover t.csv {quick} --where {filter}"));
        assert_eq!((code, out.as_str(), err.as_str()), (2, "", words), "{filter}");
    }
}

/// The program with bytes on its standard input.
fn piped(home: &Home, line: &str, bytes: &[u8]) -> (i32, String, String) {
    let mut child = home
        .command(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    let output: Output = child.wait_with_output().unwrap();
    outcome(&output)
}

#[test]
fn standard_input_and_packed_files() {
    let home = Home::new();
    let text = lines("age,weight,sugar", &rows(",", '.'));
    home.write("t.csv", &text);
    let quick = "--method r2-sort --prune none --json";
    let expected = answer(&home, &format!("discover t.csv {quick}")).1;
    let same = |json: &str| assert_eq!(stripped(json).replace("\"-\"", "\"t.csv\""), stripped(&expected));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    std::fs::write(home.path("t.csv.gz"), &packed).unwrap();
    same(&answer(&home, &format!("discover t.csv.gz {quick}")).1.replace("t.csv.gz", "t.csv"));
    for bytes in [text.as_bytes(), &packed] {
        let (code, out, err) = piped(&home, &format!("discover - {quick}"), bytes);
        assert_eq!((code, err.as_str()), (0, "standard input: 40 rows, 3 columns\n"));
        same(&out);
    }

    assert_eq!(piped(&home, &format!("discover - {quick} --out run"), text.as_bytes()).0, 0);
    let config = home.read("run/config.toml");
    assert!(config.starts_with("# The table came from standard input and is not kept."), "{config}");
    assert!(home.read("run/report.html").contains("A table from standard input"));
    let (code, out, _) = piped(&home, "discover --config run/config.toml --json", text.as_bytes());
    assert_eq!(code, 0);
    same(&out);
    let (code, out, err) = piped(&home, &format!("discover - {quick} --out run --resume"), text.as_bytes());
    assert_eq!(code, 0, "{err}");
    same(&out);
    let other = lines("age,weight,sugar", &rows(",", '.')[..30]);
    let (code, _, err) = piped(&home, &format!("discover - {quick} --out run --resume"), other.as_bytes());
    assert!(code == 2 && err.contains("the finished run was of other data"), "{err}");
    let (code, out, err) = piped(&home, &format!("discover - {quick}"), b"");
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(err, "error: standard input: nothing came in\nhint: pipe a table in, or name its file\n");
}

#[test]
fn an_order_is_read_back_from_its_file() {
    let home = Home::new();
    home.write("t.csv", &lines("\"age, years\",\"body \"\"w\"\"\",sugar", &rows(",", '.')));
    home.succeed("discover t.csv --method r2-sort --prune none --out run --quiet");
    let order = home.read("run/order.txt");
    assert!(order.lines().any(|line| line == "\"age, years\"") && order.lines().count() == 3, "{order}");
    let pruned = |order: &str| {
        let output = home.command("prune t.csv --prune none --json --order").arg(order).output().unwrap();
        stripped(&outcome(&output).1)
    };
    let from_folder = pruned("run");
    assert!(from_folder.contains("\"age, years\""), "{from_folder}");
    assert_eq!(pruned("run/order.txt"), from_folder);
    assert_eq!(pruned(&order.trim_end().replace('\n', ",")), from_folder);
}
