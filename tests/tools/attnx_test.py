"""python/attnx against NumPy: masks by their definitions, attention written out, random features by
their formula, receptive fields as boolean powers. Needs numpy; exit code 77 without.

    attnx_test.py <repository> <libattnx.so>"""
import pathlib
import sys
import tempfile
import threading
import unittest

try:
    import numpy as np
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

ROOT, LIBRARY = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(ROOT / "python"))
import attnx  # noqa: E402
from attnx import _c, _pattern  # noqa: E402

N = 48
I, J = np.mgrid[0:N, 0:N]
MASKS = {
    ("full",): I >= 0,
    ("causal",): J <= I,
    ("local", ("window", 5), ("causal", True)): (J <= I) & (I - J < 5),
    ("strided", ("stride", 7)): (J <= I) & ((I - J <= 7) | ((I - J) % 7 == 0)),
}


def drawn(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


def attention(mask, q, k, v, scale=None):
    """softmax over the mask in float64: (out, lse)."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    scores = np.einsum("...id,...jd->...ij", q, k) * (scale or q.shape[-1] ** -0.5)
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    weights = np.exp(scores - top)
    sums = weights.sum(-1, keepdims=True)
    return weights / sums @ v, (top + np.log(sums))[..., 0]


class Case(unittest.TestCase):
    def refuses(self, code, piece, call):
        with self.assertRaises(attnx.Error) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        self.assertIn(piece, str(caught.exception))


class Patterns(Case):
    def test_masks_are_their_definitions(self):
        for (name, *parameters), mask in MASKS.items():
            with self.subTest(name), library.pattern(name, N, **dict(parameters)) as pattern:
                np.testing.assert_array_equal(pattern.mask(), mask)
                self.assertEqual(pattern.pairs(), mask.sum())
                self.assertEqual(pattern.pairs(rows=(3, 20), keys=(1, 9)), mask[3:20, 1:9].sum())
                np.testing.assert_array_equal(pattern.mask(rows=(3, 20), keys=(1, 9)), mask[3:20, 1:9])
                self.assertEqual(pattern.shape, (N, N))

    def test_rows_list_the_keys(self):
        row = library.pattern("strided", N, stride=7).row(40)
        keys = sorted(k for begin, end, period, width in row for k in range(begin, end) if (k - begin) % period < width)
        self.assertEqual(keys, list(np.flatnonzero(MASKS["strided", ("stride", 7)][40])))
        odd = library.pattern("expr", 1000, expr="j % 2 == 1").row(999)
        self.assertEqual(sum(len(range(b, e, p)) * w for b, e, p, w in odd), 500)

    def test_keys_are_chosen_by_the_data(self):
        q, k = drawn(N, 4), drawn(N, 4, seed=1)
        mask = library.pattern({"mechanism": "topk", "params": {"k": 3}}, N, q=q, k=k).mask()
        best = np.argsort(q.astype(np.float64) @ k.T.astype(np.float64), axis=1)[:, -3:]
        np.testing.assert_array_equal(np.sort(best, 1), [np.flatnonzero(row) for row in mask])

    def test_parameters_may_be_scalars_and_arrays_of_numpy(self):
        for stride in (np.int64(7), np.uint8(7), np.array(7), np.int32(7)):
            np.testing.assert_array_equal(library.pattern("strided", N, stride=stride).mask(),
                                          MASKS["strided", ("stride", 7)])  # fmt: skip
        np.testing.assert_array_equal(library.pattern("strided", np.array(N), stride=7).mask(),
                                      MASKS["strided", ("stride", 7)])  # fmt: skip
        local = library.pattern("local", N, window=np.int16(5), causal=np.bool_(True))
        np.testing.assert_array_equal(local.mask(), MASKS["local", ("window", 5), ("causal", True)])
        lens = np.array([20, 20, 8])
        ids = np.repeat(np.arange(3), lens)
        document = library.pattern("document", N, ids=ids)
        np.testing.assert_array_equal(document.mask(), (ids[:, None] == ids) & MASKS["causal",])
        self.refuses("E_NONFINITE", "infinite", lambda: library.pattern("graph", N, p=np.inf))

    def test_a_mask_is_an_array_of_any_dtype_or_an_additive_one(self):
        mask = np.random.default_rng(5).random((N, N)) < 0.3
        forms = [mask, mask.astype(np.int64), mask.astype(np.float16), mask[None, None], mask.T.copy().T]
        for least in (-np.inf, np.finfo(np.float32).min, np.finfo(np.float16).min, -1e4, -1e9):
            forms.append(np.where(mask, 0, least))
        for form in forms:
            with self.subTest(str(form.dtype)):
                np.testing.assert_array_equal(library.pattern("given", N, mask=form).mask(), mask)
        forms = [np.where(mask, 0, -128).astype(np.int8)]
        bits = np.where(mask, 0x3F80, 0).astype(np.uint16)  # of 1 and 0 in bfloat16
        forms += [bits.view("V2"), np.where(mask, 0, 0xFF80).astype(np.uint16).view("V2").T.copy().T]
        try:
            import ml_dtypes

            forms += [mask.astype(ml_dtypes.bfloat16), np.where(mask, 0, -np.inf).astype(ml_dtypes.bfloat16)]
        except ImportError:
            pass
        for form in forms:
            with self.subTest(str(form.dtype)):
                np.testing.assert_array_equal(library.pattern("given", N, mask=form).mask(), mask)
        self.refuses("E_TYPE", "only 0 and 1", lambda: library.pattern("given", N, mask=forms[0] // 2))
        self.refuses("E_TYPE", "dtype", lambda: library.pattern("given", N, mask=bits.view([("a", "u1"), ("b", "u1")])))
        inside = {"mechanism": "compose", "params": {"op": "intersection", "of": [
            {"mechanism": "given", "params": {"mask": mask}}, {"mechanism": "causal", "params": {}}]}}
        np.testing.assert_array_equal(library.pattern(inside, N).mask(), mask & MASKS["causal",])
        wide = library.pattern("given", 4, 9, align="bottom-right", mask=mask[:4, :9])
        np.testing.assert_array_equal(wide.mask(), mask[:4, :9])
        two = np.array([[0, 1], [1, 0], [1, 1]])  # rows, and no pairs of indices
        np.testing.assert_array_equal(library.pattern("given", 3, 2, mask=two).mask(), two)
        self.refuses("E_SHAPE", "48", lambda: library.pattern("given", N, mask=mask[:5, :5]))
        self.refuses("E_SHAPE", "queries x keys", lambda: library.pattern("given", N, mask=mask[0]))
        for value in (2, 0.5, -1, np.nan):
            self.refuses("E_TYPE", "only 0 and 1", lambda v=value: library.pattern("given", N, mask=mask + v))
        self.refuses("E_TYPE", "dtype", lambda: library.pattern("given", N, mask=mask.astype(str)))

    def test_a_mask_is_a_sparse_matrix(self):
        class Coordinates:  # as scipy.sparse has it
            def __init__(self, dense):
                self.shape, (self.row, self.col) = dense.shape, np.nonzero(np.asarray(dense) != 0)
                self.data = np.asarray(dense)[self.row, self.col]

            def tocoo(self):
                return self

        dense = np.triu(np.ones((5, 7)), 1)
        kinds = [Coordinates]
        try:
            import scipy.sparse

            kinds += [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_array, scipy.sparse.bsr_array]
        except ImportError:
            pass
        for kind in kinds:
            for dtype in (np.float64, np.int8, bool):
                with self.subTest(kind=kind.__name__, dtype=dtype):
                    sparse = kind(dense.astype(dtype))
                    pattern = library.pattern("given", 5, 7, mask=sparse)
                    np.testing.assert_array_equal(pattern.mask(), dense.astype(bool))
                    both = {"mechanism": "compose", "params": {"op": "union", "of": [
                        {"mechanism": "given", "params": {"mask": sparse}}]}}
                    np.testing.assert_array_equal(library.pattern(both, 5, 7).mask(), dense.astype(bool))
            self.refuses("E_TYPE", "only 0 and 1", lambda kind=kind: library.pattern("given", 5, 7, mask=kind(2 * dense)))

    def test_a_cell_that_a_sparse_matrix_stores_twice_is_their_sum(self):
        class Stored:  # scipy.sparse.coo_matrix that was not summed up
            def __init__(self, data, dtype):
                self.shape, self.row, self.col = (2, 3), np.array([0, 1, 1]), np.array([2, 0, 0])
                self.data = np.array(data, dtype)

            def tocoo(self):
                return self

        both = np.array([[0, 0, 1], [1, 0, 0]], bool)
        for data, dtype in (([1, 0, 1], float), ([1, 2, -1], int), ([1, 0.5, 0.5], np.float32), ([1, 1, 1], bool)):
            pattern = library.pattern("given", 2, 3, mask=Stored(data, dtype))
            np.testing.assert_array_equal(pattern.mask(), both)
        self.refuses("E_TYPE", "only 0 and 1", lambda: library.pattern("given", 2, 3, mask=Stored([1, 1, 1], int)))

    def test_a_parameter_k_and_the_key_array_do_not_collide(self):
        q, k = drawn(N, 4), drawn(N, 4, seed=1)
        expected = library.pattern({"mechanism": "topk", "params": {"k": 3}}, N, q=q, k=k).mask()
        for given in ({"k": k, "parameters": {"k": 3}}, {"k": 3, "keys": k}, {"k": np.int64(3), "keys": k},
                      {"k": np.array(3), "keys": k}, {"k": np.array([3]), "keys": k}):  # fmt: skip
            np.testing.assert_array_equal(library.pattern("topk", N, q=q, **given).mask(), expected)
        own = library.pattern("topk", N, q=q, k=3).mask()  # keys are the queries
        np.testing.assert_array_equal(own, library.pattern("topk", N, q=q, k=q, parameters={"k": 3}).mask())
        self.refuses("E_TYPE", "twice", lambda: library.pattern("topk", N, q=q, k=k, keys=k))
        self.refuses("E_TYPE", "twice", lambda: library.pattern("topk", N, q=q, k=3, parameters={"k": 4}))

    def test_a_picture_holds_every_pair(self):
        pattern = library.pattern("local", 1 << 24, window=300)
        counts, exact = pattern.coverage(20, 30)
        self.assertTrue(exact)
        self.assertEqual(counts.sum(), pattern.pairs())
        small, _ = library.pattern("causal", N).coverage(6, 4)
        np.testing.assert_array_equal(small, MASKS["causal",].reshape(6, 8, 4, 12).sum((1, 3)))

    def test_a_pattern_closed_during_calls_goes_after_the_last(self):
        class Counted:
            closed = []

            def attnx_pattern_close(self, handle):
                self.closed.append(handle.value)

        pattern = library.pattern("causal", N)
        real, handle = pattern._library, pattern._handle.value
        pattern._library = type("Shim", (), {"_c": Counted(), "_call": real._call})()
        with _pattern.Held(pattern) as first, _pattern.Held([pattern, pattern]) as second:
            self.assertEqual([*first, *second], 3 * [handle])
            pattern.close()
            pattern.close()
            self.assertEqual(Counted.closed, [])
            with self.assertRaisesRegex(attnx.Error, "closed"):
                pattern.pairs()
        self.assertEqual(Counted.closed, [handle])
        pattern.close()
        self.assertEqual(Counted.closed, [handle])
        real._c.attnx_pattern_close(_c.PTR(handle))

    def test_an_interrupt_between_patterns_gives_back_those_that_were_taken(self):
        class Interrupted(attnx.Pattern):
            def take(self):
                raise KeyboardInterrupt

        taken, other = library.pattern("causal", N), library.pattern("causal", N)
        other.__class__ = Interrupted
        with self.assertRaises(KeyboardInterrupt):
            _pattern.Held([taken, other]).__enter__()
        self.assertEqual(taken._uses, 0)

    def test_closing_beside_calls_of_other_threads_never_breaks_them(self):
        expected = library.pattern("strided", 1 << 20, stride=7).pairs()
        for _ in range(50):
            pattern, found = library.pattern("strided", 1 << 20, stride=7), []

            def count(pattern=pattern, found=found):
                try:
                    while len(found) < 200:
                        found.append(pattern.pairs())
                except attnx.Error as error:
                    found.append(error.code)

            threads = [threading.Thread(target=count) for _ in range(2)]
            for thread in threads:
                thread.start()
            pattern.close()
            for thread in threads:
                thread.join()
            self.assertLessEqual(set(found), {expected, "E_TYPE"})


class Attention(Case):
    def test_one_head_is_softmax_over_the_mask(self):
        q, k, v = drawn(N, 16), drawn(N, 16, seed=1), drawn(N, 8, seed=2)
        for (name, *parameters), mask in MASKS.items():
            with self.subTest(name):
                out, lse = library.attend(library.pattern(name, N, **dict(parameters)), q, k, v, scale=0.3)
                expected, sums = attention(mask, q, k, v, 0.3)
                np.testing.assert_allclose(out, expected, atol=2e-6)
                np.testing.assert_allclose(lse, sums, atol=2e-6)

    def test_modifiers_change_scores_and_a_sink_takes_a_part(self):
        q, k, v = drawn(N, 16), drawn(N, 16, seed=1), drawn(N, 8, seed=2)
        distance = np.arange(N)[None, :] - np.arange(N)[:, None]
        scores = 4 * np.tanh(0.3 * (q.astype(float) @ k.T) / 4) - 0.1 * np.abs(distance)
        scores = np.where(distance <= 0, scores / 2, -np.inf)
        sums = np.log(np.exp(scores).sum(axis=1) + np.exp(0.5))
        out, lse = library.attend(library.pattern("causal", N), q, k, v, modifiers={
            "scale": np.float32(0.3), "softcap": 4, "bias": {"kind": "alibi", "slopes": np.array([0.1])},
            "temperature": 2, "sink": 0.5})  # fmt: skip
        np.testing.assert_allclose(out, np.exp(scores - sums[:, None]) @ v, atol=2e-6)
        np.testing.assert_allclose(lse, sums, atol=2e-6)
        causal = library.pattern("causal", N)
        self.refuses("E_UNKNOWN", "temprature", lambda: library.attend(causal, q, k, v, modifiers={"temprature": 2}))
        self.refuses("E_NONFINITE", "a number of modifiers is NaN",
                     lambda: library.attend(causal, q, k, v, modifiers={"sink": float("nan")}))  # fmt: skip

    def test_heads_share_keys_and_lie_in_any_layout(self):
        q, k, v = drawn(N, 4, 16), drawn(N, 2, 16, seed=1), drawn(N, 2, 8, seed=2)
        q, k, v = (x.transpose(1, 0, 2) for x in (q, k, v))
        patterns = [library.pattern("causal", N), library.pattern("full", N)] * 2
        masks = np.stack([MASKS["causal",], MASKS["full",]] * 2)
        expected, _ = attention(masks, q, k.repeat(2, 0), v.repeat(2, 0))
        for threads in (1, 2):
            given = np.zeros((N, 4, 8), np.float32).transpose(1, 0, 2)
            out, _ = library.attend(patterns, q, k, v, threads=threads, out=given)
            self.assertIs(out, given)
            np.testing.assert_allclose(out, expected, atol=2e-6)

    def test_random_features_are_their_formula(self):
        q, k, v = 0.5 * drawn(N, 8), 0.5 * drawn(N, 8, seed=1), drawn(N, 4, seed=2)
        w = library.draw_projection(32, 8, seed=3)
        np.testing.assert_allclose(w[:8] @ w[:8].T, np.diag((w[:8] ** 2).sum(1)), atol=1e-12)

        def features(x):
            x = x.astype(np.float64) / 8**0.25
            return np.exp(x @ w.T - (x * x).sum(1, keepdims=True) / 2) / 32**0.5

        for causal in (False, True):
            weights = features(q) @ features(k).T * (MASKS["causal",] if causal else 1)
            out, sums, flagged = library.feature_attend(q, k, v, w, causal=causal, threads=2)
            np.testing.assert_allclose(sums, weights.sum(1), rtol=1e-5)
            np.testing.assert_allclose(out, weights @ v / weights.sum(1, keepdims=True), atol=1e-5)
            self.assertEqual(flagged, 0)
            plain, _, _ = library.feature_attend(q, k, v, w, causal=causal, normalized=False)
            np.testing.assert_allclose(plain, weights @ v, rtol=1e-4, atol=1e-5)

    def test_features_of_huge_values_keep_their_means(self):
        x, v = drawn(2, N, 4), np.full((2, N, 3), 3e38, np.float32)
        for causal in (False, True):
            out, _, flagged = library.feature_attend(x, x, v, map="elu1", causal=causal)
            np.testing.assert_allclose(out, v, rtol=1e-5)
            self.assertEqual(flagged, 0)


class Reach(unittest.TestCase):
    def test_receptive_fields_are_boolean_powers(self):
        mask = MASKS["strided", ("stride", 7)]
        for residual in (True, False):
            bits, pairs = library.reach(library.pattern("strided", N, stride=7), 3, residual=residual)
            layer = (mask | (I == J) if residual else mask).astype(int)
            power = np.eye(N, dtype=int)
            for reached in pairs:
                power = np.minimum(layer @ power, 1)
                self.assertEqual(reached, power.sum())
            np.testing.assert_array_equal(attnx.unpack(bits, N), power.astype(bool))


class Refusals(Case):
    def test_the_library_refuses_with_its_sentence(self):
        self.refuses("E_UNKNOWN", "strided", lambda: library.pattern("stridet", N))
        self.refuses("E_RANGE", "stride is 0", lambda: library.pattern("strided", N, stride=0))
        self.refuses("E_N", "0", lambda: library.pattern("causal", 0))
        self.refuses("E_TYPE", "input", lambda: library.pattern("topk", N))
        x = drawn(N, 4)
        x[3, 2] = np.nan
        causal = library.pattern("causal", N)
        self.refuses("E_NONFINITE", "row 3, column 2", lambda: library.attend(causal, x, x, x))

    def test_the_module_refuses_what_it_cannot_pass_on(self):
        causal, x = library.pattern("causal", N), drawn(N, 4)
        self.refuses("E_TYPE", "float64", lambda: library.attend(causal, x.astype(float), x, x))
        self.refuses("E_TYPE", "list", lambda: library.attend(causal, x, [1.0], x))
        self.refuses("E_SHAPE", "1 axis", lambda: library.attend(causal, x, x, x[0]))
        self.refuses("E_SHAPE", "strides", lambda: library.attend(causal, x[:, ::2], x[:, ::2], x))
        self.refuses("E_SHAPE", "strides", lambda: library.attend(causal, x[::-1], x, x))
        self.refuses("E_SHAPE", "out has shape", lambda: library.attend(causal, x, x, x, out=x[:4]))
        self.refuses("E_TYPE", "stands for a pattern", lambda: library.attend([3], x, x, x))
        self.refuses("E_TYPE", "no pattern", lambda: library.attend([], x, x, x))
        self.refuses("E_SHAPE", "w has shape", lambda: library.feature_attend(x, x, x, np.ones((3, 5))))
        for n in (2**64 + 5, 4.0, "8"):
            self.refuses("E_N", str(n), lambda n=n: library.pattern("causal", n))
        self.refuses("E_RANGE", "align", lambda: library.pattern("causal", N, align="middle"))
        causal.close()
        causal.close()
        self.refuses("E_TYPE", "closed", causal.pairs)

    def test_results_go_only_where_they_may(self):
        causal, x = library.pattern("causal", N), drawn(N, 4)
        w = library.draw_projection(8, 4)

        def each(out):
            return (lambda: library.attend(causal, x, x, x, out=out)), \
                (lambda: library.feature_attend(x, x, x, w, out=out))  # fmt: skip

        fixed = np.frombuffer(bytes(4 * x.size), np.float32).reshape(x.shape)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "floats"
            path.write_bytes(bytes(4 * x.size))
            mapped = np.memmap(path, np.float32, "r", shape=x.shape)
            for out in (fixed, mapped):
                for call in each(out):
                    self.refuses("E_TYPE", "read-only", call)
                self.assertFalse(out.any())
            del mapped, out
        odd = np.frombuffer(bytearray(4 * x.size + 1), np.uint8)[1:].view(np.float32).reshape(x.shape)
        for call in each(odd):
            self.refuses("E_TYPE", "aligned", call)
        self.refuses("E_TYPE", "aligned", lambda: library.attend(causal, odd, x, x))
        for out in ([1.0], 3, x.astype(float)):
            for call in each(out):
                self.refuses("E_TYPE", "out is", call)
        for call in each(x):
            self.refuses("E_SHAPE", "out overlaps", call)
        joint = np.concatenate([x, x])
        self.refuses("E_SHAPE", "out overlaps q", lambda: library.attend(causal, joint[1:N + 1], x, x, out=joint[:N]))
        apart, _ = library.attend(causal, joint[N:], x, x, out=joint[:N])
        np.testing.assert_array_equal(apart, library.attend(causal, x, x, x)[0])

    def test_pictures_go_only_where_they_may(self):
        causal = library.pattern("causal", N)
        fixed = np.frombuffer(bytes(8 * 12), np.int64).reshape(3, 4)
        self.refuses("E_TYPE", "read-only", lambda: causal.coverage(3, 4, out=fixed))
        self.assertFalse(fixed.any())
        self.refuses("E_TYPE", "out is list", lambda: causal.coverage(3, 4, out=[1]))
        self.refuses("E_TYPE", "int32", lambda: causal.coverage(3, 4, out=np.zeros((3, 4), np.int32)))
        self.refuses("E_SHAPE", "(4, 3)", lambda: causal.coverage(3, 4, out=np.zeros((4, 3), np.int64)))
        self.refuses("E_SHAPE", "gaps", lambda: causal.coverage(3, 4, out=np.zeros((4, 3), np.int64).T))

    def test_integers_are_never_cut_off(self):
        causal, x = library.pattern("causal", N), drawn(N, 4)
        self.refuses("E_RANGE", "query", lambda: causal.row(2**64))
        self.refuses("E_RANGE", "bits", lambda: causal.row(10**5000))
        self.refuses("E_RANGE", "rows", lambda: causal.pairs(rows=(0, 2**64 + 5)))
        self.refuses("E_RANGE", "rows", lambda: causal.mask(rows=(0, 10**13)))
        self.refuses("E_RANGE", "keys", lambda: causal.mask(keys=(5, 3)))
        self.refuses("E_TYPE", "rows", lambda: causal.mask(rows=3))
        self.refuses("E_TYPE", "rows", lambda: causal.mask(rows=(0, 2.0)))
        for threads in (2**32, -1, 1025):
            for call in (lambda: causal.pairs(threads=threads), lambda: causal.coverage(2, 2, threads=threads),
                         lambda: library.pattern("causal", N, threads=threads), lambda: library.peak(1, threads),
                         lambda: library.attend(causal, x, x, x, threads=threads),
                         lambda: library.reach(causal, 1, threads=threads),
                         lambda: library.feature_attend(x, x, x, map="elu1", threads=threads)):  # fmt: skip
                self.refuses("E_RANGE", "threads", call)
        for seed in (-1, 2**64):
            self.refuses("E_RANGE", "seed", lambda seed=seed: library.draw_projection(2, 2, seed=seed))
        self.assertEqual(library.draw_projection(2, 2, seed=2**64 - 1).shape, (2, 2))
        self.refuses("E_RANGE", "projections", lambda: library.draw_projection(2**64 + 1, 2))
        self.refuses("E_RANGE", "projections", lambda: library.draw_projection(2**20, 2**20))
        self.refuses("E_RANGE", "d is", lambda: library.draw_projection(2, 2**64 + 1))
        self.refuses("E_RANGE", "rounds", lambda: library.peak(2**64 + 1))
        self.refuses("E_TYPE", "rounds", lambda: library.peak(1.5))
        for layers in (-1, 2**64 + 1):
            self.refuses("E_RANGE", "layers", lambda layers=layers: library.reach(causal, layers))

    def test_booleans_are_no_numbers_and_switches_are_booleans(self):
        causal, x = library.pattern("causal", N), drawn(N, 4)
        for yes in (True, np.True_, np.array(True)):
            for name, call in (("n is", lambda yes=yes: library.pattern("causal", yes)),
                               ("n_keys", lambda yes=yes: library.pattern("causal", N, yes)),
                               ("threads", lambda yes=yes: causal.pairs(threads=yes)),
                               ("query", lambda yes=yes: causal.row(yes)),
                               ("seed", lambda yes=yes: library.draw_projection(2, 2, seed=yes)),
                               ("layers", lambda yes=yes: library.reach(causal, yes)),
                               ("rows", lambda yes=yes: causal.mask(rows=(0, yes))),
                               ("scale", lambda yes=yes: library.attend(causal, x, x, x, scale=yes)),
                               ("stride", lambda yes=yes: library.pattern("strided", N, stride=yes))):  # fmt: skip
                with self.subTest(name):
                    if name == "n is":  # E_N is of lengths
                        self.refuses("E_N", "n is True; it must be an integer", call)
                    elif name == "n_keys":
                        self.refuses("E_N", name, call)
                    else:
                        self.refuses("E_TYPE", name, call)
            ours = library.feature_attend(x, x, x, map="elu1", causal=yes)[0]
            np.testing.assert_array_equal(ours, library.feature_attend(x, x, x, map="elu1", causal=1)[0])
        self.refuses("E_RANGE", "causal is 2", lambda: library.feature_attend(x, x, x, map="elu1", causal=2))
        self.refuses("E_TYPE", "residual", lambda: library.reach(causal, 1, residual="no"))

    def test_a_file_name_is_no_array(self):
        for mask in ("gg.npy", pathlib.Path("gg.npy"), b"gg.npy"):
            self.refuses("E_TYPE", "mask is 'gg.npy', a file's name; it must be an array, such as "
                                   "numpy.load('gg.npy')", lambda mask=mask: library.pattern("given", 4, mask=mask))  # fmt: skip
        q = drawn(N, 2)
        self.refuses("E_TYPE", "the library reads no files",
                     lambda: library.pattern("routing", N, centroids="c.npy", q=q, keys=q))

    def test_what_fails_in_python_is_the_same_error(self):
        causal, x = library.pattern("causal", N), drawn(N, 4)
        for n in (2**22, 16385):
            self.refuses("E_RANGE", "16384", lambda n=n: library.reach(library.pattern("causal", n), 1))
        self.refuses("E_MEMORY", "memory", lambda: library.reach(causal, 2**62))
        self.refuses("E_MEMORY", "memory", library.pattern("causal", 2**30).mask)
        for height in (-1, 0, 32769):
            self.refuses("E_RANGE", "height", lambda height=height: causal.coverage(height, 4))
        for name in ("positive\0x", "\ud800", 3):
            self.refuses("E_TYPE", "map", lambda name=name: library.feature_attend(x, x, x, map=name))
        self.refuses("E_TYPE", "scale", lambda: library.attend(causal, x, x, x, scale="wide"))
        self.refuses("E_RANGE", "scale", lambda: library.attend(causal, x, x, x, scale=10**400))
        self.refuses("E_TYPE", "JSON", lambda: library.pattern("strided", N, stride={7}))
        self.refuses("E_RANGE", "align", lambda: library.pattern("causal", N, align=[]))
        self.refuses("E_TYPE", "w is", lambda: library.feature_attend(x, x, x, "w"))

    def test_values_without_columns_give_the_sums_alone(self):
        causal, x = library.pattern("causal", N), drawn(N, 4)
        for x in (x, x[None]):
            for none in (x[..., :0], np.empty((*x.shape[:-1], 0), np.float32)):
                out, lse = library.attend(causal, x, x, none)
                self.assertEqual(out.shape, none.shape)
                np.testing.assert_array_equal(lse, library.attend(causal, x, x, x)[1])

    def test_a_missing_library_is_named(self):
        with self.assertRaisesRegex(FileNotFoundError, "/nowhere/libattnx.so"):
            attnx.Library("/nowhere/libattnx.so")


library = attnx.Library(LIBRARY)
if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
