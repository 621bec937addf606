"""Pages of HTML as a reader gets them: their data read by Python's library and compared with the
mask as attnx counts it. In a browser: page_browser_test.py. Exit code 77 without NumPy.

    page_test.py <attnx>"""
import base64
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zlib

try:
    import numpy as np
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

ATTNX = pathlib.Path(sys.argv[1]).resolve()
ASSETS = pathlib.Path(__file__).resolve().parents[2] / "assets"
LESSON = "2-sparse-transformer"
# Figures that are measured, for many seconds.
MEASURED = ["katharopoulos-2020-fig1", "performer-2021-fig3", "performer-2021-fig4", "performer-2021-theorem2"]
PATTERNS = [["strided", "--stride", "5", "--n", "70"],
            ["strided", "--stride", "4", "--n", "20"],
            ["fixed", "--stride", "8", "--c", "2", "--n", "90"],
            ["dilated", "--left", "3", "--dilation", "2", "--n", "41"],
            ["bigbird", "--n", "256", "--block_size", "16", "--seed", "3"],
            ["dilated_segments", "--segments", "8,16", "--dilations", "1,2", "--n", "32"],
            ["topk", "--p.k", "150", "--random", "gaussian", "--n", "300"],  # cell by cell
            ["expr", "--expr", "(i + j) % 2 == 0", "--n", "75"]]
BOUNDS = {  # bytes of pages of 4096 tokens
    60_000: ["causal"], 80_000: ["strided"], 450_000: ["topk", "--p.k", "32"], 360_000: ["routing"],
    900_000: ["dsa"], 1_450_000: ["topk", "--p.k", "256"]}


def attnx(*words):
    done = subprocess.run([ATTNX, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def data_of(page):
    return json.loads(re.search(r'class="ax-data">(.*?)</script>', page, re.S).group(1))


def drawings_of(page):
    packed = re.search(r'class="ax-drawings">(.*?)</script>', page, re.S).group(1)
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def rows_of(part, rows, keys):
    """Per row the keys that it holds, from either form."""
    [(form, text)] = part.items()
    data = zlib.decompress(base64.b64decode(text))
    if form == "bits":
        bits = np.unpackbits(np.frombuffer(data, np.uint8).reshape(rows, -(-keys // 8)), axis=1, bitorder="little")
        assert not bits[:, keys:].any()
        return [set(np.flatnonzero(row).tolist()) for row in bits[:, :keys]]
    assert form == "ranges", form
    numbers, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    counts = numbers[:rows]
    skipped, held = iter(numbers[rows:rows + sum(counts)]), iter(numbers[rows + sum(counts):])
    found = []
    for count in counts:
        key, mine = 0, set()
        for _ in range(count):
            begin = key + next(skipped)
            key = begin + next(held)
            mine.update(range(begin, key))
        found.append(mine)
    assert next(skipped, None) is None and next(held, None) is None
    return found


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def written(self, *words):
        file = self.path / "page.html"
        attnx(*words, "-o", file)
        return file.read_text()


class Data(Page):
    def test_rows_are_those_of_the_mask(self):
        forms = set()
        for pattern in PATTERNS:
            with self.subTest(pattern):
                [area] = data_of(self.written("mask", *pattern))["areas"]
                attnx("mask", *pattern, "-o", self.path / "mask.npy")
                mask = np.load(self.path / "mask.npy").astype(bool)
                mask = mask.reshape(mask.shape[-2:])
                held = np.zeros_like(mask)
                for part in area["packed"]:
                    for i, keys in enumerate(rows_of(part, *mask.shape)):
                        held[i, sorted(keys)] = True
                forms.update(form for part in area["packed"] for form in part)
                self.assertEqual(area["cells"], [0, len(mask), 0, mask.shape[1]])
                np.testing.assert_array_equal(held, mask)
                self.assertEqual("why" in area, mask.size <= 64 * 64)
        self.assertEqual(forms, {"bits", "ranges"})

    def test_large_masks_tell_shares_of_pairs(self):
        n = 8192
        [area] = data_of(self.written("mask", "causal", "--n", n))["areas"]
        self.assertEqual(area["kind"], "shares")
        shares = np.frombuffer(zlib.decompress(base64.b64decode(area["packed"])), "<f4")
        shares = shares.reshape(area["grid"])
        side = n // 64
        self.assertTrue((np.triu(shares, 1) == 0).all() and (np.tril(shares, -1)[1:, 0] == 1).all())
        np.testing.assert_allclose(np.diag(shares), (side + 1) / (2 * side), rtol=2 ** -12)

    def test_masks_of_4096_tokens_stay_small_with_their_rows_and_one_picture(self):
        for most, pattern in BOUNDS.items():
            with self.subTest(pattern):
                data = ["--random", "gaussian"] if pattern[0] in ("topk", "dsa", "routing") else []
                page = self.written("mask", *pattern, "--n", 4096, *data)
                self.assertLess(len(page.encode()), most)
                self.assertEqual(page.count("data:image/png"), 1)
                self.assertEqual(data_of(page)["areas"][0]["kind"], "mask")

    def test_a_page_stays_small_and_opens_as_its_scene(self):
        page = self.written("figure", "child-2019-fig3")
        self.assertLess(len(page.encode()), 250_000)
        self.assertLess(len(self.written("mask", "strided", "--n", 4096).encode()), 1_000_000)
        first = self.path / "first.html"
        first.write_text(page)
        self.assertEqual(self.written("figure", first), page)

    def test_pages_of_reach_and_steps_play_and_open_as_their_scene(self):
        for frames, words in ((4, ["reach", "strided", "--stride", 8, "--n", 64, "--layers", 3]),
                              (10, ["steps", "causal", "--sample", "minilm_alice", "--query", 40])):
            with self.subTest(words[0]):
                page = self.written(*words)
                self.assertEqual(len(data_of(page)["frames"]), frames)
                first = self.path / "first.html"
                first.write_text(page)
                self.assertEqual(self.written("figure", first), page)

    def test_a_lesson_of_many_lines_stays_small(self):
        page = self.written("figure", "9-3-hybrids")
        self.assertLess(len(page.encode()), 1_500_000)
        self.assertEqual(len(re.findall('<g class="ax-drawing" aria-hidden="true"><path', page)), 8)  # stands where no script runs

    def test_every_figure_tells_something(self):
        silent = [name for name in (line.split("\t")[0] for line in attnx("figure", "--list").splitlines())
                  if name not in MEASURED and not self.told(name)]
        self.assertEqual(silent, [])

    def told(self, name):
        data = data_of(self.written("figure", name))
        return all(frame["areas"] for frame in data["frames"])

    def test_themes_and_sweeps(self):
        for theme in "light", "dark":
            self.assertNotIn("prefers-color-scheme",
                             self.written("mask", *PATTERNS[0], "--theme", theme))
        self.assertIn("prefers-color-scheme", self.written("mask", *PATTERNS[0], "--theme", "page"))
        scene = self.path / "scene.html"
        scene.write_text(self.written("mask", *PATTERNS[1]))
        data = data_of(self.written("figure", scene, "--sweep", "stride=2..6:2"))
        self.assertEqual([f["label"] for f in data["frames"]], ["stride = 2", "stride = 4", "stride = 6"])
        self.assertEqual(data["shown"], 1)  # the scene's own
        data = data_of(self.written("mask", "causal", "--n", 1024, "--sweep", "n=512..65536:65024"))
        self.assertEqual([f["label"] for f in data["frames"]], ["n = 512", "n = 65\u2009536"])

    def test_a_sweep_keeps_the_caption_of_a_figure(self):
        caption = json.loads((ASSETS / "figures" / "child-2019-fig3.json").read_text())["caption"]
        page = self.written("figure", "child-2019-fig3", "--sweep", "stride=2..8")
        data = data_of(page)
        self.assertEqual(data["frames"][data["shown"]]["label"], "stride = 6")
        for frame in data["frames"]:
            self.assertIn(f"With stride = 6: {caption}", frame["says"])
            self.assertNotIn(frame["label"] + ".", frame["says"])
        for frame in data_of(self.written("mask", "strided", "--n", 24, "--sweep", "stride=2..3"))["frames"]:
            self.assertNotIn(frame["label"] + ".", frame["says"])
        shown = {name: data_of(self.written(*words))["shown"] for name, words in (
            ("default", ["mask", "strided", "--n", 64, "--sweep", "stride=6..9"]),
            ("query", ["figure", "child-2019-fig3", "--sweep", "query=20..23"]),
            ("layers", ["reach", "local", "--window", 3, "--n", 12, "--layers", 2, "--sweep", "layers"]),
            ("left out", ["mask", "strided", "--stride", 7, "--n", 64, "--sweep", "stride=2..6:2"]))}
        self.assertEqual(shown, {"default": 2, "query": 1, "layers": 2, "left out": 0})

    def test_a_lesson_has_its_steps_in_their_order(self):
        lesson = json.loads((ASSETS / "lessons" / f"{LESSON}.json").read_text())
        page = self.written("figure", LESSON)
        text = html.unescape(page)
        self.assertEqual(re.findall(r'<h2 class="ax-heading">(.*?)</h2>', text),
                         [step["title"] for step in lesson["steps"]])
        self.assertEqual(len(re.findall('class="ax-data"', page)), len(lesson["steps"]))
        self.assertEqual(page.count("data-right"),
                         sum("correct" in step for step in lesson["steps"]))
        for step in lesson["steps"]:
            if "](" not in step["question"]:
                self.assertTrue(step["question"] in text, step["question"])
        self.assertNotIn("](", text[text.index("<main"):text.index("</main>")])
        own = self.path / "own.json"
        own.write_text(json.dumps(lesson))
        self.assertEqual(self.written("figure", own), page)
        names = [line.split("\t")[0] for line in attnx("figure", "--lessons").splitlines()]
        self.assertEqual(names, sorted(file.stem for file in (ASSETS / "lessons").glob("*.json")))

    def test_commands_sweep_what_they_show(self):
        typed = json.dumps({"words": ["a", "b"], "q": [[1, 0], [0, 1]], "k": [[1, 0], [1, 1]],
                            "v": [[2], [3]]})
        for words, labels in (
                (["mask", "strided", "--n", 24, "--stride", 4, "--sweep", "stride=2..6:2"],
                 ["stride = 2", "stride = 4", "stride = 6"]),
                (["mask", "causal", "--n", 24, "--heads", 2, "--sweep", "n=8..10"],
                 ["n = 8", "n = 9", "n = 10"]),
                (["reach", "local", "--window", 3, "--n", 12, "--layers", 2, "--sweep", "layers"],
                 ["layers = 0", "layers = 1", "layers = 2"]),
                (["reach", "strided", "--stride", 3, "--then", "causal", "--n", 12, "--sweep",
                  "stride=2..3"], ["stride = 2", "stride = 3"]),
                (["steps", "full", "--typed", typed, "--sweep", "query"],
                 ["query = 0", "query = 1"])):
            with self.subTest(words):
                frames = data_of(self.written(*words))["frames"]
                self.assertEqual([frame["label"] for frame in frames], labels)

    def test_what_the_window_plays_are_frames(self):
        for name, labels in (("child-2019-reach-strided", [f"layers = {k}" for k in range(3)]),
                             ("reformer-2020-sorting", None)):
            page = self.written("figure", name)
            data, drawings = data_of(page), drawings_of(page)
            self.assertGreater(len(data["frames"]), 2)
            if labels:
                self.assertEqual([frame["label"] for frame in data["frames"]], labels)
            # Each element is there once, and every frame has a drawing of its own.
            self.assertEqual(len(set(drawings["elements"])), len(drawings["elements"]))
            drawn = [drawings["drawings"][frame["drawing"]] for frame in data["frames"]]
            self.assertEqual(len({tuple(places) for places in drawn}), len(drawn))
        scene = json.loads((ASSETS / "lessons" / "7-flash-attention.json").read_text())["steps"][2]
        text = json.dumps({"type": "attention-explorer scene", "version": 1, **scene["scene"]})
        labels = [frame["label"] for frame in data_of(self.written("figure", text))["frames"]]
        self.assertEqual(labels[-2:], [f"step {len(labels) - 1} of {len(labels) - 1}", "all steps"])

    def test_screen_readers_are_told_what_to_see(self):
        page = self.written("mask", "causal", "--n", 6)
        said = html.unescape(re.search("<desc>(.*?)</desc>", page).group(1))
        self.assertIn("Query 5 sees every key up to itself.", said)
        said = html.unescape(re.search("<desc>(.*?)</desc>", self.written(
            "reach", "causal", "--n", 6, "--layers", 1, "--sweep", "layers")).group(1))
        self.assertIn("every token reaches every earlier token", said)

    def test_wrong_use_is_one_sentence(self):
        figure = ["figure", "child-2019-fig3", "-o", "f.html"]
        for words, says in (
                (figure + ["--sweep", "n=1"],
                 "sweep is \"n=1\"; it must be PARAM or PARAM=FROM..TO[:STEP]"),
                (figure + ["--theme", "blue"], "theme is blue; it must be light, dark or page"),
                (["mask", "causal", "--n", "6", "--sweep", "n", "-o", "f.png"],
                 "it must be given with -o FILE.html"),
                (["reach", "causal", "--n", "6", "--what", "graph", "--sweep", "layers", "-o",
                  "f.html"], "what is given with --sweep"),
                (["figure", LESSON, "--sweep", "n", "-o", "f.html"],
                 "sweep is given with a lesson"),
                (["figure", LESSON, "-o", "f.png"], "a lesson must be written to FILE.html"),
                (["animate", "child-2019-fig3", "--sweep", "stride", "-o", "f.html"],
                 "write it with attnx figure NAME --sweep PARAM=FROM..TO -o FILE.html")):
            done = subprocess.run([ATTNX, *words], capture_output=True, text=True, cwd=self.path)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(says, done.stderr)
            self.assertEqual(list(self.path.iterdir()), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
