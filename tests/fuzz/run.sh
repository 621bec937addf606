#!/bin/sh
# Builds every fuzz target with clang, AddressSanitizer and UndefinedBehaviorSanitizer, and runs each
# for some seconds from its seeds. Stops at the first defect and names the file that shows it.
#   tests/fuzz/run.sh [seconds, default 60] [target …]
# CXX chooses the compiler, BUILD the build folder, APP=ON adds the targets of the window's library.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-60}
[ $# -gt 0 ] && shift
build=${BUILD:-$root/build-fuzz}
cxx=${CXX:-$(command -v clang++ || command -v clang++-14 || command -v clang++-16 || true)}
if [ -z "$cxx" ]; then
  echo "clang++ was not found: install it with the system's package manager (Debian: apt-get install clang libclang-rt-14-dev)" >&2
  exit 1
fi

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_FLAGS="-O1 -gline-tables-only -Wno-error ${FUZZ_CXXFLAGS:-}" \
  -DATTENTION_FUZZ=ON -DATTENTION_APP="${APP:-OFF}" -DATTENTION_TESTS=OFF \
  -DATTENTION_SANITIZE=address,undefined,fuzzer-no-link >/dev/null
ninja -C "$build" fuzz_all

if [ $# -eq 0 ]; then
  for program in "$build"/fuzz_*; do
    [ -f "$program" ] && [ -x "$program" ] && set -- "$@" "$(basename "$program" | sed 's/^fuzz_//')"
  done
fi
for name in "$@"; do
  corpus=$build/corpus/$name
  mkdir -p "$corpus" "$build/found"
  echo "== $name, $seconds s"
  log=$build/$name.log
  if ! "$build/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
      -artifact_prefix="$build/found/$name-" "$corpus" "$root/tests/fuzz/seeds/$name" \
      >"$log" 2>&1; then
    tail -n 60 "$log"
    exit 1
  fi
  tail -n 1 "$log"
done
