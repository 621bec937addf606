#!/usr/bin/env bash
# Write every published figure and every lesson as a page of HTML, with an index of small pictures:
# a folder for any static host. tools/gallery.sh [FOLDER [ATTNX [NAME...]]], build/gallery by
# default; with names, only these figures and lessons.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$root/build/gallery}
attnx=${2:-$root/build/attnx}
only=("${@:3}")
SECONDS_EACH=300 # for one file: figures of timings measure
mkdir -p "$folder"

wanted() { [ "${#only[@]}" -eq 0 ] || [[ " ${only[*]} " == *" $1 "* ]]; }

# draw WHAT FILE OPTION...
draw() {
  timeout "$SECONDS_EACH" "$attnx" figure "$1" -o "$folder/$2" "${@:3}" ||
    { echo "$2 could not be written within $SECONDS_EACH s" >&2; exit 1; }
}

# pictures WHAT NAME: for a light and for a dark index.
pictures() {
  draw "$1" "$2.png"
  draw "$1" "$2-dark.png" --theme dark
}

# first_scene LESSON: the Scene of its first step, as text.
first_scene() {
  python3 - "$root/assets/lessons/$1.json" <<'END'
import json, sys
scene = json.load(open(sys.argv[1], encoding="utf-8"))["steps"][0]["scene"]
print(json.dumps({"type": "attention-explorer scene", "version": 1, **scene}))
END
}

written=()
while IFS=$'\t' read -r name title; do
  wanted "$name" || continue
  echo "$title"
  draw "$name" "$name.html"
  pictures "$name" "$name"
  written+=("$name")
done < <("$attnx" figure --list)
while IFS=$'\t' read -r name title; do
  wanted "$name" || continue
  echo "Lesson: $title"
  draw "$name" "$name.html"
  pictures "$(first_scene "$name")" "$name"
  written+=("$name")
done < <("$attnx" figure --lessons)

python3 - "$root/assets" "$folder" "${written[@]}" <<'END'
import html, itertools, json, pathlib, sys

assets, folder = map(pathlib.Path, sys.argv[1:3])
written = set(sys.argv[3:])
STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 84em; padding: 1em 1.2em 3em; font: 16px/1.45 "DejaVu Sans", Verdana, sans-serif; background: #fff; color: #14161b; }
div { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18em, 100%), 1fr)); gap: 1.2em; }
a { color: inherit; text-decoration: none; }
a:hover strong, a:focus-visible strong { text-decoration: underline; }
img { display: block; width: 100%; height: 11em; object-fit: contain; margin-bottom: .4em; }
small { display: block; opacity: .75; }
@media (prefers-color-scheme: dark) { body { background: #14161b; color: #eceef2; } }
"""


def card(name, title, words):
    title, words = html.escape(title), html.escape(words)
    return (f'<a href="{name}.html"><picture>'
            f'<source media="(prefers-color-scheme: dark)" srcset="{name}-dark.png">'
            f'<img src="{name}.png" alt="" loading="lazy"></picture>'
            f"<strong>{title}</strong><small>{words}</small></a>")


def section(heading, cards):
    if not cards:
        return ""
    return f"<h2>{html.escape(heading)}</h2>\n<div>\n" + "\n".join(cards) + "\n</div>\n"


def read(kind):
    return [(file.stem, json.loads(file.read_text(encoding="utf-8")))
            for file in sorted((assets / kind).glob("*.json")) if file.stem in written]


body = section("Lessons", [card(name, of["title"], of["summary"]) for name, of in read("lessons")])
paper = lambda figure: figure[1].get("paper", "")
for heading, figures in itertools.groupby(sorted(read("figures"), key=paper), key=paper):
    body += section(heading, [card(name, of["title"], of.get("source", "")) for name, of in figures])
page = ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<title>Attention patterns</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>Attention patterns</h1>\n"
        f"<p>Figures of papers and lessons, made with Attention Explorer. Every page answers to the "
        f"pointer.</p>\n{body}</body>\n</html>\n")
(folder / "index.html").write_text(page, encoding="utf-8")
END
echo "$folder/index.html"
