"""The numbers of `attnx steps` and `attnx heads` against NumPy: softmax, online softmax and linear
attention of one query, random features by their definition, and every measure of heads as the
command line's contract defines it. Exit code 77 without NumPy.

    steps_test.py <attnx>"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

ATTNX = pathlib.Path(sys.argv[1]).resolve()
LAYERS, HEADS, N, D, DV = 2, 3, 37, 6, 4
I, J = np.mgrid[0:N, 0:N]
PATTERNS = {  # by the words that name them
    ("full",): np.ones((N, N), bool),
    ("causal",): J <= I,
    ("local", "--window", "7"): abs(I - J) <= 3,
    ("strided", "--stride", "5"): (J <= I) & ((I - J <= 5) | ((I - J) % 5 == 0)),
}


def attnx(*words):
    done = subprocess.run([ATTNX, *map(str, words), "--json"], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return json.loads(done.stdout)


def softmax(scores, mask):
    with np.errstate(invalid="ignore"):
        e = np.where(mask, np.exp(scores - np.where(mask, scores, -np.inf).max(-1, keepdims=True)), 0)
        return np.where(mask.any(-1, keepdims=True), e / e.sum(-1, keepdims=True), 0)


def elu1(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        random = np.random.default_rng(7)
        self.q, self.k = random.standard_normal((2, LAYERS, HEADS, N, D)) * 1.7
        self.v = random.standard_normal((LAYERS, HEADS, N, DV))
        self.words = [str(x) for x in random.integers(0, 9, N)]
        self.input = []
        for name, array in (("q", self.q), ("k", self.k), ("v", self.v)):
            np.save(self.file(f"{name}.npy"), array)
            self.input += [f"--{name}", self.file(f"{name}.npy")]
        self.file("words.txt").write_text("\n".join(self.words) + "\n", encoding="utf-8")

    def file(self, name):
        return pathlib.Path(self.folder.name, name)

    def near(self, found, wanted, tolerance=1e-12):
        np.testing.assert_allclose(np.array(found, float), wanted, rtol=tolerance, atol=tolerance)


class Steps(Case):
    def steps(self, pattern, query, *words, layer=1, head=2):
        return attnx("steps", *pattern, *self.input, "--batch", layer, "--head-index", head,
                     "--query", query, *words)

    def test_softmax(self):
        q, k, v = self.q[1, 2], self.k[1, 2], self.v[1, 2]
        for pattern, mask in PATTERNS.items():
            for query in (0, 11, N - 1):
                for flags, scores in (((), q @ k.T / np.sqrt(D)),
                                      (("--scale", 0.3, "--softcap", 2), 2 * np.tanh(0.3 * (q @ k.T) / 2))):
                    steps = self.steps(pattern, query, *flags)
                    row, sees = scores[query], mask[query]
                    self.assertEqual(steps["visible"], np.flatnonzero(sees).tolist())
                    self.near(steps["dot"], (q @ k.T)[query])
                    self.near(steps["scaled"], row)
                    self.assertEqual([x is None for x in steps["masked"]], (~sees).tolist())
                    self.near([x for x in steps["masked"] if x is not None], row[sees])
                    self.near(steps["max"], row[sees].max())
                    exp = np.where(sees, np.exp(row - row[sees].max()), 0)
                    self.near(steps["exp"], exp)
                    self.near(steps["sum"], exp.sum())
                    p = softmax(scores, mask)
                    self.near(steps["p"], p[query])
                    self.near(steps["output"], (p @ v)[query])

    def test_online(self):
        q, k, v = self.q[1, 2], self.k[1, 2], self.v[1, 2]
        for pattern, mask in PATTERNS.items():
            for query, tile in ((0, 1), (20, 5), (N - 1, 64)):
                steps = self.steps(pattern, query, "--by", "online", "--key-tile", tile)
                scores = (q @ k.T / np.sqrt(D))[query]
                most, total, out, wanted = -np.inf, 0.0, np.zeros(DV), []
                for begin in range(0, N, tile):
                    keys = [j for j in range(begin, min(begin + tile, N)) if mask[query, j]]
                    if not keys:
                        continue
                    new = max(most, scores[keys].max())
                    correction, e = np.exp(most - new), np.exp(scores[keys] - new)
                    most, total, out = new, total * correction + e.sum(), out * correction + e @ v[keys]
                    wanted.append((begin, min(begin + tile, N), most, total, correction, out))
                self.assertEqual([tile["keys"] for tile in steps["tiles"]], [[w[0], w[1]] for w in wanted])
                for found, (_, _, m, s, c, o) in zip(steps["tiles"], wanted):
                    for key, value in (("max", m), ("sum", s), ("correction", c), ("output", o)):
                        self.near(found[key], value)
                self.near(steps["output"], out / total)

    def test_linear(self):
        phi_q, phi_k = elu1(self.q[1, 2]), elu1(self.k[1, 2])
        for pattern, mask in PATTERNS.items():
            weights = np.where(mask, phi_q @ phi_k.T, 0)[9]
            steps = self.steps(pattern, 9, "--by", "linear")
            self.near(steps["phi_q"], phi_q[9])
            self.near(steps["denominator"], weights.sum())
            self.near(steps["numerator"], weights @ self.v[1, 2], 1e-11)
            self.near(steps["output"], weights @ self.v[1, 2] / weights.sum())
            self.near(steps["exact"], self.steps(pattern, 9)["output"])
            sums = self.steps(pattern, 9, "--by", "linear", "--normalized", "false")
            self.assertEqual(sums["output"], sums["numerator"])

    def test_random_features_are_sums_of_exponentials(self):
        # Nothing of the draw is repeated here: with many features the estimate comes near softmax.
        steps = self.steps(("causal",), 30, "--by", "features", "--m", 20000, "--scale", 0.1)
        self.assertEqual(len(steps["phi_q"]), 20000)
        self.near(steps["output"], np.array(steps["numerator"]) / steps["denominator"])
        self.near(steps["output"], steps["exact"], 0.05)
        self.near(steps["exact"], self.steps(("causal",), 30, "--scale", 0.1)["output"])


def measures(p, mask, near, tokens):
    """Of one head, as the contract has them; p is the softmax over the base."""
    n = len(p)
    i, j = np.mgrid[0:n, 0:n]
    same = np.array([[a == b for b in tokens] for a in tokens])
    earlier = same & (j < i)
    after = np.zeros_like(earlier)  # j − 1 < i holds the query's token
    after[:, 1:] = earlier[:, :-1]
    some = earlier.any(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(p > 0, p * np.log(p), 0).sum(1).mean()
    return {"self": np.diag(p).mean(), "previous": np.diag(p, -1).mean(), "first": p[1:, 0].mean(),
            "within": p[abs(i - j) <= near].sum() / n, "beyond": 1 - p[abs(i - j) <= near].sum() / n,
            "entropy": entropy, "previous_occurrence": (p * earlier).sum(1)[some].mean(),
            "induction": (p * after).sum(1)[some].mean(), "captured": (p * mask).sum(1).mean()}


class Heads(Case):
    def check(self, rows, weights, mask, near):
        self.assertEqual([(r["layer"], r["head"]) for r in rows],
                         [(b, h) for b in range(len(weights)) for h in range(HEADS)])
        for row in rows:
            wanted = measures(weights[row["layer"]][row["head"]], mask, near, self.words)
            for key, value in wanted.items():
                self.near(row[key], value, 1e-11)

    def test_every_measure_over_every_base(self):
        scores = self.q @ self.k.swapaxes(-1, -2) / np.sqrt(D)
        for pattern, mask in PATTERNS.items():
            for base, over in (("full", np.ones((N, N), bool)), ("causal", J <= I)):
                rows = attnx("heads", *pattern, *self.input, "--tokens", self.file("words.txt"),
                             "--near", 4, "--base", base)["rows"]
                self.check(rows, softmax(scores, over), mask, 4)

    def test_ready_weights(self):
        weights = np.random.default_rng(1).random((LAYERS, HEADS, N, N)) * (J <= I)
        weights /= weights.sum(-1, keepdims=True)
        np.save(self.file("w.npy"), weights)
        rows = attnx("heads", "local", "--window", 7, "--attention", self.file("w.npy"), "--tokens",
                     self.file("words.txt"), "--base", "causal")["rows"]
        self.check(rows, weights, PATTERNS[("local", "--window", "7")], 8)

    def test_the_array_has_the_numbers_of_the_json(self):
        rows = attnx("heads", *self.input, "-o", self.file("h.npy"))["rows"]
        array = np.load(self.file("h.npy"))
        self.assertEqual(array.shape, (LAYERS * HEADS, 11))
        self.near(array[:, 2], [row["self"] for row in rows])
        self.near(array[:, 7], [row["entropy"] for row in rows])
        self.assertTrue(np.isnan(array[:, 8:]).all())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
