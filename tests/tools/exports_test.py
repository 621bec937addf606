"""Files that attnx writes, read back by other readers than ours: NumPy, csv, json and XML of Python's
library, and the few lines below for PNG, Matrix Market, PDF and TikZ. Exit code 77 without NumPy.

    exports_test.py <attnx>"""
import csv
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

try:
    import numpy as np
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

ATTNX = pathlib.Path(sys.argv[1]).resolve()
N, STRIDE = 13, 4
I, J = np.mgrid[0:N, 0:N]
NEAR = (J <= I) & (I - J <= STRIDE)
COMB = (J <= I) & ((I - J) % STRIDE == 0) & ~NEAR
MASK = NEAR | COMB
PATTERN = ["strided", "--stride", str(STRIDE), "--n", str(N)]
BLUE, ORANGE = (0, 114, 178), (184, 92, 0)  # of the two parts, on a light ground


def attnx(*words):
    done = subprocess.run([ATTNX, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def strict(text):
    """JSON as its standard has it: no NaN, no Infinity."""
    def refuse(name):
        raise ValueError(name)
    return json.loads(text, parse_constant=refuse)


def png(path):
    """Pixels [height, width, 3 or 4] of an 8-bit .png; the checksum of each chunk is compared."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, []
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        chunks.append((kind, body))
        at += 12 + length
    assert chunks[0][0] == b"IHDR" and chunks[-1] == (b"IEND", b"")
    width, height, depth, color, *_, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    assert depth == 8 and color in (2, 6) and interlaced == 0, chunks[0]
    data = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    return unfiltered(data, width, height, 3 if color == 2 else 4), chunks


def unfiltered(raw, width, height, channels):
    stride, rows, above = width * channels, [], bytearray(width * channels)
    for row in range(height):
        kind, line = raw[row * (stride + 1)], bytearray(raw[row * (stride + 1) + 1:(row + 1) * (stride + 1)])
        for k in range(stride):
            a = line[k - channels] if k >= channels else 0
            b, c = above[k], above[k - channels] if k >= channels else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[k] = line[k] + (0, a, b, (a + b) // 2, nearest)[kind] & 255
        rows.append(bytes(line))
        above = line
    return np.frombuffer(b"".join(rows), np.uint8).reshape(height, width, channels)


def svg_boxes(path):
    """(color, x, y, width, height) of all filled rectangles: paths of four corners, and rect."""
    for element in xml.etree.ElementTree.parse(path).iter():
        style = element.get("fill", "") + element.get("style", "")
        fill = re.search(r"(?:^|fill:)rgb\(([0-9.]+)%, ?([0-9.]+)%, ?([0-9.]+)%\)", style)
        if not fill:
            continue
        color = tuple(round(float(p) * 2.55) for p in fill.groups())
        if element.tag.endswith("}rect"):
            yield color, *(float(element.get(name)) for name in ("x", "y", "width", "height"))
        elif element.get("d"):
            yield from boxes_of(color, element.get("d"))


def boxes_of(color, path):
    for part in re.split(r"[Zh]", path):
        numbers = [float(x) for x in re.findall(r"-?[0-9.]+", part)]
        x, y = numbers[0::2], numbers[1::2]
        if len(x) >= 4 and len(set(x)) == 2 and len(set(y)) == 2:
            yield color, min(x), min(y), max(x) - min(x), max(y) - min(y)


def pdf_boxes(path):
    """The same of a PDF's first page, as cairo writes it; the page's y axis points down there."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", path.read_bytes(), re.DOTALL)
    contents = (zlib.decompress(stream) for stream in streams if stream[:1] == b"x")
    content = next(text for text in contents if b" rg" in text).decode("latin-1")
    color = None
    for paint, corners, box in re.findall(
            r"([0-9. ]+ rg)|((?:[0-9.]+ [0-9.]+ [ml]\s+){4}h)|((?:[0-9.]+ ){4}re f)", content):
        if paint:
            color = tuple(round(float(x) * 255) for x in paint.split()[:3])
        elif corners:
            yield from boxes_of(color, corners)
        else:
            yield color, *map(float, box.split()[:4])


def tex_boxes(path):
    text = path.read_text(encoding="utf-8")
    colors = {name: tuple(map(int, rgb.split(","))) for name, rgb in
              re.findall(r"\\definecolor\{(\w+)\}\{RGB\}\{([0-9,]+)\}", text)}
    unit = float(re.search(r"\[x=([0-9.]+)pt", text)[1])
    scope = (r"\\begin\{scope\}\[shift=\{\(([0-9.]+),([0-9.]+)\)\},x=([0-9.]+)pt[^\]]*\]"
             r"(.*?)\\end\{scope\}")
    for x0, y0, size, body in re.findall(scope, text, re.DOTALL):
        cell, color = float(size) / unit, colors[re.search(r"\\pgfsetfillcolor\{(\w+)\}", body)[1]]
        for numbers in re.findall(r"\\bx([0-9.]+),([0-9.]+),([0-9.]+),([0-9.]+);", body):
            x, y, w, h = (float(v) * cell for v in numbers)
            yield color, float(x0) + x, float(y0) + y, w, h


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name):
        return pathlib.Path(self.folder.name, name)

    def written(self, name, *words):
        attnx(*words, "-o", self.file(name))
        return self.file(name)

    def rows(self, path):
        with open(path, newline="", encoding="utf-8") as stream:
            rows = list(csv.reader(stream, strict=True))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])}, path)
        return rows[0], rows[1:]


class Masks(Case):
    def test_numpy_reads_the_cells(self):
        mask = np.load(self.written("m.npy", "mask", *PATTERN), allow_pickle=False)
        self.assertEqual(mask.dtype, np.bool_)
        np.testing.assert_array_equal(mask, MASK)
        wide = np.load(self.written("w.npy", "mask", "causal", "--n-q", 5, "--n-k", 9, "--align", "bottom-right"))
        np.testing.assert_array_equal(wide, np.tri(5, 9, 4, dtype=bool))

    def test_pairs_are_zero_based_and_matrix_market_is_one_based(self):
        head, rows = self.rows(self.written("m.csv", "mask", *PATTERN))
        self.assertEqual(head, ["i", "j"])
        np.testing.assert_array_equal(np.array(rows, int), np.argwhere(MASK))
        lines = self.written("m.mtx", "mask", *PATTERN).read_text().splitlines()
        self.assertEqual(lines[0], "%%MatrixMarket matrix coordinate pattern general")
        body = [line for line in lines[1:] if not line.startswith("%")]
        self.assertEqual(body[0].split(), [str(N), str(N), str(MASK.sum())])
        np.testing.assert_array_equal(np.array([line.split() for line in body[1:]], int), np.argwhere(MASK) + 1)

    def test_every_pixel_of_a_png_has_its_cell_s_colour(self):
        pixels, chunks = png(self.written("m.png", "mask", *PATTERN, "--cell", 3))
        self.assertEqual(pixels.shape[:2], (3 * N, 3 * N))
        cells = pixels.reshape(N, 3, N, 3, -1)
        self.assertTrue((cells == cells[:, :1, :, :1]).all())
        for part, color in ((NEAR, BLUE), (COMB, ORANGE), (~MASK, (255, 255, 255))):
            np.testing.assert_array_equal((cells[:, 0, :, 0, :3] == color).all(-1), part)
        self.assertIn(b"attention-explorer scene", b"".join(body for _, body in chunks))

    def test_boxes_of_svg_pdf_and_tikz_are_the_cells(self):
        for name, boxes in (("m.svg", svg_boxes), ("m.pdf", pdf_boxes), ("m.tex", tex_boxes)):
            with self.subTest(name):
                found = list(boxes(self.written(name, "mask", *PATTERN)))
                found = [box for box in found if box[0] in (BLUE, ORANGE)]
                _, x0, y0, cell, _ = found[0]  # cell (0, 0)
                cells = {BLUE: np.zeros((N, N), int), ORANGE: np.zeros((N, N), int)}
                legend = []
                for color, x, y, width, height in found:
                    left, top, wide, high = ((x - x0) / cell, (y - y0) / cell, width / cell, height / cell)
                    if top > N:
                        legend.append(color)
                        continue
                    for value in (left, top, wide, high):
                        self.assertAlmostEqual(value, round(value), delta=0.02)
                    left, top, wide, high = map(round, (left, top, wide, high))
                    cells[color][top:top + high, left:left + wide] += 1
                np.testing.assert_array_equal(cells[BLUE], NEAR)
                np.testing.assert_array_equal(cells[ORANGE], COMB)
                self.assertEqual(legend, [BLUE, ORANGE])

    def test_words_of_an_svg_are_text_where_asked(self):
        tree = xml.etree.ElementTree.parse(self.written("t.svg", "mask", *PATTERN, "--text", "text"))
        words = ["".join(e.itertext()) for e in tree.iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(words, [*map(str, range(N)), "key j", *map(str, range(N)), "query i",
                                 "A¹ previous ℓ", "A² every ℓ-th"])
        scene = next(tree.iter("{http://www.w3.org/2000/svg}metadata")).text
        self.assertEqual(strict(scene)["pattern"], {"mechanism": "strided", "params": {"stride": STRIDE}})


def random(*shape, seed):
    return np.random.default_rng(seed).standard_normal(shape)


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


class Numbers(Case):
    def head(self, **more):
        q, k, v = random(N, 6, seed=1), random(N, 6, seed=2), random(N, 4, seed=3)
        for name, array in {"q": q, "k": k, "v": v, **more}.items():
            np.save(self.file(name + ".npy"), array)
        return q, k, v, ["--q", self.file("q.npy"), "--k", self.file("k.npy"), "--v", self.file("v.npy")]

    def scene(self, view, **more):
        path = self.file(view + ".json")
        path.write_text(json.dumps({"type": "attention-explorer scene", "version": 1, "view": view,
                                    "pattern": {"mechanism": "strided", "params": {"stride": STRIDE}},
                                    "length": {"n": N}, **more}), encoding="utf-8")
        return path

    def files(self):
        return {"kind": "files", **{name: str(self.file(name + ".npy")) for name in "qkv"}}

    def test_outputs_weights_and_sums_are_those_of_softmax(self):
        q, k, v, given = self.head()
        scores = np.where(MASK, q @ k.T / 6 ** 0.5, -np.inf)
        out = self.written("o.npy", "attend", "strided", "--stride", STRIDE, *given, "--dtype", "float64",
                           "--lse", self.file("l.npy"), "--weights", self.file("w.npy"))
        np.testing.assert_allclose(np.load(out), softmax(scores) @ v, atol=1e-12)
        np.testing.assert_allclose(np.load(self.file("w.npy")).reshape(N, N), softmax(scores), atol=1e-12)
        np.testing.assert_allclose(np.load(self.file("l.npy")).reshape(N), np.log(np.exp(scores).sum(1)), atol=1e-12)

    def test_weights_of_the_attention_view(self):
        q, k, _, _ = self.head()
        scores = q @ k.T / 6 ** 0.5
        dense, kept = (softmax(np.where(mask, scores, -np.inf)) for mask in (J <= I, MASK))
        scene = self.scene("attention", input=self.files())
        maps = np.load(self.written("a.npy", "figure", scene))
        np.testing.assert_allclose(maps, [dense, kept, kept - dense], atol=1e-6)
        head, rows = self.rows(self.written("a.csv", "figure", scene))
        column = {name: np.array([float(row[at] or "nan") for row in rows]) for at, name in enumerate(head)}
        np.testing.assert_allclose(column["query"], range(N))
        np.testing.assert_allclose(column["captured_mass"], (dense * MASK).sum(1), atol=1e-6)
        np.testing.assert_allclose(column["top_key"], dense.argmax(1))
        np.testing.assert_allclose(column["top_weight"], dense.max(1), atol=1e-6)
        with np.errstate(divide="ignore", invalid="ignore"):
            for name, weights in (("entropy_base", dense), ("entropy_pattern", kept)):
                entropy = -np.nansum(weights * np.log(weights), axis=1)
                np.testing.assert_allclose(column[name], entropy, atol=1e-6)

    def test_hops_and_growth_of_the_reach_view(self):
        scene = self.scene("reach", reach={"layers": 3})
        power, hops, growth = np.eye(N, dtype=int), np.full((N, N), -1), []
        for layer in range(4):
            hops[(hops < 0) & (power > 0)] = layer
            growth.append(int(power.sum()))
            power = np.minimum(MASK.astype(int) @ power, 1)
        found = np.load(self.written("r.npy", "figure", scene))
        self.assertEqual(found.dtype, np.int32)
        np.testing.assert_array_equal(found, hops)
        head, rows = self.rows(self.written("r.csv", "figure", scene))
        self.assertEqual(head, ["stack", "layer", "pairs", "fraction_full", "fraction_causal"])
        self.assertEqual([int(row[2]) for row in rows], growth[1:])
        for row, pairs in zip(rows, growth[1:]):
            self.assertEqual((float(row[3]), float(row[4])), (pairs / N**2, pairs / (N * (N + 1) // 2)))

    def test_encodings_are_rows_of_both_tables(self):
        scene = self.scene("encodings", encodings={"l1": 4, "l2": 5, "d1": 6, "d2": 2, "tables": "normal", "seed": 7})
        e = np.load(self.written("e.npy", "figure", scene))
        self.assertEqual((e.dtype, e.shape), (np.float32, (20, 8)))
        j = np.arange(20)
        np.testing.assert_array_equal(e, np.hstack([e[:4, :6][j % 4], e[::4, 6:][j // 4]]))
        head, rows = self.rows(self.written("e.csv", "figure", scene))
        self.assertEqual(head, ["j", "row_e1", "row_e2", *(f"e{c}" for c in range(8))])
        table = np.array(rows, float)
        np.testing.assert_array_equal(table[:, :3], np.stack([j, j % 4, j // 4], 1))
        np.testing.assert_array_equal(table[:, 3:].astype(np.float32), e)

    def test_masks_and_scores_of_a_comparison(self):
        self.head()
        patterns = [{"title": "x, \"y\"", "pattern": {"mechanism": "causal"}},
                    {"title": "", "pattern": {"mechanism": "strided", "params": {"stride": STRIDE}}}]
        scene = self.scene("compare", input=self.files(), compare={"patterns": patterns})
        masks = np.load(self.written("c.npy", "figure", scene))
        np.testing.assert_array_equal(masks, [J <= I, MASK, J <= I])  # the last has the cells of either
        head, rows = self.rows(self.written("c.csv", "figure", scene))
        names = [row[head.index("name")] for row in rows]
        self.assertEqual(names[0], "x; \"y\"")  # for readers that know no quotes
        self.assertIn("Causal", names)  # the same pattern, scored under its own name too
        self.assertEqual([int(row[head.index("pairs")]) for row in rows[:2]], [N * (N + 1) // 2, MASK.sum()])

    def test_tables_of_all_views_are_whole(self):
        self.head()
        for view in ("reach", "attention", "kernels", "choosing", "timings", "encodings", "compare"):
            more = {"kernels": {"length": 16, "d": 4, "repeats": 2, "projections": [4, 8]},
                    "timings": {"from": 16, "to": 32, "d": 8}}.get(view, {})
            pattern = {"mechanism": "lsh", "params": {"n_buckets": 4}} if view == "choosing" else None
            scene = self.scene(view, input=self.files(), **({view: more} if more else {}),
                               **({"pattern": pattern, "length": {}} if pattern else {}))
            with self.subTest(view):
                head, rows = self.rows(self.written(view + ".csv", "figure", scene))
                self.assertEqual(len(set(head)), len(head))
                self.assertTrue(rows)
                if view == "timings":
                    for row in rows:
                        low, median, high = (float(row[head.index(name)]) for name in ("q1", "median", "q3"))
                        self.assertTrue(0 < low <= median <= high, row)

    def test_json_of_every_command_is_json(self):
        *_, given = self.head()
        for words in (["info", *PATTERN], ["count", *PATTERN, "--rect", "0,3,0,3"], ["why", *PATTERN, "--at", "5,1"],
                      ["diff", *PATTERN, "--with", "causal"], ["reach", *PATTERN, "--layers", "2"], ["patterns"],
                      ["attend", "causal", *given], ["compare", "causal", *given], ["lowrank", *given, "--ranks", "1,2"],
                      ["steps", "causal", "--query", "3", *given], ["heads", *given],
                      ["lsh", *given, "--n-buckets", "4"], ["kernel-error", *given, "--m", "4,8", "--repeats", "2"],
                      ["axial", "--l1", "3", "--l2", "4", "--d1", "2", "--d2", "2"],
                      ["time", "causal", "--n", "16,32", "--samples", "2"]):
            with self.subTest(words[0]):
                self.assertTrue(strict(attnx(*words, "--json")))


class Films(Case):
    def test_an_apng_has_its_frames_and_their_times(self):
        path = self.written("a.png", "animate", "child-2019-fig3", "--sweep", "query", "--from", 0, "--to", 4,
                            "--seconds", 0.25, "--still", 1)
        _, chunks = png(path)
        kinds = [kind for kind, _ in chunks]
        frames, plays = struct.unpack(">II", dict(chunks)[b"acTL"])
        self.assertEqual((frames, plays), (kinds.count(b"fcTL"), 0))
        delays = [struct.unpack(">HH", body[20:24]) for kind, body in chunks if kind == b"fcTL"]
        seconds = [a / (b or 100) for a, b in delays]
        self.assertEqual(len(seconds), 5)
        for found, wanted in zip(seconds, [0.25] * 4 + [1.25]):
            self.assertAlmostEqual(found, wanted, places=3)
        numbers = [struct.unpack(">I", body[:4])[0] for kind, body in chunks if kind in (b"fcTL", b"fdAT")]
        self.assertEqual(numbers, list(range(len(numbers))))


class Windows(Case):
    def test_a_mask_that_is_named_as_the_input_is_the_pattern(self):
        forms = {"cells.npy": MASK, "sums.npy": np.where(MASK, 0, -np.inf).astype(np.float32),
                 "heads.npy": np.stack([np.tril(np.ones((N, N))), MASK]).astype(np.int64)}
        for name, array in forms.items():
            with self.subTest(name):
                mask, picture = self.file(name), self.file("window.png")
                np.save(mask, array)
                chosen = ["--head-index", 1] if array.ndim == 3 else []
                attnx("gui", "--input", mask, *chosen, "--screenshot", picture, "--size", "900x600")
                attnx("figure", picture, "-o", self.file("shown.npy"))  # of the scene that it carries
                np.testing.assert_array_equal(np.load(self.file("shown.npy")), MASK)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
