//! Virtual environments for the Python programs that ours is compared with.

use std::path::{Path, PathBuf};

use crate::shell::{Program, root, target};

/// The Python of the environment `target/<name>`, with exactly these requirements. It is made again only when they change.
pub fn environment(name: &str, requirements: &str) -> Result<PathBuf, String> {
    let folder = target().join(name);
    let wanted = read(&root().join(requirements))?;
    let ready = folder.join("ready");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if python.exists() && std::fs::read_to_string(&ready).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    // What is half installed is not there.
    let _ = std::fs::remove_file(&ready);
    Program::new("python3", &["-m", "venv", "--clear", &folder.to_string_lossy()])
        .run()
        .map_err(|e| format!("{e}\nPython 3.10 or newer with `venv` is needed for this step"))?;
    Program::new(&python, &["-m", "pip", "install", "--quiet", "-r", requirements]).run()?;
    std::fs::write(&ready, wanted).map_err(|e| format!("cannot write `{}`: {e}", ready.display()))?;
    Ok(python)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read `{}`: {e}", path.display()))
}
