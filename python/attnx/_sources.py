"""Queries, keys and values for the program: arrays, a file, a bundled sample, a small example, or a capture."""
from __future__ import annotations

import dataclasses
import json
import os
from typing import Any, Mapping, Sequence

import numpy as np

from ._arrays import numpy_of, speaks
from ._errors import Error, axes
from ._numbers import numbers_of_file, numbers_said
from ._places import sample_place
from ._program import Content, Session
from ._values import MOST_TOKENS, integer, json_of, json_text, numbers_of, whole_name

ENDINGS = (".npz", ".safetensors", ".csv", ".npy")
ROLES = ("q", "k", "v")


@dataclasses.dataclass(frozen=True)
class Source:
    """`kind` and `name` as a Scene's input has them; `files` are written beside it."""

    kind: str
    name: str
    files: Mapping[str, Content] = dataclasses.field(default_factory=dict)
    shape: tuple[int, int] | None = None  # queries and keys, where they are known here
    layers: Sequence[int] | None = None  # the model's numbers of those that the input has; else counted from 0
    heads: Sequence[int] | None = None

    def place(self, layer: int | None, head: int | None) -> tuple[int, int]:
        """Where a layer and a head lie in the input; the first ones for None. Error E_RANGE for one that is not
        among those that it names."""
        return position(layer, self.layers, "layer"), position(head, self.heads, "head")

    def flags(self, session: Session) -> list[str]:
        """The flags of the command line, once the files are there."""
        for name, content in self.files.items():
            session.write(name, content)
        return ["--" + {"files": "input"}.get(self.kind, self.kind), self.name]

    def scene(self, layer: int | None = None, head: int | None = None) -> dict[str, Any]:
        """The Scene's input."""
        if self.kind == "typed":
            return {**json.loads(self.name), "kind": "typed"}
        place = {"sample": "name", "files": "input"}[self.kind]
        batch, number = self.place(layer, head)
        return {"kind": self.kind, place: self.name, "batch": batch, "head": number}


def position(asked: int | None, captured: Sequence[int] | None, what: str) -> int:
    """The place of a layer's or head's own number among those that were captured."""
    if asked is None:
        return 0
    asked = integer(asked, what, 0, MOST_TOKENS)
    if captured is None:
        return asked
    if asked not in captured:
        raise Error("E_RANGE", f"{what} {asked} was not captured; captured {numbered(captured)}")
    return list(captured).index(asked)


def numbered(numbers: Sequence[int]) -> str:
    """is 3; are 0 and 5; are 0 to 11."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) == 1:
        return f"is {first}"
    if len(numbers) > 2 and list(numbers) == list(range(first, last + 1)):
        return f"are {first} to {last}"
    return f"are {', '.join(map(str, numbers[:-1]))} and {last}"


def source_of(source: Any) -> Source:
    """A name of a sample; a file; (q, k) or (q, k, v); a dict of arrays, and of what a file says of its model; a dict
    with "words", a small example; or what saves itself as .safetensors, as a capture does."""
    if isinstance(source, os.PathLike) or (isinstance(source, str) and source.endswith(ENDINGS)):
        name = whole_name(source, "the input")
        return Source("files", name, {}, None, *numbers_of_file(name))
    if isinstance(source, str):
        return Source("sample", source, {}, None, *numbers_of_file(sample_place(source)))
    if isinstance(source, (tuple, list)) and len(source) in (2, 3):
        return of_arrays(dict(zip(ROLES, source)))
    if isinstance(source, Mapping):
        if "words" not in source:
            return of_arrays(source)
        words = source["words"]
        shape = 2 * (len(words),) if isinstance(words, (list, tuple)) else None  # of anything else the program speaks
        return Source("typed", json_text(source, "the input"), shape=shape)
    if hasattr(source, "save") and hasattr(source, "layers"):
        return Source("files", "input.safetensors", {"input.safetensors": source.save}, source.shape, source.numbers,
                      source.head_numbers)  # fmt: skip
    raise Error("E_TYPE", f"the input is of type {type(source).__name__}; it must be a sample's name, a file, (q, k, v), "
                          "a dict of arrays or a capture")  # fmt: skip


def of_arrays(named: Mapping[str, Any]) -> Source:
    """Arrays as they are, everything else as JSON: `tokens`, `scale`, `modifiers`, `patterns` ..."""
    for name in named:
        if not isinstance(name, str):
            raise Error("E_TYPE", f"an array's name is of type {type(name).__name__}; it must be a string such as q")
    def is_text(name: str, x: Any) -> bool:
        return not (speaks(x) or name in ROLES or (name == "mask" and not isinstance(x, str)))  # "causal" is a word

    arrays = {name: np.array(json_of(x, name).decode()) if is_text(name, x) else stored(numpy_of(x, name), name)
              for name, x in named.items() if x is not None}  # fmt: skip
    shapes = dict.fromkeys(ROLES, "n x d, heads x n x d or batch x heads x n x d") | {"mask": "n x n or layers x n x n"}
    for name, must in shapes.items():
        if name in arrays and arrays[name].dtype.kind not in "SU" and arrays[name].ndim < 2:
            raise Error("E_SHAPE", f"{name} has {axes(arrays[name].ndim)}; it must be {must}")
    shape = (arrays["q"].shape[-2], arrays["k"].shape[-2]) if "q" in arrays and "k" in arrays else None
    return Source("files", "input.npz", {"input.npz": arrays}, shape, *numbers_said(arrays))


def stored(x: np.ndarray, name: str) -> np.ndarray:
    """In a type that a file can hold."""
    return x if x.dtype.kind in "SU" else numbers_of(x, name)
