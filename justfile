# Daily work; each recipe is one line over a command that stands in CONTRIBUTING.md.

# All scenarios in virtual time, or those named.
run *PATHS:
    cargo run -- run {{PATHS}}

# What is wrong with scenario files, without running them.
check *PATHS:
    cargo run -- check {{PATHS}}

# One scenario, step by step.
show ID:
    cargo run -- show {{ID}}

# Scenarios on the emulated board.
board *PATHS:
    cargo run -- run --board boards/virtual-f405.yaml {{PATHS}}

# Everything that CI does.
test:
    ./scripts/test

# All tests that need neither QEMU nor firmware.
test-sim:
    cargo nextest run -E 'not test(/virtual_/)'

# The firmware, with its sizes.
firmware:
    ./scripts/firmware

# Formatting and lints.
lint:
    cargo fmt --all -- --check && cargo clippy --all-targets -- -D warnings

# The documentation of the code.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# Any bytes for everything that reads, each target for so many seconds.
fuzz SECONDS="60" *TARGETS:
    ./scripts/fuzz {{SECONDS}} {{TARGETS}}

# Breaks the code on purpose and expects a named test to fail; all patches, or those named.
mutants *NAMES:
    ./scripts/mutants {{NAMES}}
