"""attnx.capture on tiny random models run by their user: what it takes is the model's attention, and nothing of the
model is changed by it. Needs torch, transformers and safetensors; exit code 77 without.

    python_capture_test.py <repository> <libattnx.so> <attnx>"""
import html
import os
import pathlib
import re
import sys
import tempfile
import unittest

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import numpy as np
    import torch
    import transformers
    from safetensors import safe_open
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

ROOT, os.environ["ATTNX_LIBRARY"], os.environ["ATTNX_PROGRAM"] = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, str(pathlib.Path(ROOT) / "python"))
import attnx  # noqa: E402

N, HEADS, D, LAYERS, WORDS = 13, 4, 8, 3, 50
LLAMA = dict(vocab_size=WORDS, hidden_size=HEADS * D, num_hidden_layers=LAYERS, intermediate_size=48,
             num_attention_heads=HEADS, num_key_value_heads=2, head_dim=D)  # fmt: skip
IDS = torch.tensor([[(7 * i + 3) % WORDS for i in range(N)]])
CAUSAL = np.tri(N, dtype=bool)


def model_of(name, **config):
    torch.manual_seed(7)
    kind = getattr(transformers, name)
    model = kind(kind.config_class(**config))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 2:
                parameter.normal_(0, 0.3)
            elif name.endswith("sinks"):
                parameter.normal_()
    return model.eval()


def contexts_of(model, projection, run):
    """What enters the output projections in a run without us, layers x heads x n x d."""
    found = []
    parts = [part for name, part in model.named_modules() if name.endswith(projection)]
    hooks = [part.register_forward_pre_hook(lambda _, inputs: found.append(inputs[0][0].unflatten(-1, (HEADS, -1))))
             for part in parts]  # fmt: skip
    run()
    for hook in hooks:
        hook.remove()
    return np.stack([x.detach().float().transpose(0, 1).numpy() for x in found])


def attention(q, k, v, mask, scale):
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], 1).astype(np.float64) for x in (k, v))
    scores = np.where(mask, scale * q @ np.swapaxes(k, -1, -2), -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


class Case(unittest.TestCase):
    def refuses(self, code, piece, call):
        with self.assertRaises(attnx.Error) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        self.assertIn(piece, str(caught.exception))


class OfLlama(Case):
    def setUp(self):
        self.model = model_of("LlamaForCausalLM", **LLAMA)

    def captured(self, *arguments, **named):
        with attnx.capture(self.model, *arguments, **named) as found:
            self.model(input_ids=IDS)
        return found

    def test_it_is_the_attention_of_an_untouched_run(self):
        truth = contexts_of(self.model, "o_proj", lambda: self.model(input_ids=IDS))
        found = self.captured()
        self.assertEqual((found.q.shape, found.k.shape), ((LAYERS, HEADS, N, D), (LAYERS, 2, N, D)))
        np.testing.assert_allclose(attention(found.q, found.k, found.v, CAUSAL, D**-0.5), truth, atol=2e-5)
        self.assertEqual(found.patterns, LAYERS * [{"mechanism": "causal", "params": {}}])
        self.assertEqual((found.modifiers, found.ids, found.numbers), ({}, IDS[0].tolist(), [0, 1, 2]))

    def test_the_model_is_as_before(self):
        source = sys.modules[type(self.model.model.layers[0].self_attn).__module__]
        kind, function = self.model.config._attn_implementation, source.eager_attention_forward
        before = self.model(input_ids=IDS).logits
        self.captured()
        with self.assertRaises(ZeroDivisionError), attnx.capture(self.model):
            1 / 0
        self.assertEqual(self.model.config._attn_implementation, kind)
        self.assertIs(source.eager_attention_forward, function)
        self.assertFalse(any(part._forward_hooks or part._forward_pre_hooks for part in self.model.modules()))
        torch.testing.assert_close(self.model(input_ids=IDS).logits, before, rtol=0, atol=0)

    def test_layers_and_heads_are_chosen(self):
        whole, found = self.captured(), self.captured(layers=[2, 0], heads=[3, 1])
        self.assertEqual(found.numbers, [2, 0])
        np.testing.assert_array_equal(found.q, whole.q[[2, 0]][:, [3, 1]])
        np.testing.assert_array_equal(found.k, whole.k[[2, 0]][:, [1, 0]])
        np.testing.assert_array_equal(self.captured(layers="1-2").v, whole.v[1:])
        np.testing.assert_array_equal(self.captured(layers=1, heads=2).q, whole.q[1:2, 2:3])
        self.assertEqual((found.head_numbers, whole.head_numbers), ([3, 1], [0, 1, 2, 3]))
        self.refuses("E_RANGE", "layers is 3; it must be an integer from 0 to 2", lambda: self.captured(layers=[3]))
        self.refuses("E_TYPE", "layers is x; it must be an integer", lambda: self.captured(layers=["x"]))
        self.refuses("E_TYPE", "heads is 1.5; it must be an integer", lambda: self.captured(heads=[1.5]))
        self.refuses("E_RANGE", "heads is [4]; they must be from 0 to 3", lambda: self.captured(heads=[4]))

    def test_layers_and_heads_have_the_model_s_numbers(self):
        whole, found = self.captured(), self.captured(layers=[0, 2], heads=[1, 3])

        def title(picture):
            return re.search(r'title="([^"]*)"></iframe>', picture._repr_html_())[1]

        self.assertIn("of layer 2, head 3", title(found.show(layer=2, head=3)))
        self.assertIn("layer 0, head 1", title(found.show("strided")))  # the first of them
        self.assertIn("layer 2, head 1", title(self.captured(layers=2, heads=1).show()))
        heads = html.unescape(found._repr_html_())
        self.assertIn("layer 2, head 3, captured: 1.000", heads)
        self.assertNotRegex(heads, "head [02]")
        for name in ("layer", "head"):
            self.assertEqual(sorted({row[name] for row in attnx.heads(found).rows}), {"layer": [0, 2], "head": [1, 3]}[name])
        np.testing.assert_allclose(attnx.heads(found)["self"], attnx.heads(whole)["self"][np.ix_([0, 2], [1, 3])])
        step = attnx.steps("causal", found, 5, layer=2, head=3)["output"]
        np.testing.assert_allclose(step, attnx.steps("causal", whole, 5, layer=2, head=3)["output"], atol=1e-6)
        self.assertEqual(attnx.steps("causal", found, 5)["p"].tolist(),
                         attnx.steps("causal", found, 5, layer=0, head=1)["p"].tolist())  # fmt: skip
        for call in (lambda **place: found.show("causal", **place), lambda **place: attnx.steps("causal", found, 5, **place)):
            self.refuses("E_RANGE", "layer 1 was not captured; captured are 0 and 2", lambda: call(layer=1))
            self.refuses("E_RANGE", "head 2 was not captured; captured are 1 and 3", lambda: call(layer=2, head=2))
        self.refuses("E_RANGE", "layer 3 was not captured; captured are 0 to 2", lambda: whole.show(layer=3))
        self.assertIn("layer 0, head 1", attnx.compare(["causal", "strided"], found).facts())
        with tempfile.TemporaryDirectory() as folder:
            for capture, said in ((found, "[1, 3]"), (whole, None)):
                capture.save(folder + "/f.safetensors")
                with safe_open(folder + "/f.safetensors", "np") as file:
                    self.assertEqual(file.metadata().get("heads"), said)

    def test_the_last_run_counts_and_of_generated_text_the_prompt(self):
        with attnx.capture(self.model) as found:
            self.model(input_ids=IDS + 1)
            self.model(input_ids=IDS)
        np.testing.assert_array_equal(found.q, self.captured().q)
        with attnx.capture(self.model) as found:
            self.model.generate(IDS, max_new_tokens=3, do_sample=False, pad_token_id=0)
        self.assertEqual((found.shape, found.ids), ((N, N), IDS[0].tolist()))
        np.testing.assert_allclose(found.q, self.captured().q, atol=1e-6)

    def test_padding_is_in_the_mask(self):
        with attnx.capture(self.model, layers=1) as found:
            self.model(input_ids=IDS.repeat(2, 1), attention_mask=(torch.arange(N) >= 3).long().repeat(2, 1))
        self.assertEqual(found.patterns, [None])
        mask = found.layers[0].mask > -1e4
        self.assertFalse(mask[3:, :3].any())
        with tempfile.TemporaryDirectory() as folder:
            found.save(folder + "/f.safetensors")
            with safe_open(folder + "/f.safetensors", "np") as file:
                np.testing.assert_array_equal(file.get_tensor("mask")[0], mask)

    def test_half_precision_and_gradients(self):
        self.model.to(torch.bfloat16)
        found = self.captured()
        self.assertEqual(found.q.dtype, np.float32)
        self.assertFalse(found.layers[0].q.requires_grad)

    def test_it_is_an_input_and_shows_itself(self):
        class Tokenizer:
            def convert_ids_to_tokens(self, ids):
                return [f"t{number}" for number in ids]

        found = self.captured(tokenizer=Tokenizer())
        self.assertEqual(attnx.heads(found)["self"].shape, (LAYERS, HEADS))
        row = attnx.compare(lambda q, k: k <= q, found).rows[0]
        self.assertAlmostEqual(row["captured_mass"], 1, places=6)
        step = attnx.steps("causal", found, 5, layer=1, head=2)
        mine = attention(found.q, found.k, found.v, CAUSAL, D**-0.5)[1, 2, 5]
        np.testing.assert_allclose(step["output"], mine, atol=1e-5)
        for shown in (found, found.show(), found.show("strided", layer=1, head=3), found.show(picture="text")):
            page = shown._repr_html_()
            self.assertTrue(page.startswith("<iframe"), page[:300])
            self.assertEqual(shown._repr_png_()[1:4], b"PNG")
        with tempfile.TemporaryDirectory() as folder:
            words = found.save(folder + "/f.safetensors", dtype="float16", text="a text")
            self.assertIn("q [3, 4, 13, 8]", words)
            with safe_open(folder + "/f.safetensors", "np") as file:
                said = file.metadata()
            self.assertEqual((said["text"], said["model"], said["axis0"]), ('"a text"', '"LlamaForCausalLM"', "layer"))
            self.assertIn('"t3"', said["tokens"])
            self.assertEqual(attnx.heads(folder + "/f.safetensors").n, N)

    def test_what_did_not_run_is_refused(self):
        def nothing():
            with attnx.capture(self.model):
                pass

        self.refuses("E_UNSUPPORTED", "no attention of LlamaForCausalLM was seen", nothing)
        for early in (lambda: attnx.capture(self.model).save("x"), lambda: attnx.capture(self.model).show()):
            self.refuses("E_TYPE", "nothing is captured yet", early)
        self.refuses("E_UNSUPPORTED", "model is Linear, and its attention could not be found",
                     lambda: attnx.capture(torch.nn.Linear(2, 2)).__enter__())  # fmt: skip


class OfOthers(Case):
    def test_modifiers_of_chosen_heads(self):
        gpt_oss = dict(LLAMA, num_local_experts=2, num_experts_per_tok=1, sliding_window=5)
        bloom = dict(vocab_size=WORDS, hidden_size=HEADS * D, n_layer=LAYERS, n_head=HEADS)
        for name, config, part in (("GptOssModel", gpt_oss, "sink"), ("BloomModel", bloom, "bias")):
            model = model_of(name, **config)
            with attnx.capture(model, layers=1) as whole:
                model(input_ids=IDS)
            with attnx.capture(model, layers=1, heads=[3, 0]) as found:
                model(input_ids=IDS)
            full = attnx.attend(whole.patterns[0], whole.q[0], whole.k[0], whole.v[0], modifiers=whole.modifiers)[0]
            np.testing.assert_allclose(full, whole.layers[0].output, atol=2e-5)
            own = attnx.attend(found.patterns[0], found.q[0], found.k[0], found.v[0], modifiers=found.modifiers)[0]
            np.testing.assert_allclose(own, full[[3, 0]], atol=2e-5)
            self.assertIn(part, found.modifiers)

    def test_of_an_encoder_and_a_decoder_the_encoder_is_taken(self):
        model = model_of("T5ForConditionalGeneration", vocab_size=WORDS, d_model=HEADS * D, d_kv=D, d_ff=48,
                         num_layers=2, num_heads=HEADS, decoder_start_token_id=0)  # fmt: skip
        with attnx.capture(model, heads=[1, 2]) as found:
            model(input_ids=IDS, decoder_input_ids=IDS[:, :5])
        self.assertEqual((found.q.shape, found.patterns[0]["mechanism"]), ((2, 2, N, D), "full"))
        self.assertEqual(np.shape(found.modifiers["bias"]["table"])[1], 2)
        out = attnx.attend("full", found.q[1], found.k[1], found.v[1], modifiers=found.modifiers)[0]
        np.testing.assert_allclose(out, found.layers[1].output, atol=2e-5)

    def test_training_is_named(self):
        model = model_of("BertModel", vocab_size=WORDS, hidden_size=HEADS * D, num_hidden_layers=2, intermediate_size=48,
                         num_attention_heads=HEADS, attention_probs_dropout_prob=0.5).train()  # fmt: skip

        def run():
            with attnx.capture(model):
                model(input_ids=IDS)

        self.refuses("E_UNSUPPORTED", "must not be in training (model.eval())", run)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
