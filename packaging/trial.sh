#!/usr/bin/env bash
# Installs the package on a bare Debian, uses it there, removes it again, and prints sizes and times:
#   packaging/trial.sh build/attention-explorer_0.1.0_amd64.deb
# The system is made anew by mmdebstrap and thrown away, so nothing is installed on this machine. It needs
# the network and root (or mmdebstrap's user namespaces); exit code 77 where they are not to be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

BEGUN="in the bare system"

outside() {
  local deb=$1 suite log status=0
  [ -f "$deb" ] || { echo "$deb does not exist; it must be a package" >&2; exit 2; }
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  if ! command -v mmdebstrap >/dev/null || [ "$(. /etc/os-release && echo "$ID")" != debian ]; then
    echo "left out: a bare Debian to install on (needs Debian and mmdebstrap)"
    exit 77
  fi
  log=$(mktemp)
  trap "rm -f '$log'" EXIT
  # First without us: a machine without the network says so, not that the package is wrong.
  if ! mmdebstrap --simulate --variant=apt "$suite" /dev/null >"$log" 2>&1; then
    tail -3 "$log"
    echo "left out: a bare Debian to install on (no rights, or no archive in reach)"
    exit 77
  fi
  mmdebstrap --quiet --variant=apt --skip=cleanup/apt --format=null \
    --customize-hook='mkdir "$1/trial"' \
    --customize-hook="copy-in '$(realpath "$deb")' '$here/trial.sh' /trial" \
    --customize-hook='chroot "$1" bash /trial/trial.sh --inside 2>&1' "$suite" /dev/null >"$log" 2>&1 || status=$?
  # Where the system itself could not be made or entered, nothing is known of the package.
  if [ "$status" -ne 0 ] && ! grep -q "^$BEGUN\$" "$log"; then
    tail -3 "$log"
    echo "left out: a bare Debian to install on (it could not be made here)"
    exit 77
  fi
  grep -v "^[IE]: \|^$BEGUN\$" "$log"
  exit "$status"
}

# ---- in the bare system ----

TYPE=application/x-attention-explorer-scene+json

# Everything but what apt, dpkg and caches keep for themselves.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /trial -o -path /run \
    -o -path /var/cache -o -path /var/log -o -path /var/lib/dpkg -o -path /var/lib/apt \) -prune -o -print | sort
}

apt() { apt-get -qq -y --no-install-recommends "$@" >/trial/apt.log 2>&1 || { cat /trial/apt.log; return 1; }; }

# say NAME COMMAND...: runs it, prints the name with its seconds.
say() {
  local begin=$EPOCHREALTIME
  "${@:2}" || { echo "FAILED: $1: ${*:2}"; return 1; }
  printf '%-52s %6.2f s\n' "$1" "$(awk "BEGIN {print $EPOCHREALTIME - $begin}")"
}

quiet() { "$@" >/dev/null; }

is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(stat -c %s "$1")" -gt 20000 ]; }

draw() { "$@" --screenshot picture.png && is_png picture.png && rm picture.png; }

# The media type by which file managers open a file.
type_of() { gio info -a standard::content-type "$1" | sed -n 's/.*content-type: //p'; }

# is WHAT FOUND WANTED: says what was found where it is not what it should be.
is() { [ "$2" = "$3" ] || { echo "$1: found “$2”, should be “$3”"; return 1; }; }

# What `gio mime` says is read to its end: a reader that stops at the first match can kill it.
open_by_type() {
  is "type of mine.json" "$(type_of mine.json)" $TYPE &&
    is "type of mine.scene.json" "$(type_of mine.scene.json)" $TYPE &&
    is "type of other.json" "$(type_of other.json)" application/json &&
    is "opened by" "$(gio mime $TYPE | sed -n 's/^Default.*: //p')" attention-explorer.desktop &&
    is "JSON opened by us" "$(gio mime application/json | sed -n '/attention-explorer/p')" ""
}

python_use() {
  python3 - <<'END'
import attnx, numpy
library = attnx.Library()
assert library.pattern("causal", 64).pairs() == 64 * 65 // 2
q = numpy.random.default_rng(0).standard_normal((2, 64, 32), dtype=numpy.float32)
out, lse = library.attend(library.pattern("strided", 64, stride=8), q, q, q)
strided = attnx.pattern("strided", 64, stride=8)
assert "mod 8" in strided.why(40, 16).text, strided.why(40, 16)
assert attnx.check(lambda query, key: key <= query, 64).name == "causal"
assert "<svg" in attnx.show("child-2019-fig3")._repr_svg_()
assert numpy.isfinite(out).all() and attnx.__file__.startswith("/usr/lib/python3/dist-packages/"), attnx.__file__
END
}

completes() {
  bash -c 'source /usr/share/bash-completion/completions/attnx; COMP_WORDS=(attnx gu); COMP_CWORD=1; _attnx
           [ "${COMPREPLY[*]}" = gui ]'
}

sizes() {
  local deb=$1
  printf '%-52s %6.1f MB\n' "package" "$(awk "BEGIN {print $(stat -c %s "$deb") / 1e6}")" \
    "installed" "$(dpkg-deb -f "$deb" Installed-Size | awk '{print $1 * 1024 / 1e6}')" \
    "  attnx" "$(stat -c %s /usr/bin/attnx | awk '{print $1 / 1e6}')" \
    "  libattnx" "$(stat -Lc %s /usr/lib/*/libattnx.so | awk '{print $1 / 1e6}')" \
    "  samples, figures, lessons" "$(du -sb /usr/share/attention-explorer | awk '{print $1 / 1e6}')"
}

use() {
  say "attnx info strided --n 16777216" quiet attnx info strided --n 16777216
  say "attnx figure child-2019-fig3 -o F.svg" attnx figure child-2019-fig3 -o figure.svg
  say "attnx attend strided --sample minilm_alice" quiet attnx attend strided --sample minilm_alice -o out.npy
  say "attnx gui --screenshot, no display" draw attnx gui
  say "attnx gui SCENE --screenshot, under Xvfb" draw xvfb-run -a attnx gui mine.json
  say "a scene's type; attnx opens it" open_by_type
  say "import attnx, as another user" setpriv --reuid=65534 --clear-groups python3 -c 'import attnx; attnx.Library()'
  say "Python: count, attend, why, check, show" python_use
  say "pkg-config --libs attnx" pkg-config --exists 'attnx >= 0.1'
  say "man attnx" bash -c 'man -l /usr/share/man/man1/attnx.1.gz 2>&1 | grep -q -- --screenshot'
  say "bash completes" completes
}

inside() {
  local deb left
  deb=$(echo /trial/*.deb)
  export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/trial XDG_CACHE_HOME=/trial/cache
  cd /trial
  [ -e /proc/self ] || return 1 # then it is not a system that programs run in
  # What a desktop has; the package needs none of it.
  apt install xvfb xauth shared-mime-info desktop-file-utils libglib2.0-bin pkg-config man-db
  echo "$BEGUN"
  say "its dependencies, downloaded and installed" apt satisfy "$(dpkg-deb -f "$deb" Depends)"
  files >before
  say "apt install ./$(basename "$deb")" apt install "$deb"
  sizes "$deb"
  cp /usr/share/attention-explorer/figures/child-2019-fig3.json mine.json
  cp mine.json mine.scene.json
  echo '{"type": "something else"}' >other.json
  use
  say "apt purge attention-explorer" apt purge attention-explorer
  files >after
  left=$(comm -13 before after; grep -rl 'attention-explorer\|attnx' /usr/share/applications /usr/share/mime /etc /var/lib/dpkg || true)
  [ -z "$left" ] || { echo "FAILED: left behind:" $left; return 1; }
  echo "nothing is left of it"
}

case ${1:-} in
  --inside) inside ;;
  "") echo "usage: packaging/trial.sh PACKAGE.deb" >&2; exit 2 ;;
  *) outside "$1" ;;
esac
