#!/bin/bash
# soak.sh BUILD: the tests labelled `soak`, at length (REPLICATOR_SOAK=1) and from a new seed (REPLICATOR_SEED), which it prints.
set -euo pipefail
export REPLICATOR_SOAK=1 REPLICATOR_SEED=${REPLICATOR_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "soak.sh: REPLICATOR_SEED=$REPLICATOR_SEED"
ctest --test-dir "$1" --output-on-failure --label-regex soak --timeout 7200
