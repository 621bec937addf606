#!/usr/bin/env bash
# List every word that the window shows while its tests drive it, view by view, for whoever reads
# them through: tools/words.sh [TESTS]. TESTS is the built program of the window's tests; what fails
# in them is no concern here.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tests=${1:-$root/build/test_app_gui}
list=$(mktemp)
trap 'rm -f "$list"' EXIT
ATTENTION_WORDS=$list "$tests" "[shell],[present]" >/dev/null || true
if [ ! -s "$list" ]; then
  echo "$tests wrote no words; it must be the built test_app_gui" >&2
  exit 1
fi
cat "$list"
