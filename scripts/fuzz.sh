#!/bin/bash
# fuzz.sh BUILD SECONDS: runs every fuzzer of a build, sharing out SECONDS. libFuzzer prints each run's seed; the corpus that
# it grows stays in BUILD/corpus, and an input that breaks something in BUILD/crashes.
set -euo pipefail
build=$(realpath "$1") seconds=$2
cd "$(dirname "$0")/.."
fuzzers=("$build"/bin/*_fuzzer)
[ -x "${fuzzers[0]}" ] || { echo "fuzz.sh: no fuzzer in $build/bin" >&2; exit 1; }
share=$((seconds / ${#fuzzers[@]}))
[ $share -gt 0 ] || share=1
for fuzzer in "${fuzzers[@]}"; do
  name=$(basename "$fuzzer" _fuzzer)
  options=(-max_total_time=$share -timeout=10 -rss_limit_mb=2048 -max_len=65536 -verbosity=0 -print_final_stats=1)
  [ ! -e "tests/fuzz/$name.dict" ] || options+=("-dict=tests/fuzz/$name.dict")
  mkdir -p "$build/corpus/$name" "$build/crashes"
  corpora=("$build/corpus/$name")
  [ ! -d "tests/fuzz/corpus/$name" ] || corpora+=("tests/fuzz/corpus/$name")
  seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
  echo "fuzzing $name for $share s, seed $seed"
  "$fuzzer" "${options[@]}" -seed="$seed" -artifact_prefix="$build/crashes/$name-" "${corpora[@]}" 2>&1 |
    grep -v -e 'Recommended dictionary' -e '# Uses:' -e '^$' || { echo "fuzz.sh: $name failed; the input is in $build/crashes" >&2; exit 1; }
done
