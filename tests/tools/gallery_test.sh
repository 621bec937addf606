#!/usr/bin/env bash
# tools/gallery.sh with two figures and a lesson: everything that the index names is there, and it
# names nothing else. Arguments: the root of the repository, attnx.
set -euo pipefail
root=$1 attnx=$2
fail() {
  echo "FAILED: $1" >&2
  exit 1
}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
names=(child-2019-fig3 child-2019-reach-strided 1-quadratic)
said=$("$root/tools/gallery.sh" "$place/a gallery" "$attnx" "${names[@]}")
cd "$place/a gallery"
[ "${said##*$'\n'}" = "$place/a gallery/index.html" ] || fail "the last line says where: $said"
for name in "${names[@]}"; do
  grep -q "href=\"$name.html\"" index.html || fail "the index names $name"
  for file in "$name.html" "$name.png" "$name-dark.png"; do
    [ -s "$file" ] || fail "$file"
  done
  if cmp -s "$name.png" "$name-dark.png"; then fail "$name is dark in a dark index"; fi
done
[ "$(grep -c '<a href' index.html)" -eq 3 ] || fail "three cards"
[ "$(ls | wc -l)" -eq 10 ] || fail "nothing else: $(ls)"
grep -q 'Child et al. 2019' index.html || fail 'sources are named'
if grep -q 'http' index.html; then fail 'the index asks for nothing outside itself'; fi
