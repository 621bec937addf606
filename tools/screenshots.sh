#!/usr/bin/env bash
# Draw the pictures of README and docs again, in both themes: tools/screenshots.sh [ATTNX].
# Every picture carries its Scene: assets/screenshots/VIEW-dark.png says what VIEW shows. The
# presented step of a lesson is reached by a script.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
attnx=${1:-$root/build/attnx}
for dark in "$root"/assets/screenshots/*-dark.png; do
  view=$(basename "$dark" -dark.png)
  for theme in light dark; do # the Scene is read before its own picture is replaced
    "$attnx" gui --scene "$dark" --theme "$theme" --wait 60 \
      --screenshot "$root/assets/screenshots/$view-$theme.png"
  done
done
script=$(mktemp)
trap 'rm -f "$script"' EXIT
cat >"$script" <<'END'
key Ctrl+K
frames 2
type "Strided and fixed factorized"
frames 2
key Enter
wait
key Alt+Right
key Alt+Right
key Alt+Right
wait
key F5
wait
frames 6
END
"$attnx" gui --script "$script" --screenshot "$root/assets/screenshots/present-light.png"
