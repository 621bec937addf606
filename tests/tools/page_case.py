"""What tests of pages of HTML share: pages written by attnx and opened in Chromium, with helpers for the scripts that
ask them. Exit code 77 without Chromium. The program is the first argument of the test."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from browser import CHROMIUM, Browser

if not CHROMIUM:
    print("not at hand: chromium")
    sys.exit(77)

ATTNX = pathlib.Path(sys.argv[1]).resolve()
ASSETS = pathlib.Path(__file__).resolve().parents[2] / "assets"
LESSON = "2-sparse-transformer"
# In the page: where its areas lie, as [[x, y], ...] per area in the shown frame, and what is told.
HELPERS = """
const svg = document.querySelector("svg"), data = JSON.parse(document.querySelector(".ax-data").textContent);
const said = () => document.querySelector(".ax-status").textContent;
const pause = ms => new Promise(done => setTimeout(done, ms));
const client = ([x, y]) => {
  const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [p.x, p.y];
};
const spread = (count, most) => [...new Set(Array.from({length: Math.min(count, most)},
  (_, k) => Math.floor((k + 0.5) * count / Math.min(count, most))))];
const middles = (area, most) => {
  if (area.kind === "links") {
    const [left, , width] = area.box;
    return spread(area.lines.length, most).map(k =>
      [left + width / 2, (area.queries[area.lines[k][0]][0] + area.keys[area.lines[k][1]][0]) / 2]);
  }
  if (area.places)
    return spread(area.places.length, most).map(k => {
      const [x, y, width, height, , outline] = area.places[k];
      const mean = axis => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length;
      return outline ? [mean(0), mean(1)] : [x + width / 2, y + height / 2];
    });
  const [left, top, width, height] = area.box;
  const [rows, keys] = area.grid ?? [area.cells[1] - area.cells[0], area.cells[3] - area.cells[2]];
  return spread(rows, most).flatMap(row => spread(keys, most).map(key =>
    [left + width * (key + 0.5) / keys, top + height * (row + 0.5) / rows]));
};
const shownAreas = () => data.frames[data.shown].areas.map(k => data.areas[k]);
const box = () => { const r = svg.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; };
const told = async () => {
  for (let k = 0; k < 80 && !said(); ++k) await pause(10);
  return said();
};
"""
HELPERS_IN = "(async () => {" + HELPERS + """
const lines = [], say = line => lines.push(String(line));
const at = async (kind, x, y) => {
  const [clientX, clientY] = client([x, y]);
  svg.dispatchEvent(new (kind === "click" ? MouseEvent : PointerEvent)(kind, {clientX, clientY, bubbles: true}));
  await pause(60);
};
const key = async name => {
  svg.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
  await pause(60);
};
%s
return lines;
})()"""


def attnx(*words):
    done = subprocess.run([ATTNX, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def scene_of(what):
    """For the command line: a figure's name, or a Scene as text."""
    if isinstance(what, str):
        return what
    if isinstance(what, tuple):
        lesson, step = what
        what = json.loads((ASSETS / "lessons" / f"{lesson}.json").read_text())["steps"][step - 1]["scene"]
    return json.dumps({"type": "attention-explorer scene", "version": 1, **what})


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.browser = Browser(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def written(self, *words):
        file = self.path / "page.html"
        attnx(*words, "-o", file)
        return file

    def opened_with_helpers(self, file, **how):
        page = self.browser.open(file, **how)
        page.value(f"(() => {{{HELPERS} Object.assign(globalThis, {{middles, client, shownAreas, told, said, pause, data}}); }})()")
        return page

    def said(self, file, script, **how):
        """What `script`, run in the page, gives to say(), one line each."""
        page = self.browser.open(file, **how)
        lines = page.value(HELPERS_IN % script)
        self.assertEqual(page.problems(), [])
        return lines
