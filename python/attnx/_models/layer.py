"""One attention layer as it ran, and whether it is what a file can say of it."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .._errors import Error

if TYPE_CHECKING:
    import torch

HIDDEN = -9983  # a key whose added mask is below this is not attended to: −10⁴ is −9984 in bfloat16


@dataclasses.dataclass
class Layer:
    """One attention layer, its tensors in float32 in the processor's memory. q: heads x n x d; k, v: key/value heads x
    n x d; softcap 0 means none."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    scale: float
    softcap: float
    mask: torch.Tensor  # n x n, added to the scores; zeros where everything is visible
    output: torch.Tensor  # heads x n x d, as the model computed it
    window: int = 0  # keys that the layer's configuration lets a query see; 0 means all
    bias: dict[str, Any] | None = None  # what positions add to the scores, as the file says it
    sink: list[float] | None = None  # one logit per head, a further term of the softmax without a value
    epsilon: float = 2.0**-23  # of the type in which the model computed it


def t5_bucket(distance: int, buckets: int, most: int) -> int:
    """The bucket of a distance of at least 0, by integers; as TensorFlow's float32 has it."""
    exact = buckets // 2
    if distance < exact:
        return distance
    steps = buckets - exact
    reached = (t for t in range(steps) if distance**steps * exact**t >= most**t * exact**steps)
    return exact + max(reached)


def added_bias(bias: Mapping[str, Any], n: int) -> torch.Tensor:
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


def attention(layer: Layer) -> tuple[torch.Tensor, torch.Tensor]:
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


def check(layers: Sequence[Layer]) -> None:
    """Refuse layers whose attention is not what the file will say. Error E_UNSUPPORTED."""
    for index, layer in enumerate(layers):
        if ((layer.mask != 0) & (layer.mask > HIDDEN)).any():
            raise Error("E_UNSUPPORTED", f"layer {index} adds biases to its scores that the file cannot express; they must "
                                         "be ALiBi or those of T5")  # fmt: skip
        error = (attention(layer)[0] - layer.output).abs().max().item()
        if not error <= max(1e-3, 8 * layer.epsilon) * max(1.0, layer.output.abs().max().item()):
            raise Error("E_UNSUPPORTED",
                        f"layer {index}: attention from its q, k and v differs from the model's own by {error:.2g}; its "
                        "scores must have nothing besides a scale, a cap, ALiBi or T5's biases, a mask and sinks, and the "
                        "model must not be in training (model.eval())")  # fmt: skip


def with_heads(layer: Layer, heads: Sequence[int]) -> Layer:
    """Only these query heads, each with a key/value head of its own. Error E_RANGE for one that there is not."""
    count, keys = layer.q.shape[0], layer.k.shape[0]
    if not heads or min(heads) < 0 or max(heads) >= count:
        raise Error("E_RANGE", f"heads is {list(heads)}; they must be from 0 to {count - 1}")
    chosen = list(heads)
    of = [head * keys // count for head in chosen]
    bias = layer.bias
    if bias and bias["kind"] == "alibi":
        bias = {**bias, "slopes": [bias["slopes"][head] for head in chosen]}
    elif bias:
        bias = {**bias, "table": [[row[head] for head in chosen] for row in bias["table"]]}
    return dataclasses.replace(layer, q=layer.q[chosen], k=layer.k[of], v=layer.v[of], output=layer.output[chosen],
                               bias=bias, sink=layer.sink and [layer.sink[head] for head in chosen])  # fmt: skip
