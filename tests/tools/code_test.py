"""Sources that `attnx code` prints, run by the libraries that they are for: transformers' attention under the
pattern, FlexAttention with every score modifier, against NumPy and `attnx attend`. Needs torch and NumPy, and for
its part transformers; exit code 77 without.

    code_test.py <attnx>"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import numpy as np
    import torch
    import torch.nn.attention.flex_attention  # noqa: F401: since PyTorch 2.5
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)
from t5_bias import t5

try:
    import transformers
    from transformers import AttentionMaskInterface  # noqa: F401: since 4.53
except ImportError:
    transformers = None

ATTNX = sys.argv[1]
HEADS, N = 2, 20
I, J = np.mgrid[0:N, 0:N]
SLOPES = np.array([0.5, 0.25])[:, None, None]
PATTERNS = [("causal",), ("local", "--window", "4", "--causal"), ("strided", "--stride", "4"),
            ("longformer", "--window", "4"), ("bigbird", "--block-size", "4")]  # fmt: skip


def attnx(*words):
    done = subprocess.run([ATTNX, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def ran(pattern, library, *flags):
    """The names that the source makes, and the source itself."""
    source = attnx("code", *pattern, "--n", N, "--to", library, *flags)
    names = {}
    exec(source.replace("Q_LEN=", 'device="cpu", Q_LEN='), names)  # as its comment says
    return names, source


class Flex(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(2)
        table = np.round(random.standard_normal((8, HEADS)), 3).tolist()
        self.u = u = 8 * random.standard_normal((HEADS, N, N))
        cap = lambda scores: 20 * np.tanh(scores / 20)  # noqa: E731
        by_json = lambda **said: ("--modifiers", json.dumps(said))  # noqa: E731
        self.cases = {
            ("--alibi", "0.5,0.25", "--softcap", "20", "--temperature", "2", "--sink-logit", "1,2"):
                (cap(u) - SLOPES * abs(I - J)) / 2,
            ("--alibi", "1,2"): u - np.array([1, 2])[:, None, None] * abs(I - J),
            ("--alibi", "0.5,0.25", "--alibi-side", "signed"): u + SLOPES * (J - I),
            ("--alibi", "0.5,0.25", "--alibi-side", "column"): u + SLOPES * J,
            by_json(softcap=20, temperature=2, order=["bias", "softcap"], bias={"kind": "alibi", "slopes": [0.5, 0.25]}):
                cap(u - SLOPES * abs(I - J)) / 2,
            by_json(scale=1, bias={"kind": "t5", "table": table, "max_distance": 10}): u + t5(table, N, True, 10),
            by_json(bias={"kind": "t5", "table": table, "bidirectional": False, "max_distance": 10}):
                u + t5(table, N, False, 10),
            by_json(bias={"kind": "relative", "table": [-1, 0.5, 0.25, 2, -0.5]}):
                u + np.array([-1, 0.5, 0.25, 2, -0.5])[np.clip(J - I, -2, 2) + 2],
        }  # fmt: skip

    def test_scores(self):
        h, i, j = np.mgrid[0:HEADS, 0:N, 0:N]
        for flags, wanted in self.cases.items():
            names, _ = ran(("full",), "flex", *flags)
            said = names["score_mod"](torch.tensor(self.u), torch.tensor(0), *map(torch.tensor, (h, i, j)))
            np.testing.assert_allclose(said.numpy(), wanted, atol=1e-5, err_msg=str(flags))

    def test_attention(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            arrays = dict(zip(("q", "k", "v"), np.random.default_rng(4).standard_normal((3, HEADS, N, 8), np.float32)))
            for name, array in arrays.items():
                np.save(f"{folder}/{name}.npy", array)
                files += [f"--{name}", f"{folder}/{name}.npy"]
            inputs = {name: torch.tensor(arrays[name[0]][None]) for name in ("query", "key", "value")}
            for pattern in PATTERNS:
                for flags in [*self.cases, ("--scale", "0.7"), ("--sink-logit", "1,2")]:
                    names, source = ran(pattern, "flex", *flags)
                    calls = [line[2:] for line in source.splitlines() if line.startswith(("# out", "# from "))]
                    names.update(inputs)
                    exec("\n".join(calls), names)
                    attnx("attend", *pattern, *files, *flags, "--no-metrics", "-o", f"{folder}/out.npy")
                    np.testing.assert_allclose(names["out"][0].numpy(), np.load(f"{folder}/out.npy"), atol=2e-5,
                                               err_msg=f"{pattern} {flags}")  # fmt: skip


@unittest.skipUnless(transformers, "transformers of 4.53 or later is not at hand")
class Transformers(unittest.TestCase):
    def test_a_model_attends_by_the_pattern(self):
        config = transformers.LlamaConfig(vocab_size=50, hidden_size=32, num_hidden_layers=2, intermediate_size=48,
                                          num_attention_heads=4, num_key_value_heads=2, head_dim=8)  # fmt: skip
        torch.manual_seed(5)
        config._attn_implementation = "eager"
        model = transformers.LlamaModel(config)
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.dim() == 2:
                    parameter.normal_(0, 0.3)
        ids = torch.tensor([[(7 * i + 3) % 50 for i in range(N)]])
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            model.save_pretrained(folder)
            for pattern in PATTERNS:
                attnx("mask", *pattern, "--n", N, "-o", f"{folder}/mask.npy")
                mask = torch.tensor(np.load(f"{folder}/mask.npy").astype(bool))
                added = torch.zeros(1, 1, N, N).masked_fill(~mask, -1e30)
                wanted = model.eval()(ids, attention_mask=added).last_hidden_state
                ran(pattern, "transformers")
                changed = transformers.AutoModel.from_pretrained(folder, attn_implementation="pattern").eval()
                said = changed(ids).last_hidden_state
                torch.testing.assert_close(said, wanted, atol=1e-4, rtol=1e-4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
