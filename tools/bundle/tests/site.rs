//! The tool run as a whole, in a folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder with the inputs of a run, removed at the end of the test.
struct Folder(PathBuf);

/// An empty module is 8 bytes: magic number and version.
const EMPTY_WASM: &[u8] = b"\0asm\x01\0\0\0";

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rowlock-{name}-{}", std::process::id()));
        let folder = Self(path);
        folder.write("fan.wasm", EMPTY_WASM);
        folder.write("staff.wasm", EMPTY_WASM);
        folder.write("style/base.css", b"body { margin: 0 }");
        folder.write("public/robots.txt", b"User-agent: *");
        folder
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("in a folder")).expect("writable");
        fs::write(path, bytes).expect("writable");
    }

    fn bundle(&self) -> Output {
        Command::new(env!("CARGO_BIN_EXE_bundle"))
            .current_dir(&self.0)
            .args(["--dev", "--fan", "fan.wasm", "--staff", "staff.wasm"])
            .output()
            .expect("the tool starts")
    }

    fn manifest(&self) -> serde_json::Value {
        let output = self.bundle();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = fs::read(self.0.join("target/site/pkg/manifest.json")).expect("a manifest");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn in_pkg(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join("target/site/pkg").join(name)).ok()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("removable");
    }
}

#[test]
fn names_change_with_the_content_and_old_files_go() {
    let folder = Folder::new("names");
    let first = folder.manifest();
    assert_eq!(
        first,
        folder.manifest(),
        "the same inputs give the same names"
    );

    let script = first["fan"]["js"].as_str().expect("a name");
    let wasm = first["fan"]["wasm"].as_str().expect("a name");
    assert!(
        folder.in_pkg(script).expect("a script").contains(wasm),
        "the script loads its wasm"
    );
    assert!(folder.0.join("target/site/robots.txt").is_file());

    folder.write("style/base.css", b"body { margin: 1px }");
    fs::remove_file(folder.0.join("public/robots.txt")).expect("removable");
    let second = folder.manifest();
    let sheet = |manifest: &serde_json::Value| manifest["css"].as_str().expect("a name").to_owned();
    assert_ne!(sheet(&first), sheet(&second));
    assert_eq!(first["fan"], second["fan"]);
    assert!(
        folder
            .in_pkg(&sheet(&second))
            .expect("a sheet")
            .contains("1px")
    );
    assert!(
        folder.in_pkg(&sheet(&first)).is_none(),
        "the old sheet is gone"
    );
    assert!(!folder.0.join("target/site/robots.txt").exists());
}

#[test]
fn a_client_that_cannot_be_read_is_named_and_nothing_becomes_current() {
    let folder = Folder::new("damaged");
    fs::remove_file(folder.0.join("staff.wasm")).expect("removable");
    let missing = folder.bundle();
    folder.write("staff.wasm", b"this is not wasm");
    let damaged = folder.bundle();

    for (output, hint) in [
        (missing, "staff.wasm was not built"),
        (damaged, "wasm-bindgen refused staff.wasm"),
    ] {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{said}");
        assert!(said.contains(hint), "{said}");
    }
    assert!(!folder.0.join("target/site/pkg/manifest.json").exists());
}
