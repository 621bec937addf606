"""What the functions of python/attnx say to values that they cannot use: attnx.Error with one sentence, whatever the
value, and never an error of Python's own from within. Needs numpy; exit code 77 without.

    python_refusals_test.py <repository> <libattnx.so> <attnx>"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

try:
    import numpy as np
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

ROOT, os.environ["ATTNX_LIBRARY"], os.environ["ATTNX_PROGRAM"] = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, str(pathlib.Path(ROOT) / "python"))
import attnx  # noqa: E402

N = 8
TRIANGLE = np.tri(N, dtype=bool)


class Unreadable:
    """An array of another library that NumPy cannot read."""

    def __array__(self, *_, **__):
        raise RuntimeError("there are no numbers\nin a tensor of this kind")


BAD = {
    "None": None, "empty text": "", "text": "nosuch", "zero byte": "a\0b", "half a letter": "\ud800", "lines": "a\nb", "flag": "--help",
    "bytes": b"nosuch", "path": pathlib.Path("/nosuch/file.npz"), "no user": "~nosuch/file.npz",
    "zero": 0, "negative": -1, "large": 2**40, "huge": 10**5000, "fraction": 0.5, "nan": float("nan"),
    "infinite": float("inf"), "complex": 1j, "empty list": [], "nested": [[1, 0], [1, 1]], "ragged": [[1, 2], [3]],
    "dict": {}, "keys": {1: 2}, "object": object(), "set": {1}, "function": lambda: 0,
    "no numbers": Unreadable(), "no cells": np.zeros(0), "no rows": np.zeros((0, N)), "no columns": np.zeros((N, 0)),
    "one axis": np.zeros(N), "five axes": np.zeros((2, 2, 2, N, N)), "empty batch": np.zeros((0, 2, N, 4)),
    "complex array": np.full((N, N), 1j), "objects": np.full((N, N), None), "words": np.full((N, N), "x"),
    "dates": np.zeros((N, N), "M8[s]"), "records": np.zeros((N, N), [("a", "f4"), ("b", "f4")]),
    "nan array": np.full((N, N), np.nan, np.float32),
}  # fmt: skip
WORDS = {"words": ["a", "b"], "q": [[1, 0], [0, 1]], "k": [[1, 0], [1, 1]], "v": [[2], [3]]}


def calls():
    """Each argument of each public function by its name: the call with a value in its place, and what it may take."""
    q, k, v = np.random.default_rng(0).standard_normal((3, 2, N, 4), dtype=np.float32)
    strided, library = attnx.pattern("strided", N, stride=2), attnx.library()
    found, shown = attnx.check(TRIANGLE), attnx.show("strided")
    steps, heads = attnx.steps("causal", WORDS, 1), attnx.heads((q, k, v))
    bits = library.reach(strided, 1)[0]
    absent, number = {"None"}, {"zero", "negative", "large", "fraction"}
    empty = {"empty list", "no cells", "no rows", "empty batch"}
    yield from {
        "pattern": (attnx.pattern, {}),
        "pattern of n": (lambda x: attnx.pattern(x, N), {}),
        "n": (lambda x: attnx.pattern("causal", x), {}),
        "n_keys": (lambda x: attnx.pattern("causal", N, x), absent),
        "n of a mask": (lambda x: attnx.pattern(TRIANGLE, x), absent),
        "n of a function": (lambda x: attnx.pattern(lambda q, k: k <= q, x), {}),
        "align": (lambda x: attnx.pattern("causal", N, align=x), {}),
        "threads": (lambda x: attnx.pattern("causal", N, threads=x), {"zero"}),
        "parameters": (lambda x: attnx.pattern("causal", N, parameters=x), {*absent, "dict"}),
        "a parameter": (lambda x: attnx.pattern("strided", N, stride=x), {*absent, "large"}),
        "a choice": (lambda x: attnx.pattern("strided", N, head=x), absent),
        "pattern's q": (lambda x: attnx.pattern("topk", N, q=x), {}),
        "keys": (lambda x: attnx.pattern("topk", N, q=q[0], keys=x), absent),
        "k": (lambda x: attnx.pattern("topk", N, q=q[0], k=x), {*absent, "zero", "large"}),
        "item": (lambda x: attnx.pattern(lambda b, h, q, k: k <= q, N, b=x), {"zero"}),
        "description": (lambda x: attnx.pattern({"mechanism": x, "params": {}}, N), {}),
        "params": (lambda x: attnx.pattern({"mechanism": "causal", "params": x}, N), {"dict"}),
        "mask": (lambda x: attnx.pattern("given", N, mask=x), {"nested", "dict"}),
        "library": (lambda x: attnx.Library(x), {*absent, "empty text"}),
        "library's mechanism": (lambda x: library.pattern(x, N), {}),
        "library's n": (lambda x: library.pattern("causal", x), {}),
        "library's q": (lambda x: library.attend(strided, x, k, v), {}),
        "library's pattern": (lambda x: library.attend(x, q, k, v), {}),
        "out": (lambda x: library.attend(strided, q, k, v, out=x), absent),
        "projections": (lambda x: library.draw_projection(x, 4), {}),
        "kind": (lambda x: library.draw_projection(4, 4, kind=x), absent),
        "seed": (lambda x: library.draw_projection(4, 4, seed=x), {"zero", "large"}),
        "w": (lambda x: library.feature_attend(q, k, v, x), {}),
        "map": (lambda x: library.feature_attend(q, k, v, map=x), {}),
        "eps": (lambda x: library.feature_attend(q, k, v, map="elu1", eps=x), {*absent, *number - {"negative"}}),
        "rounds": (lambda x: library.peak(1, x), {"zero"}),
        "library's layers": (lambda x: library.reach(strided, x), {"zero"}),
        "bits": (lambda x: attnx.unpack(x, N), {}),
        "bits' n": (lambda x: attnx.unpack(bits, x), {"zero"}),
        "rows": (lambda x: strided.pairs(rows=x), absent),
        "row": (strided.row, {"zero"}),
        "height": (lambda x: strided.coverage(x, 4), {}),
        "why": (lambda x: strided.why(x, 0), {"zero"}),
        "diff": (strided.diff, {}),
        "layers": (strided.reach, {"zero"}),
        "then": (lambda x: strided.reach(1, then=x), {"empty list"}),
        "block": (strided.tiles, {}),
        "target": (strided.code, {}),
        "target's block": (lambda x: strided.code("blockmask", block=x), absent),
        "path": (strided.save, {}),
        "ending": (shown.bytes_of, {}),
        "attend's pattern": (lambda x: attnx.attend(x, q, k, v), {}),
        "q": (lambda x: attnx.attend("causal", x, k, v), {}),
        "v": (lambda x: attnx.attend("causal", q, k, x), {}),
        "all three": (lambda x: attnx.attend("causal", x, x, x), {}),
        "scale": (lambda x: attnx.attend("causal", q, k, v, scale=x), {*absent, *number}),
        "softcap": (lambda x: attnx.attend("causal", q, k, v, softcap=x), {*absent, "large", "fraction"}),
        "modifiers": (lambda x: attnx.attend("causal", q, k, v, modifiers=x), {*absent, "dict"}),
        "patterns": (lambda x: attnx.compare(x, (q, k, v)), {}),
        "source": (lambda x: attnx.compare("causal", x), {}),
        "a source's k": (lambda x: attnx.compare("causal", (q, x, v)), {}),
        "a source's patterns": (lambda x: attnx.heads({"q": q, "k": k, "patterns": x}), absent),
        "features": (lambda x: attnx.compare("causal", (q, k, v), features=x), {*absent, *empty}),
        "m": (lambda x: attnx.compare("causal", (q, k, v), m=x), {*absent, *empty}),
        "recall_keys": (lambda x: attnx.compare("causal", (q, k, v), recall_keys=x), {"large"}),
        "base": (lambda x: attnx.compare("causal", (q, k, v), base=x), {}),
        "query": (lambda x: attnx.steps("causal", WORDS, x), {"zero"}),
        "by": (lambda x: attnx.steps("causal", WORDS, 1, by=x), absent),
        "layer": (lambda x: attnx.steps("causal", (q, k, v), 1, layer=x), {*absent, "zero"}),
        "words": (lambda x: attnx.steps("causal", {**WORDS, "words": x}, 1), {}),
        "words' q": (lambda x: attnx.steps("causal", {**WORDS, "q": x}, 1), {"nested"}),
        "heads' source": (attnx.heads, {}),
        "near": (lambda x: attnx.heads((q, k, v), near=x), {"zero", "large"}),
        "heads' name": (lambda x: heads[x], {}),
        "steps' name": (lambda x: steps[x], {}),
        "check": (attnx.check, {}),
        "no_future": (lambda x: attnx.check(TRIANGLE, no_future=x), {"zero"}),
        "against": (lambda x: attnx.check(TRIANGLE, against=x), absent),
        "against_model": (lambda x: attnx.check(TRIANGLE, against_model=x, layer=0), {}),
        "check's layer": (lambda x: attnx.check(TRIANGLE, against_model="mistral-7b-v0.1", layer=x), {"zero"}),
        "layer alone": (lambda x: attnx.check(TRIANGLE, layer=x), absent),
        "padding": (lambda x: attnx.check(TRIANGLE, padding=x), {*absent, *empty, "zero", "set"}),
        "check's align": (lambda x: attnx.check(TRIANGLE, align=x), {}),
        "check's n": (lambda x: attnx.check(TRIANGLE, x), absent),
        "show": (lambda x: attnx.show(x).bytes_of("svg"), {}),
        "show's n": (lambda x: attnx.show("strided", x).bytes_of("svg"), absent),
        "view": (lambda x: attnx.show("strided", view=x).bytes_of("svg"), absent),
        "settings": (lambda x: attnx.show("strided", settings=x).bytes_of("svg"), {*absent, "dict", "keys"}),
        "input": (lambda x: attnx.show("strided", view="attention", input=x).bytes_of("svg"), {}),
        "theme": (lambda x: attnx.show("strided", theme=x).bytes_of("svg"), absent),
        "size": (lambda x: attnx.show("strided", size=x).bytes_of("svg"), absent),
        "sweep": (lambda x: attnx.show("strided", sweep=x).bytes_of("html"), absent),
        "scene": (lambda x: attnx.show({"view": "mask", "pattern": x}).bytes_of("svg"), {}),
        "again": (lambda x: found.show(theme=x).bytes_of("svg"), absent),
        "picture": (lambda x: attnx.Picture(x).bytes_of("svg"), {"dict", "keys"}),
        "model": (attnx.capture, {}),
    }.items()


class Refusals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, tempfile, "tempdir", tempfile.tempdir)
        tempfile.tempdir = self.folder = folder.name  # not where another test counts what is left

    def refuses(self, code, piece, call):
        with self.assertRaises(attnx.Error) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        self.assertIn(piece, str(caught.exception))

    def test_arrays_with_hidden_entries_are_refused(self):
        hidden = np.ma.array(np.ones((N, N), bool), mask=~TRIANGLE)
        x = np.ma.array(np.ones((N, 4), np.float32), mask=np.eye(N, 4, dtype=bool))
        for call in (lambda: attnx.check(hidden), lambda: attnx.pattern(hidden), lambda: attnx.show(hidden),
                     lambda: attnx.pattern("given", N, mask=hidden)):
            self.refuses("E_TYPE", "mask is a masked array with hidden entries; it must be an array without hidden entries", call)
        self.refuses("E_TYPE", "q is a masked array with hidden entries", lambda: attnx.attend("causal", x, x, x))
        attnx.check(np.ma.array(TRIANGLE))  # hides nothing

    def test_names_that_nothing_reads_are_refused(self):
        mask, strided, q = TRIANGLE, attnx.pattern("strided", N, stride=7), np.ones((N, 4), np.float32)
        function = lambda q, k: k <= q  # noqa: E731
        for given, *lengths in ((mask,), (strided,), (function, N), ("causal", N), (mask.astype(int), N)):
            for name, near in (("nofuture", "no_future"), ("no_emtpy", "no_empty"), ("againts", "against")):
                self.refuses("E_UNKNOWN", f"; the nearest is {near}", lambda: attnx.check(given, *lengths, **{name: True}))
            self.refuses("E_UNKNOWN", "", lambda: attnx.check(given, *lengths, xyz=1))
            self.refuses("E_UNKNOWN", "; the nearest is theme", lambda: attnx.show(given, *lengths, them="dark"))
            self.refuses("E_UNKNOWN", "", lambda: attnx.show(given, *lengths, xyz=1))
        self.refuses("E_UNKNOWN", "xyz is unknown beside a mask; it must be one of align, q", lambda: attnx.pattern(mask, xyz=1))
        self.refuses("E_UNKNOWN", "; the nearest is align", lambda: attnx.pattern(function, N, aling="top-left"))
        self.refuses("E_UNKNOWN", "; the nearest is no_future", lambda: attnx.check("strided", N, stride=7, nofuture=True))
        self.refuses("E_UNKNOWN", "; the nearest is stride", lambda: attnx.check("strided", N, strid=7))
        self.refuses("E_TYPE", "layer", lambda: attnx.check(mask, layer=3))
        self.refuses("E_TYPE", "n, view cannot be given with a result",
                     lambda: attnx.show(strided.tiles(4), N, view="reach"))  # fmt: skip
        self.refuses("E_SHAPE", "the pattern is 8 × 8; it must be 9 × 9", lambda: attnx.show(strided, 9))
        self.refuses("E_SHAPE", "mask is 8 × 8; it must be 8 × 9", lambda: attnx.pattern(mask, n_keys=9))
        self.refuses("E_TYPE", "n_keys is given and n is not", lambda: attnx.show("strided", n_keys=9))
        self.refuses("E_UNKNOWN", "stride is unknown", lambda: attnx.show(function, input=(q, q, q), stride=3))
        taken = attnx.capture(type("Model", (), {"modules": None, "register_forward_pre_hook": None})())
        taken.layers = [None]
        self.refuses("E_UNKNOWN", "dtpye is unknown; the nearest is dtype", lambda: taken.save("x", dtpye="float16"))
        self.refuses("E_UNKNOWN", "softcp", lambda: attnx.attend("causal", q, q, q, modifiers={"softcp": 3}))
        with self.assertWarnsRegex(UserWarning, "xyz"):
            attnx.show("strided", N, settings={"xyz": 1}).bytes_of("svg")

    def test_what_cannot_be_written_is_said_with_its_name(self):
        shown, missing = attnx.show("strided"), f"{self.folder}/nosuch/figure.svg"
        said = subprocess.run([sys.argv[3], "mask", "strided", "--n", "8", "-o", missing], capture_output=True, text=True)
        for call in (shown.save, attnx.pattern("causal", N).save, attnx.check(TRIANGLE).save):
            with self.assertRaises(attnx.Error) as caught:
                call(missing)
            self.assertEqual(str(caught.exception), said.stderr.strip().removeprefix("attnx: "))
        folder = pathlib.Path(self.folder, "folder.svg")
        folder.mkdir()
        with self.assertRaisesRegex(attnx.Error, "E_IO: cannot write .*folder.svg: "):
            shown.save(folder)

    def test_every_bad_value_is_refused_with_one_sentence(self):
        for name, (call, fine) in calls():
            taken = set()
            for kind, value in BAD.items():
                with self.subTest(argument=name, value=kind), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        call(value)
                        taken.add(kind)
                    except FileNotFoundError as error:  # of a library
                        self.assertIn(str(value), str(error))
                    except attnx.Error as error:
                        self.assertRegex(str(error), r"\AE_(?!INTERNAL)[A-Z]+: [^\n]+\Z")
            with self.subTest(argument=name):
                self.assertEqual(taken, set(fine))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
