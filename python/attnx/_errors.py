"""What is said to whoever calls: errors, warnings, and the names that are known in place of an unknown one."""
from __future__ import annotations

import difflib
import inspect
import sys
import warnings
from typing import Any, Callable, Iterable


class Error(ValueError):
    """What the library refused: `code` as spelt in the specification ("E_RANGE"), and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(" ".join(f"{code}: {message}".splitlines()))  # values that it shows may have several lines
        self.code = code


def noted(text: str) -> None:
    """Warns of it, where the user's own line calls this package."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, stacklevel=depth)


def keywords_of(function: Callable[..., Any]) -> list[str]:
    """The names of its keyword-only parameters."""
    return [name for name, one in inspect.signature(function).parameters.items() if one.kind == one.KEYWORD_ONLY]


def only_known(named: Iterable[Any], known: list[str], where: str = "") -> None:
    """Error E_UNKNOWN for the first name that is not known: with the nearest one, or else all that are."""
    for name in named:
        if not isinstance(name, str):
            raise Error("E_TYPE", f"a name is of type {type(name).__name__}; it must be {either(known)}")
        if name not in known:
            raise Error("E_UNKNOWN", f"{name} is unknown{where}" + (nearest(name, known) or f"; it must be {either(known)}"))


def nearest(name: Any, known: list[str]) -> str:
    """How a sentence ends: "; the nearest is no_future", or nothing."""
    near = difflib.get_close_matches(str(name), known, 1)
    return f"; the nearest is {near[0]}" if near else ""


def either(names: list[str]) -> str:
    """Choices in words: "b or h", "one of a, b, c"."""
    return " or ".join(names) if len(names) < 3 else "one of " + ", ".join(names)


def axes(count: int) -> str:
    """1 axis, 3 axes."""
    return "1 axis" if count == 1 else f"{count} axes"
