"""The functions of python/attnx against NumPy and against what the command line says of the same. Needs numpy; exit
code 77 without. Arrays of torch and JAX are tried where these are installed.

    python_api_test.py <repository> <libattnx.so> <attnx>"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
import xml.dom.minidom

try:
    import numpy as np
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)
try:
    import torch
except ImportError:
    torch = None
try:
    import jax.numpy
except ImportError:
    jax = None

ROOT, os.environ["ATTNX_LIBRARY"], os.environ["ATTNX_PROGRAM"] = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, str(pathlib.Path(ROOT) / "python"))
import attnx  # noqa: E402
from attnx import _arrays, _functions  # noqa: E402

N = 48
I, J = np.mgrid[0:N, 0:N]
STRIDED = (J <= I) & ((I - J <= 7) | ((I - J) % 7 == 0))
WORDS = {"words": ["a", "b"], "q": [[1, 0], [0, 1]], "k": [[1, 0], [1, 1]], "v": [[2], [3]]}


def drawn(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


def said(*words):
    """What the program says, as JSON; its sentence where it refuses."""
    done = subprocess.run([sys.argv[3], *map(str, words), "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().removeprefix("attnx: ")


def softmax(mask, q, k, v):
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    scores = np.where(mask, np.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


class Case(unittest.TestCase):
    def refuses(self, code, piece, call):
        with self.assertRaises(attnx.Error) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        self.assertIn(piece, str(caught.exception))


class OnePattern(Case):
    def setUp(self):
        self.pattern = attnx.pattern("strided", N, stride=7)

    def test_reasons_agree_with_the_mask(self):
        for i, j in ((0, 0), (20, 6), (20, 5), (3, 9), (47, 47)):
            self.assertEqual(bool(self.pattern.why(i, j)), STRIDED[i, j])
        self.assertEqual(self.pattern.why(20, 6).text, "(20 − 6) mod 7 = 0")
        self.refuses("E_RANGE", "i is 48; it must be an integer from 0 to 47", lambda: self.pattern.why(N, 0))

    def test_differences_are_those_of_the_masks(self):
        window = (J <= I) & (I - J < 5)
        for other in (attnx.pattern("local", N, window=5, causal=True), window, lambda q, k: (k <= q) & (q - k < 5),
                      {"mechanism": "local", "params": {"window": 5, "causal": True}}):  # fmt: skip
            found = self.pattern.diff(other)
            self.assertEqual((found.only_first, found.only_second, found.both),
                             ((STRIDED & ~window).sum(), 0, (STRIDED & window).sum()))  # fmt: skip
            self.assertEqual(found.first_row, 5)
        self.assertFalse(self.pattern.diff(STRIDED))
        self.refuses("E_SHAPE", "the other pattern is 32 × 32; it must be 48 × 48",
                     lambda: self.pattern.diff(attnx.pattern("causal", 32)))  # fmt: skip

    def test_tiles_are_counted(self):
        blocks = STRIDED.reshape(3, 16, 6, 8).sum((1, 3))
        found = self.pattern.tiles((16, 8))
        self.assertEqual((found.full, found.empty), ((blocks == 128).sum(), (blocks == 0).sum()))
        self.assertEqual(found.computed_pairs, 128 * (blocks > 0).sum())
        self.assertEqual(found.block, [16, 8])
        self.refuses("E_TYPE", "block is (1, 2, 3)", lambda: self.pattern.tiles((1, 2, 3)))

    def test_code_rebuilds_the_mask(self):
        made = {}
        exec(self.pattern.code("numpy"), made)
        masks = [x for x in made.values() if isinstance(x, np.ndarray) and x.shape == (N, N)]
        np.testing.assert_array_equal(masks[0].astype(bool), STRIDED)
        arrays = self.pattern.code("blockmask", block=16)
        blocks = STRIDED.reshape(3, 16, 3, 16).sum((1, 3))
        np.testing.assert_array_equal(arrays["full_kv_num_blocks"] + arrays["kv_num_blocks"], (blocks > 0).sum(1))
        self.refuses("E_RANGE", "to is fortran; it must be one of flex, numpy", lambda: self.pattern.code("fortran"))

    def test_reach_is_the_boolean_power(self):
        once = STRIDED | np.eye(N, dtype=bool)
        found = self.pattern.reach(2)
        np.testing.assert_array_equal(found.mask, once @ once)
        np.testing.assert_array_equal(found.pairs, [once.sum(), (once @ once).sum()])
        other = attnx.pattern("local", N, window=3, causal=True)
        both = self.pattern.reach(2, then=[other], residual=False).mask
        np.testing.assert_array_equal(both, other.mask() @ STRIDED)

    def test_info_is_that_of_the_command_line(self):
        self.assertEqual(self.pattern.info(), said("info", "strided", "--stride", 7, "--n", N))

    def test_keys_chosen_by_data_and_rectangles_keep_their_meaning(self):
        q, k = drawn(N, 4), drawn(N, 4, seed=1)
        chosen = attnx.pattern("topk", N, q=q, keys=k, k=3)
        mask = chosen.mask()
        k[:] = 0  # the pattern has chosen already
        for i in (0, 9, 30):
            for j in np.flatnonzero(mask[i]).tolist() + [int(np.argmin(mask[i]))]:
                self.assertEqual(bool(chosen.why(i, j)), mask[i, j])
        self.assertEqual(chosen.tiles(48).wanted_pairs, 3 * N)
        late = attnx.pattern("causal", 4, 9, align="bottom-right")
        self.assertEqual((bool(late.why(0, 5)), bool(late.why(0, 6))), (True, False))
        self.assertFalse(late.diff(np.tri(4, 9, 5)))
        unread = attnx.pattern("causal", N, q=q)
        self.assertTrue(unread.why(3, 3))


class Functions(Case):
    def test_functions_of_arrays_are_called_few_times(self):
        calls = []

        def window(q, k):
            calls.append(1)
            return (k <= q) & (q - k < 5)

        np.testing.assert_array_equal(attnx.pattern(window, N).mask(), (J <= I) & (I - J < 5))
        self.assertLess(len(calls), 100)

    def test_large_masks_of_functions_are_asked_for_in_parts(self):
        calls, known = [], _functions.AT_ONCE
        self.addCleanup(setattr, _functions, "AT_ONCE", known)
        _functions.AT_ONCE = 5 * N

        def window(q, k):
            calls.append(np.size(q))
            return (k <= q) & (q - k < 5)

        np.testing.assert_array_equal(attnx.pattern(window, N).mask(), (J <= I) & (I - J < 5))
        self.assertEqual(calls[:10], [5] * 9 + [3])
        self.refuses("E_N", "the mask of a function is 65537 × 65536; it must have at most 2^32 cells",
                     lambda: attnx.pattern(window, 65537, 65536))  # fmt: skip

    def test_functions_of_numbers_are_asked_for_every_cell(self):
        for function in (lambda q, k: k <= q and q - k < 5, lambda q, k: k in range(max(0, q - 4), q + 1),
                         lambda q, k: 1 if k <= q and q - k < 5 else 0):  # fmt: skip
            np.testing.assert_array_equal(_functions.evaluated(function, N, N), (J <= I) & (I - J < 5))

    def test_arrays_that_mean_something_else_are_noticed(self):
        odd = lambda q, k: np.ndim(q) == 0 and (q + k) % 2 == 1  # noqa: E731
        np.testing.assert_array_equal(_functions.evaluated(odd, N, N), (I + J) % 2 == 1)

    def test_mask_mods_take_batch_and_head(self):
        documents = np.repeat([0, 1, 2], 16)
        by_head = lambda b, h, q, k: (documents[q] == documents[k]) & (q - k <= h)  # noqa: E731
        np.testing.assert_array_equal(attnx.pattern(by_head, N, h=3).mask(), (I // 16 == J // 16) & (I - J <= 3))
        self.refuses("E_UNKNOWN", "stride is unknown beside a function", lambda: attnx.pattern(by_head, N, stride=3))
        self.refuses("E_TYPE", "n is missing", lambda: attnx.pattern(by_head))
        self.refuses("E_TYPE", "takes 3 values; it must take (q, k) or (b, h, q_idx, kv_idx)",
                     lambda: attnx.check(lambda a, b, c: True, 4))  # fmt: skip

    def test_constants_and_rectangles(self):
        self.assertEqual(attnx.pattern(lambda q, k: True, 3, 5).pairs(), 15)
        self.refuses("E_TYPE", "gives 'x' for query 0 and key 0; it must give True or False",
                     lambda: attnx.check(lambda q, k: "x", 4))  # fmt: skip

    @unittest.skipUnless(torch, "torch is not installed")
    def test_mask_mods_of_torch(self):
        ids = torch.arange(N) // 16
        for function in (lambda b, h, q, k: (ids[q] == ids[k]) & (k <= q),
                         lambda b, h, q, k: torch.where(ids[q] == ids[k], k <= q, False),
                         lambda b, h, q, k: torch.stack([ids[q] == ids[k], k <= q]).all()):  # of numbers alone
            np.testing.assert_array_equal(attnx.pattern(function, N).mask(), (I // 16 == J // 16) & (J <= I))


class Masks(Case):
    def test_a_check_names_a_mask(self):
        found = attnx.check((J <= I) & (I - J < 5))
        self.assertEqual(found.matches[0], {"mechanism": "local", "params": {"window": 5, "causal": True}})
        self.assertEqual((found.name, found.pairs, bool(found)), ("local", ((J <= I) & (I - J < 5)).sum(), True))
        large = attnx.check(lambda q, k: k <= q, 1024, no_future=True, no_empty=True, against="causal")
        self.assertEqual((large.name, bool(large)), ("causal", True))

    def test_broken_promises_are_sentences(self):
        hole = np.tri(N, dtype=bool)
        hole[5] = False
        for promise, sentence in (
                (dict(no_empty=True), "query 5 attends to no key; no-empty promises that every query attends to one"),
                (dict(against="causal"), "query 5 attends to key 0 in the other mask, but not in this one; "
                                         "against promises that they are equal"),
                (dict(padding=[3]), "query 4 attends to key 3, which is padding; "
                                    "padding promises that no query of another token does so")):  # fmt: skip
            found = attnx.check(hole, **promise)
            self.assertFalse(found)
            self.assertEqual(found.sentence, sentence)
        self.assertEqual(attnx.check(hole).empty_rows, [5])
        model = attnx.check(lambda q, k: k <= q, 64, against_model="mistral-7b-v0.1", layer=0)
        self.assertTrue(model, model.sentence)

    def test_masks_of_every_kind_are_the_same_pattern(self):
        kinds = [STRIDED, STRIDED.astype(np.int8), np.where(STRIDED, 0, -np.inf), STRIDED[None, None]]
        if torch:
            kinds += [torch.tensor(STRIDED), torch.tensor(np.where(STRIDED, 0, -1e30)).to(torch.bfloat16)]
        for kind in kinds:
            np.testing.assert_array_equal(attnx.pattern(kind).mask(), STRIDED)
            self.assertEqual(attnx.check(kind).name, "strided")
        self.refuses("E_TYPE", "mask holds 2 at (1, 0); a mask must hold only 0 and 1", lambda: attnx.check(2 * I))

    def test_arrays_mean_what_the_command_line_reads(self):
        lower, bits = np.tri(N, dtype=bool), np.uint16
        lowest = [(np.float16, -65504), (np.float16, -1e4), (np.float32, np.finfo(np.float32).min), (np.float64, -1e9),
                  (np.int8, -128), (np.int32, -2**31), (np.float32, -np.inf), (np.float32, -9999), (np.int8, -127)]  # fmt: skip
        forms = [np.where(lower, 0, least).astype(kind) for kind, least in lowest]
        forms += [np.where(lower, 0, least).astype(bits).view("V2") for least in (0xFF7F, 0xC61D, 0xC61C, 0xFF80)]  # bfloat16
        forms += [lower, lower.astype(np.uint8), lower.astype(">f4"), np.asfortranarray(lower), lower[None, None], ~lower * 1]
        forms += [np.zeros((1, 1, N, N), np.float32), np.zeros((N, N), bool), np.zeros((N, N), np.int64),
                  np.full((N, N), -np.inf), np.ones((N, N), np.float16), np.zeros((400, 400))]  # fmt: skip
        for other in (2, 0.5, np.nan, -np.inf, -1):
            forms.append(lower.astype(np.float64))
            forms[-1][3, 9] = other
        with tempfile.TemporaryDirectory() as folder:
            for at, form in enumerate(forms):
                file = f"{folder}/{at}.npy"
                np.save(file, form)
                done = subprocess.run([sys.argv[3], "check", "given", "--mask", file, "--json"], capture_output=True, text=True)
                notes = done.stderr.replace("attnx: ", "").replace(file, "the mask").splitlines()
                with self.subTest(at), warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    if done.returncode:
                        self.refuses(notes[0][:6], notes[0].replace("the mask", "mask"), lambda: attnx.pattern(form))
                        continue
                    found = attnx.check(form)
                    self.assertEqual(found.pairs, json.loads(done.stdout)["pairs"])
                    self.assertEqual(attnx.pattern(form).pairs(), found.pairs)
                    self.assertEqual([str(one.message) for one in caught], [note for note in notes for _ in "cp"])
                    self.assertEqual({one.filename for one in caught} - {__file__}, set())

    def test_large_masks_are_taken_as_they_lie(self):
        mask = np.random.default_rng(1).random((400, 300)) < 0.3
        for kind in (mask, mask.astype(np.float32), np.where(mask, 0, -np.inf), np.asfortranarray(mask)):
            large = attnx.pattern(kind)
            np.testing.assert_array_equal(large.mask(), mask)
            self.assertEqual((large.shape, large.pairs()), (mask.shape, mask.sum()))
            self.assertEqual(large.diff(mask).only_first, 0)
            self.assertEqual(large.why(7, int(np.flatnonzero(mask[7])[0])).attends, True)
        self.refuses("E_SHAPE", "mask is 400 × 300; it must be 9 × 9", lambda: attnx.pattern(mask, 9))
        self.refuses("E_TYPE", "a mask must hold only 0 and 1", lambda: attnx.pattern(mask * 2))
        self.refuses("E_SHAPE", "mask is 48 × 48; it must be 9 × 9", lambda: attnx.check(STRIDED, 9))
        self.refuses("E_TYPE", "a int stands for a pattern", lambda: attnx.pattern("causal", 4).diff(3))


class Attention(Case):
    def test_attention_is_the_softmax(self):
        q, k, v = drawn(2, 4, N, 8), drawn(2, 2, N, 8, seed=1), drawn(2, 2, N, 6, seed=2)
        expected = softmax(STRIDED, q, np.repeat(k, 2, 1), np.repeat(v, 2, 1))
        strided = attnx.pattern("strided", N, stride=7)
        for pattern in (strided, STRIDED, [strided] * 4, {"mechanism": "strided", "params": {"stride": 7}}):
            out, lse = attnx.attend(pattern, q, k, v)
            self.assertEqual((out.shape, lse.shape), ((2, 4, N, 6), (2, 4, N)))
            np.testing.assert_allclose(out, expected, atol=1e-5)
        np.testing.assert_allclose(attnx.attend("causal", q.astype(np.float64), k, v[..., ::2])[0],
                                   softmax(J <= I, q, np.repeat(k, 2, 1), np.repeat(v, 2, 1))[..., ::2], atol=1e-5)
        modifiers = {"bias": {"kind": "alibi", "slopes": "standard"}, "sink": [0.5, 1, 0, -1]}
        whole = attnx.attend("causal", q, k, v, modifiers=modifiers)
        for b in range(2):  # biases and sinks are those of a head, whatever the item
            for of, alone in zip(whole, attnx.attend("causal", q[b], k[b], v[b], modifiers=modifiers)):
                np.testing.assert_array_equal(of[b], alone)
        self.refuses("E_TYPE", "q is of type str", lambda: attnx.attend("causal", "q", k, v))
        self.refuses("E_SHAPE", "k has 1 axis", lambda: attnx.attend("causal", q, k[0, 0, 0], v))
        q[0, 0, 0, 0] = np.nan
        self.refuses("E_NONFINITE", "Q has a NaN at row 0", lambda: attnx.attend("causal", q, k, v))

    def test_arrays_are_read_in_place(self):
        class Foreign:  # another library's array, which speaks DLPack alone
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **named):
                return self.x.__dlpack__(**named)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

        x = drawn(4, N, 8)
        for view in (x, x[:, ::2], x.transpose(1, 0, 2)):
            self.assertIs(_arrays.floats_of(view, "x"), view)
            self.assertTrue(np.shares_memory(_arrays.floats_of(Foreign(view), "x"), x))
        for other in (x[..., ::2], x[:, ::-1], x.astype(np.float16), x.transpose(2, 1, 0)):
            np.testing.assert_array_equal(_arrays.floats_of(other, "x"), other)
        np.testing.assert_array_equal(attnx.attend("causal", *3 * [Foreign(x)])[0], attnx.attend("causal", x, x, x)[0])
        if torch:
            tensor = torch.tensor(x, requires_grad=True)
            self.assertEqual(_arrays.floats_of(tensor, "x").ctypes.data, tensor.data_ptr())
            half = _arrays.floats_of(tensor.to(torch.bfloat16), "x")
            np.testing.assert_allclose(half, x, rtol=2**-8)
        if jax:
            array = jax.numpy.asarray(x)
            self.assertEqual(_arrays.floats_of(array, "x").ctypes.data, array.unsafe_buffer_pointer())
            half = _arrays.floats_of(array.astype(jax.numpy.bfloat16), "x")
            np.testing.assert_allclose(half, x, rtol=2**-8)

    def test_boards_steps_and_heads_are_those_of_the_command_line(self):
        board = attnx.compare(["causal", {"mechanism": "local", "params": {"window": 9}}], "minilm_alice", linformer=[16])
        expected = said("compare", "causal", "--with", "local", "--window", 9, "--linformer", 16, "--sample", "minilm_alice")
        timed = ("seconds", "prepare_seconds")
        plain = lambda rows: [{k: x for k, x in row.items() if k not in timed} for row in rows]  # noqa: E731
        self.assertEqual(plain(board.rows), plain(expected["rows"]))
        heads = attnx.heads("minilm_alice", "strided")
        rows = said("heads", "strided", "--sample", "minilm_alice")["rows"]
        rows = [{k: row.get(f"{k}_number", x) for k, x in row.items() if not k.endswith("_number")} for row in rows]
        self.assertEqual(heads.rows, rows)
        self.assertEqual(heads["captured"].shape, (6, 12))
        self.assertEqual(heads["captured"][2, 3], rows[2 * 12 + 3]["captured"])
        steps = attnx.steps("causal", WORDS, 1, by="online", key_tile=1)
        self.assertEqual(steps.values, said("steps", "causal", "--typed", json.dumps(WORDS), "--query", 1, "--by", "online",
                                            "--key-tile", 1))  # fmt: skip
        np.testing.assert_allclose(steps["output"], [2.6697615493266577])

    def test_arrays_are_an_input(self):
        q, k, v = drawn(2, N, 8), drawn(2, N, 8, seed=1), drawn(2, N, 8, seed=2)
        row = attnx.compare(STRIDED, (q, k, v), base="full").rows[0]
        exact, kept = softmax(I >= 0, q, k, v), softmax(STRIDED, q, k, v)
        error = np.linalg.norm(kept - exact) / np.linalg.norm(exact)
        self.assertAlmostEqual(row["output_error"]["relative_frobenius"], error, places=4)
        self.assertEqual(row["pairs"], 2 * STRIDED.sum())
        found = attnx.heads({"q": q, "k": k, "ids": [1, 2] * 24}, base="causal")
        self.assertFalse(np.isnan(found["induction"]).any())
        self.assertTrue(np.isnan(attnx.heads((q, k))["induction"]).all())
        self.refuses("E_UNKNOWN", 'sample "nosuch" is unknown', lambda: attnx.heads("nosuch"))
        self.refuses("E_TYPE", "the input is of type int", lambda: attnx.heads(3))


class Shown(Case):
    def pictures(self):
        strided = attnx.pattern("strided", N, stride=7)
        return {"scene": attnx.show("child-2019-fig3"), "pattern": strided, "view": attnx.show(strided, view="reach"),
                "name": attnx.show("strided", 20, stride=4, theme="dark"), "default": attnx.show("fixed"),
                "function": attnx.show(lambda q, k: (q + k) % 3 == 0, 9), "mask": attnx.show(J < 400, size=(500, 400)),
                "difference": strided.diff("causal"), "tiles": strided.tiles(8), "reach": strided.reach(2),
                "check": attnx.check(lambda q, k: k <= q, 600), "heads": attnx.heads("minilm_alice"),
                "board": attnx.compare([strided, "causal"], (drawn(N, 8), drawn(N, 8), drawn(N, 8))),
                "steps": attnx.steps("causal", WORDS, 1), "lesson": attnx.show("2-sparse-transformer"),
                "attention": attnx.show("strided", view="attention", input="minilm_alice"),
                "data": attnx.pattern("topk", N, q=drawn(N, 4), k=3)}  # fmt: skip

    def test_everything_shows_itself(self):
        for name, shown in self.pictures().items():
            with self.subTest(name):
                page = shown._repr_html_()
                self.assertRegex(page, r'^<iframe srcdoc="&lt;!DOCTYPE html')
                self.assertEqual(page.count("<iframe"), 1)
                title = re.search(r' title="([^"]+)"></iframe>', page)[1]
                self.assertIn(f"<title>{title}</title>", html.unescape(page))
                if name == "lesson":  # has no picture where scripts do not run
                    self.assertIn("height:min(48em,62vh)", page)
                    continue
                self.assertIn("aspect-ratio:", page)
                self.assertFalse(tempfile.gettempdir() + "/attnx-" in page, "it names a folder that is gone")
                self.assertEqual(shown._repr_png_()[1:4], b"PNG")
                xml.dom.minidom.parseString(shown._repr_svg_())

    def test_pictures_save_themselves(self):
        with tempfile.TemporaryDirectory() as folder:
            mask = pathlib.Path(folder, "mask.npy")
            attnx.pattern("strided", N, stride=7).picture.save(mask)
            np.testing.assert_array_equal(np.load(mask).astype(bool), STRIDED)
            page = pathlib.Path(folder, "figure.html")
            attnx.show("child-2019-fig3", theme="light", sweep="stride=2..4").save(page)
            self.assertEqual(page.read_text().count('"label":'), 3)
            again = attnx.show(page)  # a picture carries its scene
            self.assertTrue(again._repr_html_().startswith("<iframe"))
            report = pathlib.Path(folder, "report.docx")
            self.refuses("E_UNSUPPORTED", f"{report} ends with .docx; it must be one of .html, .svg", lambda: again.save(report))
            self.refuses("E_UNSUPPORTED", "figure has no ending", lambda: again.save("figure"))
            self.assertFalse(report.exists())

    def test_answers_show_and_save_themselves(self):
        strided = attnx.pattern("strided", N, stride=7)
        with tempfile.TemporaryDirectory() as folder:
            for name, shown in (("mask", strided), ("reach", strided.reach(2)), ("difference", strided.diff("causal"))):
                page = pathlib.Path(folder, f"{name}.html")
                shown.save(page)
                self.assertEqual(page.read_bytes(), shown.picture.bytes_of("html"))
                self.assertIn("color-scheme:dark", shown.show(theme="dark").bytes_of("html").decode())
            strided.save(pathlib.Path(folder, "mask.npy"))
            np.testing.assert_array_equal(np.load(pathlib.Path(folder, "mask.npy")).astype(bool), STRIDED)
            attnx.show(strided).save(pathlib.Path(folder, "again.html"))
            self.assertEqual(pathlib.Path(folder, "again.html").read_bytes(), pathlib.Path(folder, "mask.html").read_bytes())

    def test_answers_say_something_as_text(self):
        board = repr(attnx.compare(["causal", "strided"], (drawn(N, 8), drawn(N, 8), drawn(N, 8))))
        self.assertRegex(board, r"^attnx.Board of 1 head, float32\nname +output error +pairs")
        self.assertRegex(board, rf"\ncausal +\S+ +{N * (N + 1) // 2} ")
        self.assertEqual(len(set(map(len, board.splitlines()[1:]))), 1, board)  # columns below each other
        steps = repr(attnx.steps("causal", WORDS, 1))
        self.assertRegex(steps, "^<attnx.Steps of query 1 by softmax over 2 keys: query, .*, p, .*output>$")

    def test_what_cannot_be_drawn_is_said(self):
        missing = attnx.show("nosuch-figure")
        self.assertIn("<p>E_UNKNOWN: there is no figure or lesson nosuch-figure", missing._repr_html_())
        self.assertIsNone(missing._repr_png_())
        self.refuses("E_TYPE", "stride cannot be given with a whole scene", lambda: attnx.show("child-2019-fig3", stride=3))
        self.refuses("E_TYPE", "the attention view needs queries and keys; give input=...",
                     lambda: attnx.show("strided", 144, view="attention"))  # fmt: skip

    def test_names_of_figures_and_mechanisms_are_told_apart(self):
        figures = [path.stem for path in (pathlib.Path(ROOT) / "assets" / "figures").glob("*.json")]
        self.assertTrue(figures and all("-" in name for name in figures))
        self.assertFalse([one["name"] for one in said("patterns")["patterns"] if re.search("[-./]", one["name"])])


class Program(Case):
    def test_errors_are_the_sentences_of_the_command_line(self):
        for call, words in ((lambda: attnx.pattern("bogus", 4), ("info", "bogus", "--n", 4)),
                            (lambda: attnx.pattern("strided", 4, stride=0), ("info", "strided", "--n", 4, "--stride", 0)),
                            (lambda: attnx.heads("minilm_alice", base="x"),
                             ("heads", "--sample", "minilm_alice", "--base", "x"))):  # fmt: skip
            with self.assertRaises(attnx.Error) as caught:
                call()
            self.assertEqual(str(caught.exception), said(*words))

    def test_the_nearest_figure_or_lesson_is_that_of_the_command_line(self):
        for name, nearest in (("child-2019", "child-2019-fig2"), ("2-sparse", "2-sparse-transformer")):
            with self.assertRaises(attnx.Error) as caught:
                attnx.show(name).bytes_of("html")
            self.assertEqual(str(caught.exception),
                             f"E_UNKNOWN: there is no figure or lesson {name}; the nearest is {nearest}")
            refused = subprocess.run([sys.argv[3], "figure", name, "-o", "x.html"], capture_output=True, text=True)
            self.assertEqual(refused.stderr.strip(), f"attnx: {caught.exception}")

    def test_arrays_with_all_that_is_read_have_no_warning(self):
        x = np.ones((1, 1, 3, 2), np.float32)
        whole = {"q": x, "k": x, "v": x, "tokens": ["a", "b", "c"], "scale": 0.5, "modifiers": {"softcap": 5},
                 "patterns": [{"mechanism": "causal"}], "model": "m", "title": "Three tokens"}  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            attnx.heads(whole)
            attnx.heads({"q": x, "k": x, "v": x, "mask": np.tril(np.ones((3, 3), bool))})
        with self.assertWarnsRegex(UserWarning, "also holds cos, which is not used"):
            attnx.heads({"q": x, "k": x, "v": x, "cos": x})
        self.refuses("E_SHAPE", "mask has 1 axis; it must be n x n or layers x n x n",
                     lambda: attnx.heads({"q": x, "k": x, "mask": np.ones(3)}))  # fmt: skip
        self.refuses("E_TYPE", "mask is of type list", lambda: attnx.heads({"q": x, "k": x, "mask": [[1, 0], [1, 1]]}))
        self.refuses("E_TYPE", "base is --help", lambda: attnx.compare(["causal"], whole, base="--help"))
        self.refuses("E_IO", "Not a directory", lambda: attnx.show("strided", 4).save(__file__ + "/x.svg"))

    def test_notes_become_warnings_and_folders_go(self):
        before = set(pathlib.Path(tempfile.gettempdir()).glob("attnx-*"))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            attnx.pattern("expr", 20000, expr="(i * j) % 7 == 0").picture.bytes_of("png")
        self.assertIn("is sampled", str(caught[0].message))
        self.assertLessEqual(set(pathlib.Path(tempfile.gettempdir()).glob("attnx-*")), before)

    def test_a_missing_program_is_named(self):
        known, os.environ["ATTNX_PROGRAM"] = os.environ["ATTNX_PROGRAM"], "/nowhere/attnx"
        try:
            with self.assertRaisesRegex(FileNotFoundError, "/nowhere/attnx.*set ATTNX_PROGRAM"):
                attnx.heads("minilm_alice")
            self.assertIn("/nowhere/attnx", attnx.show("strided")._repr_html_())
        finally:
            os.environ["ATTNX_PROGRAM"] = known


class Documents(Case):
    def test_what_the_pages_show_runs(self):
        for page in ("README.md", "docs/python.md"):
            text = (pathlib.Path(ROOT) / page).read_text(encoding="utf-8")
            blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
            self.assertTrue(blocks, page)
            q, k, v = drawn(3, 8, 4096, 16)
            names = {"attnx": attnx, "np": np, "q": q, "k": k, "v": v, "mask": STRIDED}
            with tempfile.TemporaryDirectory() as folder:
                before = os.getcwd()
                os.chdir(folder)
                try:
                    for block in blocks:
                        exec(block, names)
                finally:
                    os.chdir(before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
