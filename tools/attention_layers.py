"""The attention layers of a Hugging Face model while it runs: what enters each softmax, and what comes out.

A newer attention module of transformers calls the function eager_attention_forward of its own source file
with the finished q, k and v; that function is wrapped while the model runs once. Modules without it get
hooks: on their projections (BERT, DistilBERT, T5, MPNet, Whisper of older versions), or on the one
projection of all three (BLOOM, Falcon, MPT). Every layer is recomputed from what is kept of it and
compared with what the model computed.
"""
import contextlib
import dataclasses
import math
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
    bias: "dict | None" = None  # what positions add to the scores, as the file says it
    sink: "list | None" = None  # one logit per head, a further term of the softmax without a value


# What a family adds to its scores.


def t5_bias(module, model):
    """The bias of T5 and its relatives: the module's own table, or the one that layers share; None without.
    Raffel et al., arXiv 1910.10683."""
    with_table = (part for part in (module, *model.modules()) if hasattr(part, "relative_attention_bias"))
    holder = next(with_table, None)
    if holder is None:
        return None
    return {
        "kind": "t5",
        "table": holder.relative_attention_bias.weight.detach().float().tolist(),
        "bidirectional": not getattr(holder, "is_decoder", False),
        "max_distance": int(getattr(holder, "relative_attention_max_distance", 128)),
    }


def alibi_bias(slopes):
    """ALiBi that adds slope times the key's position, as BLOOM does: behind a causal mask it gives the
    same outputs as the distance to the key. Press et al., arXiv 2108.12409."""
    return {"kind": "alibi", "slopes": slopes.float().tolist(), "side": "column"}


def alibi_slopes(added):
    """Slopes of heads x 1 x n numbers that grow by the slope; of one token there is none to see."""
    import torch

    if added.shape[-1] < 2:
        return torch.zeros(added.shape[0])
    # Next to the position at which all are 0 they are not rounded.
    return added[:, 0, 1] if not added[:, 0, 0].any() else -added[:, 0, -2]


def t5_bucket(distance, buckets, most):
    """The bucket of a distance of at least 0, by integers; as TensorFlow's float32 has it."""
    exact = buckets // 2
    if distance < exact:
        return distance
    steps = buckets - exact
    reached = (t for t in range(steps) if distance**steps * exact**t >= most**t * exact**steps)
    return exact + max(reached)


def added_bias(bias, n):
    """What the bias adds to scores: heads x n x n, or what broadcasts to it."""
    import torch

    at = torch.arange(n)
    if bias["kind"] == "alibi":
        return torch.tensor(bias["slopes"])[:, None, None] * at
    table, distance = torch.tensor(bias["table"]), at[None, :] - at[:, None]
    buckets = len(table) // 2 if bias["bidirectional"] else len(table)
    of = torch.tensor([t5_bucket(d, buckets, bias["max_distance"]) for d in range(n)])
    if bias["bidirectional"]:
        chosen = of[distance.abs()] + buckets * (distance > 0)
    else:
        chosen = of[(-distance).clamp(min=0)]
    return table[chosen].permute(2, 0, 1)


# Modules that call eager_attention_forward.


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


def added_mask(module, mask, n):
    """The mask as an n x n tensor that is added to the scores."""
    import torch

    own = getattr(module, "bias", None)  # GPT-2 of transformers 4.48 has its causal mask in the module
    if getattr(own, "dtype", None) == torch.bool:
        hidden = torch.zeros(n, n).masked_fill(~own[0, 0, :n, :n], -math.inf)
        return hidden if mask is None else hidden + added_mask(None, mask, n)
    if mask is None:
        return torch.zeros(n, n)
    mask = mask[0, 0, -n:, :n].expand(n, n) if mask.dim() == 4 else mask[0].expand(n, n)
    if mask.dtype == torch.bool:
        return torch.zeros(mask.shape).masked_fill(~mask, -math.inf)
    return mask.float()


def wrapped(original, model, layers):
    """original, which also appends what it was called with to layers."""

    def recording(module, query, key, value, attention_mask, *rest, **named):
        output = original(module, query, key, value, attention_mask, *rest, **named)
        if key.shape[2] == query.shape[2] and not getattr(module, "is_cross_attention", False):
            named = dict(named, scaling=rest[0]) if rest else named
            sink = named.get("s_aux")
            layers.append(
                Layer(
                    q=query[0].float(), k=key[0].float(), v=value[0].float(),
                    scale=attention_scale(module, query.shape[-1], named),
                    softcap=float(named.get("softcap") or 0.0),
                    mask=added_mask(module, attention_mask, query.shape[2]),
                    output=output[0][0].transpose(0, 1).float(),
                    window=int(named.get("sliding_window") or getattr(module, "sliding_window", None) or 0),
                    bias=t5_bias(module, model) if named.get("position_bias") is not None else None,
                    sink=None if sink is None else sink.float().tolist(),
                )
            )  # fmt: skip
        return output

    return recording


@contextlib.contextmanager
def functions_wrapped(sources, model, layers):
    """Within it, eager_attention_forward of each source file appends to layers."""
    originals = [source.eager_attention_forward for source in sources]
    for source, original in zip(sources, originals):
        source.eager_attention_forward = wrapped(original, model, layers)
    try:
        yield
    finally:
        for source, original in zip(sources, originals):
            source.eager_attention_forward = original


# Modules that do not.


@dataclasses.dataclass
class Watched:
    """How a module of its own kind is read. `finished` makes q, k, v, scale and bias of a Layer out of what the
    projections gave (1 x n x … each) and the module's named arguments; `context` is the module whose input is
    the attention's output, None where that is the module's own output; `changed` is what named arguments are
    replaced by."""

    projections: list
    finished: "callable"
    context: "torch.nn.Module | None" = None
    causal: bool = True
    changed: "callable" = lambda named: named


def split_heads(x, heads):
    """1 x n x (heads d) as heads x n x d."""
    return x[0].float().unflatten(-1, (heads, -1)).transpose(0, 1)


def separate(module, model):
    """Projections of q, k and v each for itself."""
    names = (("query", "key", "value", ""), ("q_lin", "k_lin", "v_lin", "out_lin"), ("q", "k", "v", "o"),
             ("q_proj", "k_proj", "v_proj", "out_proj"))  # fmt: skip
    own = next((found for found in names if all(callable(getattr(module, name, None)) for name in found if name)), None)
    if own is None:
        return None
    counts = (getattr(module, name, None) for name in ("num_attention_heads", "n_heads", "num_heads"))
    heads = next((count for count in counts if count), model.config.num_attention_heads)

    def finished(outputs, _):
        q, k, v = (split_heads(x, heads) for x in outputs)
        # T5 has its scale in its weights.
        scale = 1.0 if hasattr(module, "key_value_proj_dim") else 1.0 / math.sqrt(q.shape[-1])
        return dict(q=q, k=k, v=v, scale=scale, bias=t5_bias(module, model) if own[0] == "q" else None)

    return Watched([getattr(module, name) for name in own[:3]], finished,
                   getattr(module, own[3]) if own[3] else None,
                   causal=getattr(model.config, "is_decoder", False))  # fmt: skip


def bloom(module):
    """BLOOM: q, k and v of each head side by side."""

    def finished(outputs, named):
        q, k, v = outputs[0][0].float().unflatten(-1, (module.num_heads, 3, -1)).permute(2, 1, 0, 3)
        return dict(q=q, k=k, v=v, scale=float(module.inv_norm_factor),
                    bias=alibi_bias(alibi_slopes(named["alibi"])))  # fmt: skip

    return Watched([module.query_key_value], finished, module.dense)


def falcon(module):
    """Falcon, with rotations or with ALiBi, which it scales like the products. Its modules are given ALiBi as it is
    meant, since transformers rounds it to bfloat16, which no slope expresses, and adds it a second time with the
    mask where attention is eager (modeling_falcon.py of 4.48 to 5.24)."""

    def mended(named):
        import torch

        if named.get("alibi") is None:
            return named
        n = named["alibi"].shape[-1]
        slopes = alibi_slopes(named["alibi"].flatten(0, -3))
        mask = torch.full((n, n), torch.finfo(torch.float32).min).triu(1)
        return dict(named, alibi=slopes[:, None, None] * torch.arange(n), attention_mask=mask[None, None])

    def finished(outputs, named):
        q, k, v = (x.transpose(1, 2) for x in module._split_heads(outputs[0]))
        repeats = k.shape[1] // module.num_kv_heads  # newer ones repeat key/value heads before anything else
        k, v = k[:, ::repeats], v[:, ::repeats]
        bias = None
        if named.get("alibi") is not None:
            bias = alibi_bias(alibi_slopes(named["alibi"]) * module.inv_norm_factor)
        else:
            rotate = sys.modules[type(module).__module__].apply_rotary_pos_emb
            q, k = rotate(q, k, *named["position_embeddings"])
        return dict(q=q[0].float(), k=k[0].float(), v=v[0].float(), scale=module.inv_norm_factor, bias=bias)

    return Watched([module.query_key_value], finished, module.dense, changed=mended)


def mpt(module):
    """MPT: all of q, then k, then v."""

    def finished(outputs, named):
        fused = outputs[0]
        if module.clip_qkv:
            fused = fused.clamp(-module.clip_qkv, module.clip_qkv)
        q, k, v = (split_heads(x, module.n_heads) for x in fused.chunk(3, dim=2))
        return dict(q=q, k=k, v=v, scale=float(module.softmax_scale),
                    bias=alibi_bias(alibi_slopes(named["position_bias"])))  # fmt: skip

    return Watched([module.Wqkv], finished, module.out_proj)


def watched(module, model):
    """How the module is read; None for one that is no attention."""
    kinds = {"BloomAttention": bloom, "FalconAttention": falcon, "MptAttention": mpt}
    kind = kinds.get(type(module).__name__)
    return kind(module) if kind else separate(module, model)


def hooked(module, how, layers):
    """Hooks on one module that append to layers, to be removed."""
    import torch

    outputs, arguments = [None] * len(how.projections), {}

    def begin(_, inputs, named):
        arguments.clear()
        arguments.update(how.changed(named))
        return inputs, dict(arguments)

    def finish(output):
        parts = how.finished(outputs, arguments)
        n = parts["q"].shape[1]
        mask = torch.full((n, n), -math.inf).triu(1) if how.causal else torch.zeros(n, n)
        layers.append(Layer(softcap=0.0, mask=mask, output=split_heads(output, parts["q"].shape[0]), **parts))

    def keep(at):
        return lambda _, inputs, output: outputs.__setitem__(at, output)

    hooks = [module.register_forward_pre_hook(begin, with_kwargs=True)]
    hooks += [part.register_forward_hook(keep(at)) for at, part in enumerate(how.projections)]
    if how.context is None:
        hooks.append(module.register_forward_hook(lambda _, inputs, output: finish(output[0])))
    else:
        hooks.append(how.context.register_forward_pre_hook(lambda _, inputs: finish(inputs[0])))
    return hooks


# The model.


@contextlib.contextmanager
def recorded(model):
    """Within it, every attention layer that the model runs is appended to the list that it gives."""
    layers = []
    sources = {sys.modules[type(part).__module__] for part in model.modules()}
    sources = [source for source in sources if hasattr(source, "eager_attention_forward")]
    if sources:
        with functions_wrapped(sources, model, layers):
            yield layers
        return
    found = [(part, watched(part, model)) for part in model.modules()]
    hooks = [hook for part, how in found if how for hook in hooked(part, how, layers)]
    if not hooks:
        raise ExportError(
            f"model is {type(model).__name__}, and its attention could not be found; it must be one of BERT, "
            "GPT-2, Llama, Mistral, Qwen, Gemma, gpt-oss, T5, BLOOM, Falcon, MPT, ViT, DINOv2, Whisper and "
            "their relatives (transformers >= 4.48)"
        )
    try:
        yield layers
    finally:
        for hook in hooks:
            hook.remove()


def attention(layer):
    """The layer's output (heads x n x d) and weights (heads x n x n) from all else that is kept of it."""
    import torch

    heads, n = layer.q.shape[:2]
    k, v = (x.repeat_interleave(heads // x.shape[0], dim=0) for x in (layer.k, layer.v))
    scores = layer.scale * layer.q @ k.transpose(-1, -2)
    if layer.softcap:
        scores = layer.softcap * torch.tanh(scores / layer.softcap)
    if layer.bias:
        scores = scores + added_bias(layer.bias, n)
    scores = scores + layer.mask
    if layer.sink:
        sinks = torch.tensor(layer.sink)[:, None, None].expand(heads, n, 1)
        scores = torch.cat([scores, sinks], dim=-1)
    weights = torch.softmax(scores, dim=-1)[:, :, :n]
    return weights @ v, weights


def check(layers):
    """Refuse layers whose attention is not what the file will say."""
    for index, layer in enumerate(layers):
        if ((layer.mask != 0) & (layer.mask > HIDDEN)).any():
            raise ExportError(f"layer {index} adds biases to its scores that the file cannot express; they must be "
                              "ALiBi or those of T5")  # fmt: skip
        error = (attention(layer)[0] - layer.output).abs().max().item()
        if not error <= 1e-3 * max(1.0, layer.output.abs().max().item()):
            raise ExportError(
                f"layer {index}: attention from its q, k and v differs from the model's own by {error:.2g}; its "
                "scores must have nothing besides a scale, a cap, ALiBi or T5's biases, a mask and sinks"
            )


def encoder_of(model, inputs):
    """The part of the model that reads the inputs by self-attention."""
    if getattr(model.config, "is_encoder_decoder", False):
        return model.get_encoder()
    return getattr(model, "vision_model", model) if "pixel_values" in inputs else model


def capture(model, inputs):
    """The attention layers of the model on the inputs (tensors by name), in the order in which they run."""
    import torch

    model = encoder_of(model, inputs)
    model.eval()
    with torch.no_grad(), recorded(model) as layers:
        model(**inputs)
    if not layers:
        raise ExportError(f"model is {type(model).__name__}, and it did not call its attention function; this family "
                          "cannot be exported")  # fmt: skip
    check(layers)
    return layers
