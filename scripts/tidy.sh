#!/bin/bash
# tidy.sh BUILD JOBS: runs clang-tidy over every source file of the library, the examples and the benchmarks, tests left
# out, with the compile commands of BUILD (configured is enough). A file that was clean is not looked at again while it,
# the project's headers that it includes, and .clang-tidy stay the same: build/tidy remembers.
set -euo pipefail
export build root
build=$(realpath "$1")
jobs=$2
cd "$(dirname "$0")/.."
root=$PWD
mkdir -p build/tidy

tidy_one() {
  local file=$1 key command includes
  command=$(grep -F -B 1 "/$file\"" "$build/compile_commands.json" | grep -m 1 -F '"command"') ||
    { echo "tidy.sh: $file is not compiled in $build" >&2; return 1; }
  read -ra includes <<< "$(grep -oE -- '-(I|isystem) ?[^ ]+' <<< "$command" | tr '\n' ' ')"
  # -MM lists what the file includes of the project.
  key=$(cd "$build" && clang++-19 -std=c++20 -MM -MT '' "${includes[@]}" "$root/$file" | tr -d '\\:' | xargs -n 1 echo |
        { cat; echo "$root/.clang-tidy"; } | sort | xargs sha256sum | { cut -d' ' -f1; echo "$file"; } | sha256sum | cut -d' ' -f1)
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
  xargs -P "$jobs" -I{} bash -euo pipefail -c 'tidy_one {}' ||
  { echo "tidy.sh: clang-tidy found something (above)" >&2; exit 1; }
