#!/bin/bash
# tidy.sh BUILD JOBS: runs clang-tidy over every source file of the library, the examples and the benchmarks, tests left
# out, with the compile commands of BUILD (configured is enough). A file that was clean is not looked at again while it,
# the project's headers that it includes, and .clang-tidy stay the same: build/tidy remembers.
set -euo pipefail
export build
build=$(realpath "$1")
jobs=$2
cd "$(dirname "$0")/.."
mkdir -p build/tidy

tidy_one() {
  local file=$1 key
  # -MM lists what the file includes, as paths through the links below BUILD/rooms.
  key=$(clang++-19 -std=c++20 -MM -MT '' "${views[@]}" -I include "$file" | tr -d '\\:' | xargs -n 1 echo |
        { cat; echo .clang-tidy; } | sort | xargs sha256sum | { cat; echo "$file"; } | sha256sum | cut -d' ' -f1)
  [ ! -e "build/tidy/$key" ] || return 0
  if clang-tidy-19 --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations \
      "$file" 2> "build/tidy/$key.log"; then
    mv "build/tidy/$key.log" "build/tidy/$key"
  else
    grep -E 'error:|Error while' "build/tidy/$key.log" >&2 || true
    return 1
  fi
}
export -f tidy_one

git ls-files --cached --others --exclude-standard 'src/*.cc' 'examples/*.cc' 'benchmarks/*.cc' | grep -v '_test\.cc$' | sort -u |
  xargs -P "$jobs" -I{} bash -euo pipefail -c 'views=(); for room in "$build"/rooms/*; do views+=(-I "$room"); done; tidy_one {}' ||
  { echo "tidy.sh: clang-tidy found something (above)" >&2; exit 1; }
