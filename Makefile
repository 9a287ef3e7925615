# `make run` and `make test` are all one needs on a fresh Debian 12 with Rust, Postgres and Node;
# both install what is missing first. The work is done by the scripts in tools/.

# Rust from rustup, also in a shell that was opened before it was installed.
export PATH := $(HOME)/.cargo/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup build client run test simulate bench fmt lint

help:
	@echo "make run           install what is missing, build, start the demo"
	@echo "make test          the same set-up, then all tests, browser tests included"
	@echo "make simulate      more lives of the desk: SEEDS=n FIRST=m"
	@echo "make bench NAME=x  measure and compare with the goals; first-light is the overview"
	@echo "make build         the server and the two browser clients, without starting anything"
	@echo "make client        the clients alone (ROWLOCK_CLIENT=dev: quickly)"
	@echo "make fmt, lint     format; deny warnings"

setup:
	@tools/setup run

build: setup
	@echo "==> Building the server"
	@cargo build --locked --release -p server -p bundle
	@ROWLOCK_BUNDLE=target/release/bundle tools/build-client

client: setup
	@tools/build-client

run: build
	@exec target/release/rowlock serve --demo

test:
	@tools/test

simulate:
	@SEEDS="$(SEEDS)" FIRST="$(FIRST)" cargo test --locked --release -p domain --lib sim:: -- --nocapture

bench:
	@tools/bench "$(NAME)"

fmt:
	@cargo fmt --all

lint:
	@tools/lint
