//! The served folder: writes files with their compressed forms and removes what is no longer named.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::client::{Client, ClientFiles};
use crate::{Manifest, Mode};

/// Hex digits of a content hash in a file name: 64 bits, far beyond any chance meeting.
const HASH_DIGITS: usize = 16;

/// Public files of these kinds shrink; pictures and fonts are compressed already.
const COMPRESSIBLE: [&str; 6] = ["css", "js", "json", "svg", "txt", "webmanifest"];

/// The folder `target/site` during one run.
pub struct Site {
    root: PathBuf,
    mode: Mode,
    /// Every file of this run, relative to `root`; all others are of earlier runs.
    current: BTreeSet<PathBuf>,
}

/// The content hash that goes into file names.
pub fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits[..HASH_DIGITS].to_owned()
}

impl Site {
    pub fn open(root: impl Into<PathBuf>, mode: Mode) -> Result<Self> {
        let root = root.into();
        fs::create_dir_all(root.join("pkg"))?;
        Ok(Self {
            root,
            mode,
            current: BTreeSet::new(),
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn size_bytes(&self, path: &str) -> Result<u64> {
        Ok(fs::metadata(self.root.join(path))?.len())
    }

    /// Stores `bytes` as `pkg/STEM.HASH.EXTENSION` and says the name.
    pub fn add_hashed(&mut self, stem: &str, extension: &str, bytes: &[u8]) -> Result<String> {
        let name = format!("{stem}.{}.{extension}", hash(bytes));
        self.add(Path::new("pkg").join(&name), bytes, true)?;
        Ok(name)
    }

    /// Stores a client's files. The script names its wasm and its snippets, so those come first.
    pub fn add_client(&mut self, client: Client) -> Result<ClientFiles> {
        let made = match client {
            Client::Unchanged { files, snippets } => {
                self.keep(&files, snippets.as_deref())?;
                return Ok(files);
            }
            Client::Made(made) => made,
        };
        let wasm = format!("{}.{}_bg.wasm", made.name, hash(&made.wasm));
        self.add(Path::new("pkg").join(&wasm), &made.wasm, true)?;

        let mut js = made.js.replace(&format!("{}_bg.wasm", made.name), &wasm);
        anyhow::ensure!(js.contains(&wasm), "the {} script names no wasm", made.name);
        let mut folder = None;
        if !made.snippets.is_empty() {
            let all: String = made
                .snippets
                .iter()
                .map(|(_, text)| text.as_str())
                .collect();
            let name = format!("snippets.{}", hash(all.as_bytes()));
            for (path, text) in &made.snippets {
                self.add(
                    Path::new("pkg").join(&name).join(path),
                    text.as_bytes(),
                    true,
                )?;
            }
            js = js.replace("./snippets/", &format!("./{name}/"));
            folder = Some(name);
        }
        let js = self.add_hashed(made.name, "js", js.as_bytes())?;
        let files = ClientFiles { js, wasm };
        made.remember(&files, folder)?;
        Ok(files)
    }

    /// Copies everything under `folder` to the top of the site.
    pub fn add_public(&mut self, folder: &str) -> Result<()> {
        let folder = Path::new(folder);
        if !folder.is_dir() {
            return Ok(());
        }
        for path in files_below(folder)? {
            let below = path
                .strip_prefix(folder)
                .expect("found below the folder")
                .to_owned();
            let kind = below
                .extension()
                .and_then(|kind| kind.to_str())
                .unwrap_or("");
            self.add(
                below.clone(),
                &fs::read(&path)?,
                COMPRESSIBLE.contains(&kind),
            )?;
        }
        Ok(())
    }

    /// Makes the new names current, then removes the files of earlier runs.
    pub fn finish(&mut self, manifest: &Manifest) -> Result<()> {
        let text = serde_json::to_vec_pretty(manifest)?;
        self.add(PathBuf::from("pkg/manifest.json"), &text, false)?;
        for path in files_below(&self.root)? {
            let below = path.strip_prefix(&self.root).expect("found below the root");
            if !self.current.contains(below) {
                fs::remove_file(&path).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }

    /// Takes an unchanged client's files over into this run.
    fn keep(&mut self, files: &ClientFiles, snippets: Option<&str>) -> Result<()> {
        let pkg = self.root.join("pkg");
        let mut kept = vec![pkg.join(&files.js), pkg.join(&files.wasm)];
        if let Some(folder) = snippets {
            kept.extend(
                files_below(&pkg.join(folder))?
                    .into_iter()
                    .filter(|path| !is_packed(path)),
            );
        }
        for path in kept {
            let below = path
                .strip_prefix(&self.root)
                .expect("lies below the root")
                .to_owned();
            self.note(below, true);
        }
        Ok(())
    }

    fn add(&mut self, below: PathBuf, bytes: &[u8], compressible: bool) -> Result<()> {
        let path = self.root.join(&below);
        let packed = compressible && self.mode == Mode::Release;
        let complete =
            !packed || (with_suffix(&path, "br").is_file() && with_suffix(&path, "gz").is_file());
        let unchanged = complete && fs::read(&path).is_ok_and(|stored| stored == bytes);
        if !unchanged {
            fs::create_dir_all(path.parent().expect("lies in a folder"))?;
            if packed {
                replace(&with_suffix(&path, "br"), &brotli(bytes)?)?;
                replace(&with_suffix(&path, "gz"), &gzip(bytes)?)?;
            }
            replace(&path, bytes)?;
        }
        self.note(below, compressible);
        Ok(())
    }

    fn note(&mut self, below: PathBuf, compressible: bool) {
        if compressible && self.mode == Mode::Release {
            self.current.insert(with_suffix(&below, "br"));
            self.current.insert(with_suffix(&below, "gz"));
        }
        self.current.insert(below);
    }
}

/// A running server may be reading the old file: it goes on reading it whole.
fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let beside = with_suffix(path, "new");
    fs::write(&beside, bytes)
        .and_then(|()| fs::rename(&beside, path))
        .with_context(|| path.display().to_string())
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

fn is_packed(path: &Path) -> bool {
    path.extension()
        .is_some_and(|kind| kind == "br" || kind == "gz")
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path)
            } else {
                files.push(path)
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The window is the largest that every browser accepts.
fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let (quality, window_bits, buffer_bytes) = (11, 24, 64 * 1024);
    let mut writer = brotli::CompressorWriter::new(Vec::new(), buffer_bytes, quality, window_bits);
    writer.write_all(bytes)?;
    Ok(writer.into_inner())
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}
