"""Arrays of NumPy, PyTorch, JAX and whatever else speaks DLPack, as NumPy's: without a copy where they lie in the
processor's memory in a type that NumPy has."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import Error, axes
from ._values import is_array, numbers_of, unmasked


def speaks(x: Any) -> bool:
    """Whether x is an array of any library."""
    return is_array(x) or hasattr(x, "__dlpack__")


def numpy_of(x: Any, name: str) -> np.ndarray:
    """x as an array of NumPy. Error E_TYPE for what is none."""
    if isinstance(x, np.ndarray):
        return unmasked(x, name)
    if hasattr(x, "detach"):  # a tensor of torch: outside the graph, on the processor, in a type that NumPy has
        x = x.detach().cpu()
        x = x.float() if str(x.dtype) == "torch.bfloat16" else x
    if hasattr(x, "__dlpack__"):
        try:
            return np.from_dlpack(x)
        except (AttributeError, BufferError, RuntimeError, TypeError, ValueError):
            pass  # an older NumPy, or a type that DLPack or NumPy lacks
    if not is_array(x):
        raise Error("E_TYPE", f"{name} is of type {type(x).__name__}; it must be an array")
    try:
        return np.asarray(x)
    except Exception as error:  # whatever another library raises, for a sparse tensor or one without numbers
        raise Error("E_TYPE", f"{name} cannot be read as an array of NumPy ({error})") from error


def floats_of(x: Any, name: str) -> np.ndarray:
    """x in float32 with rows without gaps, as the library reads it: x itself where it lies so."""
    x = numbers_of(numpy_of(x, name), name, bools=False)
    if x.ndim < 2:
        raise Error("E_SHAPE", f"{name} has {axes(x.ndim)}; it must be n x d, heads x n x d or batch x heads x n x d")
    x = x if x.dtype == np.float32 and x.flags.aligned else x.astype(np.float32)
    rising = all(step > 0 for step, size in zip(x.strides, x.shape) if size > 1)
    return x if rising and (x.shape[-1] < 2 or x.strides[-1] == 4) else np.ascontiguousarray(x)


def batch_as_heads(x: np.ndarray, name: str) -> np.ndarray:
    """Four axes as three: the items of a batch one after the other. A copy where the strides do not allow it."""
    if x.ndim > 4:
        raise Error("E_SHAPE", f"{name} has {axes(x.ndim)}; it must be n x d, heads x n x d or batch x heads x n x d")
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:]) if x.ndim == 4 else x
