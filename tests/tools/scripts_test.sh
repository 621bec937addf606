#!/usr/bin/env bash
# run.sh and .ci/run in a copy of the repository that has no sources: a stand-in program in place of
# attnx, stand-ins for what builds and installs. Argument: the root of the repository.
set -euo pipefail
root=$1
fail() {
  echo "FAILED: $1" >&2
  exit 1
}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
house="$place/a house" elsewhere=$place/elsewhere
mkdir -p "$house/tools" "$house/.ci" "$house/build" "$place/bin" "$elsewhere"
cp "$root/run.sh" "$house/"
cp "$root/.ci/run" "$house/.ci/"
cp "$root/tools/packages.sh" "$house/tools/"
stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$1" && chmod +x "$1"; }
stand_in "$place/bin/dpkg-query" 'shift 2; printf "%s installed\n" "$@"'
stand_in "$place/bin/id" 'echo 0'
stand_in "$place/bin/cmake" 'echo "cmake $*"'
stand_in "$place/bin/g++" 'exit 0'
stand_in "$place/bin/clang-format" 'exit 0'
stand_in "$house/build/attnx" 'printf "[%s]" "$@"; echo'
touch "$house/build/build.ninja"
PATH=$place/bin:$PATH
cd "$elsewhere"

# run.sh: a window, a command, the picture where there is no display.
run() { env -u DISPLAY -u WAYLAND_DISPLAY "$@" 2>/dev/null; }
[ "$(run DISPLAY=:1 "$house/run.sh")" = '[]' ] || fail 'the window without arguments'
[ "$(run DISPLAY=:1 "$house/run.sh" gui --view mask)" = '[gui][--view][mask]' ] || fail 'arguments go on'
[ "$(run "$house/run.sh" info strided --n 9)" = '[info][strided][--n][9]' ] || fail 'a command needs no display'
[ "$(run "$house/run.sh" gui --screenshot a.png)" = '[gui][--screenshot][a.png]' ] || fail 'a picture of ones own'
said=$(run "$house/run.sh" gui --input 'a b') || fail 'without a display the exit code is 0'
[ "${said%%$'\n'*}" = '[gui][--screenshot][attention-explorer.png][--input][a b]' ] || fail "picture: $said"
[ "${said#*$'\n'}" = "There is no display here, so the window's picture was written to $elsewhere/attention-explorer.png." ] ||
  fail "one sentence: $said"
stand_in "$house/build/attnx" 'exit 3'
if run "$house/run.sh"; then fail 'a failing program is a failure'; fi

# .ci/run: the last line counts, a failing stage names itself and does not hide the others.
stand_in "$house/test.sh" 'echo "100% tests passed, 0 tests failed out of 42"'
echo 'print("longest")' >"$house/tools/lengths.py"
said=$("$house/.ci/run" tests lengths 2>&1) || fail "passing stages: $said"
[ "${said##*$'\n'}" = '42 passed, 0 failed' ] || fail "last line: $said"
case $said in *'==== lengths ===='*longest*'lengths: passed'*) ;; *) fail "headings: $said" ;; esac

echo 'raise SystemExit(1)' >"$house/tools/lengths.py"
if said=$("$house/.ci/run" lengths tests 2>&1); then fail 'a failing stage must fail the run'; fi
case $said in *'failed stages: lengths'*) ;; *) fail "name: $said" ;; esac
[ "${said##*$'\n'}" = '42 passed, 1 failed' ] || fail "a failed stage counts: $said"

stand_in "$house/test.sh" 'echo "90% tests passed, 4 tests failed out of 42"; exit 8'
if said=$("$house/.ci/run" tests 2>&1); then fail 'failing tests must fail the run'; fi
[ "${said##*$'\n'}" = '38 passed, 4 failed' ] || fail "counts: $said"

stand_in "$place/bin/dpkg-query" 'exit 1'
stand_in "$place/bin/apt-get" 'exit 100'
stand_in "$place/bin/sleep" ':'
if said=$("$house/.ci/run" tests 2>&1); then fail 'missing packages must fail the run'; fi
case $said in *'failed stages: packages'*'0 passed, 1 failed') ;; *) fail "packages: $said" ;; esac
