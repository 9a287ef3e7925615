//! Migrations are embedded in the binary: a new one has to build it again.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
}
