"""Which layers and heads of its model an input has, as docs/formats.md says it: a file's or a dict's `layers` and `heads`,
and arrays called layer.3.q. Whatever is none of these is left to the program to speak of."""
from __future__ import annotations

import json
import os
import pathlib
import re
import struct
from typing import Any, List, Mapping, Optional, Tuple

import numpy as np

Numbers = Tuple[Optional[List[int]], Optional[List[int]]]  # of the layers and of the heads; None: counted from 0
MOST_HEADER = 100_000_000  # bytes; longer ones are no safetensors


def numbers_of_file(path: str | os.PathLike[str]) -> Numbers:
    try:
        return numbers_said(said_by_file(pathlib.Path(path)))
    except Exception:  # whatever is wrong with the file
        return None, None


def numbers_said(said: Mapping[str, Any]) -> Numbers:
    """Of metadata and arrays by their names; those of other names only count as being there."""
    of_layers = sorted({int(found[1]) for found in (re.fullmatch(r"layers?\.(\d+)\.q", name) for name in said) if found})
    axis = text_of(said.get("axis0"))
    layers = text_of(said.get("layers")) if axis in (None, "layer") else None
    if isinstance(layers, str):
        layers = text_of(f"[{layers}]")  # "0,5" of older files
    return of_layers or integers([layers] if type(layers) is int else layers), integers(text_of(said.get("heads")))


def integers(value: Any) -> list[int] | None:
    return value if isinstance(value, list) and value and all(type(one) is int for one in value) else None


def said_by_file(path: pathlib.Path) -> dict[str, Any]:
    keys = ("layers", "heads", "axis0")
    if path.suffix == ".npz":
        with np.load(path) as file:
            return {name: file[name] if name in keys else None for name in file.files}
    if path.suffix != ".safetensors":
        return {}
    with path.open("rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size)) if size <= MOST_HEADER else {}
        said: dict[str, Any] = {name: None for name in header} | header.get("__metadata__", {})
        for name in set(keys) & set(header):
            kind, (begin, end) = header[name]["dtype"], header[name]["data_offsets"]
            file.seek(8 + size + begin)
            said[name] = np.frombuffer(file.read(end - begin), f"<{kind[0].lower()}{int(kind[1:]) // 8}")  # I64, U8
    return said


def text_of(value: Any) -> Any:
    """What an array holds, and what a text says as JSON."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    value = value.decode(errors="replace") if isinstance(value, bytes) else value
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value
