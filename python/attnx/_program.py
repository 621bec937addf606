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
from typing import Any, Callable, Iterable, Iterator, Mapping, Union

import numpy as np

from . import _places
from ._errors import Error, noted
from ._values import scalar, shown

# What a file of the folder is made of: text, an array (.npy), arrays by name (.npz), or what writes it.
Content = Union[str, np.ndarray, Mapping[str, np.ndarray], Callable[[pathlib.Path], Any]]
# Where a layer or head lies that the caller named by its own number.
PLACE = re.compile(r"attnx: note: --(batch \d+ is layer \d+ of the file|head-index \d+ is head \d+ of the model)")


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
        done = subprocess.run([str(_places.program()), *worded(words)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, encoding="utf-8", errors="replace")  # fmt: skip
        said = done.stderr.replace(f"{self.folder}{os.sep}", "").strip()
        if done.returncode not in (0, may_end_with) or (done.returncode and not done.stdout):
            raise refusal(done.returncode, said)
        self.said = said
        if not done.returncode:
            for line in said.splitlines():
                if not PLACE.match(line):
                    noted(line.removeprefix("attnx: "))
        return done.stdout

    def json(self, *words: Any, may_end_with: int = 0) -> Any:
        said = self.run(*words, "--json", may_end_with=may_end_with)
        try:
            return json.loads(said)
        except ValueError:
            raise Error("E_INTERNAL", f"the program attnx answered {words[0]} with {shown(said)!r}, which is not JSON") from None

    def made(self, name: str, *words: Any) -> bytes:
        """The contents of a file that the program writes."""
        said = self.run(*words, "-o", name)
        if not (self.folder / name).is_file():
            raise Error("E_INTERNAL", f"the program attnx wrote no file; it said {shown(said)!r}")
        return (self.folder / name).read_bytes()


def worded(words: Iterable[Any]) -> list[str]:
    """The words as text. Error for a value that is no text and no number; the last flag before it is what it is for."""
    found, flag = [], ""
    for word in map(scalar, words):
        flag = word if isinstance(word, str) and word.startswith("--") and word != "--help" else flag
        if isinstance(word, bool) or not isinstance(word, (str, int, float, np.integer, np.floating)):
            raise Error("E_TYPE", f"{named(flag)} is of type {type(word).__name__}; it must be a name or a number")
        if isinstance(word, int) and word.bit_length() > 64:
            raise Error("E_RANGE", f"{named(flag)} is {shown(word)}; it must be a number of at most 64 bits")
        if word == "--help":
            raise Error("E_TYPE", f"{named(flag) if flag else 'a name'} is --help; it must be a name or a number")
        if isinstance(word, str) and re.search("[\0\ud800-\udfff]", word):
            raise Error("E_TYPE", f"{named(flag)} is {word!r}; it must be a string without zero bytes or lone surrogates")
        found.append(str(word))
    return found


def listed(flag: str, values: Iterable[Any]) -> list[str]:
    """A flag with a list; nothing where that is empty."""
    words = worded([flag, *values])
    return [flag, ",".join(words[1:])] if words[1:] else []


def named(flag: str) -> str:
    """What a flag is called in Python."""
    return flag.lstrip("-").replace("-", "_")


def refusal(code: int, said: str) -> Error:
    """The program's last sentence as an error."""
    found = re.search(r"^attnx: (E_[A-Z]+): ((?:(?!^attnx: E_).)*)\Z", said, re.DOTALL | re.MULTILINE)
    if found:
        return Error(found[1], found[2])
    last = said.splitlines()[-1] if said else ""
    return Error("E_INTERNAL", f"the program attnx ended with code {code}" + (f": {last}" if last else ""))


@contextlib.contextmanager
def session() -> Iterator[Session]:
    with tempfile.TemporaryDirectory(prefix="attnx-") as folder:
        yield Session(pathlib.Path(folder))
