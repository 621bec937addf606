"""tools/export_qkv.py on tiny randomly initialised models: what it writes is the model's attention.

For every family, softmax(scale * q k^T) v from the export equals the weights that the model reports and
the context that its output projection receives. Needs torch and transformers; exit code 77 without."""
import json
import math
import os
import pathlib
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import torch
    import transformers
    from safetensors import safe_open
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools"))
import export_qkv  # noqa: E402

N, HEADS, HEAD_DIM, LAYERS, VOCABULARY = 21, 4, 8, 3, 50
WIDTH = HEADS * HEAD_DIM
ROTARY = dict(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=LAYERS, intermediate_size=48,
              num_attention_heads=HEADS, num_key_value_heads=2, head_dim=HEAD_DIM)  # fmt: skip
BERT = dict(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=LAYERS, intermediate_size=48,
            num_attention_heads=HEADS)  # fmt: skip
GPT2 = dict(vocab_size=VOCABULARY, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS)
# family: configuration, key/value heads, where the context goes
FAMILIES = {
    "Bert": (BERT, HEADS, "attention.output.dense"),
    "Roberta": (BERT, HEADS, "attention.output.dense"),
    "DistilBert": (dict(vocab_size=VOCABULARY, dim=WIDTH, n_layers=LAYERS, n_heads=HEADS, hidden_dim=48),
                   HEADS, "out_lin"),
    "GPT2": (GPT2, HEADS, "attn.c_proj"),
    "GPT2 ": (dict(GPT2, scale_attn_by_inverse_layer_idx=True), HEADS, "attn.c_proj"),
    "Llama": (ROTARY, 2, "o_proj"),
    "Mistral": (dict(ROTARY, sliding_window=5), 2, "o_proj"),
    "Qwen2": ({k: v for k, v in ROTARY.items() if k != "head_dim"}, 2, "o_proj"),
    "Gemma": (dict(ROTARY, num_key_value_heads=1), 1, "o_proj"),
    "Gemma2": (dict(ROTARY, query_pre_attn_scalar=5, attn_logit_softcapping=0.3, sliding_window=5), 2, "o_proj"),
}  # fmt: skip


def tiny(family):
    """A small model with random weights large enough that attention is far from uniform."""
    torch.manual_seed(7)
    name = family.strip()
    config = getattr(transformers, f"{name}Config")(**FAMILIES[family][0])
    config._attn_implementation = "eager"
    model = getattr(transformers, f"{name}Model")(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.normal_(0, 0.3)
    return model.eval()


def truth(model, ids, projection):
    """Weights and contexts as an untouched run of the model has them."""
    contexts, hooks = [], []
    for name, part in model.named_modules():
        if name.endswith(projection):
            keep = lambda _, inputs: contexts.append(inputs[0][0].reshape(N, HEADS, -1).transpose(0, 1))
            hooks.append(part.register_forward_pre_hook(keep))
    with torch.no_grad():
        weights = model(torch.tensor([ids]), output_attentions=True).attentions
    for hook in hooks:
        hook.remove()
    return [w[0] for w in weights], contexts


def check_family(family):
    _, kv_heads, projection = FAMILIES[family]
    model, ids = tiny(family), [(7 * i + 3) % VOCABULARY for i in range(N)]
    weights, contexts = truth(model, ids, projection)
    layers = export_qkv.capture(model, ids)
    assert len(layers) == LAYERS == len(weights) == len(contexts), (family, len(layers), len(contexts))
    tensors, scale = export_qkv.arrays(layers, "float32")
    assert tensors["q"].shape == (LAYERS, HEADS, N, HEAD_DIM), tensors["q"].shape
    assert tensors["k"].shape == tensors["v"].shape == (LAYERS, kv_heads, N, HEAD_DIM)
    spread = 0.0
    for i, layer in enumerate(layers):
        k, v = (tensors[x][i].repeat_interleave(HEADS // kv_heads, 0) for x in "kv")
        scores = scale * torch.einsum("hid,hjd->hij", tensors["q"][i], k)
        if family == "Gemma2":
            scores = 0.3 * torch.tanh(scores / 0.3)
        p = torch.softmax(scores.masked_fill(layer.mask < -1e4, -math.inf), -1)
        torch.testing.assert_close(p, weights[i], atol=2e-6, rtol=1e-4)
        torch.testing.assert_close(p @ v, contexts[i], atol=2e-5, rtol=1e-4)
        spread = max(spread, p[:, -1].std().item())
    assert spread > 1e-3, f"{family}: attention is uniform, the test shows nothing"
    local = {"mechanism": "local", "params": {"window": 5, "causal": True}}
    full, causal = ({"mechanism": name, "params": {}} for name in ("full", "causal"))
    expected = {"Bert": [full], "Roberta": [full], "DistilBert": [full], "Mistral": [local],
                "Gemma2": [local, causal]}.get(family, [causal])  # fmt: skip
    own = [export_qkv.pattern(layer) for layer in layers]
    assert own == [expected[i % len(expected)] for i in range(LAYERS)], (family, own)


def save_tiny(folder):
    """A model with its tokenizer, as on a user's disk."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {word: i for i, word in enumerate(["<unk>", "alice", "was", "“", "tired", ","])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>").save_pretrained(folder)
    tiny("Llama").save_pretrained(folder)


def check_command_line():
    with tempfile.TemporaryDirectory() as folder:
        save_tiny(folder)
        text, out = pathlib.Path(folder) / "text.txt", str(pathlib.Path(folder) / "out.safetensors")
        text.write_text("alice was \n “ tired , was", encoding="utf-8")
        status = export_qkv.main(
            ["--model", folder, "--text", str(text), "--layers", "0,2", "--dtype", "float16", "-o", out]
        )
        assert status == 0
        with safe_open(out, "pt") as file:
            metadata = file.metadata()
            said = {name: json.loads(text) for name, text in metadata.items() if name != "axis0"}
            assert said["tokens"] == ["alice", "was", "“", "tired", ",", "was"], metadata
            assert said["ids"] == [1, 2, 3, 4, 5, 2], metadata
            assert said["layers"] == [0, 2] and metadata["axis0"] == "layer", metadata
            assert said["scale"] == HEAD_DIM**-0.5 and said["modifiers"] == {}, metadata
            assert said["patterns"] == [{"mechanism": "causal", "params": {}}] * 2, metadata
            assert file.get_slice("q").get_shape() == [2, HEADS, 6, HEAD_DIM]
            assert file.get_slice("k").get_shape() == [2, 2, 6, HEAD_DIM]
            assert file.get_tensor("v").dtype == torch.float16
        for wrong in ("3", "x", "2-1"):
            assert export_qkv.main(["--model", folder, "--text", "alice", "--layers", wrong, "-o", out]) == 1
        assert export_qkv.main(["--model", folder + "/none", "--text", "alice", "-o", out]) == 1


def exported(folder, *flags):
    """What the exporter writes about a tiny model: the metadata, each read as JSON."""
    out = str(pathlib.Path(folder) / "out.safetensors")
    assert export_qkv.main(["--model", folder, *flags, "-o", out]) == 0, flags
    with safe_open(out, "pt") as file:
        return {name: json.loads(text) for name, text in file.metadata().items() if name != "axis0"}


def check_ids_and_text():
    """Ids take the place of a text in every form, --n cuts both, and --raw keeps white space."""
    with tempfile.TemporaryDirectory() as folder:
        save_tiny(folder)
        for name, written in (("ids.json", "[1, 2, 4]"), ("ids.txt", "1 2\n4")):
            file = pathlib.Path(folder) / name
            file.write_text(written, encoding="utf-8")
            said = exported(folder, "--ids", str(file))
            assert said["ids"] == [1, 2, 4] and said["tokens"] == ["alice", "was", "tired"], said
            assert exported(folder, "--ids", str(file), "--n", "2")["ids"] == [1, 2]
        assert exported(folder, "--text", "alice was tired", "--n", "2")["ids"] == [1, 2]
        arguments = export_qkv.parse(["--model", folder, "--text", "a \n b", "-o", "x"])
        assert export_qkv.text_of(arguments) == "a b"
        arguments.raw = True
        assert export_qkv.text_of(arguments) == "a \n b"
        empty = pathlib.Path(folder) / "none.txt"
        empty.write_text("", encoding="utf-8")
        assert export_qkv.main(["--model", folder, "--ids", str(empty), "-o", folder + "/x"]) == 1


def check_masks():
    """A mask that is no pattern is written as it is, and biases in its place are refused."""
    layer = lambda mask: export_qkv.Layer(torch.zeros(1, 4, 2), torch.zeros(1, 4, 2), torch.zeros(1, 4, 2),
                                          1.0, 0.0, mask, torch.zeros(1, 4, 2))  # fmt: skip
    hidden = torch.zeros(4, 4)
    hidden[2, 0] = -math.inf
    assert export_qkv.pattern(layer(hidden)) is None
    tensors, _ = export_qkv.arrays([layer(hidden), layer(torch.zeros(4, 4))], "float32")
    assert tensors["mask"].dtype == torch.bool and tensors["mask"].sum().item() == 31
    band = torch.full((4, 4), -math.inf).tril(-2) + torch.full((4, 4), -math.inf).triu(2)
    band = torch.where(torch.isnan(band), torch.tensor(0.0), band)
    assert export_qkv.pattern(layer(band)) == {"mechanism": "sliding_window", "params": {"left": 1, "right": 1}}
    biases = torch.zeros(4, 4)
    biases[1, 0] = -0.5
    try:
        export_qkv.check([layer(biases)])
    except export_qkv.ExportError as error:
        assert "biases" in str(error), error
    else:
        raise AssertionError("biases were exported")


def check_refusal():
    """An attention that is not softmax(scale * q k^T) v is refused."""
    model = tiny("Bert")
    part = model.encoder.layer[1].attention.self
    source = sys.modules[type(part).__module__]
    if hasattr(source, "eager_attention_forward"):
        original = source.eager_attention_forward

        def other(module, *args, **named):
            output = original(module, *args, **named)
            return (output[0] * 1.5, *output[1:]) if module is part else output

        source.eager_attention_forward = other
    else:  # transformers before 5
        part.register_forward_hook(lambda _, inputs, output: (output[0] * 1.5, *output[1:]))
    try:
        export_qkv.capture(model, list(range(9)))
    except export_qkv.ExportError as error:
        assert "layer 1" in str(error), error
    else:
        raise AssertionError("exported although it differs")


for name in FAMILIES:
    check_family(name)
check_refusal()
check_command_line()
check_ids_and_text()
check_masks()
