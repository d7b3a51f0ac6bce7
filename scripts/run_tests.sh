#!/bin/bash
# run_tests.sh BUILD JOBS [CTEST OPTIONS...]: runs all tests of a build and checks that none was skipped.
set -euo pipefail
build=$(realpath "$1") jobs=$2
shift 2
rm -rf "$build/reports"
mkdir -p "$build/reports/gtest"
export GTEST_OUTPUT=xml:$build/reports/gtest/
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$jobs" --output-junit "$build/reports/ctest.xml" "$@"
"$(dirname "$0")/check_skips.sh" "$build"
