#!/bin/bash
# Installs JAX for `make bench` into build/bench/venv. Other peers are measured where they are installed already:
# REPLICATOR_BENCH_PYTHON names their interpreters, separated by colons.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/bench/venv
requirements=benchmarks/peers/requirements.txt
cmp -s "$requirements" "$venv/installed.txt" && exit 0
mkdir -p build/bench
python3 -m venv "$venv"
if "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"; then
  cp "$requirements" "$venv/installed.txt"
else
  echo "bench_peers.sh: JAX could not be installed; it will be reported as missing" >&2
fi
