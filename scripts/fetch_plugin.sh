#!/bin/bash
# fetch_plugin.sh NAME...: puts PJRT plugins into build/plugins/NAME from their pinned wheels, unless they are there.
#   xla_cpu_pjrt         xla_cpu_pjrt.so and include/pjrt_c_api.h
#   lammps_jax_pjrt_cpu  pjrt_c_api_cpu_plugin.so, a newer XLA that tests run as well
#   libtpu               libtpu.so, which also compiles for TPUs that are not there (Google Cloud's terms of service)
# Nothing of a wheel is run, and no Python is needed afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
plugins=$PWD/build/plugins
temporary=

fail() {
  echo "fetch_plugin.sh: $*" >&2
  exit 1
}

# fetch NAME PACKAGE VERSION SHA256 ROOT FILE...: FILEs below ROOT of the wheel go to build/plugins/NAME.
fetch() {
  local name=$1 package=$2 version=$3 sha256=$4 root=$5
  shift 5
  local target=$plugins/$name
  [ "$(cat "$target/wheel.sha256" 2> /dev/null || true)" != "$sha256" ] || return 0

  [ "$(uname -m)" = x86_64 ] || fail "the pinned wheel of $package is for x86_64, and this machine is $(uname -m);" \
    "put a PJRT CPU plugin for it and pjrt_c_api.h into $target by hand, and '$sha256' into $target/wheel.sha256"
  echo "fetch_plugin.sh: downloading $package $version"
  mkdir -p "$plugins"
  temporary=$(mktemp -d "$plugins/.$name.XXXXXX")
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --dest "$temporary" "$package==$version" > "$temporary/log" 2>&1 ||
    { tail -n 5 "$temporary/log" >&2; fail "cannot download $package $version: is there a network, and does pip reach its index?"; }
  local wheel
  wheel=$(echo "$temporary"/*.whl)
  echo "$sha256  $wheel" | sha256sum --check --status ||
    fail "the wheel $(basename "$wheel") has the SHA-256 $(sha256sum "$wheel" | cut -d' ' -f1), but $sha256 is pinned:" \
         "it is damaged or is not what was published"
  unzip -q "$wheel" "${@/#/$root/}" -d "$temporary/wheel" || fail "the wheel of $package $version lacks a file"
  echo "$sha256" > "$temporary/wheel/$root/wheel.sha256"
  chmod -R go-w "$temporary/wheel/$root"
  rm -rf "$target"
  mv "$temporary/wheel/$root" "$target"
  rm -rf "$temporary"
  temporary=
}
trap '[ -z "$temporary" ] || rm -rf "$temporary"' EXIT

[ $# -gt 0 ] || fail "name the plugins: xla_cpu_pjrt, lammps_jax_pjrt_cpu, libtpu"
for name in "$@"; do
  case $name in
    xla_cpu_pjrt)
      fetch "$name" xla-cpu-pjrt 0.0.1 55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc \
        xla_plugins/xla_cpu_pjrt xla_cpu_pjrt.so include/pjrt_c_api.h ;;
    lammps_jax_pjrt_cpu)
      fetch "$name" lammps-jax-pjrt-cpu 0.11.2 1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1 \
        lammps_jax_pjrt_cpu pjrt_c_api_cpu_plugin.so ;;
    libtpu)
      fetch "$name" libtpu 0.0.52 f5e2e596eaea9357fbb5a6755a7a9007c6ab75bfde4a55191b03eff402971140 libtpu libtpu.so ;;
    *) fail "unknown plugin '$name'; known are xla_cpu_pjrt, lammps_jax_pjrt_cpu, libtpu" ;;
  esac
done
