"""Queries, keys and values for the program: arrays, a file, a bundled sample, a small example, or a capture."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from typing import Any, Mapping, Sequence

import numpy as np

from ._arrays import numpy_of, speaks
from ._program import Content, Session
from ._values import Error, plain

ENDINGS = (".npz", ".safetensors", ".csv", ".npy")
ROLES = ("q", "k", "v")


@dataclasses.dataclass(frozen=True)
class Source:
    """`kind` and `name` as a Scene's input has them; `files` are written beside it."""

    kind: str
    name: str
    files: Mapping[str, Content] = dataclasses.field(default_factory=dict)
    shape: tuple[int, int] | None = None  # queries and keys, where they are known here
    layers: Sequence[int] | None = None  # the model's numbers of what a capture took; else all are counted from 0
    heads: Sequence[int] | None = None

    def place(self, layer: int | None, head: int | None) -> tuple[int, int]:
        """Where a layer and a head lie in the input; the first ones for None. Error E_RANGE for one that was not
        captured."""
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
    if asked is None or captured is None:
        return asked or 0
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
        return Source("files", str(pathlib.Path(source).expanduser().resolve()))
    if isinstance(source, str):
        return Source("sample", source)
    if isinstance(source, (tuple, list)) and len(source) in (2, 3):
        return of_arrays(dict(zip(ROLES, source)))
    if isinstance(source, Mapping):
        if "words" not in source:
            return of_arrays(source)
        return Source("typed", json.dumps(source, default=plain), shape=2 * (len(source["words"]),))
    if hasattr(source, "save") and hasattr(source, "layers"):
        return Source("files", "input.safetensors", {"input.safetensors": source.save}, source.shape, source.numbers,
                      source.head_numbers)  # fmt: skip
    raise Error("E_TYPE", f"the input is of type {type(source).__name__}; it must be a sample's name, a file, (q, k, v), "
                          "a dict of arrays or a capture")  # fmt: skip


def of_arrays(named: Mapping[str, Any]) -> Source:
    """Arrays as they are, everything else as JSON: `tokens`, `scale`, `modifiers`, `patterns` ..."""
    arrays = {name: stored(numpy_of(x, name)) if speaks(x) else np.array(json.dumps(x, default=plain))
              for name, x in named.items() if x is not None}  # fmt: skip
    shape = (arrays["q"].shape[-2], arrays["k"].shape[-2]) if "q" in arrays and "k" in arrays else None
    return Source("files", "input.npz", {"input.npz": arrays}, shape)


def stored(x: np.ndarray) -> np.ndarray:
    """In a type that a file can hold."""
    return x.astype(np.float32) if x.dtype.name == "bfloat16" else x
