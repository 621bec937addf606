"""Masks by functions: FlexAttention's mask_mod(b, h, q_idx, kv_idx), or any function of (q, k)."""
from __future__ import annotations

import inspect
import sys
from typing import Any, Callable

import numpy as np

from ._arrays import numpy_of
from ._errors import Error
from ._values import made

SEEN_AGAIN = 64  # cells that are asked for again, one by one, where all of them were computed at once
AT_ONCE = 2**27  # cells in one call at most: a function makes several numbers of each
MOST_CELLS = 2**32  # bytes of memory, as many as a mask in an .npy file may have


def parameters_of(function: Callable[..., Any]) -> int:
    """2 for (q, k), 4 for (b, h, q, kv)."""
    try:
        kinds = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of a built-in one Python does not know
        return 2
    if any(one.kind == one.VAR_POSITIONAL for one in kinds):
        return 4
    needed = [one for one in kinds if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
              and one.default is one.empty]  # fmt: skip
    if len(needed) not in (2, 4):
        raise Error("E_TYPE", f"the function takes {len(needed)} values; it must take (q, k) or (b, h, q_idx, kv_idx)")
    return len(needed)


def evaluated(function: Callable[..., Any], n_q: int, n_k: int, b: int = 0, h: int = 0) -> np.ndarray:
    """function(q, k) or function(b, h, q, k) of every cell, as n_q x n_k booleans. It is called with all
    indices where it can take arrays (of torch, where torch is loaded and it is a mask_mod, else of NumPy), and otherwise
    for each cell. Error E_TYPE where it gives anything but booleans, or 0 and 1."""
    if n_q * n_k > MOST_CELLS:
        raise Error("E_N", f"the mask of a function is {n_q} × {n_k}; it must have at most 2^32 cells")
    before = (b, h) if parameters_of(function) == 4 else ()
    libraries = [sys.modules["torch"]] if before and "torch" in sys.modules else []
    for library in [*libraries, np]:
        cell = cell_by_cell(function, library, before)
        mask = at_once(function, n_q, n_k, before, library)
        if mask is not None and agrees(mask, cell):
            return mask
    for library in libraries:
        cell = cell_by_cell(function, library, before)
        if takes(cell):
            break
    else:
        cell = cell_by_cell(function, np, before)
    return np.array([[cell(q, k) for k in range(n_k)] for q in range(n_q)], bool).reshape(n_q, n_k)


def cell_by_cell(function: Callable[..., Any], library: Any, before: tuple[int, ...]) -> Callable[[int, int], bool]:
    """The function of one query and key, given as this library's numbers: Python's own in place of NumPy's."""
    number = int if library is np else library.tensor
    fixed = [number(x) for x in before]
    return lambda q, k: truth(function(*fixed, number(q), number(k)), q, k)


def takes(cell: Callable[[int, int], bool]) -> bool:
    try:
        cell(0, 0)
    except Exception:  # of the function, whatever it is; where no library fits, it is raised
        return False
    return True


def at_once(function: Callable[..., Any], n_q: int, n_k: int, before: tuple[int, ...], library: Any) -> np.ndarray | None:
    """The mask by one call with a column of queries and a row of keys, or by several where that would take much memory;
    None where the function takes no arrays."""
    fixed = [x if library is np else library.tensor(x) for x in before]
    rows = max(1, AT_ONCE // n_k)
    mask = made(np.empty, (n_q, n_k), bool)
    for begin in range(0, n_q, rows):
        end = min(begin + rows, n_q)
        try:
            found = function(*fixed, library.arange(begin, end)[:, None], library.arange(n_k)[None, :])
            part = np.asarray(found) if isinstance(found, (bool, int)) else numpy_of(found, "what the function gives")
            part = np.broadcast_to(part, (end - begin, n_k))
        except MemoryError:
            raise Error("E_MEMORY", f"there is no memory for a function of {end - begin} × {n_k} cells") from None
        except Exception:  # whatever a function of single numbers does with arrays
            return None
        if part.dtype != bool and (part.dtype.kind not in "iu" or not np.all((part == 0) | (part == 1))):
            return None
        mask[begin:end] = part
    return mask


def agrees(mask: np.ndarray, cell: Callable[[int, int], bool]) -> bool:
    """Whether some cells, the corners among them, are what the function says of each alone."""
    n_q, n_k = mask.shape
    drawn = np.random.default_rng(0).integers(0, (n_q, n_k), (SEEN_AGAIN, 2)).tolist()
    corners = [(q, k) for q in (0, n_q - 1) for k in (0, n_k - 1)]
    try:
        return all(mask[q, k] == cell(q, k) for q, k in [*corners, *drawn])
    except Exception:  # a function of arrays alone agrees with nothing else
        return True


def truth(value: Any, q: int, k: int) -> bool:
    """The boolean of one cell."""
    found = np.asarray(value) if isinstance(value, (bool, int, np.generic)) else value
    if hasattr(found, "detach") or hasattr(found, "__array__"):
        found = numpy_of(found, "what the function gives")
        if found.size == 1 and (found.dtype == bool or (found.dtype.kind in "iu" and found.item() in (0, 1))):
            return bool(found.item())
    raise Error("E_TYPE", f"the function gives {value!r} for query {q} and key {k}; it must give True or False")
