"""Pages of HTML in Chromium, driven by its own protocol (browser.py): of every view, in both themes, they are pointed
at, clicked, played and slid, and their pictures are compared with the PNG that attnx draws of the same Scene. Exit code
77 without Chromium.

    page_browser_test.py <attnx>"""
import concurrent.futures
import json
import os
import re
import sys
import unittest

from browser import encoded
from page_case import HELPERS, LESSON, Case, attnx, scene_of

TYPED = {"words": ["the", "cat", "sat"], "q": [[1, 0], [1, 1], [2, 0]], "k": [[0, 1], [2, 0], [1, 1]],
         "v": [[1, 0], [0, 2], [1, 1]], "kind": "typed"}
CAUSAL = {"mechanism": "causal", "params": {}}
STRIDED = {"mechanism": "strided", "params": {"stride": 4}}
NSA = {"mechanism": "nsa", "params": {"compress_block": 4, "compress_stride": 4, "select_block": 4, "select_count": 3,
                                       "local_blocks": 1, "window": 3}}
RANDOM = {"kind": "random", "n": 24, "d": 8, "seed": 3}
CELL = r"Query \d+.* (attends|does not attend) to key \d+"
# Every view, every picture of those that have several, and the largest figures: a published figure, a step of a lesson,
# or a Scene. With what one is told somewhere in it.
SHOWN = {
    "mask": ({"view": "mask", "pattern": STRIDED, "length": {"n": 20}}, CELL + ": "),
    "mask, large": ({"view": "mask", "pattern": STRIDED, "length": {"n": 4096}}, r"Query 2.048 attends to key 2.048"),
    "mask, as an image": ("child-2019-fig2", r"Query \d+ attends to key \d+"),
    "mask, two axes": ("xformers-2d", r"Query \d+ "),
    "mask, weights": ("streamingllm-2023-sink", r"Query \d+.*: [\d.]+"),
    "mask, layers": ({"view": "mask", "pattern": NSA, "input": RANDOM},
                     r"Query \d+ does not attend to key \d+ by itself: query \d+ sees \d+ compressed keys, one of which"),
    "mask, weights of layers": ({"view": "mask", "pattern": NSA, "input": RANDOM, "mask": {"weights": "maximum"}},
                                r"Query \d+.*: [\d.]+"),
    "compare": ({"view": "compare", "length": {"n": 24}, "compare": {"patterns": [
        {"title": "", "pattern": CAUSAL}, {"title": "", "pattern": STRIDED}]}}, r"Query \d+ "),
    "compare, scores": (("4-hashing", 12), r"· FLOPs by the cost model = .+: captured mass = [\d.]+"),
    "reach": ("child-2019-reach-strided", r"layer 1, token \d+"),
    "reach, hops": ({"view": "reach", "pattern": STRIDED, "length": {"n": 24}, "reach": {"layers": 2}},
                    r"^j = \d+ never reaches i = \d+$"),
    "reach, lost again": ({"view": "reach", "length": {"n": 24}, "reach": {"layers": 2, "residual": False, "stack": [
        {"pattern": {"mechanism": "fixed", "params": {"stride": 4, "c": 1, "head": head}}} for head in (1, 2)]}},
        r"^j = \d+ reaches i = \d+ after 1 layer, and is lost again: not through all layers$"),
    "attention, maps": (("8-heads", 2), r"Query \d+ “.*”, key \d+ “.*”: [\d.]+"),
    "attention, heads": ({"view": "attention", "pattern": STRIDED, "input": {"kind": "sample", "name": "minilm_alice"},
                          "attention": {"picture": "heads", "list": {"shown": False}}}, r"head \d+: captured mass [\d.]+, entropy [\d.]+ nats"),
    "attention, measures": ({"view": "attention", "pattern": STRIDED, "input": RANDOM, "attention": {"curves": True}},
                            r"query i = \d+: captured mass = [\d.]+"),
    "attention, lines": ("vig-2019-head-view", r"Query \d+ “.*” gives [\d.]+ to key"),
    "attention, list": (("8-heads", 1), r"[Ll]ayer \d+"),
    "attention, text": (("8-heads", 4), r"key \d+ “.*”: .+ under the pattern, .+ without it"),
    "attention, steps": (("0-number-by-number", 9), r"q·k|×|="),
    "attention, matrices": ({"view": "attention", "pattern": CAUSAL, "input": TYPED, "attention": {
        "picture": "steps", "steps": {"whole": True}}}, r"query \d+ “\w+”, key \d+ “\w+”: "),
    "kernels, order": (("5-kernels", 1), r"L × m"),
    "kernels, matrices": (("5-kernels", 2), r"Query \d+, key \d+: "),
    "kernels, normalisers": (("5-kernels", 3), r"query i = \d+: .+ = [\d.−]+"),
    "kernels, ratio": (("5-kernels", 4), r"φ = [\d.]+, ℓ = [\d.−]+: r = "),
    "kernels, error": (("5-kernels", 6), r"· projections m = \d+: mean squared error .* = "),
    "kernels, spectrum": (("5-kernels", 10), r"k = \d+: share = [\d.]+"),
    "hashing, circle": (("4-hashing", 2), r"[xy] at \d+.*°: bucket \d+|bucket \d+: points from"),
    "hashing, sorting": ("reformer-2020-sorting", r"token \d+.*: bucket \d+, place \d+, chunk \d+"),
    "hashing, matrices": (("4-hashing", 3), CELL),
    "hashing, captured": (("4-hashing", 8), r"captured mass · .+ = \d+: share = [\d.]+"),
    "hashing, scores": ("dsa-2025", CELL + "|: score "),
    "hashing, cache": ("h2o-2023-timeline", r"Key \d+ at step \d+: (in the cache: .+|evicted|in the future)\n?key"),
    "encodings": ({"view": "encodings", "encodings": {"n": 12, "l1": 4, "l2": 3, "d1": 4, "d2": 4}},
                  r"position \d+ is row \d+ of E1|row \d+ of E[12] belongs to \d+ position"),
    "model, costs": (("9-4-real-models", 1), r"pairs, % of the model's own = [\d.]+: loss, nats per token = [\d.]+"),
    "model, text": (("9-4-real-models", 3), r"token \d+: ([\d.]+ → [\d.]+ nats|nothing before)"),
    "model, sweep": (("9-4-real-models", 6), r" = [\d.]+.*: .+ = [\d.]+"),
    "timings": ({"view": "timings", "timings": {"from": 64, "to": 128}},
                r"n = \d+: [\d.]+ [mµ]?s \(.+ – .+, \d+ samples?\)\n.*GFLOP/s, .*peak.*\npredicted "),
}
# What the window's "Read this" says there, in the text for screen readers.
READ = {
    "reach, hops": "every token", "reach, lost again": "loses again", "attention, measures": "of the pairs",
    "mask": "sees", "mask, layers": "sees", "mask, weights of layers": "3 softmaxes", "compare": "only in the first",
    "compare, scores": "Measured against", "reach": "every token",
    "attention, maps": "The pattern keeps all of full attention", "attention, heads": "keeps most of", "attention, lines": "drawn: ",
    "attention, list": "ranks first", "attention, text": "receives the most", "attention, steps": "largest weight",
    "attention, matrices": "sums to 1", "kernels, order": "associative", "kernels, matrices": "error is",
    "kernels, normalisers": "normaliser near zero", "kernels, ratio": "Trig features win",
    "kernels, error": "lowest error", "kernels, spectrum": "90 % of the sum", "hashing, circle": "share a bucket in",
    "hashing, sorting": "holds",
    "hashing, matrices": "holds", "hashing, captured": "of attention: ", "hashing, scores": "chosen most often",
    "hashing, cache": "half of them within", "encodings": "instead of", "model, costs": "loss", "model, text": "nats",
    "model, sweep": "loss", "timings": "n = ",
}
MEASURED = {"timings"}  # anew for every picture
MOST_MEAN = 0.02        # difference of the pictures, of the whole range, over squares of 8 x 8 pixels
MOST_SQUARE = 0.45      # in one of them, mean of its pixels: a letter that is drawn bolder
MOST_CELLS = 0.002      # of cells whose middles differ

# Two pictures of one size: their difference over squares of 8 x 8 pixels, the largest in a square, and the share of
# places [x, y] (of the first's pixels) whose colours differ.
COMPARED = """(async (first, second, places) => {
  const images = [];
  for (const text of [first, second]) {
    const image = new Image();
    image.src = "data:image/png;base64," + text;
    await image.decode();
    images.push(image);
  }
  const [a, b] = images;
  if (Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1)
    return {sizes: [a.width, a.height, b.width, b.height]};
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  const [p, q] = [a, b].map(image => {
    const draw = new OffscreenCanvas(width, height).getContext("2d", {willReadFrequently: true});
    draw.drawImage(image, 0, 0);
    return draw.getImageData(0, 0, width, height).data;
  });
  let sum = 0, most = 0, squares = 0, at = null;
  const square = (x, y, c) => {
    let away = 0;
    for (let v = y; v < y + 8; ++v)
      for (let k = 4 * (v * width + x) + c, end = k + 32; k < end; k += 4)
        away += p[k] - q[k];
    return Math.abs(away) / 64 / 255;
  };
  for (let y = 0; y + 8 <= height; y += 8)
    for (let x = 0; x + 8 <= width; x += 8, ++squares) {
      const one = Math.max(square(x, y, 0), square(x, y, 1), square(x, y, 2));
      sum += one;
      if (one > most) [most, at] = [one, [x, y]];
    }
  const differs = ([x, y]) => [0, 1, 2].some(c => {
    const k = 4 * (Math.floor(y) * width + Math.floor(x)) + c;
    return Math.abs(p[k] - q[k]) > 24;
  });
  return {mean: sum / squares, most, at, cells: places.length ? places.filter(differs).length / places.length : 0};
})"""


class Answers(Case):
    def cell(self, area, row, key):
        [x, y, width, height], [row0, row1, key0, key1] = area["box"], area["cells"]
        return (x + width * (key + 0.5) / (key1 - key0), y + height * (row + 0.5) / (row1 - row0))

    def test_cells_tell_their_rule_and_a_click_pins(self):
        pattern = ["strided", "--stride", "4", "--n", "20"]
        file = self.written("mask", *pattern)
        [area] = json.loads(re.search(r'class="ax-data">(.*?)</script>', file.read_text(), re.S).group(1))["areas"]
        script = ""
        for kind, row, key in (("pointermove", 9, 5), ("pointermove", 9, 4), ("click", 9, 8)):
            script += "await at('%s', %f, %f); say(said());" % (kind, *self.cell(area, row, key))
        script += """await key("ArrowUp"); say(said()); await key("Escape"); say(said());"""
        near, gap, pinned, above, gone = self.said(file, script)
        why = [attnx("why", *pattern, "--at", f"9,{key}") for key in (5, 4)]
        for says, reason in zip((near, gap), why):
            self.assertIn(says.split(": ", 1)[1], reason)
        self.assertTrue(near.startswith("Query 9 attends to key 5: "), near)
        self.assertTrue(gap.startswith("Query 9 does not attend to key 4: "), gap)
        self.assertTrue(pinned.startswith("Query 9 attends to key 8: "), pinned)
        self.assertTrue(above.startswith("Query 8 attends to key 8: "), above)
        self.assertEqual(gone, "")

    def test_sorted_cells_name_their_tokens(self):
        file = self.written("figure", scene_of(("4-hashing", 3)))
        says = self.said(file, """
            const sorted = shownAreas().find(area => area.query_order);
            const [x, y, width, height] = sorted.box, n = sorted.cells[1];
            for (const [row, column] of [[0, 0], [n - 1, 0], [3, 5]]) {
              await at("pointermove", x + width * (column + 0.5) / n, y + height * (row + 0.5) / n);
              say([sorted.query_order[row], sorted.key_order[column], await told()].join("|"));
            }""")
        for line in says:
            query, key, words = line.split("|")
            self.assertRegex(words, rf"^Query {query}\b.* key {key}\b")

    def test_frames_play_by_keys_buttons_and_the_slider(self):
        file = self.written("figure", "child-2019-reach-strided")
        says = self.said(file, """
            const player = document.querySelector(".ax-player"), [button, slider, label] = player.children;
            const drawn = () => document.querySelector(".ax-drawing").innerHTML;
            const shows = async () => { await pause(250); say(label.textContent); };
            const first = drawn();
            await shows(); await key("ArrowLeft"); await shows(); say(drawn() !== first);
            await key("ArrowRight"); await key("ArrowRight"); await shows();
            slider.value = 0; slider.dispatchEvent(new Event("input")); await shows();
            button.click(); say(button.getAttribute("aria-label")); await pause(1800); await shows();
            say(button.getAttribute("aria-label"));
            await key(" "); say(button.getAttribute("aria-label")); await key(" ");
            say(document.querySelectorAll("svg > desc").length);""")
        self.assertEqual(says, ["layers = 2", "layers = 1", "true", "layers = 2", "layers = 0", "Pause", "layers = 2",
                                "Play", "Pause", "1"])

    def test_a_sweep_slides(self):
        file = self.written("mask", "strided", "--n", 24, "--stride", 4, "--sweep", "stride=2..6:2")
        says = self.said(file, """
            const [, slider, label] = document.querySelector(".ax-player").children;
            for (const place of [0, 1, 2]) {
              slider.value = place;
              slider.dispatchEvent(new Event("input"));
              await pause(100);
              const area = data.areas[data.frames[place].areas[0]];
              await at("pointermove", ...middles(area, 1)[0]);
              say(label.textContent + ": " + await told());
              say(document.querySelector("svg > desc").textContent);
              say(document.querySelector("svg").getAttribute("aria-label"));
            }
            say(slider.getAttribute("aria-label"));""")
        told, described, titles = says[0:9:3], says[1:9:3], says[2:9:3]
        for stride, line, title in zip((2, 4, 6), told, titles):
            self.assertRegex(line, rf"^stride = {stride}: Query 12 ")
            self.assertIn(f"stride {stride}", title)
        self.assertEqual(len(set(told)), 3)
        self.assertEqual(len(set(described)), 3)
        self.assertEqual(says[9], "stride")

    def test_the_keyboard_is_told_its_keys(self):
        says = self.said(self.written("mask", "strided", "--n", 24), """
            const hint = document.querySelector(".ax-status");
            await key("Tab"); svg.focus({focusVisible: true}); await pause(50); say(hint.textContent);
            svg.blur(); await pause(50); say(hint.textContent);""")
        self.assertTrue(says[0].startswith("Enter: go to the first place."), says)
        self.assertNotIn("Space", says[0])
        self.assertEqual(says[1], "")
        says = self.said(self.written("figure", "child-2019-reach-strided"), """
            await key("Tab"); svg.focus({focusVisible: true}); await pause(50); say(said());""")
        self.assertIn("Space: play. ← →: step, or move the place that is kept.", says[0])

    def test_a_lesson_goes_step_by_step(self):
        says = self.said(self.written("figure", LESSON), """
            const press = name => { document.body.dispatchEvent(
              new KeyboardEvent("keydown", {key: name, bubbles: true})); return pause(60); };
            const shown = () => [...document.querySelectorAll("section")].filter(s => !s.hidden);
            const place = () => document.querySelector("nav output").textContent;
            const answer = () => shown()[0].querySelector("details");
            say(place());
            for (const name of ["ArrowRight", "ArrowLeft"]) { await press(name); say(place()); }
            say(answer().open); await press("2"); say(answer().open);
            say([...answer().parentElement.querySelectorAll("button")].map(b => b.dataset.is));
            await press(" "); say(answer().open);
            for (let k = 0; k < 20; ++k) await press("ArrowRight");
            say(place()); say(shown().length);""")
        self.assertEqual(says, ["1 of 12", "2 of 12", "1 of 12", "false", "true", "other,right,other", "false",
                                "12 of 12", "1"])


    def test_a_sorted_list_names_its_columns_without_their_arrow(self):
        says = self.said(self.written("figure", scene_of(("8-heads", 1))), """
            const [area] = shownAreas();
            for (const place of area.places) say(place[4]);""")
        self.assertTrue(any(re.search(r", previous: [\d.]+$", line) for line in says), says[:20])
        self.assertFalse([line for line in says if "↓" in line or "↑" in line])

    def test_a_difference_tells_which_of_the_two_has_a_cell_and_why(self):
        scene = {"view": "compare", "length": {"n": 12}, "compare": {"patterns": [
            {"title": "", "pattern": {"mechanism": "local", "params": {"window": 3, "causal": True}}},
            {"title": "", "pattern": STRIDED}]}}
        file = self.written("figure", scene_of(scene))
        areas = json.loads(re.search(r'class="ax-data">(.*?)</script>', file.read_text(), re.S).group(1))["areas"]
        [area] = [area for area in areas if "says" in area]
        says = self.said(file, "".join("await at('pointermove', %f, %f); say(said());" % self.cell(area, *cell)
                                       for cell in ((6, 3), (6, 2), (6, 5), (2, 9))))
        self.assertEqual([line.split("\n")[0] for line in says],
                         ["Query 6, key 3: only in (b)", "Query 6, key 2: only in (b)", "Query 6, key 5: in both",
                          "Query 2, key 9: in neither"])
        self.assertRegex(says[0], r"\n\(a\) .*6 − 3 = 3.*; \(b\) .*6 − 3 = 3")

    def test_arrows_go_from_a_box_to_the_next_one_that_way(self):
        file = self.written("figure", "child-2019-fig3")
        areas = json.loads(re.search(r'class="ax-data">(.*?)</script>', file.read_text(), re.S).group(1))["areas"]
        area = next(area for area in areas if len(area.get("places", [])) == 36)
        x, y, width, height = area["places"][7][:4]
        says = self.said(file, "await at('click', %f, %f); say(said());" % (x + width / 2, y + height / 2) + "".join(
            f"await key('Arrow{way}'); say(said());" for way in ("Down", "Right", "Up", "Left")))
        self.assertEqual([re.search(r"\d+$", line)[0] for line in says], ["7", "13", "14", "8", "7"], says)

    def test_a_receptive_field_says_what_reaches_what(self):
        words = ["local", "--window", "3", "--causal", "true", "--n", "12", "--layers", "3", "--what", "reach"]
        file = self.written("reach", *words)
        cells = {(8, 3): "Through 3 layers, key 3 reaches query 8", (8, 1): "Through 3 layers, key 1 does not reach query 8"}
        self.assertIn("<title>Receptive field of 3 layers of Local, window 3", file.read_text())
        [area] = json.loads(re.search(r'class="ax-data">(.*?)</script>', file.read_text(), re.S).group(1))["areas"]
        script = "".join("await at('pointermove', %f, %f); say(said());" % self.cell(area, *cell) for cell in cells)
        self.assertEqual(self.said(file, script), list(cells.values()))


class EveryView(Case):
    """Pages and pictures of all that is shown, drawn side by side by all processors."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(cls.draw, SHOWN))

    @classmethod
    def file(cls, name, ending, theme):
        return cls.path / (re.sub(r"\W+", "-", name) + "-" + theme + ending)

    @classmethod
    def draw(cls, name):
        """The page, and pictures with two pixels for each of its units; all frames of what plays are as large as the
        first, so there the size is given, and a pixel is a unit."""
        scene = scene_of(SHOWN[name][0])
        attnx("figure", scene, "-o", cls.file(name, ".html", "page"))
        size = ["--size", "x".join(map(str, cls.size(name)))] if cls.plays(name) else []
        for theme in ("light", "dark") if name not in MEASURED else ():
            attnx("figure", scene, "-o", cls.file(name, ".png", theme), "--theme", theme, *size)

    @classmethod
    def plays(cls, name):
        return 'class="ax-drawings"' in cls.file(name, ".html", "page").read_text()

    @classmethod
    def size(cls, name):
        text = cls.file(name, ".html", "page").read_text()
        return [round(float(side)) for side in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text).groups()]

    def opened(self, name, theme):
        """The page at the size of its drawing, so that a pixel of the screen is a unit of it."""
        if theme == "dark":  # after the light one
            self.browser.page.set_theme(theme)
            return self.browser.page
        width, height = self.size(name)
        return self.browser.open(self.file(name, ".html", "page"), theme, width, round(height / 0.9) + 120)

    def test_everywhere_something_is_told(self):
        for name, (_, words) in SHOWN.items():
            for theme in "light", "dark":
                with self.subTest(name, theme=theme):
                    page = self.opened(name, theme)
                    page.value(f"(() => {{{HELPERS} Object.assign(globalThis, {{middles, client, shownAreas, told, "
                               "said, pause}); })()")
                    self.assertNotEqual(page.value("shownAreas().length"), 0, "no fact at all")
                    self.point(page, words, 3 if theme == "light" else 1)
                    self.assertEqual(page.problems(), [])

    def point(self, page, words, each):
        """At so many places of every area, or the square of them where it has rows and columns."""
        told = []
        for place in page.value(f"shownAreas().flatMap(area => middles(area, {each})).map(client)"):
            page.value("document.querySelector('.ax-status').textContent = ''")
            page.move(*place)
            told.append(page.value("told()"))
        self.assertTrue(all(told), f"nothing is told at {told.count('')} of {len(told)} places")
        self.assertTrue(each == 1 or any(re.search(words, line) for line in told), told)
        page.click(*place)  # is pinned: the pointer may go
        pinned = page.value("told()")
        page.move(1, 1)
        self.assertEqual(page.value("pause(40).then(said)"), pinned)
        page.press("Escape")
        self.assertEqual(page.value("pause(40).then(said)"), "")

    def test_pages_look_like_our_pictures(self):
        for name in SHOWN:
            for theme in "light", "dark":
                if name not in MEASURED:
                    with self.subTest(name, theme=theme):
                        self.compare(name, theme)

    def compare(self, name, theme):
        page = self.opened(name, theme)
        box = page.value(f"(() => {{{HELPERS} return box(); }})()")
        cells = page.value(f"""(() => {{{HELPERS}
            const wide = area => area.packed && area.box[2] / (area.grid?.[1] ?? area.cells[3] - area.cells[2]) > 3;
            return shownAreas().filter(area => area.kind !== "field" && wide(area)).flatMap(area => middles(area, 64));
            }})()""")
        ours = encoded(self.file(name, ".png", theme))
        scale = 1 if self.plays(name) else 2
        drawn = page.picture(box, scale)
        found = page.value(f"{COMPARED}({json.dumps(drawn)}, {json.dumps(ours)}, "
                           f"{json.dumps([[scale * x, scale * y] for x, y in cells])})")
        self.assertNotIn("sizes", found)
        self.assertLess(found["mean"], MOST_MEAN, found)
        self.assertLess(found["most"], MOST_SQUARE, found)
        self.assertLessEqual(found["cells"], MOST_CELLS, found)

    def test_screen_readers_are_told_what_to_see(self):
        for name, words in READ.items():
            with self.subTest(name):
                self.opened(name, "light")
                self.assertIn(words, self.browser.page.value("document.querySelector('desc').textContent"))


class Figures(Case):
    def test_no_figure_breaks_the_script(self):
        for name in attnx("figure", "--list").splitlines()[::9]:
            name = name.split("\t")[0]
            with self.subTest(name):
                self.assertEqual(self.said(self.written("figure", name), 'say("whole");'), ["whole"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
