#!/usr/bin/env bash
# The package helper against stand-ins for dpkg-query, apt-get and id, and its list against what
# CMake asks for. Argument: the root of the repository.
set -euo pipefail
root=$1
. "$root/tools/packages.sh"
fail() {
  echo "FAILED: $1" >&2
  exit 1
}

listed=" ${BUILD_PACKAGES[*]} ${TEST_PACKAGES[*]} ${BENCH_PACKAGES[*]} "
for package in $(sed -nE 's/^ *attention_need\([^ ]+ ([a-z0-9.+-]+)\).*/\1/p' "$root"/cmake/*.cmake "$root"/*/CMakeLists.txt); do
  case $listed in *" $package "*) ;; *) fail "CMake needs $package, tools/packages.sh does not list it" ;; esac
done

stand_ins=$(mktemp -d)
trap 'rm -rf "$stand_ins"' EXIT
stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$stand_ins/$1" && chmod +x "$stand_ins/$1"; }
stand_in dpkg-query 'printf "cmake installed\nhalf unpacked\n"; exit 1'
stand_in id 'echo 0'
stand_in sleep ':'
stand_in apt-get 'echo "$@" >>"$(dirname "$0")/calls"; case "$*" in *update*) exit 100 ;; esac'
PATH=$stand_ins:$PATH

[ "$(missing_packages cmake half absent | tr '\n' ' ')" = 'half absent ' ] || fail 'missing_packages'

install_packages cmake >/dev/null
[ ! -e "$stand_ins/calls" ] || fail 'apt-get was called although nothing was missing'

install_packages cmake absent >/dev/null 2>&1 || fail 'an update that fails must not end the installation'
[ "$(grep -c update "$stand_ins/calls")" = 3 ] || fail 'update is tried three times'
tail -1 "$stand_ins/calls" | grep -q -- 'install -y --no-install-recommends absent$' || fail 'install absent'

stand_in apt-get 'case "$*" in *install*) exit 100 ;; esac'
if install_packages absent >/dev/null 2>&1; then
  fail 'an installation that fails must say so'
fi

stand_in id 'echo 1000'
stand_in sudo 'echo "sudo $*" >>"$(dirname "$0")/sudo_calls"'
install_packages absent >/dev/null
grep -q 'sudo env DEBIAN_FRONTEND=noninteractive apt-get' "$stand_ins/sudo_calls" || fail 'sudo'

# Elsewhere, without apt: names what is missing and fails.
mkdir "$stand_ins/elsewhere"
if message=$(PATH=$stand_ins/elsewhere install_packages cmake 2>&1); then
  fail 'without apt and without cmake it must fail'
fi
case $message in *cmake*ninja*pkg-config*) ;; *) fail "without apt it said: $message" ;; esac
