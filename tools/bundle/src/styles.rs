//! The style sheets as one file, in the order in which they may override each other.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The sheets that set the ground for others; the rest follows by name.
const FIRST: [&str; 8] = [
    "tokens",
    "base",
    "components",
    "discover",
    "list",
    "order",
    "seat_map",
    "tray",
];

/// Everything in `folder`, each sheet under a comment with its name.
pub fn concatenate(folder: impl AsRef<Path>) -> Result<String> {
    let folder = folder.as_ref();
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("no folder {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "css") {
            let stem = path
                .file_stem()
                .expect("a file with an extension has a stem");
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    in_order(&mut names);
    let mut sheet = String::new();
    for name in names {
        let path = folder.join(format!("{name}.css"));
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        sheet.push_str(&format!("/* {name} */\n{}\n", text.trim_end()));
    }
    Ok(sheet)
}

fn in_order(names: &mut [String]) {
    names.sort_by_key(|name| {
        let place = FIRST
            .iter()
            .position(|first| first == name)
            .unwrap_or(FIRST.len());
        (place, name.clone())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_comes_first_and_the_rest_by_name() {
        let mut names = ["seat_map", "zebra", "console", "base", "tokens"].map(str::to_owned);
        in_order(&mut names);
        assert_eq!(names, ["tokens", "base", "seat_map", "console", "zebra"]);
    }
}
