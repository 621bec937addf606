"""Attention Explorer from Python: libattnx through ctypes, arrays through NumPy.

    import attnx, numpy as np
    library = attnx.Library()                       # or Library("build/libattnx.so")
    pattern = library.pattern("strided", 4096, stride=128)
    pattern.pairs()                                 # exact
    pattern.mask(rows=(0, 64))                      # one byte a cell
    q = np.random.default_rng(0).standard_normal((8, 4096, 64), dtype=np.float32)
    out, lse = library.attend(pattern, q, q, q, threads=2)

Shapes: q is n_q x d or heads x n_q x d, k and v likewise with as many heads or a divisor of them.
Arrays are float32 and are read where they lie: any strides but those of the last axis, which has no
gaps. What cannot be done raises attnx.Error with the code and one sentence; core/c/attnx.h, the same in
C, says more of every function."""
import ctypes
import json
import os
import pathlib

import numpy as np

ABI = 1
CODES = ("OK", "E_N", "E_RANGE", "E_TYPE", "E_SHAPE", "E_NONFINITE", "E_UNKNOWN", "E_EXPR", "E_UNSUPPORTED",
         "E_IO", "E_MEMORY", "E_INTERNAL")  # fmt: skip
ALIGN = {"top-left": 0, "bottom-right": 1}

I32, I64, PTR = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p


class Error(ValueError):
    """What the library refused: `code` as the specification spells it ("E_RANGE"), and a sentence."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code = code


class _Struct(ctypes.Structure):
    """A C struct whose fields are named as in attnx.h."""


def _struct(name, **fields):
    return type(name, (_Struct,), {"_fields_": list(fields.items())})


_Failure = _struct("Failure", code=I32, message=ctypes.c_char * 1020)
_Tensor = _struct("Tensor", data=PTR, heads=I64, rows=I64, cols=I64, head_stride=I64, row_stride=I64)
_Input = _struct("Input", q=_Tensor, k=_Tensor, v=_Tensor)
_Lengths = _struct("Lengths", queries=I64, keys=I64, align=I32)
_Rect = _struct("Rect", row_begin=I64, row_end=I64, key_begin=I64, key_end=I64)
_Range = _struct("Range", begin=I64, end=I64, period=I64, width=I64)
_AttendOptions = _struct("AttendOptions", scale=ctypes.POINTER(ctypes.c_double), threads=I32)
_AttendResult = _struct("AttendResult", out=_Tensor, lse=PTR)
_Projection = _struct("Projection", kind=ctypes.c_char_p, norms=ctypes.c_char_p, projections=I64, d=I64,
                      seed=ctypes.c_uint64)  # fmt: skip
_FeatureOptions = _struct("FeatureOptions", map=ctypes.c_char_p, stabilize=ctypes.c_char_p,
                          eps=ctypes.POINTER(ctypes.c_double), causal=I32, unnormalized=I32, threads=I32,
                          projections=I64, w=PTR)  # fmt: skip
_FeatureResult = _struct("FeatureResult", out=_Tensor, denominators=PTR, flagged=ctypes.POINTER(I64))
_Stack = _struct("Stack", patterns=ctypes.POINTER(PTR), count=I64, layers=I64, no_residual=I32, threads=I32)


def _found():
    """Where the library may lie: $ATTNX_LIBRARY, the build folder of this file's repository, where both
    were installed."""
    here = pathlib.Path(__file__).resolve().parent
    named = os.environ.get("ATTNX_LIBRARY")
    if named:
        return [pathlib.Path(named)]
    prefix = here.parents[2] if len(here.parents) > 2 else here
    installed = sorted(prefix.glob("lib*/libattnx.so")) + sorted(prefix.glob("lib*/*/libattnx.so"))
    return [here / "libattnx.so", here.parent / "build" / "libattnx.so", *installed]


def _heads_of(x, name):
    """x as heads x rows x columns without a copy."""
    if not isinstance(x, np.ndarray) or x.dtype != np.float32:
        kind = x.dtype if isinstance(x, np.ndarray) else type(x).__name__
        raise Error("E_TYPE", f"{name} is {kind}; allowed is a NumPy array of float32")
    if x.ndim not in (2, 3):
        raise Error("E_SHAPE", f"{name} has {x.ndim} axes; allowed are n x d and heads x n x d")
    return x if x.ndim == 3 else x[None]


def _tensor(x, name):
    """The C struct of an array, which has to outlive it."""
    x = _heads_of(x, name)
    (heads, rows, cols), (head, row, one) = x.shape, x.strides
    head, row = head if heads > 1 else 0, row if rows > 1 else 0
    if (cols > 1 and one != 4) or head < 0 or row < 0 or (head == 0) != (heads == 1) or (row == 0) != (rows == 1) \
            or head % 4 or row % 4:
        raise Error("E_SHAPE", f"{name} has strides {x.strides}; allowed are rows without gaps between their "
                               "numbers, in rising order (numpy.ascontiguousarray makes such a copy)")  # fmt: skip
    return _Tensor(x.__array_interface__["data"][0], heads, rows, cols, head // 4, row // 4)


def _length(n, name):
    if not isinstance(n, (int, np.integer)) or abs(int(n)) > 2**30:
        raise Error("E_N", f"{name} is {n}; allowed is an integer from 1 to 2^30")
    return int(n)


def _double(value):
    return None if value is None else ctypes.pointer(ctypes.c_double(value))


def _text(value):
    return None if value is None else value.encode()


class Library:
    """libattnx, loaded once; methods may be called from any thread."""

    def __init__(self, path=None):
        paths = [pathlib.Path(path)] if path else _found()
        there = [p for p in paths if p.exists()]
        if not there:
            raise FileNotFoundError("libattnx.so is at none of these places: " + ", ".join(map(str, paths))
                                    + "; build the target attention_c, or set ATTNX_LIBRARY")  # fmt: skip
        self.path = there[0]
        self._c = ctypes.CDLL(str(self.path))
        self._c.attnx_version.restype = self._c.attnx_vectors.restype = ctypes.c_char_p
        self._c.attnx_pattern_close.argtypes = [PTR]
        self._c.attnx_pattern_close.restype = None
        if self._c.attnx_abi() != ABI:
            raise ImportError(f"{self.path} speaks version {self._c.attnx_abi()} of the interface, and attnx.py {ABI}")

    def _call(self, function, *arguments):
        failure = _Failure()
        code = getattr(self._c, function)(*arguments, ctypes.byref(failure))
        if code:
            raise Error(CODES[code], failure.message.decode())

    def version(self):
        return self._c.attnx_version().decode()

    def vectors(self):
        """The vectors that the processor at hand has: "AVX2", "AVX3", "NEON" ..."""
        return self._c.attnx_vectors().decode()

    def pattern(self, mechanism, n, n_keys=None, *, align="top-left", q=None, k=None, threads=0, **parameters):
        """A Pattern over n tokens, or n queries and n_keys keys. `mechanism` is a name with its parameters,
        or the dict of a whole description. q and k (n x d) are for patterns that choose keys by the data."""
        if isinstance(mechanism, str):
            mechanism = {"mechanism": mechanism, "params": parameters}
        elif parameters:
            raise Error("E_TYPE", f"{', '.join(parameters)} stand beside a whole description; allowed are "
                                  "parameters within it")  # fmt: skip
        if align not in ALIGN:
            raise Error("E_RANGE", f"align is {align}; allowed is " + " or ".join(ALIGN))
        if q is None and k is not None:
            raise Error("E_TYPE", "k is given and q is not; allowed are both, or q alone")
        text = json.dumps(mechanism).encode()
        lengths = _Lengths(_length(n, "n"), _length(n if n_keys is None else n_keys, "n_keys"), ALIGN[align])
        data = [None if x is None else ctypes.byref(_tensor(x, name)) for x, name in ((q, "q"), (k, "k"))]
        handle = PTR()
        self._call("attnx_pattern_open", text, ctypes.byref(lengths), *data, I32(threads), ctypes.byref(handle))
        return Pattern(self, handle, lengths)

    def attend(self, pattern, q, k, v, *, scale=None, threads=0, out=None):
        """(out, lse) of exact attention over a Pattern, or over a list of them, one a head. `out` may be
        given to write to, shaped as q with v's columns."""
        out, lse = self._results(q, v, out)
        handles = _handles([pattern] if isinstance(pattern, Pattern) else pattern)
        result = _AttendResult(_tensor(out, "out"), lse.ctypes.data)
        self._call("attnx_attend", handles, I64(len(handles)), _inputs(q, k, v),
                   ctypes.byref(_AttendOptions(_double(scale), threads)), ctypes.byref(result))  # fmt: skip
        return out, lse

    def draw_projection(self, projections, d, *, kind="orthogonal", norms="chi", seed=0):
        """w: projections x d in float64, for feature_attend."""
        if projections < 1 or d < 1:
            raise Error("E_RANGE", f"projections x d is {projections} x {d}; allowed are integers from 1 on")
        w = np.empty((projections, d))
        asked = _Projection(_text(kind), _text(norms), projections, d, seed)
        self._call("attnx_draw_projection", ctypes.byref(asked), PTR(w.ctypes.data), I64(w.size))
        return w

    def feature_attend(self, q, k, v, w=None, *, map="positive", stabilize="off", eps=None, causal=False,
                       normalized=True, threads=0, out=None):  # fmt: skip
        """(out, denominators, flagged): attention by random features, the sums that it divides by, and how
        many rows have one that is not positive, or numbers that overflowed. w: projections x d."""
        out, denominators = self._results(q, v, out)
        w = np.zeros((0, q.shape[-1])) if w is None else np.ascontiguousarray(w, np.float64)
        if w.ndim != 2 or w.shape[1] != q.shape[-1]:
            raise Error("E_SHAPE", f"w has shape {w.shape}; allowed is projections x {q.shape[-1]}")
        options = _FeatureOptions(_text(map), _text(stabilize), _double(eps), int(causal), int(not normalized),
                                  threads, w.shape[0], w.ctypes.data)  # fmt: skip
        flagged = I64()
        result = _FeatureResult(_tensor(out, "out"), denominators.ctypes.data, ctypes.pointer(flagged))
        self._call("attnx_feature_attend", _inputs(q, k, v), ctypes.byref(options), ctypes.byref(result))
        return out, denominators, flagged.value

    def reach(self, patterns, layers, *, residual=True, threads=0, bits=True):
        """(bits, pairs): which inputs influence which outputs, as n rows of packed words of 64 keys
        (unpack turns them into booleans), and the pairs after each layer."""
        patterns = [patterns] if isinstance(patterns, Pattern) else list(patterns)
        handles = _handles(patterns)
        if layers < 0:
            raise Error("E_RANGE", f"layers is {layers}; allowed is an integer from 0 on")
        n = patterns[0].shape[1]
        reached = np.zeros((n, -(-n // 64)), np.uint64) if bits else None
        pairs = np.zeros(layers, np.int64)
        stack = _Stack(handles, len(handles), layers, int(not residual), threads)
        self._call("attnx_reach", ctypes.byref(stack), PTR(reached.ctypes.data if bits else None),
                   PTR(pairs.ctypes.data))  # fmt: skip
        return reached, pairs

    def peak(self, rounds=4_000_000, threads=1):
        """Operations a second of multiply-adds on registers; the rounds take about 20 ms."""
        flops = ctypes.c_double()
        self._call("attnx_peak", I64(rounds), I32(threads), ctypes.byref(flops))
        return flops.value

    @staticmethod
    def _results(q, v, out):
        shape = q.shape[:-1] + v.shape[-1:] if isinstance(q, np.ndarray) and isinstance(v, np.ndarray) else ()
        _heads_of(q, "q"), _heads_of(v, "v")
        if out is None:
            out = np.empty(shape, np.float32)
        if isinstance(out, np.ndarray) and out.shape != shape:
            raise Error("E_SHAPE", f"out has shape {out.shape}; allowed is {shape}")
        return out, np.empty(shape[:-1], np.float32)


def _inputs(q, k, v):
    return ctypes.byref(_Input(_tensor(q, "q"), _tensor(k, "k"), _tensor(v, "v")))


def _handles(patterns):
    for pattern in patterns:
        if not isinstance(pattern, Pattern):
            raise Error("E_TYPE", f"a {type(pattern).__name__} stands for a pattern; allowed is what "
                                  "Library.pattern gives")  # fmt: skip
        pattern.opened()
    if not patterns:
        raise Error("E_TYPE", "there is no pattern; allowed is at least one")
    return (PTR * len(patterns))(*[pattern.opened() for pattern in patterns])


def unpack(bits, n):
    """Rows of packed words as a matrix of booleans with n columns."""
    return np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :n].astype(bool)


class Pattern:
    """A pattern ready for its lengths; `shape` is (queries, keys). Made by Library.pattern, closed by
    close(), the end of a with block, or when nobody has it any more."""

    def __init__(self, library, handle, lengths):
        self._library, self._handle = library, handle
        self.shape = (lengths.queries, lengths.keys)

    def opened(self):
        if not self._handle:
            raise Error("E_TYPE", "the pattern is closed")
        return self._handle.value

    def close(self):
        handle, self._handle = self._handle, None
        if handle:
            self._library._c.attnx_pattern_close(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    def pairs(self, rows=None, keys=None, threads=0):
        """The exact number of attended pairs, of all or of rows (begin, end) and keys (begin, end)."""
        pairs = I64()
        self._library._call("attnx_pattern_count", PTR(self.opened()), ctypes.byref(self._rect(rows, keys)),
                            I32(threads), ctypes.byref(pairs))  # fmt: skip
        return pairs.value

    def row(self, query):
        """The keys of a query as an array of (begin, end, period, width)."""
        capacity = 64
        while True:
            ranges, count = np.empty((capacity, 4), np.int64), I64()
            self._library._call("attnx_pattern_row", PTR(self.opened()), I64(query), PTR(ranges.ctypes.data),
                                I64(capacity), ctypes.byref(count))  # fmt: skip
            if count.value <= capacity:
                return ranges[: count.value]
            capacity = count.value

    def mask(self, rows=None, keys=None):
        """Booleans, queries x keys."""
        rect = self._rect(rows, keys)
        size = max(0, rect.row_end - rect.row_begin), max(0, rect.key_end - rect.key_begin)
        mask = np.empty(size, np.uint8)
        self._library._call("attnx_pattern_mask", PTR(self.opened()), ctypes.byref(rect), PTR(mask.ctypes.data),
                            I64(mask.size))  # fmt: skip
        return mask.view(bool)

    def coverage(self, height, width, *, rows=None, keys=None, threads=0, out=None):
        """(counts, exact): attended pairs of each of height x width pixels at any length. `out` may be an
        array of int64 to write to."""
        counts = np.empty((height, width), np.int64) if out is None else out
        if counts.dtype != np.int64 or counts.shape != (height, width) or not counts.flags.c_contiguous:
            raise Error("E_SHAPE", f"out is {counts.dtype} {counts.shape}; allowed is int64 {(height, width)}")
        exact = I32()
        self._library._call("attnx_pattern_coverage", PTR(self.opened()), ctypes.byref(self._rect(rows, keys)),
                            I64(height), I64(width), I32(threads), PTR(counts.ctypes.data), ctypes.byref(exact))  # fmt: skip
        return counts, bool(exact.value)

    def _rect(self, rows, keys):
        return _Rect(*(rows or (0, self.shape[0])), *(keys or (0, self.shape[1])))
