# Every job of the project, each complete on a fresh Debian 12 with root or sudo: what is missing is installed and fetched.
.DEFAULT_GOAL := help
.PHONY: help run test bench tpu lint format asan tsan fuzz soak plugin build install clean setup setup-lint setup-fuzz

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 1800
PREFIX ?= /usr/local
RELEASE := build/release

help:  ## Print this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "  make %-8s %s\n", $$1, $$2 }'

run: build  ## Train on Fashion-MNIST over four CPU replicas; leaves build/run/summary.json
	@rm -rf build/run && mkdir -p build/run
	$(RELEASE)/bin/fashion_mnist --replicas 4 --json build/run/summary.json --logdir build/run/logs \
	  --checkpoint-dir build/run/checkpoints

test: build  ## Build everything and run every test; a skipped test is a failure
	scripts/run_tests.sh $(RELEASE) $(JOBS)

bench: build  ## Measure against the bare C API and peers; leaves build/bench/results.json
	@mkdir -p build/bench
	@scripts/bench_peers.sh
	REPLICATOR_BENCH_PYTHON=$$REPLICATOR_BENCH_PYTHON:build/bench/venv/bin/python \
	  $(RELEASE)/bin/replicator_bench --json build/bench/results.json

tpu: plugin  ## Compile for TPU topologies without a TPU, and check the memory that is planned (fetches 137 MB)
	@scripts/fetch_plugin.sh libtpu
	cmake --preset release > /dev/null
	cmake --build $(RELEASE) --parallel $(JOBS) --target tpu_checks
	ctest --test-dir $(RELEASE) --output-on-failure --no-tests=error --verbose --label-regex tpu

lint: setup-lint plugin  ## Check the format, the direction of includes, and clang-tidy's warnings
	scripts/check_format.sh
	scripts/check_layers.sh
	cmake --preset release > /dev/null
	scripts/tidy.sh $(RELEASE) $(JOBS)

format: setup-lint  ## Format every source file in place
	scripts/check_format.sh --fix

asan: plugin  ## Run every test that does not execute a plugin under AddressSanitizer and UBSan
	cmake --preset asan > /dev/null
	cmake --build build/asan --parallel $(JOBS) --target tests_without_plugin
	ctest --test-dir build/asan --output-on-failure --no-tests=error --parallel $(JOBS) --label-exclude plugin

tsan: plugin  ## Run the tests that use threads under ThreadSanitizer
	cmake --preset tsan > /dev/null
	cmake --build build/tsan --parallel $(JOBS) --target tests_of_threads
	ctest --test-dir build/tsan --output-on-failure --no-tests=error --parallel $(JOBS) --label-regex threads

fuzz: setup-fuzz plugin  ## Fuzz every reader for FUZZ_SECONDS (60) in all
	cmake --preset fuzz > /dev/null
	cmake --build build/fuzz --parallel $(JOBS) --target fuzzers
	scripts/fuzz.sh build/fuzz $(FUZZ_SECONDS)

soak: build  ## Long campaigns, SOAK_SECONDS (1800) of them fuzzing; prints the seeds
	scripts/soak.sh $(RELEASE)
	$(MAKE) fuzz FUZZ_SECONDS=$(SOAK_SECONDS)

plugin: setup  ## Fetch the pinned PJRT plugins into build/plugins
	@scripts/fetch_plugin.sh xla_cpu_pjrt lammps_jax_pjrt_cpu

build: plugin  ## Configure and build everything into build/release
	cmake --preset release > /dev/null
	cmake --build $(RELEASE) --parallel $(JOBS)

install: build  ## Install headers, libraries and programs below PREFIX (/usr/local)
	cmake --install $(RELEASE) --prefix $(PREFIX)

clean:  ## Remove everything built; fetched plugins and Python packages stay
	rm -rf build/release build/debug build/asan build/tsan build/fuzz build/run build/bench build/tidy

setup:
	@scripts/setup.sh build
setup-lint: setup
	@scripts/setup.sh lint
setup-fuzz: setup
	@scripts/setup.sh fuzz
