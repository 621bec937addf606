#!/usr/bin/env bash
# Build Attention Explorer and open its window on the bundled sample. Arguments go on to attnx.
#   ./run.sh                                  the window
#   ./run.sh gui --input my.safetensors       the window on an input
#   ./run.sh info strided --n 4096            a command
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
picture=attention-explorer.png
. "$root/tools/packages.sh"

build() {
  install_packages "${BUILD_PACKAGES[@]}"
  if [ ! -f "$root/build/build.ninja" ]; then
    (cd "$root" && cmake --preset release -DATTENTION_TESTS=OFF)
  fi
  cmake --build "$root/build" --target attnx
}

# wants_window ARGUMENTS...: would attnx open a window with them?
wants_window() {
  [ "${1:-gui}" = gui ] || return 1
  local argument
  for argument in "$@"; do
    case $argument in --screenshot | --screenshot=* | --script | --script=* | --help | -h) return 1 ;; esac
  done
}

# What is built is no output of attnx: it goes to standard error, so that `./run.sh info …` can be piped.
build >&2
if wants_window "$@" && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  if [ "${1:-}" = gui ]; then
    shift
  fi
  "$root/build/attnx" gui --screenshot "$picture" "$@"
  echo "There is no display here, so the window's picture was written to $PWD/$picture."
  exit 0
fi
exec "$root/build/attnx" "$@"
