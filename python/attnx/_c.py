"""The structs of core/c/attnx.h for ctypes, and the library, loaded."""
from __future__ import annotations

import ctypes
import os
import pathlib
import struct
from typing import Any

import numpy as np

from . import _places
from ._errors import Error
from ._values import layout

ABI = 2
CODES = ("OK", "E_N", "E_RANGE", "E_TYPE", "E_SHAPE", "E_NONFINITE", "E_UNKNOWN", "E_EXPR", "E_UNSUPPORTED",
         "E_IO", "E_MEMORY", "E_INTERNAL")  # fmt: skip
MOST_REACH_TOKENS = 16384

I32, I64, PTR = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p


class Struct(ctypes.Structure):
    """A C struct whose fields are named as in attnx.h."""


def struct_of(name: str, **fields: Any) -> Any:
    return type(name, (Struct,), {"_fields_": list(fields.items())})


Failure = struct_of("Failure", code=I32, message=ctypes.c_char * 1020)
Tensor = struct_of("Tensor", data=PTR, heads=I64, rows=I64, cols=I64, head_stride=I64, row_stride=I64)
Lengths = struct_of("Lengths", queries=I64, keys=I64, align=I32)
Rect = struct_of("Rect", row_begin=I64, row_end=I64, key_begin=I64, key_end=I64)
Range = struct_of("Range", begin=I64, end=I64, period=I64, width=I64)
# What every call of attention takes, packed into bytes: in a third of the time of objects of ctypes.
INPUT, ATTEND_OPTIONS, ATTEND_RESULT = (struct.Struct("@" + fields) for fields in
                                           (3 * "P5q", "Pi4xPP", "P5qP"))  # fmt: skip
Projection = struct_of("Projection", kind=ctypes.c_char_p, norms=ctypes.c_char_p, projections=I64, d=I64,
                      seed=ctypes.c_uint64)  # fmt: skip
FeatureOptions = struct_of("FeatureOptions", map=ctypes.c_char_p, stabilize=ctypes.c_char_p,
                          eps=ctypes.POINTER(ctypes.c_double), causal=I32, unnormalized=I32, threads=I32,
                          projections=I64, w=PTR)  # fmt: skip
FeatureResult = struct_of("FeatureResult", out=Tensor, denominators=PTR, flagged=ctypes.POINTER(I64))
Stack = struct_of("Stack", patterns=ctypes.POINTER(PTR), count=I64, layers=I64, no_residual=I32, threads=I32)


def loaded(path: str | os.PathLike[str] | None) -> tuple[ctypes.CDLL, pathlib.Path]:
    """The library and where it was found. FileNotFoundError lists the places where it is not."""
    if not isinstance(path, (str, os.PathLike, type(None))):
        raise Error("E_TYPE", f"path is of type {type(path).__name__}; it must be the name of a file")
    places = [pathlib.Path(path)] if path else _places.library_places(ABI)
    for place in places:
        by_name = place == pathlib.Path(place.name) and not path  # left to the system's loader
        if by_name or place.exists():
            try:
                return ctypes.CDLL(str(place)), place
            except OSError:
                if not by_name:
                    raise
    raise FileNotFoundError("libattnx.so is at none of these places: " + ", ".join(map(str, places))
                            + "; build the target attention_c, or set ATTNX_LIBRARY")  # fmt: skip


def tensor(x: np.ndarray, name: str) -> Any:
    """The C struct of an array, which must outlive it."""
    return Tensor(*layout(x, name))
