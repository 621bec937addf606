"""Score modifiers on the command line against NumPy: biases, caps, temperatures and sinks in
outputs, log sums, weights, steps, measures of heads and the captured mass. Exit code 77 without
NumPy.

    modifiers_test.py <attnx>"""
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

from t5_bias import t5

ATTNX = pathlib.Path(sys.argv[1]).resolve()
HEADS, N, D, DV = 3, 29, 6, 4
I, J = np.mgrid[0:N, 0:N]
PATTERNS = {("full",): np.ones((N, N), bool), ("local", "--window", "7"): abs(I - J) <= 3}
RELATIVE = [-1.0, 0.5, 0.25, 2.0, -0.5]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        random = np.random.default_rng(11)
        self.q, self.k = random.standard_normal((2, HEADS, N, D)) * 1.3
        self.v = random.standard_normal((HEADS, N, DV))
        self.table = np.round(random.standard_normal((8, HEADS)), 3)
        np.save(self.file("table.npy"), self.table)
        self.file("one way.json").write_text(
            json.dumps({"table": self.table.tolist(), "bidirectional": False, "max_distance": 20}))
        self.file("relative.json").write_text(json.dumps(RELATIVE))
        self.input = []
        for name, array in (("q", self.q), ("k", self.k), ("v", self.v)):
            np.save(self.file(f"{name}.npy"), array)
            self.input += [f"--{name}", self.file(f"{name}.npy")]
        slopes = np.array([0.5, 0.25, 0.1])[:, None, None]
        clamped = np.array(RELATIVE)[np.clip(J - I, -2, 2) + 2]
        u = np.einsum("hid,hjd->hij", self.q, self.k)
        root = u / np.sqrt(D)
        standard = 2.0 ** -np.array([4, 8, 2])[:, None, None]  # 2 heads, then half a step for the third
        none = None
        self.cases = {  # flags: scores, sinks
            ("--alibi", "0.5,0.25,0.1"): (root - slopes * abs(I - J), none),
            ("--alibi", "0.3", "--alibi-side", "signed"): (root + 0.3 * (J - I), none),
            ("--alibi", "0.5,0.25,0.1", "--alibi-side", "column"): (root + slopes * J, none),
            ("--alibi", "standard"): (root - standard * abs(I - J), none),
            ("--bias", f"t5:{self.file('table.npy')}"): (root + t5(self.table, N, True, 128), none),
            ("--bias", f"t5:{self.file('one way.json')}"): (root + t5(self.table, N, False, 20), none),
            ("--bias", f"relative:{self.file('relative.json')}", "--scale", "0.5"):
                (u * 0.5 + clamped, none),
            ("--temperature", "2.5"): (root / 2.5, none),
            ("--sink-logit", "1.5,-1,0"): (root, np.array([1.5, -1, 0])),
            ("--modifiers", json.dumps({
                "scale": 0.7, "softcap": 2, "bias": {"kind": "alibi", "slopes": 0.2},
                "temperature": 1.5, "sink": 0.5, "order": ["bias", "softcap"]})):
                (2 * np.tanh((0.7 * u - 0.2 * abs(I - J)) / 2) / 1.5, np.full(3, 0.5)),
        }

    def file(self, name):
        return pathlib.Path(self.folder.name, name)

    def attnx(self, *words):
        done = subprocess.run([ATTNX, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, (words, done.stderr))
        return done.stdout

    def near(self, found, wanted, tolerance=1e-11):
        np.testing.assert_allclose(np.array(found, float), wanted, rtol=tolerance, atol=tolerance)

    def expected(self, scores, sinks, mask):
        keys = np.where(mask, np.exp(scores), 0)
        every = keys.sum(-1) + (0 if sinks is None else np.exp(sinks)[:, None])
        return keys / every[..., None], np.log(every), np.log(keys.sum(-1))


class Modifiers(Case):
    def test_attention(self):
        for flags, (scores, sinks) in self.cases.items():
            for pattern, mask in PATTERNS.items():
                with self.subTest(flags=flags, pattern=pattern):
                    p, lse, _ = self.expected(scores, sinks, mask)
                    found = json.loads(self.attnx(
                        "attend", *pattern, *self.input, *flags, "--dtype", "float64", "--json",
                        "--base", "full", "-o", self.file("out.npy"), "--lse", self.file("lse.npy"),
                        "--weights", self.file("p.npy")))
                    self.near(np.load(self.file("out.npy")), p @ self.v)
                    self.near(np.load(self.file("lse.npy")), lse)
                    self.near(np.load(self.file("p.npy")), p)
                    dense, _, _ = self.expected(scores, sinks, PATTERNS["full",])
                    mass = (dense * mask).sum(-1)
                    self.near(found["captured_mass"], (mass / dense.sum(-1)).mean())
                    self.assertEqual("mass" in found, sinks is not None)
                    if sinks is not None:
                        self.near(found["mass"], mass.mean())
                    share = p / p.sum(-1, keepdims=True)  # of what the sink leaves
                    logs = np.log(np.where(share > 0, share, 1))
                    self.near(found["entropy"], -(share * logs).sum(-1).mean())

    def test_floats(self):
        for flags, (scores, sinks) in self.cases.items():
            p, _, _ = self.expected(scores, sinks, PATTERNS["full",])
            self.attnx("attend", "full", *self.input, *flags, "-o", self.file("out.npy"))
            self.near(np.load(self.file("out.npy")), p @ self.v, 2e-5)

    def test_steps(self):
        for flags, (scores, sinks) in self.cases.items():
            p, lse, _ = self.expected(scores, sinks, PATTERNS["local", "--window", "7"])
            for by in ("softmax", "online"):
                steps = json.loads(self.attnx("steps", "local", "--window", "7", *self.input, *flags,
                                              "--head-index", 1, "--query", 12, "--by", by, "--json"))
                self.near(steps["output"], p[1, 12] @ self.v[1])
                if by == "softmax":
                    self.near(steps["scaled"], scores[1, 12])
                    self.near(steps["p"], p[1, 12])
                    self.near(steps["max"] + np.log(steps["sum"]), lse[1, 12])

    def test_heads_and_compare(self):
        for flags, (scores, sinks) in self.cases.items():
            p, _, _ = self.expected(scores, sinks, PATTERNS["full",])
            rows = json.loads(self.attnx("heads", *self.input, *flags, "--base", "full", "--json"))["rows"]
            self.near([row["self"] for row in rows], [np.trace(one) / N for one in p])
            self.near([row["first"] for row in rows], [one[1:, 0].mean() for one in p])
            rows = json.loads(self.attnx("compare", "local", "--window", "7", *self.input, *flags,
                                         "--dtype", "float64", "--base", "full", "--json"))["rows"]
            kept = (p * PATTERNS["local", "--window", "7"]).sum(-1)
            self.near(rows[0]["captured_mass"], (kept / p.sum(-1)).mean())
            self.assertEqual("mass" in rows[0], sinks is not None)
            if sinks is not None:
                self.near(rows[0]["mass"], kept.mean())
                rows = json.loads(self.attnx("heads", "local", "--window", "7", *self.input, *flags,
                                             "--base", "full", "--json"))["rows"]
                self.near([row["mass"] for row in rows], kept.mean(-1))

    def test_what_does_not_fit_is_refused(self):
        for flags, code, piece in (
                (("--alibi", "0.5,0.25"), "E_SHAPE", "alibi has 2 numbers"),
                (("--alibi", "steep"), "E_RANGE", 'alibi is "steep"'),
                (("--alibi-side", "signed"), "E_TYPE", "alibi-side is given without --alibi"),
                (("--bias", "rotary:x"), "E_RANGE", "bias is \"rotary:x\""),
                (("--alibi", "1", "--bias", "t5:x"), "E_TYPE", "bias is given together with --alibi"),
                (("--temperature", "0"), "E_RANGE", "temperature is 0"),
                (("--sink-logit", "1,2"), "E_SHAPE", "sink-logit has 2 numbers"),
                (("--sink-logit", "x"), "E_TYPE", "sink-logit"),
                (("--modifiers", '{"temprature": 2}'), "E_UNKNOWN", "modifiers.temprature")):
            done = subprocess.run([ATTNX, "attend", "full", *map(str, self.input), *flags, "--json"],
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""), flags)
            self.assertIn(code, done.stderr)
            self.assertIn(piece, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
