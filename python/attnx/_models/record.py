"""Watches the attention of a model while it runs.

A newer attention module of transformers calls the function eager_attention_forward of its own source file
with the finished q, k and v; that function is wrapped while the model runs. Modules without it get
hooks: on their projections (BERT, DistilBERT, T5, MPNet, Whisper of older versions), or on the one
projection of all three (BLOOM, Falcon, MPT)."""
from __future__ import annotations

import contextlib
import math
import sys
from typing import TYPE_CHECKING, Any, Callable, Iterator

from .._errors import Error
from .families import Watched, split_heads, t5_bias, watched
from .layer import Layer

if TYPE_CHECKING:
    import torch

Keep = Callable[[Any, Layer], None]  # takes a module and what its attention was


def attention_scale(module: Any, head_dim: int, arguments: dict[str, Any]) -> float:
    """The factor before q k^T, as the modules of transformers say it."""
    if arguments.get("scaling") is not None:
        return float(arguments["scaling"])
    if getattr(module, "scaling", None) is not None:
        return float(module.scaling)
    scale = 1.0 / math.sqrt(head_dim) if getattr(module, "scale_attn_weights", True) else 1.0
    if getattr(module, "scale_attn_by_inverse_layer_idx", False):
        scale /= module.layer_idx + 1
    return scale


def added_mask(module: Any, mask: Any, n: int) -> torch.Tensor:
    """The mask as an n x n tensor that is added to the scores."""
    import torch

    own: Any = getattr(module, "bias", None)  # GPT-2 of transformers 4.48 has its causal mask in the module
    if getattr(own, "dtype", None) == torch.bool:
        hidden = torch.zeros(n, n).masked_fill(~own[0, 0, :n, :n].cpu(), -math.inf)
        return hidden if mask is None else hidden + added_mask(None, mask, n)
    if mask is None:
        return torch.zeros(n, n)
    mask = (mask[0, 0, -n:, :n].expand(n, n) if mask.dim() == 4 else mask[0].expand(n, n)).cpu()
    if mask.dtype == torch.bool:
        return torch.zeros(mask.shape).masked_fill(~mask, -math.inf)
    return mask.float()


def kept(x: torch.Tensor) -> torch.Tensor:
    """Outside the graph, in float32, in the processor's memory."""
    return x.detach().float().cpu()


def wrapped(original: Callable[..., Any], model: Any, keep: Keep) -> Callable[..., Any]:
    """original, whose calls are also kept, as the first item of their batch."""

    def recording(module: Any, query: Any, key: Any, value: Any, attention_mask: Any, *rest: Any, **named: Any) -> Any:
        output = original(module, query, key, value, attention_mask, *rest, **named)
        if key.shape[2] == query.shape[2] and not getattr(module, "is_cross_attention", False):
            keep(module, layer_of(model, module, query, key, value, attention_mask, output[0], rest, named))
        return output

    return recording


def layer_of(model: Any, module: Any, query: Any, key: Any, value: Any, mask: Any, output: Any, rest: tuple[Any, ...],
             named: dict[str, Any]) -> Layer:  # fmt: skip
    """What eager_attention_forward was called with, and what it gave."""
    named = dict(named, scaling=rest[0]) if rest else named
    sink = named.get("s_aux")
    return Layer(
        q=kept(query[0]), k=kept(key[0]), v=kept(value[0]),
        scale=attention_scale(module, query.shape[-1], named),
        softcap=float(named.get("softcap") or 0.0),
        mask=added_mask(module, mask, query.shape[2]),
        output=kept(output[0]).transpose(0, 1),
        window=int(named.get("sliding_window") or getattr(module, "sliding_window", None) or 0),
        bias=t5_bias(module, model) if named.get("position_bias") is not None else None,
        sink=None if sink is None else kept(sink).tolist(),
        epsilon=epsilon_of(query),
    )  # fmt: skip


def epsilon_of(x: torch.Tensor) -> float:
    import torch

    return torch.finfo(x.dtype).eps


@contextlib.contextmanager
def functions_wrapped(sources: list[Any], model: Any, keep: Keep) -> Iterator[None]:
    """Within it, eager_attention_forward of each source file keeps its calls."""
    originals = [source.eager_attention_forward for source in sources]
    for source, original in zip(sources, originals):
        source.eager_attention_forward = wrapped(original, model, keep)
    try:
        yield
    finally:
        for source, original in zip(sources, originals):
            source.eager_attention_forward = original


def hooked(module: Any, how: Watched, keep: Keep) -> list[Any]:
    """Hooks on one module, to be removed."""
    import torch

    outputs: list[Any] = [None] * len(how.projections)
    arguments: dict[str, Any] = {}

    def begin(_: Any, inputs: Any, named: dict[str, Any]) -> Any:
        arguments.clear()
        arguments.update(how.changed(named))
        return inputs, dict(arguments)

    def finish(output: torch.Tensor) -> None:
        parts = how.finished(outputs, arguments)
        n = parts["q"].shape[1]
        mask = torch.full((n, n), -math.inf).triu(1) if how.causal else torch.zeros(n, n)
        parts = {name: kept(x) if isinstance(x, torch.Tensor) else x for name, x in parts.items()}
        keep(module, Layer(softcap=0.0, mask=mask, output=kept(split_heads(output, parts["q"].shape[0])),
                           epsilon=epsilon_of(output), **parts))  # fmt: skip

    def store(at: int) -> Callable[..., None]:
        return lambda _, inputs, output: outputs.__setitem__(at, output)

    hooks = [module.register_forward_pre_hook(begin, with_kwargs=True)]
    hooks += [part.register_forward_hook(store(at)) for at, part in enumerate(how.projections)]
    if how.context is None:
        hooks.append(module.register_forward_hook(lambda _, inputs, output: finish(output[0])))
    else:
        hooks.append(how.context.register_forward_pre_hook(lambda _, inputs: finish(inputs[0])))
    return hooks


@contextlib.contextmanager
def recorded(model: Any, keep: Keep) -> Iterator[None]:
    """Within it, every attention layer that the model runs is kept. Error E_UNSUPPORTED where none is found."""
    sources = {sys.modules[type(part).__module__] for part in model.modules()}
    with_function = [source for source in sources if hasattr(source, "eager_attention_forward")]
    if with_function:
        with functions_wrapped(with_function, model, keep):
            yield
        return
    found = [(part, watched(part, model)) for part in model.modules()]
    hooks = [hook for part, how in found if how for hook in hooked(part, how, keep)]
    if not hooks:
        raise Error("E_UNSUPPORTED",
                    f"model is {type(model).__name__}, and its attention could not be found; it must be one of BERT, "
                    "GPT-2, Llama, Mistral, Qwen, Gemma, gpt-oss, T5, BLOOM, Falcon, MPT, ViT, DINOv2, Whisper and "
                    "their relatives (transformers >= 4.48)")  # fmt: skip
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


@contextlib.contextmanager
def eager(model: Any) -> Iterator[None]:
    """Within it, the model computes its attention step by step, as the function that is wrapped does."""
    configs = {id(part.config): part.config for part in model.modules() if hasattr(part, "config")}
    before = [(config, config._attn_implementation) for config in configs.values()
              if getattr(config, "_attn_implementation", None)]  # fmt: skip
    for config, _ in before:
        config._attn_implementation = "eager"
    try:
        yield
    finally:
        for config, kind in before:
            config._attn_implementation = kind


def encoder_of(model: Any, inputs: Any) -> Any:
    """The part of the model that reads the inputs by self-attention."""
    if getattr(getattr(model, "config", None), "is_encoder_decoder", False) and hasattr(model, "get_encoder"):
        return model.get_encoder() or model
    return getattr(model, "vision_model", model) if "pixel_values" in inputs else model
