"""What families of models add to their scores, and how modules are read that call no function of attention."""
from __future__ import annotations

import dataclasses
import math
import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    import torch


def t5_bias(module: Any, model: Any) -> dict[str, Any] | None:
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


def alibi_bias(slopes: torch.Tensor) -> dict[str, Any]:
    """ALiBi that adds slope times the key's position, as BLOOM does: behind a causal mask it gives the
    same outputs as the distance to the key. Press et al., arXiv 2108.12409."""
    return {"kind": "alibi", "slopes": slopes.float().tolist(), "side": "column"}


def alibi_slopes(added: torch.Tensor) -> torch.Tensor:
    """Slopes of heads x 1 x n numbers that grow by the slope; of one token there is none to see."""
    import torch

    if added.shape[-1] < 2:
        return torch.zeros(added.shape[0])
    # Next to the position at which all are 0 they are not rounded.
    return added[:, 0, 1] if not added[:, 0, 0].any() else -added[:, 0, -2]


@dataclasses.dataclass
class Watched:
    """How a module of its own kind is read. `finished` makes q, k, v, scale and bias of a Layer out of what the
    projections gave (1 x n x … each) and the module's named arguments; `context` is the module whose input is
    the attention's output, None where that is the module's own output; `changed` is what named arguments are
    replaced by."""

    projections: list[torch.nn.Module]
    finished: Callable[[list[Any], dict[str, Any]], dict[str, Any]]
    context: torch.nn.Module | None = None
    causal: bool = True
    changed: Callable[[dict[str, Any]], dict[str, Any]] = lambda named: named


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    """1 x n x (heads d) as heads x n x d."""
    return x[0].float().unflatten(-1, (heads, -1)).transpose(0, 1)


def separate(module: Any, model: Any) -> Watched | None:
    """Projections of q, k and v each for itself."""
    names = (("query", "key", "value", ""), ("q_lin", "k_lin", "v_lin", "out_lin"), ("q", "k", "v", "o"),
             ("q_proj", "k_proj", "v_proj", "out_proj"))  # fmt: skip
    own = next((found for found in names if all(callable(getattr(module, name, None)) for name in found if name)), None)
    if own is None:
        return None
    counts = (getattr(module, name, None) for name in ("num_attention_heads", "n_heads", "num_heads"))
    heads = next((count for count in counts if count), model.config.num_attention_heads)

    def finished(outputs: list[Any], _: Any) -> dict[str, Any]:
        q, k, v = (split_heads(x, heads) for x in outputs)
        # T5 has its scale in its weights.
        scale = 1.0 if hasattr(module, "key_value_proj_dim") else 1.0 / math.sqrt(q.shape[-1])
        return dict(q=q, k=k, v=v, scale=scale, bias=t5_bias(module, model) if own[0] == "q" else None)

    return Watched([getattr(module, name) for name in own[:3]], finished,
                   getattr(module, own[3]) if own[3] else None,
                   causal=getattr(model.config, "is_decoder", False))  # fmt: skip


def bloom(module: Any) -> Watched:
    """BLOOM: q, k and v of each head side by side."""

    def finished(outputs: list[Any], named: dict[str, Any]) -> dict[str, Any]:
        q, k, v = outputs[0][0].float().unflatten(-1, (module.num_heads, 3, -1)).permute(2, 1, 0, 3)
        return dict(q=q, k=k, v=v, scale=float(module.inv_norm_factor),
                    bias=alibi_bias(alibi_slopes(named["alibi"][: module.num_heads])))  # fmt: skip

    return Watched([module.query_key_value], finished, module.dense)


def falcon(module: Any) -> Watched:
    """Falcon, with rotations or with ALiBi, which it scales like the products. Its modules are given ALiBi as it is
    meant, since transformers rounds it to bfloat16, which no slope expresses, and adds it a second time with the
    mask where attention is eager (modeling_falcon.py of 4.48 to 5.24)."""

    def mended(named: dict[str, Any]) -> dict[str, Any]:
        import torch

        if named.get("alibi") is None:
            return named
        n = named["alibi"].shape[-1]
        slopes = alibi_slopes(named["alibi"].flatten(0, -3))
        mask = torch.full((n, n), torch.finfo(torch.float32).min, device=slopes.device).triu(1)
        return dict(named, alibi=slopes[:, None, None] * torch.arange(n, device=slopes.device),
                    attention_mask=mask[None, None])  # fmt: skip

    def finished(outputs: list[Any], named: dict[str, Any]) -> dict[str, Any]:
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


def mpt(module: Any) -> Watched:
    """MPT: all of q, then k, then v."""

    def finished(outputs: list[Any], named: dict[str, Any]) -> dict[str, Any]:
        fused = outputs[0]
        if module.clip_qkv:
            fused = fused.clamp(-module.clip_qkv, module.clip_qkv)
        q, k, v = (split_heads(x, module.n_heads) for x in fused.chunk(3, dim=2))
        return dict(q=q, k=k, v=v, scale=float(module.softmax_scale),
                    bias=alibi_bias(alibi_slopes(named["position_bias"])))  # fmt: skip

    return Watched([module.Wqkv], finished, module.out_proj)


def watched(module: Any, model: Any) -> Watched | None:
    """How the module is read; None for one that is no attention."""
    kinds = {"BloomAttention": bloom, "FalconAttention": falcon, "MptAttention": mpt}
    kind = kinds.get(type(module).__name__)
    return kind(module) if kind else separate(module, model)
