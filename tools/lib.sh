# Shared by the scripts in this folder: sourced, never run.
# Everything here is safe under `set -euo pipefail`.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/rowlock"
# Rust from rustup, also in a shell that was opened before it was installed.
export PATH="$HOME/.cargo/bin:$PATH"
WASM_TARGET=wasm32-unknown-unknown

say() { printf '\033[1m==>\033[0m %s\n' "$*"; }

# The last word of a failed script: what is wrong, then what to do about it.
die() {
  printf '\n\033[1merror:\033[0m %s\n' "$1" >&2
  shift
  if [ $# -gt 0 ]; then printf '       %s\n' "$@" >&2; fi
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# The wasm standard library of the active rustup toolchain is there.
rustup_has_wasm_std() {
  local dir
  dir="$(rustc --print target-libdir --target "$WASM_TARGET" 2>/dev/null)" || return 1
  compgen -G "$dir/libstd-*.rlib" >/dev/null
}

# Where the standard library built from Debian's sources lives. Its metadata belongs to exactly one
# compiler, so the compiler's version is part of the name.
debian_wasm_sysroot() {
  [ -x /usr/bin/rustc ] || return 1
  local version
  version="$(/usr/bin/rustc --version | cut -d' ' -f2)" || return 1
  printf '%s/wasm-sysroot-%s' "$CACHE" "$version"
}

debian_has_wasm_std() {
  local sysroot
  sysroot="$(debian_wasm_sysroot)" || return 1
  [ -f "$sysroot/complete" ]
}

# Runs the cargo that can build for the browser: rustup's where its toolchain has the wasm target,
# otherwise Debian's with the standard library built by `tools/wasm-std`.
client_cargo() {
  local command="$1"
  shift
  if rustup_has_wasm_std; then
    cargo "$command" "$@"
  elif debian_has_wasm_std; then
    local sysroot
    sysroot="$(debian_wasm_sysroot)"
    env -u RUSTUP_TOOLCHAIN PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc /usr/bin/cargo "$command" \
      --config "target.$WASM_TARGET.rustflags = [\"--sysroot\", \"$sysroot\", \"--cfg\", \"erase_components\"]" "$@"
  else
    die "no Rust standard library for $WASM_TARGET" "Run tools/setup, which installs it."
  fi
}

# figure NAME VALUE UNIT OP GOAL prints one measured figure and whether it meets its goal.
figure() {
  local verdict
  verdict="$(awk -v value="$2" -v op="$4" -v goal="$5" 'BEGIN {
    met = op == "<=" ? value <= goal : value >= goal
    print met ? "PASS" : "MISS"
  }')"
  printf 'BENCH %s %s %s goal %s %s %s\n' "$1" "$2" "$3" "$4" "$5" "$verdict"
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# The first page of the server on this port is there.
answers() {
  node -e 'fetch(process.argv[1]).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))' \
    "http://127.0.0.1:$1/" 2>/dev/null
}
