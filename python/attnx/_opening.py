"""attnx.pattern and what opens patterns for the other functions, with one library for all of them."""
from __future__ import annotations

import dataclasses
import threading
from typing import Any, Mapping

import numpy as np

from . import _functions
from ._arrays import floats_of, numpy_of, speaks
from ._described import Described, given
from ._errors import Error, keywords_of, nearest, only_known
from ._library import Library
from ._pattern import Pattern
from ._values import MOST_TOKENS, alignment, attending, integer, length

_lock = threading.Lock()
_loaded: list[Library] = []


def library() -> Library:
    """The library that the module's functions use: loaded at the first call."""
    with _lock:
        if not _loaded:
            _loaded.append(Library())
        return _loaded[0]


def pattern(mechanism: Any, n: int | None = None, n_keys: int | None = None, *, align: str = "top-left",
            q: Any = None, k: Any = None, keys: Any = None, threads: int = 0,
            parameters: Mapping[str, Any] | None = None, **named: Any) -> Pattern:  # fmt: skip
    """A Pattern over n tokens, or n queries and n_keys keys (1 to 2^30 each).

    `mechanism` is a name with its parameters (`attnx patterns` lists them; `parameters` is a dict of those whose names
    are taken here), the dict of a whole description, a mask as an array (0 and 1, booleans, or additive; of NumPy,
    torch, JAX or SciPy's sparse ones, and then n is its length), or a function: mask_mod(b, h, q_idx, kv_idx) of
    FlexAttention (`b` and `h`: of which batch item and head, 0) or any function of (q, k) that says whether q attends
    to k. A function is called once, with all indices, where it takes arrays (beyond 2^27 cells in parts), and otherwise
    for each cell.

    q and k (n x d, float32) are for patterns that choose keys by the data; a number k is the mechanism's parameter, and
    then `keys` is the key array. `align`: which key the first query ("top-left") or the last one ("bottom-right")
    lines up with. Raises Error: E_N, E_RANGE, E_TYPE, E_SHAPE, E_UNKNOWN, E_EXPR, E_UNSUPPORTED."""
    if callable(mechanism):
        mechanism, named = function_mask(mechanism, n, n_keys, named, keywords_of(pattern)), {}
    if speaks(mechanism) or hasattr(mechanism, "tocoo"):
        only_known(named, keywords_of(pattern), " beside a mask")
        mask = mechanism if hasattr(mechanism, "tocoo") else numpy_of(mechanism, "the mask")
        n, n_keys = lengths_of(mask, n, n_keys)
        mechanism = "given"
        named = {"mask": mask}
    if not isinstance(mechanism, (str, Mapping)):
        raise Error("E_TYPE", f"mechanism is of type {type(mechanism).__name__}; it must be a mechanism's name, a "
                              "description, a mask as an array, or a function of (q, k)")  # fmt: skip
    if n is None:
        raise Error("E_TYPE", "n is missing; it must be the number of tokens")
    named = {name: numpy_of(x, name) if speaks(x) else x for name, x in named.items()}
    q, keys = (None if x is None else floats_of(x, name) for x, name in ((q, "q"), (keys, "keys")))
    k = numpy_of(k, "k") if speaks(k) else k
    k = floats_of(k, "k") if isinstance(k, np.ndarray) and k.ndim > 1 else k
    return library().pattern(mechanism, n, n_keys, align=align, q=q, k=k, keys=keys, threads=threads,
                             parameters=parameters, **named)  # fmt: skip


def lengths_of(mask: Any, n: int | None, n_keys: int | None) -> tuple[int, int]:
    """Queries and keys of a mask, whose leading axes have one item, unless they are given."""
    if len(mask.shape) < 2:
        raise Error("E_SHAPE", f"mask has shape {tuple(mask.shape)}; it must be queries x keys")
    rows, cols = map(int, mask.shape[-2:])
    return (rows if n is None else n), (n_keys if n_keys is not None else cols if n is None else n)


def function_mask(function: Any, n: Any, n_keys: Any, named: Mapping[str, Any], known: list[str]) -> np.ndarray:
    """The mask that a function says, with its batch item and head. `known`: what else may be beside it."""
    if n is None:
        raise Error("E_TYPE", "n is missing; a function needs the number of tokens")
    only_known(named, ["b", "h", *known], " beside a function")
    named = {name: integer(value, name, 0, MOST_TOKENS) for name, value in named.items()}
    n_q = length(n, "n")
    return _functions.evaluated(function, n_q, n_q if n_keys is None else length(n_keys, "n_keys"), **named)


def stated(mechanism: Any, n: int | None, n_keys: int | None, align: Any, named: Mapping[str, Any],
           known: list[str]) -> Described:  # fmt: skip
    """What attnx.pattern takes, or a Pattern, for the program; masks and functions of any size need not be opened for
    that. `known`: what the function that is called takes by name."""
    alignment(align)
    if n is None and n_keys is not None:
        raise Error("E_TYPE", "n_keys is given and n is not; give both, or only n")
    if hasattr(mechanism, "described"):
        only_known(named, known, " beside a Pattern")
        require_shape("the pattern", mechanism.shape, n, n_keys)
        return mechanism.described()
    if callable(mechanism):
        mask = function_mask(mechanism, n, n_keys, named, known)
    elif speaks(mechanism) and not hasattr(mechanism, "tocoo"):
        only_known(named, known, " beside a mask")
        mask = attending(numpy_of(mechanism, "the mask"))
        require_shape("mask", mask.shape, n, n_keys)
    else:
        try:
            with pattern(mechanism, n, n_keys, align=align, **named) as one:
                return one.described()
        except Error as error:
            for name in named:  # that is no parameter of a mechanism either
                if error.code == "E_UNKNOWN" and f'"{name}"' in str(error) and nearest(name, known):
                    only_known([name], known)
            raise
    length = {"queries": mask.shape[0], "n": mask.shape[1], "align": align}
    return dataclasses.replace(given(mask, "mask"), length=length)


def require_shape(what: str, found: tuple[int, int], n: int | None, n_keys: int | None) -> None:
    wanted = found if n is None else (length(n, "n"), length(n if n_keys is None else n_keys, "n_keys"))
    if found != wanted:
        raise Error("E_SHAPE", f"{what} is {found[0]} × {found[1]}; it must be {wanted[0]} × {wanted[1]}")


def opened(mechanism: Any, n_q: int, n_k: int, align: str = "top-left") -> Pattern:
    """A Pattern as it is; whatever else attnx.pattern takes, at these lengths."""
    return mechanism if isinstance(mechanism, Pattern) else pattern(mechanism, n_q, n_k, align=align)
