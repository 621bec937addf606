"""Runs the program attnx for what the library has no function for. Arrays are handed over as files of a temporary
folder, and what the program refuses becomes an Error with its code and sentence."""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import warnings
from typing import Any, Callable, Iterator, Mapping, Union

import numpy as np

from . import _places
from ._values import Error

# What a file of the folder is made of: text, an array (.npy), arrays by name (.npz), or what writes it.
Content = Union[str, np.ndarray, Mapping[str, np.ndarray], Callable[[pathlib.Path], Any]]


class Session:
    """The program in a folder of its own, in which relative names are meant."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.said = ""  # to standard error, by the last run

    def write(self, name: str, content: Content) -> str:
        """The file's name, once it is written."""
        path = self.folder / name
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        elif isinstance(content, np.ndarray):
            np.save(path, content)
        elif isinstance(content, Mapping):
            np.savez(path, **dict(content))  # type: ignore[arg-type]
        else:
            content(path)
        return name

    def run(self, *words: Any, may_end_with: int = 0) -> str:
        """What the program writes to standard output. Its notes become warnings."""
        done = subprocess.run([str(_places.program()), *map(str, words)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, encoding="utf-8", errors="replace")  # fmt: skip
        said = done.stderr.replace(f"{self.folder}{os.sep}", "").strip()
        if done.returncode not in (0, may_end_with) or (done.returncode and not done.stdout):
            raise refusal(done.returncode, said)
        self.said = said
        if not done.returncode:
            for line in said.splitlines():
                warnings.warn(line.removeprefix("attnx: "), stacklevel=4)
        return done.stdout

    def json(self, *words: Any, may_end_with: int = 0) -> Any:
        return json.loads(self.run(*words, "--json", may_end_with=may_end_with))

    def made(self, name: str, *words: Any) -> bytes:
        """The contents of a file that the program writes."""
        self.run(*words, "-o", name)
        return (self.folder / name).read_bytes()


def refusal(code: int, said: str) -> Error:
    """The program's last sentence as an error."""
    last = said.splitlines()[-1] if said else ""
    found = re.match(r"attnx: (E_[A-Z]+): (.*)", last)
    if found:
        return Error(found[1], found[2])
    return Error("E_INTERNAL", f"the program attnx ended with code {code}" + (f": {last}" if last else ""))


@contextlib.contextmanager
def session() -> Iterator[Session]:
    with tempfile.TemporaryDirectory(prefix="attnx-") as folder:
        yield Session(pathlib.Path(folder))
