#!/bin/bash
# check_format.sh [--fix]: checks, or makes, the format of every C++ file that git knows or would add.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run -Werror)
[ "${1:-}" != --fix ] || mode=(-i)
git ls-files -z --cached --others --exclude-standard '*.h' '*.cc' | sort -zu |
  xargs -0 -r -n 16 -P "$(nproc)" clang-format-19 "${mode[@]}"
