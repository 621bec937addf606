"""Patterns as the program takes them: as a description in a file, with lengths and, where it reads them, queries and
keys."""
from __future__ import annotations

import dataclasses
import json
from typing import Any, Mapping

import numpy as np

from . import _functions
from ._arrays import numpy_of, speaks
from ._errors import Error
from ._program import Content, Session
from ._values import MOST_TEXT, attending, cells_of, json_of


@dataclasses.dataclass(frozen=True)
class Described:
    """`pattern` as JSON has it, files that it names included."""

    pattern: Mapping[str, Any]
    files: Mapping[str, Content] = dataclasses.field(default_factory=dict)
    length: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    data: Mapping[str, np.ndarray] = dataclasses.field(default_factory=dict)

    def flags(self, session: Session, file: str = "pattern.json") -> list[str]:
        """The pattern alone."""
        for name, content in self.files.items():
            session.write(name, content)
        return ["--pattern-json", "@" + session.write(file, json.dumps(self.pattern))]

    def with_lengths(self, session: Session) -> list[str]:
        """The pattern, its lengths, and the data that it reads."""
        n_q, n_k, align = (self.length[name] for name in ("queries", "n", "align"))
        lengths = ["--n", n_k] if n_q == n_k else ["--n-q", n_q, "--n-k", n_k, "--align", align]
        data = [word for name, x in self.data.items() for word in (f"--{name}", session.write(f"{name}.npy", x))]
        return [*self.flags(session), *map(str, [] if data and n_q == n_k else lengths), *data]

    def scene(self, view: str = "mask", **more: Any) -> dict[str, Any]:
        """A Scene of it. Its data must be written beside it: `beside`."""
        length = {k: v for k, v in self.length.items() if v is not None}
        if length.get("queries") == length.get("n"):
            length.pop("queries", None)
        scene = {"view": view, "pattern": self.pattern, "length": length, "title": self.title, **more}
        if self.data:
            scene["input"] = {"kind": "files", **{name: f"{name}.npy" for name in self.data}}
        return scene

    @property
    def title(self) -> str:
        """Not after a file that nobody has named; empty: the usual one."""
        return "Given mask" if self.files else ""

    @property
    def beside(self) -> dict[str, Content]:
        return {**self.files, **{f"{name}.npy": x for name, x in self.data.items()}}


def described(pattern: Any, shape: tuple[int, int] | None = None, name: str = "mask") -> Described:
    """A Pattern, a mechanism's name, a whole description, an array of a mask, or a function of (q, k) or of FlexAttention
    (which needs `shape`, queries x keys). `name` keeps apart what several masks are written to."""
    if hasattr(pattern, "described"):
        return pattern.described(name)
    if isinstance(pattern, str):
        return Described({"mechanism": pattern, "params": {}})
    if isinstance(pattern, Mapping):
        return Described(json.loads(json_of(pattern)))
    if callable(pattern):
        if shape is None:
            raise Error("E_TYPE", "n is missing; a function needs the number of tokens")
        return given(_functions.evaluated(pattern, *shape), name)
    if hasattr(pattern, "tocoo"):
        return Described(json.loads(json_of({"mechanism": "given", "params": {"mask": pattern}})))
    if speaks(pattern):
        return given(attending(numpy_of(pattern, "the mask")), name)
    raise Error("E_TYPE", f"a {type(pattern).__name__} stands for a pattern; it must be a Pattern, a mechanism's name, a "
                          "description, a mask or a function of (q, k)")  # fmt: skip


def given(mask: np.ndarray, name: str) -> Described:
    """A mask of booleans: inside the description where it has few cells, else as a file beside it."""
    if 4 * np.count_nonzero(mask) < MOST_TEXT:
        inside = {"mechanism": "given", "params": {"mask": cells_of(mask)}}
        if len(json.dumps(inside)) <= MOST_TEXT:
            return Described(inside)
    return Described({"mechanism": "given", "params": {"mask": f"{name}.npy"}}, {f"{name}.npy": mask})
