//! One client: compiled wasm in, the script and the small wasm that a page loads out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use wasm_bindgen_cli_support::Bindgen;

use crate::Mode;
use crate::site::hash;
use crate::snip::snip;

/// Changed whenever this tool would make other files from the same wasm.
const RECIPE: &str = "3";

/// Names the versions of wasm-opt and esbuild.
const TOOLS: &[u8] = include_bytes!("../package-lock.json");

/// The names of a client's two files under `pkg/`.
#[derive(Clone, Serialize, Deserialize)]
pub struct ClientFiles {
    pub js: String,
    pub wasm: String,
}

/// A client that is ready for the site.
pub enum Client {
    /// Made before from the same wasm; its files are in place.
    Unchanged {
        files: ClientFiles,
        snippets: Option<String>,
    },
    /// Has to be written, then remembered.
    Made(Made),
}

pub struct Made {
    pub name: &'static str,
    pub js: String,
    pub wasm: Vec<u8>,
    /// Scripts that the client's crates bring along: path below the snippet folder, text.
    pub snippets: Vec<(PathBuf, String)>,
    pub memory: PathBuf,
    pub source: String,
}

/// What was made last time and from what, kept outside the served folder.
#[derive(Serialize, Deserialize)]
struct Memory {
    source: String,
    files: ClientFiles,
    snippets: Option<String>,
}

/// Runs wasm-bindgen (for `<script type="module">`, no TypeScript) and wasm-opt over `input`,
/// unless the files of an earlier run under `site` were made from the same bytes with the same tools.
pub fn make(name: &'static str, input: &Path, mode: Mode, site: &Path) -> Result<Client> {
    let bytes = fs::read(input).with_context(|| format!("{} was not built", input.display()))?;
    let mode_name = if mode == Mode::Dev { "dev" } else { "release" };
    let source = format!("{RECIPE}-{mode_name}-{}-{}", hash(TOOLS), hash(&bytes));
    let memory = PathBuf::from(format!("target/bundle/{name}.json"));
    if let Some(client) = remembered(&memory, &source, site) {
        return Ok(client);
    }

    let bytes = match mode {
        Mode::Release => snip(&bytes).with_context(|| input.display().to_string())?,
        Mode::Dev => bytes,
    };
    let mut output = Bindgen::new()
        .input_bytes(name, bytes)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(false)
        .debug(mode == Mode::Dev)
        .remove_name_section(mode == Mode::Release)
        .remove_producers_section(true)
        .generate_output()
        .with_context(|| format!("wasm-bindgen refused {}", input.display()))?;
    let snippets = snippets(&output);
    let mut js = output.js().to_owned();
    let mut wasm = output.wasm_mut().emit_wasm();
    if mode == Mode::Release {
        wasm = optimize(name, &wasm)?;
        js = minify(name, &js)?;
    }
    Ok(Client::Made(Made {
        name,
        js,
        wasm,
        snippets,
        memory,
        source,
    }))
}

fn remembered(memory: &Path, source: &str, site: &Path) -> Option<Client> {
    let memory: Memory = serde_json::from_slice(&fs::read(memory).ok()?).ok()?;
    let pkg = site.join("pkg");
    let in_place = memory.source == source
        && pkg.join(&memory.files.js).is_file()
        && pkg.join(&memory.files.wasm).is_file()
        && memory
            .snippets
            .as_ref()
            .is_none_or(|folder| pkg.join(folder).is_dir());
    in_place.then_some(Client::Unchanged {
        files: memory.files,
        snippets: memory.snippets,
    })
}

impl Made {
    /// Writes down what the files were made from, so that the next run need not make them.
    pub fn remember(&self, files: &ClientFiles, snippets: Option<String>) -> Result<()> {
        let memory = Memory {
            source: self.source.clone(),
            files: files.clone(),
            snippets,
        };
        fs::create_dir_all(self.memory.parent().expect("the memory lies in a folder"))?;
        fs::write(&self.memory, serde_json::to_vec_pretty(&memory)?)?;
        Ok(())
    }
}

fn snippets(output: &wasm_bindgen_cli_support::Output) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for (module, texts) in output.snippets() {
        for (number, text) in texts.iter().enumerate() {
            found.push((
                PathBuf::from(module).join(format!("inline{number}.js")),
                text.clone(),
            ));
        }
    }
    for (path, text) in output.local_modules() {
        found.push((PathBuf::from(path), text.clone()));
    }
    found.sort();
    found
}

/// The script that wasm-bindgen wrote, without its comments and long names.
fn minify(name: &str, script: &str) -> Result<String> {
    let input = PathBuf::from(format!("target/bundle/{name}.in.js"));
    fs::write(&input, script)?;
    let output = Command::new("tools/bundle/node_modules/.bin/esbuild")
        .args(["--minify", "--format=esm", "--log-level=warning"])
        .arg(&input)
        .output()
        .context("esbuild could not be started")?;
    ensure!(
        output.status.success(),
        "esbuild failed on the {name} client: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::remove_file(&input)?;
    Ok(String::from_utf8(output.stdout)?)
}

fn optimize(name: &str, wasm: &[u8]) -> Result<Vec<u8>> {
    let folder = PathBuf::from("target/bundle");
    fs::create_dir_all(&folder)?;
    let input = folder.join(format!("{name}.in.wasm"));
    let output = folder.join(format!("{name}.out.wasm"));
    fs::write(&input, wasm)?;
    let status = Command::new("node")
        .arg("tools/bundle/node_modules/binaryen/bin/wasm-opt")
        // Each pass finds what the one before has laid open.
        .args(["-Oz", "--flatten", "--rereloop", "-Oz", "-Oz"])
        .arg(&input)
        .arg("-o")
        .arg(&output)
        .status()
        .context("node could not be started")?;
    ensure!(
        status.success(),
        "wasm-opt failed on the {name} client; tools/setup installs it anew"
    );
    let optimized = fs::read(&output)?;
    fs::remove_file(&input)?;
    fs::remove_file(&output)?;
    Ok(optimized)
}
