#!/bin/sh
# test_venv.sh: makes build/venv, the Python packages that tests compare with (tests/reference/requirements.txt), unless
# it is there, and prints its interpreter. Only tests need Python; the library never does.
set -eu
cd "$(dirname "$0")/.."
venv=$PWD/build/venv
wanted=$(sha256sum tests/reference/requirements.txt | cut -d' ' -f1)
mkdir -p build
exec 9>build/venv.lock
flock 9  # tests that run at once all call this
if [ "$(cat "$venv/complete" 2>/dev/null || true)" != "$wanted" ]; then
  rm -rf "$venv"
  python=/usr/bin/python3
  [ -x $python ] || python=python3
  if ! { $python -m venv "$venv" &&
         "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r tests/reference/requirements.txt; } >&2; then
    echo "test_venv.sh: cannot install the packages of tests/reference/requirements.txt into $venv;" \
         "it needs python3-venv (scripts/setup.sh) and a package index that pip reaches" >&2
    exit 1
  fi
  echo "$wanted" > "$venv/complete"
fi
echo "$venv/bin/python"
