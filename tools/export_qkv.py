#!/usr/bin/env python3
"""Write the queries, keys and values of a Hugging Face model on a text to a .safetensors file.

    tools/export_qkv.py --model DIR_OR_NAME --text TEXT_OR_FILE -o out.safetensors

The file holds q [layers, heads, n, d], k and v [layers, key/value heads, n, d]: queries and keys as
they enter the softmax, after any rotary rotation, with as few key/value heads as the model has.
Its metadata, each a JSON text, carry the scale of q k^T, the modifiers of scores after it (a soft
cap), each layer's own mask as a pattern, the tokenizer's raw pieces and their ids, and where all
of it comes from. A mask that is not a pattern is written as an array: mask [layers, n, n]. Needs torch,
safetensors and transformers >= 4.48.

How: an attention module of transformers calls the function eager_attention_forward of its own source
file with the finished q, k and v; that function is wrapped while the model runs once. Older modules
(BERT, DistilBERT) get hooks on their projections instead. Each layer is recomputed from what is
written and compared with what the model computed, so a model with a different kind of
attention (relative position biases, say) is refused instead of exported wrongly.
"""
import argparse
import contextlib
import dataclasses
import json
import math
import os
import sys


HIDDEN = -1e4  # a key whose added mask is below this is not attended to


class ExportError(Exception):
    """One sentence for the user."""


@dataclasses.dataclass
class Layer:
    """One attention layer. q: heads x n x d; k, v: key/value heads x n x d; softcap 0 means none."""

    q: "torch.Tensor"
    k: "torch.Tensor"
    v: "torch.Tensor"
    scale: float
    softcap: float
    mask: "torch.Tensor"  # n x n, added to the scores; zeros where everything is visible
    output: "torch.Tensor"  # heads x n x d, as the model computed it
    window: int = 0  # keys that the layer's configuration lets a query see; 0 means all


def attention_scale(module, head_dim, arguments):
    """The factor before q k^T, as the modules of transformers say it."""
    if arguments.get("scaling") is not None:
        return float(arguments["scaling"])
    if getattr(module, "scaling", None) is not None:
        return float(module.scaling)
    scale = 1.0 / math.sqrt(head_dim) if getattr(module, "scale_attn_weights", True) else 1.0
    if getattr(module, "scale_attn_by_inverse_layer_idx", False):
        scale /= module.layer_idx + 1
    return scale


def added_mask(mask, n):
    """The mask as an n x n tensor that is added to the scores."""
    import torch

    if mask is None:
        return torch.zeros(n, n)
    mask = mask[0, 0, -n:, :n] if mask.dim() == 4 else mask[0].expand(n, n)
    if mask.dtype == torch.bool:
        return torch.zeros(mask.shape).masked_fill(~mask, -math.inf)
    return mask.float()


def wrapped(original, layers):
    """original, which also appends what it was called with to layers."""

    def recording(module, query, key, value, attention_mask, *rest, **named):
        output = original(module, query, key, value, attention_mask, *rest, **named)
        if key.shape[2] == query.shape[2] and not getattr(module, "is_cross_attention", False):
            named = dict(named, scaling=rest[0]) if rest else named
            layers.append(
                Layer(
                    q=query[0].float(), k=key[0].float(), v=value[0].float(),
                    scale=attention_scale(module, query.shape[-1], named),
                    softcap=float(named.get("softcap") or 0.0),
                    mask=added_mask(attention_mask, query.shape[2]),
                    output=output[0][0].transpose(0, 1).float(),
                    window=int(named.get("sliding_window") or getattr(module, "sliding_window", None) or 0),
                )
            )  # fmt: skip
        return output

    return recording


@contextlib.contextmanager
def functions_wrapped(sources, layers):
    """Within it, eager_attention_forward of each source file appends to layers."""
    originals = [source.eager_attention_forward for source in sources]
    for source, original in zip(sources, originals):
        source.eager_attention_forward = wrapped(original, layers)
    try:
        yield
    finally:
        for source, original in zip(sources, originals):
            source.eager_attention_forward = original


def projected(module, config):
    """The projections (q, k, v) and the head count of an older attention module; None for others."""
    for names in (("query", "key", "value"), ("q_lin", "k_lin", "v_lin")):
        if all(hasattr(module, name) for name in names):
            heads = getattr(module, "num_attention_heads", None) or getattr(module, "n_heads", None)
            return [getattr(module, name) for name in names], heads or config.num_attention_heads
    return None


def split_heads(x, heads):
    """1 x n x (heads d) as heads x n x d."""
    return x[0].float().unflatten(-1, (heads, -1)).transpose(0, 1)


def hook_projections(module, found, causal, layers):
    """Hooks on one older attention module (BERT, DistilBERT and kin) that append to layers."""
    import torch

    projections, heads = found
    seen = {}

    def keep(name):
        return lambda _, inputs, output: seen.update({name: split_heads(output, heads)})

    def finish(output):
        n = seen["q"].shape[1]
        mask = torch.full((n, n), -math.inf).triu(1) if causal else torch.zeros(n, n)
        scale = 1.0 / math.sqrt(seen["q"].shape[-1])
        layers.append(Layer(**seen, scale=scale, softcap=0.0, mask=mask,
                            output=split_heads(output, heads)))  # fmt: skip

    hooks = [part.register_forward_hook(keep(name)) for part, name in zip(projections, "qkv")]
    if hasattr(module, "out_lin"):  # its input is the attention's output
        hooks.append(module.out_lin.register_forward_pre_hook(lambda _, inputs: finish(inputs[0])))
    else:
        hooks.append(module.register_forward_hook(lambda _, inputs, output: finish(output[0])))
    return hooks


@contextlib.contextmanager
def recorded(model):
    """Within it, every attention layer that the model runs is appended to the list that it gives."""
    layers = []
    sources = {sys.modules[type(part).__module__] for part in model.modules()}
    sources = [source for source in sources if hasattr(source, "eager_attention_forward")]
    if sources:
        with functions_wrapped(sources, layers):
            yield layers
        return
    causal = getattr(model.config, "is_decoder", False)
    parts = [(part, projected(part, model.config)) for part in model.modules()]
    hooks = [hook_projections(part, found, causal, layers) for part, found in parts if found]
    if not hooks:
        raise ExportError(
            f"model is {type(model).__name__}, and its attention could not be found; it must be one of BERT, "
            "DistilBERT, GPT-2, Llama, Mistral, Qwen2, Gemma and their relatives (transformers >= 4.48)"
        )
    try:
        yield layers
    finally:
        for hook in (hook for group in hooks for hook in group):
            hook.remove()


def attention(layer):
    """softmax(scale * q k^T + mask) v of one layer (heads x n x d), and the weights (heads x n x n)."""
    import torch

    repeats = layer.q.shape[0] // layer.k.shape[0]
    k, v = (x.repeat_interleave(repeats, dim=0) for x in (layer.k, layer.v))
    scores = layer.scale * layer.q @ k.transpose(-1, -2)
    if layer.softcap:
        scores = layer.softcap * torch.tanh(scores / layer.softcap)
    weights = torch.softmax(scores + layer.mask, dim=-1)
    return weights @ v, weights


def check(layers):
    """Refuse layers whose attention is not what the file will say."""
    if len({layer.softcap for layer in layers}) > 1:
        raise ExportError("the layers have several soft caps; a file must have one for all of them")
    for index, layer in enumerate(layers):
        if ((layer.mask != 0) & (layer.mask > HIDDEN)).any():
            raise ExportError(f"layer {index} adds biases to its scores, for which the file has no place")
        error = (attention(layer)[0] - layer.output).abs().max().item()
        if not error <= 1e-3 * max(1.0, layer.output.abs().max().item()):
            raise ExportError(
                f"layer {index}: softmax(scale * q k^T) v differs from the model's own attention by "
                f"{error:.2g}; it must be a model without position biases or sinks in its scores"
            )


def capture(model, ids):
    """The attention layers of the model on the token ids (a list), in the order in which they run."""
    import torch

    if getattr(model.config, "is_encoder_decoder", False):
        model = model.get_encoder()
    model.eval()
    with torch.no_grad(), recorded(model) as layers:
        ids = torch.tensor([ids])
        model(input_ids=ids, attention_mask=torch.ones_like(ids))
    if not layers:
        raise ExportError("model ran without calling its attention function; load it with eager attention")
    check(layers)
    return layers


def banded(n, left, right):
    """The mask of the keys from `left` before a query to `right` after it."""
    import torch

    return torch.ones(n, n).tril(right).triu(-left).bool()


def pattern(layer):
    """The layer's own mask as a pattern of attnx; None where it is none that is known here."""
    import torch

    visible = layer.mask > HIDDEN
    n = visible.shape[0]
    reach = torch.nonzero(visible)
    if not len(reach):
        return None
    behind, ahead = ((reach[:, 0] - reach[:, 1]).max().item(), (reach[:, 1] - reach[:, 0]).max().item())
    if layer.window and ahead <= 0 and torch.equal(visible, banded(n, layer.window - 1, 0)):
        return {"mechanism": "local", "params": {"window": layer.window, "causal": True}}
    if visible.all():
        return {"mechanism": "full", "params": {}}
    if torch.equal(visible, banded(n, n, 0)):
        return {"mechanism": "causal", "params": {}}
    if behind < 0 or ahead < 0 or not torch.equal(visible, banded(n, behind, ahead)):
        return None
    if ahead == 0:
        return {"mechanism": "local", "params": {"window": behind + 1, "causal": True}}
    return {"mechanism": "sliding_window", "params": {"left": behind, "right": ahead}}


def arrays(layers, dtype):
    """q, k and v of the chosen layers as one array each, and the scale that all of them share."""
    import torch

    scale = layers[0].scale
    stacked = {
        "q": torch.stack([layer.q * (layer.scale / scale) for layer in layers]),
        "k": torch.stack([layer.k for layer in layers]),
        "v": torch.stack([layer.v for layer in layers]),
    }
    if any(pattern(layer) is None for layer in layers):
        masks = {"mask": torch.stack([layer.mask > HIDDEN for layer in layers])}
    else:
        masks = {}
    largest = max(x.abs().max().item() for x in stacked.values())
    if dtype == "float16" and largest > 65504:
        raise ExportError(f"dtype is float16, the largest value {largest:.3g}; it must be float32")
    return {name: x.to(getattr(torch, dtype)).contiguous() for name, x in stacked.items()} | masks, scale


def chosen(text, count):
    """Layer numbers from '0,2,4-5'; all of them when text is empty."""
    if not text:
        return list(range(count))
    numbers = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise ExportError(f"layers is '{text}'; it must be numbers and ranges such as 0,2,4-5")
        numbers += range(int(first), int(last or first) + 1)
    if not numbers or max(numbers) >= count:
        raise ExportError(f"layers is '{text}'; they must be from 0 to {count - 1}")
    return numbers


def text_of(arguments):
    """The text that is asked for; its white space as single spaces unless it is to stay raw."""
    text = arguments.text
    if os.path.isfile(text):
        with open(text, encoding="utf-8", newline="" if arguments.raw else None) as file:
            text = file.read()
    return text if arguments.raw else " ".join(text.split())


def ids_of_file(path):
    """Token ids from a file: a JSON list, an .npy array, or numbers between white space."""
    if path.endswith(".npy"):
        import numpy

        found = numpy.load(path).ravel().tolist()
    else:
        with open(path, encoding="utf-8") as file:
            written = file.read().strip()
        try:
            found = json.loads(written) if written.startswith("[") else [int(word) for word in written.split()]
        except ValueError:
            found = []
    ids = [number for number in found if type(number) is int and number >= 0]  # bool is no int here
    if not ids or len(ids) != len(found):
        raise ExportError(f"{path} must be a list of token ids: integers from 0 on, at least one")
    return ids


def tokens_of(arguments):
    """The ids that the model runs on, and the tokenizer's raw pieces (None without a tokenizer)."""
    from transformers import AutoTokenizer

    if arguments.ids:
        ids = ids_of_file(arguments.ids)[: arguments.n]
        try:
            tokenizer = AutoTokenizer.from_pretrained(arguments.model)
        except (OSError, ValueError):  # ids need none
            return ids, None
    else:
        tokenizer = AutoTokenizer.from_pretrained(arguments.model)
        ids = tokenizer(text_of(arguments), add_special_tokens=not arguments.no_special, truncation=True,
                        max_length=arguments.n)["input_ids"]  # fmt: skip
    if not ids:
        raise ExportError("text has no tokens; it must have at least one")
    return ids, tokenizer.convert_ids_to_tokens(ids)


def metadata_of(arguments, model, layers, numbers, scale, ids, pieces):
    """What the file says beside its arrays, each a JSON text."""
    values = {
        "scale": scale,
        "modifiers": {"softcap": layers[0].softcap} if layers[0].softcap else {},
        "patterns": [pattern(layer) for layer in layers],
        "tokens": pieces,
        "ids": ids,
        "model": arguments.model_title or os.path.basename(os.path.normpath(arguments.model)),
        "revision": getattr(model.config, "_commit_hash", None),
        "layers": numbers,
        "text": arguments.text_title or (text_of(arguments)[:80] if arguments.text else None),
        "license": arguments.license or None,
    }
    known = {name: value for name, value in values.items() if value is not None}
    return {name: json.dumps(value, ensure_ascii=False) for name, value in known.items()} | {"axis0": "layer"}


def export(arguments):
    """Run the model and write the file; gives one line that says what was written."""
    from safetensors.torch import save_file
    from transformers import AutoModel

    ids, pieces = tokens_of(arguments)
    model = AutoModel.from_pretrained(arguments.model, attn_implementation="eager")
    layers = capture(model, ids)
    numbers = chosen(arguments.layers, len(layers))
    layers = [layers[number] for number in numbers]
    tensors, scale = arrays(layers, arguments.dtype)
    save_file(tensors, arguments.output,
              metadata_of(arguments, model, layers, numbers, scale, ids, pieces))  # fmt: skip
    shapes = ", ".join(f"{name} {list(x.shape)}" for name, x in tensors.items())
    masks = sorted({found["mechanism"] if found else "no pattern" for found in map(pattern, layers)})
    return f"{arguments.output}: {shapes}, {arguments.dtype}, scale {scale:.6g}, masks {', '.join(masks)}"


def parse(argv):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--model", required=True, help="folder or name of a Hugging Face model")
    parser.add_argument("--text", default="", help="the text, or the name of a file that holds it")
    parser.add_argument("--raw", action="store_true", help="keep the text's white space unchanged")
    parser.add_argument("--no-special", action="store_true", help="no tokens before and after the text's own")
    parser.add_argument("--ids", default="", help="token ids in place of a text: JSON, .npy or numbers")
    parser.add_argument("--layers", default="", help="for example 0,2,4-5; all when not given")
    parser.add_argument("-o", "--output", required=True, help="the .safetensors file to write")
    parser.add_argument("--n", "--max-tokens", type=int, default=512, help="the most tokens (512)")
    parser.add_argument("--dtype", choices=["float16", "float32"], default="float32")
    parser.add_argument("--model-title", default="", help="the model's name in the metadata")
    parser.add_argument("--text-title", default="", help="the text's name in the metadata")
    parser.add_argument("--license", default="", help="licences of model and text, for the metadata")
    arguments = parser.parse_args(argv)
    if bool(arguments.text) == bool(arguments.ids):
        parser.error("one of --text and --ids is needed")
    if arguments.n < 1:
        parser.error(f"--n is {arguments.n}; it must be at least 1")
    return arguments


def main(argv):
    try:
        print(export(parse(argv)))
    except ImportError as error:
        print(f"export_qkv: {error.name} is missing; install torch, transformers and safetensors "
              "(pip install torch transformers safetensors)", file=sys.stderr)  # fmt: skip
        return 1
    except (ExportError, OSError, ValueError) as error:
        print(f"export_qkv: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
