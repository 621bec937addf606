"""What a .safetensors file says of captured layers: arrays, masks as patterns, modifiers (docs/formats.md)."""
from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

from .._errors import Error
from .._picture import file_to_write
from .._values import integer, several
from .layer import HIDDEN, Layer

if TYPE_CHECKING:
    import torch


def banded(n: int, left: int, right: int) -> torch.Tensor:
    """The mask of the keys from `left` before a query to `right` after it."""
    import torch

    return torch.ones(n, n).tril(right).triu(-left).bool()


def pattern(layer: Layer) -> dict[str, Any] | None:
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


def arrays(layers: Sequence[Layer], dtype: str) -> tuple[dict[str, torch.Tensor], float]:
    """q, k and v of the layers as one array each, and the scale that all of them share."""
    import torch

    if dtype not in ("float16", "float32"):
        raise Error("E_RANGE", f"dtype is {dtype}; it must be float16 or float32")
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
        raise Error("E_RANGE", f"dtype is float16, the largest value {largest:.3g}; it must be float32")
    return {**{name: x.to(getattr(torch, dtype)).contiguous() for name, x in stacked.items()}, **masks}, scale


def modifiers(layer: Layer) -> dict[str, Any]:
    """The layer's modifiers of scores, as the file says them."""
    said: dict[str, Any] = {}
    if not math.isclose(layer.scale, layer.q.shape[-1] ** -0.5, rel_tol=1e-12):
        said["scale"] = layer.scale
    if layer.softcap:
        said["softcap"] = layer.softcap
    if layer.bias:
        said["bias"] = layer.bias
    if layer.sink:
        said["sink"] = layer.sink
    return said


def shared_modifiers(layers: Sequence[Layer], numbers: Sequence[int]) -> dict[str, Any]:
    """What the layers have in common. Error E_UNSUPPORTED where they differ, as a file has one set for all."""
    all_said = [modifiers(layer) for layer in layers]
    for said, number in zip(all_said, numbers):
        for name in ("softcap", "bias", "sink"):  # scales that differ go into q
            if said.get(name) != all_said[0].get(name):
                raise Error("E_UNSUPPORTED",
                            f"layers {numbers[0]} and {number} have different values of {name}, and a file has one for "
                            f"all its layers; choose a single layer, for example {numbers[0]}")  # fmt: skip
    return all_said[0]


def chosen(asked: str | int | Iterable[int] | None, count: int) -> list[int]:
    """Numbers of layers: '0,2,4-5', one, several, or None for all. Error E_TYPE or E_RANGE."""
    if asked is None or asked == "":
        return list(range(count))
    if isinstance(asked, str):
        numbers: list[int] = []
        for part in asked.split(","):
            first, _, last = part.strip().partition("-")
            if not first.isdigit() or (last and not last.isdigit()):
                raise Error("E_TYPE", f"layers is '{asked}'; it must be numbers and ranges such as 0,2,4-5")
            numbers += range(int(first), int(last or first) + 1)
    else:
        numbers = [integer(one, "layers", 0, count - 1) for one in several(asked)]
    if not numbers or min(numbers) < 0 or max(numbers) >= count:
        raise Error("E_RANGE", f"layers is '{asked}'; they must be from 0 to {count - 1}")
    return numbers


def save(path: Any, layers: Sequence[Layer], numbers: Sequence[int], dtype: str, about: Mapping[str, Any]) -> str:
    """Writes the file with its metadata, each a JSON text; gives in words what it holds. Raises Error."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    path = file_to_write(path)
    tensors, scale = arrays(layers, dtype)
    said = {"scale": scale, "modifiers": shared_modifiers(layers, numbers),
            "patterns": [pattern(layer) for layer in layers], "layers": list(numbers), **about}  # fmt: skip
    metadata = {name: json.dumps(value, ensure_ascii=False) for name, value in said.items() if value is not None}
    try:
        save_file(tensors, str(path), {**metadata, "axis0": "layer"})
    except (OSError, SafetensorError) as error:
        raise Error("E_IO", f"cannot write {path}: {error}") from error
    shapes = ", ".join(f"{name} {list(x.shape)}" for name, x in tensors.items())
    masks = sorted({found["mechanism"] if found else "no pattern" for found in said["patterns"]})
    changed = "".join(f", {name}" for name in said["modifiers"] if name != "scale")
    return f"{shapes}, {dtype}, scale {scale:.6g}{changed}, masks {', '.join(masks)}"
