"""Layers and heads in python/attnx have the numbers that the input names. Needs numpy; exit code 77 without.

    python_numbers_test.py <repository> <libattnx.so> <attnx>"""
import html
import json
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


class Numbers(unittest.TestCase):
    def refuses(self, piece, source, layer):
        with self.assertRaises(attnx.Error) as caught:
            attnx.steps("causal", source, 9, layer=layer)
        self.assertEqual(caught.exception.code, "E_RANGE")
        self.assertIn(piece, str(caught.exception))

    def test_layers_and_heads_of_files_and_dicts(self):
        x = np.random.default_rng(0).standard_normal((2, 2, 48, 8), dtype=np.float32)
        whole = {"q": x, "k": x, "v": x}
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / "f.npz"
        np.savez(file, **whole, layers=np.array([3, 7]), heads=np.array("[1, 5]"))
        head = {"__metadata__": {"layers": "3,7", "heads": "[1, 5]"}}
        head |= {role: {"dtype": "F32", "shape": x.shape, "data_offsets": [place * x.nbytes, (place + 1) * x.nbytes]}
                 for place, role in enumerate(whole)}  # fmt: skip
        text = json.dumps(head).encode()
        written = file.with_suffix(".safetensors")
        written.write_bytes(len(text).to_bytes(8, "little") + text + 3 * x.tobytes())
        arrays = {f"layer.{layer}.{role}": x[place] for place, layer in enumerate((3, 7)) for role in whole}
        expected = attnx.steps("causal", (x, x, x), 9, layer=1, head=1)
        for source in (file, written, str(written), {**whole, "layers": [3, 7], "heads": [1, 5]}, {**arrays, "heads": [1, 5]}):
            rows = attnx.heads(source).rows
            self.assertEqual([(row["layer"], row["head"]) for row in rows], [(3, 1), (3, 5), (7, 1), (7, 5)])
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                found = attnx.steps("causal", source, 9, layer=7, head=5)
            np.testing.assert_array_equal(found["p"], expected["p"])
            self.assertIn("layer 7, head 5", html.unescape(found.picture.bytes_of("html").decode()))
            self.assertIn("layer 3, head 1", attnx.compare(["causal", "strided"], source).facts())
            self.refuses("layer 1 was not captured; captured are 3 and 7", source, 1)

    def test_a_bundled_sample_has_its_own(self):
        layers = sorted({row["layer"] for row in attnx.heads("smollm2_pride").rows})
        words = ["steps", "causal", "--sample", "smollm2_pride", "--query", "9", "--batch", str(len(layers) - 1), "--json"]
        said = json.loads(subprocess.run([sys.argv[3], *words], capture_output=True, check=True).stdout)
        self.assertEqual(attnx.steps("causal", "smollm2_pride", 9, layer=layers[-1]).values["p"], said["p"])
        self.refuses("layer 3 was not captured", "smollm2_pride", 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
