#!/bin/bash
# check_skips.sh BUILD: after `ctest --output-junit BUILD/reports/ctest.xml` with GTEST_OUTPUT=xml:BUILD/reports/gtest/, checks
# that every test ran: none skipped, none disabled, none filtered out, and no test program that CTest does not know.
# Prints the counts.
set -euo pipefail
build=$1
fail() {
  echo "check_skips.sh: $*" >&2
  exit 1
}
# The value of an attribute in the first line of $1 that has the element $2.
attribute() { sed -n "s/.*<$2[^>]*[ \t]$3=\"\([0-9]*\)\".*/\1/p;s/^[ \t]*$3=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1; }

[ -z "${GTEST_FILTER:-}" ] || fail "GTEST_FILTER is set, so not every test ran"
programs=0 tests=0
for report in "$build"/reports/gtest/*.xml; do
  [ -e "$report" ] || fail "no test program left a report in $build/reports/gtest"
  count=$(attribute "$report" testsuites tests)
  disabled=$(attribute "$report" testsuites disabled)
  skipped=$(grep -c 'result="skipped"' "$report" || true)
  [ "$count" -gt 0 ] || fail "$report: no test ran"
  [ "$disabled" -eq 0 ] || fail "$report: $disabled tests are disabled"
  [ "$skipped" -eq 0 ] || fail "$report: $skipped tests were skipped: $(grep 'result="skipped"' "$report" | sed 's/.*testcase name="\([^"]*\)".*/\1/' | head -n 20 | tr '\n' ' ')"
  programs=$((programs + 1)) tests=$((tests + count))
done
for program in "$build"/bin/*_test; do
  compgen -G "$build/reports/gtest/$(basename "$program")*.xml" > /dev/null ||
    fail "$(basename "$program") was built but CTest did not run it"
done
for what in skipped disabled; do
  count=$(attribute "$build/reports/ctest.xml" testsuite $what)
  [ "${count:-missing}" = 0 ] || fail "CTest counts ${count:-no} $what entries in $build/reports/ctest.xml; 0 are expected"
done
entries=$(attribute "$build/reports/ctest.xml" testsuite tests)
echo "$tests tests in $programs programs, $entries CTest entries; 0 skipped, 0 disabled"
