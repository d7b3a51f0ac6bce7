#!/bin/bash
# setup.sh [build] [lint] [fuzz]: installs the Debian 12 packages that these jobs need and that are missing (default: build).
# Prints nothing and needs no rights when all are there.
set -euo pipefail

build=(g++ cmake ninja-build ccache mold libgtest-dev libgmock-dev libbenchmark-dev nlohmann-json3-dev libcli11-dev
       libspdlog-dev libfmt-dev zlib1g-dev libgoogle-perftools-dev dataset-fashion-mnist unzip python3-venv python3-pip)
lint=(clang-19 clang-tidy-19 clang-format-19)
fuzz=(clang-19 libclang-rt-19-dev)

wanted=()
for job in "${@:-build}"; do
  case $job in
    build) wanted+=("${build[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    fuzz) wanted+=("${fuzz[@]}") ;;
    *) echo "setup.sh: unknown job '$job'; known are build, lint, fuzz" >&2; exit 2 ;;
  esac
done

if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
  echo "setup.sh: this is not a Debian system; install the counterparts of: ${wanted[*]}" >&2
  exit 1
fi

missing=()
for package in "${wanted[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null || true)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "setup.sh: packages are missing, and installing them takes root or sudo: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "setup.sh: installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } > "$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "setup.sh: apt-get could not install the packages (its last words are above)" >&2
  exit 1
fi
