#!/usr/bin/env bash
# Install what the tests need, build everything and run every test; ends with ctest's summary.
# Arguments go on to ctest (./test.sh -R pattern).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$root/tools/packages.sh"

install_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
(cd "$root" && cmake --preset release -DATTENTION_TESTS=ON)
cmake --build "$root/build"
ctest --test-dir "$root/build" --output-on-failure --no-tests=error -j2 "$@"
