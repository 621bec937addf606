"""Converts Python's values to what libattnx takes: arrays at addresses, numbers within their types,
names, and descriptions of patterns as JSON. What cannot be passed on raises Error."""
from __future__ import annotations

import ctypes
import json
import math
import os
import pathlib
from typing import Any, Callable, Iterable, Mapping

from ._errors import Error, axes, noted

try:
    import numpy as np
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("attnx needs NumPy; install it with: pip install numpy") from missing

MOST_TOKENS, MOST_THREADS = 2**30, 1024
MOST_SHOWN = 80  # characters of a value in an error
MOST_TEXT = 100_000  # characters of a description that stays inside a Scene, and cells that it lists
MOST_PIXELS = 32768  # along an axis
ALIGN = {"top-left": 0, "bottom-right": 1}


def several(values: Any) -> list[Any]:
    """The items of a list; a single number or name as a list of it, and none for None."""
    values = scalar(values)
    if values is None:
        return []
    return list(values) if isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping)) else [values]


def whole_name(path: Any, name: str) -> str:
    """A file by its whole name, as the program runs elsewhere."""
    try:
        return str(pathlib.Path(path).expanduser().resolve())
    except (OSError, RuntimeError, TypeError, ValueError) as error:  # no such user, a zero in it, names of bytes
        raise Error("E_IO", f"{name} is {shown(path)}, which is not a file name ({error})") from None


def alignment(align: Any) -> int:
    if not isinstance(align, str) or align not in ALIGN:
        raise Error("E_RANGE", f"align is {shown(align)}; it must be " + " or ".join(ALIGN))
    return ALIGN[align]


def array_of(x: Any, name: str, dtype: Any) -> np.ndarray:
    """x, which must be an array of this type at an address that C can read."""
    if not isinstance(x, np.ndarray) or x.dtype != dtype:
        kind = x.dtype if isinstance(x, np.ndarray) else type(x).__name__
        raise Error("E_TYPE", f"{name} is {kind}; it must be a NumPy array of {np.dtype(dtype)}")
    if not x.flags.aligned:
        raise Error("E_TYPE", f"{name} is not aligned to {x.itemsize} bytes; it must be an aligned array")
    return x


def heads_of(x: Any, name: str) -> np.ndarray:
    """x as heads x rows x columns without a copy."""
    x = array_of(x, name, np.float32)
    if x.ndim not in (2, 3):
        raise Error("E_SHAPE", f"{name} has {axes(x.ndim)}; it must be n x d or heads x n x d")
    return x if x.ndim == 3 else x[None]


def result_in(out: np.ndarray | None, shape: Any, dtype: Any) -> np.ndarray:
    """`out`, where it can be written to and has this shape; a new array for None."""
    if out is None:
        return made(np.empty, shape, dtype)
    if not array_of(out, "out", dtype).flags.writeable:
        raise Error("E_TYPE", "out is read-only; it must be an array that may be written to")
    if out.shape != shape:
        raise Error("E_SHAPE", f"out has shape {out.shape}; it must be {shape}")
    return out


def made(make: Callable[..., np.ndarray], shape: Any, dtype: Any) -> np.ndarray:
    """make(shape, dtype), np.empty or np.zeros; running out of memory is an Error like any other."""
    try:
        return make(shape, dtype)
    except (MemoryError, ValueError, OverflowError):
        raise Error("E_MEMORY", f"there is no memory for an array of shape {shape}") from None


def address(x: np.ndarray) -> int:
    return x.__array_interface__["data"][0]


def layout(x: Any, name: str) -> tuple[int, ...]:
    """The fields of that struct."""
    x = heads_of(x, name)
    (heads, rows, cols), (head, row, one) = x.shape, x.strides
    if x.size == 0:  # nowhere; C says what is valid there
        return address(x), heads, rows, cols, 0, 0
    head, row = head if heads > 1 else 0, row if rows > 1 else 0
    if (cols > 1 and one != 4) or head < 0 or row < 0 or (head == 0) != (heads == 1) or (row == 0) != (rows == 1) \
            or head % 4 or row % 4:
        raise Error("E_SHAPE", f"{name} has strides {x.strides}; it must have rows without gaps between their "
                               "numbers, in rising order (numpy.ascontiguousarray makes such a copy)")  # fmt: skip
    return address(x), heads, rows, cols, head // 4, row // 4


def scalar(value: Any) -> Any:
    """The number in an array without axes."""
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def integer(value: Any, name: str, low: int, high: int, code: str | None = None) -> int:
    """value as an int from low to high, which ctypes would cut off silently beyond its type. True is not 1."""
    value = scalar(value)
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if whole and low <= int(value) <= high:
        return int(value)
    raise Error(code or ("E_RANGE" if whole else "E_TYPE"),
                f"{name} is {shown(value)}; it must be an integer from {low} to {high}")  # fmt: skip


def shown(value: Any) -> str:
    """A value in an error's sentence."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"
    try:
        text = "NaN" if isinstance(value, float) and value != value else str(value)
    except Exception:  # of whatever object
        text = f"a {type(value).__name__}"
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + " …"


def flag(value: Any, name: str) -> int:
    """0 or 1 for a boolean, or for these numbers."""
    value = scalar(value)
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if not isinstance(value, (int, np.integer)) or value not in (0, 1):
        raise Error("E_RANGE" if isinstance(value, (int, np.integer)) else "E_TYPE",
                    f"{name} is {shown(value)}; it must be True or False")  # fmt: skip
    return int(value)


def length(n: Any, name: str) -> int:
    return integer(n, name, 1, MOST_TOKENS, "E_N")


def threads_of(threads: Any) -> int:
    return integer(threads, "threads", 0, MOST_THREADS)


def double(value: Any, name: str) -> Any:
    value = scalar(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise Error("E_TYPE", f"{name} is of type {type(value).__name__}; it must be a number")
    try:
        return ctypes.pointer(ctypes.c_double(float(value)))
    except OverflowError:
        raise Error("E_RANGE", f"{name} is beyond 1.8e308; it must be a number that a double holds") from None


def text_of(value: Any, name: str) -> bytes | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value.isascii() or "\0" in value:
        raise Error("E_TYPE", f"{name} is {shown(value)}; it must be a name of ASCII letters")
    return value.encode()


def json_of(value: Any, name: str = "the pattern") -> bytes:
    """The JSON of a description, with masks that it holds as lists of their cells."""
    return json_text(value, name, with_cells).encode()


def json_text(value: Any, name: str, changed: Callable[[Any], Any] = lambda value: value) -> str:
    """The JSON of changed(value)."""
    try:
        return json.dumps(changed(value), default=plain, allow_nan=False)
    except Error:  # of a mask in it
        raise
    except (TypeError, ValueError, RuntimeError) as error:  # RecursionError is one, and other libraries have theirs
        if "Out of range float" in str(error):
            raise Error("E_NONFINITE", f"a number of {name} is NaN or infinite; it must be a finite number") from None
        raise Error("E_TYPE", f"{name} cannot be written as JSON ({error}); it must hold only names, numbers and lists") from None


def is_array(value: Any) -> bool:
    return hasattr(value, "__array__") and not isinstance(value, np.generic)


def plain(value: Any) -> Any:
    """What json does not know: NumPy's scalars and arrays, and what NumPy can make arrays of."""
    if isinstance(value, np.generic) or is_array(value):
        return np.asarray(value).tolist()
    raise TypeError(f"it holds a {type(value).__name__}")


def with_cells(value: Any) -> Any:
    """The same description with every mask that is an array or a sparse matrix as the list of its cells."""
    if isinstance(value, dict):
        return {k: mask_of(x) if k == "mask" else with_cells(x) for k, x in value.items()}
    return [with_cells(one) for one in value] if isinstance(value, (list, tuple)) else value


def mask_of(mask: Any) -> Any:
    """A mask as its description gives it: lists stay unchanged."""
    if isinstance(mask, (str, bytes, os.PathLike)):
        name = os.fsdecode(mask)
        how = f", such as numpy.load({name!r})" if name.endswith(".npy") else ""
        raise Error("E_TYPE", f"mask is {name!r}, a file's name; it must be an array" + how)
    if hasattr(mask, "tocoo"):
        return sparse_cells(mask.tocoo())
    return cells_of(attending(mask)) if is_array(mask) else with_cells(mask)


EMPTY = "note: in the mask no query sees a key"


def sparse_cells(mask: Any) -> dict[str, Any]:
    """A SciPy sparse matrix or array of 0 and 1 in its form of coordinates; what it does not store is 0, and
    what it stores several times their sum, or of bool True."""
    if len(mask.shape) != 2 or not all(mask.shape):
        raise Error("E_SHAPE", f"mask has shape {mask.shape}; it must be queries x keys")
    data = numbers_of(np.asarray(mask.data))
    cells, places = np.unique(np.asarray(mask.row, np.int64) * mask.shape[1] + mask.col, return_inverse=True)
    sums = np.bincount(places.ravel(), data.astype(float), len(cells))
    sums = (sums > 0).astype(float) if data.dtype == bool else sums.astype(float)
    if not np.all((sums == 0) | (sums == 1)):
        raise Error("E_TYPE", "mask must hold only 0 and 1")
    pairs = np.stack(np.divmod(cells[sums == 1], mask.shape[1]), axis=1)
    if not len(pairs):
        noted(EMPTY)
    return {"shape": [int(n) for n in mask.shape], "pairs": pairs.tolist()}


def numbers_of(x: np.ndarray, name: str = "mask", bools: bool = True) -> np.ndarray:
    """The array; bfloat16 (of ml_dtypes, or the two bytes as which NumPy saves it) and smaller types as float32."""
    if x.dtype.name == "bfloat16" or (x.dtype.str[1:] == "V2" and x.dtype.names is None):
        return (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    if x.dtype.isbuiltin == 2:  # another one of ml_dtypes
        return x.astype(np.float32)
    if x.dtype.kind not in ("biuf" if bools else "iuf"):
        raise Error("E_TYPE", f"{name} has dtype {x.dtype}; it must hold {'bool or ' if bools else ''}real numbers")
    return x


def cells_of(attends: np.ndarray) -> dict[str, Any]:
    """A mask of booleans as the list of its cells."""
    return {"shape": list(attends.shape), "pairs": np.argwhere(attends).tolist()}


def large_mask(description: Any) -> np.ndarray | None:
    """The booleans of a description that is nothing but a mask's array, where that is too large to be listed cell by
    cell."""
    if not isinstance(description, Mapping) or set(description) != {"mechanism", "params"} \
            or not isinstance(description["mechanism"], str) or description["mechanism"] != "given" \
            or not isinstance(description["params"], Mapping) or set(description["params"]) != {"mask"}:  # fmt: skip
        return None
    mask = description["params"]["mask"]
    large = is_array(mask) and not hasattr(mask, "tocoo") and math.prod(np.shape(mask)) > MOST_TEXT
    return np.ascontiguousarray(attending(mask)) if large else None


def unmasked(x: Any, name: str) -> Any:
    """x, unless it is an array of NumPy that hides some of its entries."""
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise Error("E_TYPE", f"{name} is a masked array with hidden entries; it must be an array without hidden entries, such as "
                              f"{name}.filled(0)")  # fmt: skip
    return x


def attending(mask: Any) -> np.ndarray:
    """Booleans of an array of 0 and 1 of any dtype (1 attends), or of an additive one of 0 (attends) and of numbers of
    at most -10^4 or the dtype's minimum, as the specification has it (S4.19)."""
    mask = np.asarray(unmasked(mask, "mask"))
    while mask.ndim > 2 and mask.shape[0] == 1:
        mask = mask[0]
    if mask.ndim != 2 or not mask.size:
        several = mask.ndim > 2 and mask.size
        raise Error("E_SHAPE", f"mask has shape {mask.shape}; it must be queries x keys"
                               + (", so take one of them, such as mask[0]" if several else ""))  # fmt: skip
    attends = mask if mask.dtype == bool else attending_numbers(numbers_of(mask))
    if not attends.any():
        zeros = mask.dtype != bool and not mask.any()
        noted(EMPTY + ("; an array of zeros is read as cells of 0 and 1, not as an additive mask" if zeros else ""))
    return attends


def attending_numbers(mask: np.ndarray) -> np.ndarray:
    """The booleans of numbers. The first that is not 0 says whether they are additive."""
    zero, one = mask == 0, mask == 1
    least = mask == -128 if mask.dtype == np.int8 else (mask <= -1e4) | (mask == -9984)  # −10⁴ in bfloat16
    additive = least.flat[np.argmin(zero)]
    fits = zero | (least if additive else one)
    if not fits.all():
        i, j = np.unravel_index(np.argmin(fits), fits.shape)
        found = "NaN" if mask[i, j] != mask[i, j] else str(float(mask[i, j])).removesuffix(".0")
        raise Error("E_TYPE", f"mask holds {found} at ({i}, {j}); a mask must hold only 0 and 1, or only 0 and numbers of "
                              "at most -10000 (as -inf)")  # fmt: skip
    return zero if additive else one


def keys_and_parameters(k: Any, keys: Any, parameters: Mapping[str, Any] | None,
                        named: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:  # fmt: skip
    """The key array, and all parameters of the mechanism: k is either of them. A single number is the
    parameter, in an array as well, unless that has rows and columns."""
    if not isinstance(parameters, (Mapping, type(None))):
        raise Error("E_TYPE", f"parameters is of type {type(parameters).__name__}; it must be a dict")
    both = [name for name in named if name in (parameters or {})]
    named = {**(parameters or {}), **named}
    if is_array(k) and np.ndim(k) == 1 and np.size(k) == 1:
        k = np.asarray(k)[0]
    if k is not None and is_array(k) and np.ndim(k) > 0:
        both += [] if keys is None else ["keys"]
        keys = k
    elif k is not None:
        both += ["k"] if "k" in named else []
        named["k"] = k
    if both:
        raise Error("E_TYPE", f"{', '.join(both)} is given twice; it must be given once")
    return keys, named


def span_of(span: tuple[int, int] | None, name: str, end: int) -> tuple[int, int]:
    """(begin, end) of rows or keys, all of them for None."""
    try:
        first, last = (0, end) if span is None else span
    except (TypeError, ValueError):
        raise Error("E_TYPE", f"{name} is {shown(span)}; it must be (begin, end)") from None
    last = integer(last, f"the end of {name}", 0, end)
    return integer(first, f"the begin of {name}", 0, last), last
