//! Turns the two compiled clients, the styles and the public files into `target/site`, the folder
//! that the server serves.
//!
//! ```text
//! bundle [--dev] --fan FAN.wasm --staff STAFF.wasm
//! ```
//!
//! Run from the top of the repository. Every file under `pkg/` carries the hash of its content in
//! its name, so it may be cached for ever; `pkg/manifest.json` says which names are current and is
//! replaced last. Beside each file lie its brotli and gzip forms (not with `--dev`, which also
//! skips `wasm-opt`). Files of earlier builds are removed. A client whose wasm has not changed since
//! the last run is taken over as it is.

mod client;
mod site;
mod snip;
mod styles;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use client::ClientFiles;
use site::Site;

/// What the page shells read: the current names under `pkg/`.
#[derive(Serialize, Deserialize)]
struct Manifest {
    fan: ClientFiles,
    staff: ClientFiles,
    css: String,
}

/// How much work is spent on small files.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Release,
    Dev,
}

struct Arguments {
    mode: Mode,
    fan: PathBuf,
    staff: PathBuf,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self> {
        let (mut mode, mut fan, mut staff) = (Mode::Release, None, None);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--dev" => mode = Mode::Dev,
                "--fan" => fan = words.next(),
                "--staff" => staff = words.next(),
                other => bail!("unknown argument {other}"),
            }
        }
        Ok(Self {
            mode,
            fan: fan.context("--fan FILE is missing")?.into(),
            staff: staff.context("--staff FILE is missing")?.into(),
        })
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let mode = arguments.mode;
    let mut site = Site::open("target/site", mode)?;

    // Each client keeps one core busy with wasm-opt, so the two are made side by side.
    let (fan, staff) = std::thread::scope(|scope| {
        let staff = scope.spawn(|| client::make("staff", &arguments.staff, mode, site.root()));
        let fan = client::make("fan", &arguments.fan, mode, site.root());
        (
            fan,
            staff
                .join()
                .expect("the staff client's thread does not panic"),
        )
    });
    let (fan, staff) = (fan?, staff?);
    let css = styles::concatenate("style")?;

    let manifest = Manifest {
        fan: site.add_client(fan)?,
        staff: site.add_client(staff)?,
        css: site.add_hashed("rowlock", "css", css.as_bytes())?,
    };
    site.add_public("public")?;
    site.finish(&manifest)?;
    report(&site, "fan", &manifest.fan)?;
    report(&site, "staff", &manifest.staff)
}

/// One line per client: its script and its wasm together, as stored and as sent.
fn report(site: &Site, name: &str, files: &ClientFiles) -> Result<()> {
    let size = |suffix: &str| -> Result<u64> {
        let js = site.size_bytes(&format!("pkg/{}{suffix}", files.js))?;
        let wasm = site.size_bytes(&format!("pkg/{}{suffix}", files.wasm))?;
        Ok(js + wasm)
    };
    let plain = kib(size("")?);
    match size(".br") {
        Ok(brotli) => println!("{name}: {plain} KiB, {} KiB as brotli", kib(brotli)),
        Err(_) => println!("{name}: {plain} KiB, not compressed"),
    }
    Ok(())
}

fn kib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn both_clients_have_to_be_named() {
        assert!(parse("--fan fan.wasm").is_err());
        assert!(parse("--fan fan.wasm --staff").is_err());
        assert!(parse("--fan fan.wasm --staff staff.wasm --fast").is_err());
        let arguments = parse("--dev --fan fan.wasm --staff staff.wasm").expect("complete");
        assert!(arguments.mode == Mode::Dev);
        assert_eq!(arguments.staff, PathBuf::from("staff.wasm"));
    }
}
