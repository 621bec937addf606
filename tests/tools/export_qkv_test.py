"""tools/export_qkv.py on tiny randomly initialised models: what it writes is the model's attention.

For every family, attention by NumPy from the file alone, with its modifiers and patterns, equals the context that
the output projection of the untouched model receives, and the weights that the model reports; so does what attnx
makes of the file, where it is given. Needs torch and transformers, for images pillow; exit code 77 without.

    export_qkv_test.py <repository> [<attnx>]"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import wave

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import numpy as np
    import torch
    import transformers
    from safetensors import safe_open
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools"))
import export_qkv  # noqa: E402
from attnx import Error  # noqa: E402
from attnx._models import file as written, record  # noqa: E402
from attnx._models.layer import Layer, check  # noqa: E402

ATTNX = sys.argv[2] if len(sys.argv) > 2 else None
N, HEADS, HEAD_DIM, LAYERS, VOCABULARY = 21, 4, 8, 3, 50
WIDTH = HEADS * HEAD_DIM
ROTARY = dict(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=LAYERS, intermediate_size=48,
              num_attention_heads=HEADS, num_key_value_heads=2, head_dim=HEAD_DIM)  # fmt: skip
BERT = dict(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=LAYERS, intermediate_size=48,
            num_attention_heads=HEADS)  # fmt: skip
GPT2 = dict(vocab_size=VOCABULARY, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, bos_token_id=0, eos_token_id=0)
FALCON = dict(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS)
T5 = dict(vocab_size=VOCABULARY, d_model=WIDTH, d_kv=HEAD_DIM, d_ff=48, num_layers=LAYERS, num_heads=HEADS,
          relative_attention_num_buckets=8, relative_attention_max_distance=16)  # fmt: skip
IMAGE = dict(hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=48,
             image_size=32, patch_size=8)  # fmt: skip
WHISPER = dict(vocab_size=VOCABULARY, d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=1, encoder_ffn_dim=48,
               encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, decoder_ffn_dim=48,
               max_source_positions=50, num_mel_bins=8, pad_token_id=0, bos_token_id=1, eos_token_id=2,
               decoder_start_token_id=1)  # fmt: skip
# family: configuration, key/value heads, where the context goes, modifiers of scores in the file
FAMILIES = {
    "Bert": (BERT, HEADS, "attention.output.dense", []),
    "Roberta": (BERT, HEADS, "attention.output.dense", []),
    "DistilBert": (dict(vocab_size=VOCABULARY, dim=WIDTH, n_layers=LAYERS, n_heads=HEADS, hidden_dim=48),
                   HEADS, "out_lin", []),
    "MPNet": (BERT, HEADS, "attn.o", ["bias"]),
    "GPT2": (GPT2, HEADS, "attn.c_proj", []),
    "GPT2 ": (dict(GPT2, scale_attn_by_inverse_layer_idx=True), HEADS, "attn.c_proj", []),
    "Llama": (ROTARY, 2, "o_proj", []),
    "Mistral": (dict(ROTARY, sliding_window=5), 2, "o_proj", []),
    "Qwen2": ({k: v for k, v in ROTARY.items() if k != "head_dim"}, 2, "o_proj", []),
    "Gemma": (dict(ROTARY, num_key_value_heads=1), 1, "o_proj", []),
    "Gemma2": (dict(ROTARY, query_pre_attn_scalar=5, attn_logit_softcapping=0.3, sliding_window=5), 2, "o_proj",
               ["scale", "softcap"]),
    "GptOss": (dict(ROTARY, num_local_experts=2, num_experts_per_tok=1, sliding_window=5), 2, "o_proj", ["sink"]),
    "Bloom": (dict(vocab_size=VOCABULARY, hidden_size=WIDTH, n_layer=LAYERS, n_head=HEADS), HEADS,
              "self_attention.dense", ["bias"]),
    "Mpt": (dict(vocab_size=VOCABULARY, d_model=WIDTH, n_layers=LAYERS, n_heads=HEADS), HEADS, "attn.out_proj",
            ["bias"]),
    "Falcon": (dict(FALCON, multi_query=True), 1, "self_attention.dense", []),
    "Falcon ": (dict(FALCON, new_decoder_architecture=True, num_kv_heads=2), 2, "self_attention.dense", []),
    "Falcon  ": (dict(FALCON, alibi=True, multi_query=False), HEADS, "self_attention.dense", ["bias"]),
    "T5": (T5, HEADS, "SelfAttention.o", ["scale", "bias"]),
    "UMT5": (T5, HEADS, "SelfAttention.o", ["scale", "bias"]),
    "ViT": (IMAGE, HEADS, ("attention.o_proj", "attention.output.dense"), []),
    "Dinov2": (dict(IMAGE, mlp_ratio=2), HEADS, ("attention.o_proj", "attention.output.dense"), []),
    "Whisper": (WHISPER, HEADS, "self_attn.out_proj", []),
}  # fmt: skip
DIFFERENT = {"GptOss": "sink", "UMT5": "bias"}  # their layers do not share these


def tiny(family):
    """A small model with random weights large enough that attention is far from uniform."""
    torch.manual_seed(7)
    name = family.strip()
    config = getattr(transformers, f"{name}Config")(**FAMILIES[family][0])
    # With ALiBi Falcon's eager attention adds it twice (transformers 4.48 to 5.24).
    config._attn_implementation = "sdpa" if "alibi" in FAMILIES[family][0] else "eager"
    model = getattr(transformers, f"{name}Model")(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 2:
                parameter.normal_(0, 0.3)
            elif name.endswith("sinks"):
                parameter.normal_()
    return model.eval()


def truth(model, inputs, projection):
    """Weights (none where the model does not say them) and contexts as an untouched run of the model has them."""
    contexts, hooks = [], []
    model = record.encoder_of(model, inputs)
    for name, part in model.named_modules():
        if name.endswith(projection):
            keep = lambda _, inputs: contexts.append(inputs[0][0].unflatten(-1, (HEADS, -1)).transpose(0, 1))
            hooks.append(part.register_forward_pre_hook(keep))
    with torch.no_grad():
        said = model(**inputs, output_attentions=model.config._attn_implementation == "eager").attentions or []
    for hook in hooks:
        hook.remove()
    return [w[0].numpy() for w in said], [context.numpy() for context in contexts]


def saved(family, folder):
    """The model on disk with what its input needs; the flags that name the input, and the input itself."""
    model, folder = tiny(family), pathlib.Path(folder)
    model.save_pretrained(folder)
    arguments = lambda *flags: export_qkv.parse(["--model", str(folder), *flags, "-o", "x"])
    if family in ("ViT", "Dinov2"):
        from PIL import Image

        random = np.random.default_rng(3).integers(0, 256, (50, 70, 3), np.uint8)
        Image.fromarray(random).save(folder / "image.png")
        kind = getattr(transformers, "ViTImageProcessorPil", None) or transformers.ViTImageProcessor
        kind(size={"height": 32, "width": 32 if family == "ViT" else 40}).save_pretrained(folder)
        flags = ["--image", str(folder / "image.png")]
        return model, flags, export_qkv.pixels_of(arguments(*flags))
    if family == "Whisper":
        save_wave(folder / "sound.wav", 16000)
        transformers.WhisperFeatureExtractor(feature_size=8, chunk_length=1).save_pretrained(folder)
        flags = ["--audio", str(folder / "sound.wav")]
        return model, flags, export_qkv.frames_of(arguments(*flags))
    ids = [(7 * i + 3) % VOCABULARY for i in range(N)]
    (folder / "ids.json").write_text(json.dumps(ids))
    return model, ["--ids", str(folder / "ids.json")], export_qkv.inputs_of_ids(ids)


def save_wave(path, rate):
    samples = 8000 * np.random.default_rng(5).standard_normal((6000, 2)).clip(-3, 3)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.astype("<i2").tobytes())


def bias_by_numpy(bias, n):
    """b[head, i, j] of the file's bias; T5's buckets by the logarithm, as its first code has them."""
    i, j = np.mgrid[0:n, 0:n]
    if bias["kind"] == "alibi":
        assert bias["side"] == "column"
        return np.array(bias["slopes"])[:, None, None] * j
    table, bucket, distance = np.array(bias["table"]), 0, np.maximum(i - j, 0)
    buckets = len(table)
    if bias["bidirectional"]:
        buckets //= 2
        bucket, distance = buckets * (j > i), abs(i - j)
    exact = buckets // 2
    ratio = np.log(np.maximum(distance, 1).astype(np.float32) / exact) / math.log(bias["max_distance"] / exact)
    far = np.minimum(exact + (ratio * (buckets - exact)).astype(int), buckets - 1)
    return table[bucket + np.where(distance < exact, distance, far)].transpose(2, 0, 1)


def visible_by_numpy(pattern, n):
    behind = np.subtract.outer(np.arange(n), np.arange(n))
    window = pattern["params"].get("window", n)
    return {"full": behind < n, "causal": behind >= 0, "local": (behind >= 0) & (behind < window)}[pattern["mechanism"]]


def attention_by_numpy(arrays, said, layer):
    """Weights and outputs of one layer of a file, by T8's formula in float64."""
    q, k, v = (arrays[name][layer].astype(float) for name in "qkv")
    k, v = (np.repeat(x, len(q) // len(x), axis=0) for x in (k, v))
    modifiers, n = said["modifiers"], q.shape[1]
    u = said["scale"] * q @ k.transpose(0, 2, 1)
    if "softcap" in modifiers:
        u = modifiers["softcap"] * np.tanh(u / modifiers["softcap"])
    if "bias" in modifiers:
        u = u + bias_by_numpy(modifiers["bias"], n)
    keys = np.where(visible_by_numpy(said["patterns"][layer], n), np.exp(u), 0)
    every = keys.sum(-1, keepdims=True)
    if "sink" in modifiers:
        every = every + np.exp(np.array(modifiers["sink"]))[:, None, None]
    return keys / every, keys / every @ v


def attention_by_attnx(file, said, layer):
    out = file + ".out.npy"
    done = subprocess.run([ATTNX, "attend", "--pattern-json", json.dumps(said["patterns"][layer]), "--input", file,
                           "--batch", str(layer), "--no-metrics", "-o", out], capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return np.load(out)


def export(folder, *flags):
    """Arrays and metadata of a file, and its name."""
    out = str(pathlib.Path(folder) / "out.safetensors")
    assert export_qkv.main(["--model", str(folder), *flags, "-o", out]) == 0, flags
    with safe_open(out, "np") as file:
        said = {name: json.loads(text) for name, text in file.metadata().items() if name != "axis0"}
        return {name: file.get_tensor(name) for name in file.keys()}, said, out


def check_layer(family, folder, flags, layer, weights, context):
    """One layer of a model, which may be one of several in the file: 'layer' is its place there."""
    arrays, said, file = export(folder, *flags)
    _, kv_heads, _, modifiers = FAMILIES[family]
    n = context.shape[1]
    layers = len(said["layers"])
    assert arrays["q"].shape == (layers, HEADS, n, HEAD_DIM), (family, arrays["q"].shape)
    assert arrays["k"].shape == arrays["v"].shape == (layers, kv_heads, n, HEAD_DIM), (family, arrays["k"].shape)
    assert set(said["modifiers"]) - {"scale"} == set(modifiers) - {"scale"}, (family, said["modifiers"])
    assert "scale" in said["modifiers"] or "scale" not in modifiers, family
    p, output = attention_by_numpy(arrays, said, layer)
    if weights is not None:
        np.testing.assert_allclose(p, weights, atol=5e-6, rtol=2e-4, err_msg=family)
    np.testing.assert_allclose(output, context, atol=5e-5, rtol=2e-4, err_msg=family)
    if ATTNX:
        np.testing.assert_allclose(attention_by_attnx(file, said, layer), context, atol=5e-5, rtol=2e-4,
                                   err_msg=family)  # fmt: skip
    return p[:, -1].std(), said


def check_family(family):
    if not hasattr(transformers, f"{family.strip()}Model"):
        return print(f"not in transformers {transformers.__version__}: {family}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            model, flags, inputs = saved(family, folder)
        except ImportError as error:
            return print(f"{family} not tested, not at hand: {error.name}")
        weights, contexts = truth(model, inputs, FAMILIES[family][2])
        assert len(contexts) == LAYERS, (family, len(contexts))
        spread = 0.0
        for layer in range(LAYERS):
            place, chosen = (0, ["--layers", str(layer)]) if family in DIFFERENT else (layer, [])
            own = weights[layer] if weights else None
            found, said = check_layer(family, folder, flags + chosen, place, own, contexts[layer])
            spread = max(spread, found)
            expected = expected_pattern(family, layer)
            assert said["patterns"][place] == expected, (family, said["patterns"])
        assert spread > 1e-3, f"{family}: attention is uniform, the test shows nothing"
        check_tokens(family, said)
        if family in DIFFERENT:
            check_different(family, folder, flags)


def expected_pattern(family, layer):
    local = {"mechanism": "local", "params": {"window": 5, "causal": True}}
    full, causal = ({"mechanism": name, "params": {}} for name in ("full", "causal"))
    both_ways = ("Bert", "Roberta", "DistilBert", "MPNet", "T5", "UMT5", "ViT", "Dinov2", "Whisper")
    if family in both_ways:
        return full
    return local if family == "Mistral" or (family in ("Gemma2", "GptOss") and layer % 2 == 0) else causal


def check_tokens(family, said):
    """What stands in place of a text's pieces."""
    if family in ("ViT", "Dinov2"):
        columns = 4 if family == "ViT" else 5
        wanted = ["[CLS]"] + [f"{at // columns},{at % columns}" for at in range(4 * columns)]
        assert said["tokens"] == wanted and said["image"] == "image.png" and "ids" not in said, said
    elif family == "Whisper":
        assert said["tokens"] == [str(k) for k in range(50)] and said["audio"] == "sound.wav", said
    else:
        assert len(said["ids"]) == N and "tokens" not in said, said  # the folder has no tokenizer


def check_different(family, folder, flags):
    """Layers that do not share a modifier are refused together, and written where they do."""
    try:
        export_qkv.export(export_qkv.parse(["--model", str(folder), *flags, "--layers", "1,2", "-o", "x"]))
    except Error as error:
        assert f"layers 1 and 2 have different values of {DIFFERENT[family]}" in str(error), error
        assert "for example 1" in str(error), error
    else:
        raise AssertionError("layers were exported together although they differ")
    if family == "GptOss":
        model = tiny(family)
        with torch.no_grad():
            for part in model.modules():
                if hasattr(part, "sinks"):
                    part.sinks.fill_(0.5)
        model.save_pretrained(folder)
        assert export(folder, *flags)[1]["modifiers"] == {"sink": [0.5] * HEADS}


def check_inputs():
    """One input at a time, and a sound of another kind is refused."""
    with tempfile.TemporaryDirectory() as folder:
        sound = pathlib.Path(folder) / "sound.wav"
        save_wave(sound, 8000)
        try:
            export_qkv.samples_of(str(sound))
        except Error as error:
            assert "is 8000 Hz, 16-bit" in str(error) and "must be 16000 Hz, 16-bit" in str(error), error
        else:
            raise AssertionError("a sound of 8000 samples per second was read")
        sound.write_text("no sound")
        assert export_qkv.main(["--model", folder, "--audio", str(sound), "-o", folder + "/x"]) == 1
    for flags in ([], ["--text", "a", "--image", "b"]):
        try:
            export_qkv.parse(["--model", "m", *flags, "-o", "x"])
        except SystemExit:
            continue
        raise AssertionError(f"taken: {flags}")


def check_refused_families():
    """What the file cannot express is refused with one sentence."""
    families = {
        "DebertaV2": (dict(BERT, relative_attention=True, pos_att_type=["p2c", "c2p"]), "could not be found"),
        "RoFormer": (dict(BERT, max_position_embeddings=64), "differs from the model's own"),
    }
    for name, (config, sentence) in families.items():
        config = getattr(transformers, f"{name}Config")(**config)
        config._attn_implementation = "eager"
        torch.manual_seed(7)
        model = getattr(transformers, f"{name}Model")(config)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.normal_(0, 0.3)
        try:
            export_qkv.captured(model, export_qkv.inputs_of_ids(list(range(1, 18))))
        except Error as error:
            assert sentence in str(error), error
        else:
            raise AssertionError(f"{name} was exported")


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
    return export(folder, *flags)[1]


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
    layer = lambda mask: Layer(torch.zeros(1, 4, 2), torch.zeros(1, 4, 2), torch.zeros(1, 4, 2),
                                          1.0, 0.0, mask, torch.zeros(1, 4, 2))  # fmt: skip
    hidden = torch.zeros(4, 4)
    hidden[2, 0] = -math.inf
    assert written.pattern(layer(hidden)) is None
    tensors, _ = written.arrays([layer(hidden), layer(torch.zeros(4, 4))], "float32")
    assert tensors["mask"].dtype == torch.bool and tensors["mask"].sum().item() == 31
    band = torch.full((4, 4), -math.inf).tril(-2) + torch.full((4, 4), -math.inf).triu(2)
    band = torch.where(torch.isnan(band), torch.tensor(0.0), band)
    assert written.pattern(layer(band)) == {"mechanism": "sliding_window", "params": {"left": 1, "right": 1}}
    biases = torch.zeros(4, 4)
    biases[1, 0] = -0.5
    try:
        check([layer(biases)])
    except Error as error:
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
        export_qkv.captured(model, export_qkv.inputs_of_ids(list(range(9))))
    except Error as error:
        assert "layer 1" in str(error), error
    else:
        raise AssertionError("exported although it differs")


for name in FAMILIES:
    check_family(name)
check_refusal()
check_refused_families()
check_inputs()
check_command_line()
check_ids_and_text()
check_masks()
