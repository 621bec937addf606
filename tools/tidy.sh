#!/usr/bin/env bash
# clang-tidy over the sources of core, app and bench (needs build/compile_commands.json).
#   tools/tidy.sh                          every file
#   tools/tidy.sh FILE...                  these files
#   tools/tidy.sh --changed                what the last commits changed, the newest first
#   --most N                               no more than the first N of them
#   --seconds S                            begin no further file after S seconds
#   --jobs J                               files at a time (all cores)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=$(nproc) seconds=0 most=0 changed=no files=()
while [ "$#" -gt 0 ]; do
  case $1 in
    --changed) changed=yes ;;
    --seconds) seconds=$2; shift ;;
    --most) most=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    *) files+=("$1") ;;
  esac
  shift
done

all_files() { find core app bench -name '*.cpp' 2>/dev/null | sort; }

# Names that the last commits touched, newest commit first; every file in a checkout without history.
changed_files() {
  { git -c safe.directory='*' log -20 --name-only --format= -- core app bench 2>/dev/null || all_files; } |
    grep '\.cpp$' | awk '!seen[$0]++' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

if [ "$changed" = yes ]; then
  mapfile -t files < <(changed_files)
elif [ "${#files[@]}" -eq 0 ]; then
  mapfile -t files < <(all_files)
fi
if [ "$most" -gt 0 ]; then
  files=("${files[@]:0:most}")
fi
if [ ! -f build/compile_commands.json ]; then
  echo "tidy: build/compile_commands.json is missing; configure first (./test.sh does)" >&2
  exit 1
fi
if [ "${#files[@]}" -eq 0 ]; then
  echo "tidy: no files to look at" >&2
  exit 1
fi

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
# clang reads no precompiled header of g++: commands without them, so that each file stands by itself.
sed -E 's/ -Winvalid-pch| -include [^ ]*cmake_pch\.hxx//g' build/compile_commands.json \
  >"$results/compile_commands.json"
export results deadline=$((seconds > 0 ? $(date +%s) + seconds : 0))
# One file; a name in $results says how it went.
one_file() {
  local mark=$results/${1//\//_}
  if [ "$deadline" -gt 0 ] && [ "$(date +%s)" -ge "$deadline" ]; then
    return
  fi
  if clang-tidy -p "$results" --quiet "$1" >"$mark.out" 2>"$mark.err"; then
    touch "$mark.clean"
  else
    touch "$mark.wrong"
    cat "$mark.out"
    grep -E 'error:' "$mark.err" || true
  fi
}
export -f one_file
printf '%s\0' "${files[@]}" | xargs -0 -n1 -P "$jobs" bash -c 'one_file "$1"' _

clean=$(find "$results" -name '*.clean' | wc -l)
wrong=$(find "$results" -name '*.wrong' | wc -l)
echo "tidy: looked at $((clean + wrong)) of ${#files[@]} files, $wrong with findings"
[ "$wrong" -eq 0 ]
