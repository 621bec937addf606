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
import struct
import threading

import numpy as np

ABI = 2
CODES = ("OK", "E_N", "E_RANGE", "E_TYPE", "E_SHAPE", "E_NONFINITE", "E_UNKNOWN", "E_EXPR", "E_UNSUPPORTED",
         "E_IO", "E_MEMORY", "E_INTERNAL")  # fmt: skip
ALIGN = {"top-left": 0, "bottom-right": 1}
MOST_TOKENS, MOST_PIXELS, MOST_REACH_TOKENS, MOST_THREADS = 2**30, 32768, 16384, 1024

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
_Lengths = _struct("Lengths", queries=I64, keys=I64, align=I32)
_Rect = _struct("Rect", row_begin=I64, row_end=I64, key_begin=I64, key_end=I64)
_Range = _struct("Range", begin=I64, end=I64, period=I64, width=I64)
# What every call of attention takes, packed into bytes: in a third of the time of objects of ctypes.
_INPUT, _ATTEND_OPTIONS, _ATTEND_RESULT = (struct.Struct("@" + fields) for fields in
                                           (3 * "P5q", "Pi4xP", "P5qP"))  # fmt: skip
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


def _array_of(x, name, dtype):
    """x, which has to be an array of this type at an address that C can read."""
    if not isinstance(x, np.ndarray) or x.dtype != dtype:
        kind = x.dtype if isinstance(x, np.ndarray) else type(x).__name__
        raise Error("E_TYPE", f"{name} is {kind}; it must be a NumPy array of {np.dtype(dtype)}")
    if not x.flags.aligned:
        raise Error("E_TYPE", f"{name} is not aligned to {x.itemsize} bytes; it must be an aligned array")
    return x


def _heads_of(x, name):
    """x as heads x rows x columns without a copy."""
    x = _array_of(x, name, np.float32)
    if x.ndim not in (2, 3):
        raise Error("E_SHAPE", f"{name} has {x.ndim} axes; it must be n x d or heads x n x d")
    return x if x.ndim == 3 else x[None]


def _result(out, shape, dtype):
    """`out`, where it can be written to and has this shape; a new array for None."""
    if out is None:
        return _made(np.empty, shape, dtype)
    if not _array_of(out, "out", dtype).flags.writeable:
        raise Error("E_TYPE", "out is read-only; it must be an array that may be written to")
    if out.shape != shape:
        raise Error("E_SHAPE", f"out has shape {out.shape}; it must be {shape}")
    return out


def _made(make, shape, dtype):
    """make(shape, dtype), np.empty or np.zeros; no room for it is an Error as any other."""
    try:
        return make(shape, dtype)
    except (MemoryError, ValueError, OverflowError):
        raise Error("E_MEMORY", f"there is no memory for an array of shape {shape}") from None


def _address(x):
    return x.__array_interface__["data"][0]


def _tensor(x, name):
    """The C struct of an array, which has to outlive it."""
    return _Tensor(*_layout(x, name))


def _layout(x, name):
    """The fields of that struct."""
    x = _heads_of(x, name)
    (heads, rows, cols), (head, row, one) = x.shape, x.strides
    if x.size == 0:  # nowhere; C says what is valid there
        return _address(x), heads, rows, cols, 0, 0
    head, row = head if heads > 1 else 0, row if rows > 1 else 0
    if (cols > 1 and one != 4) or head < 0 or row < 0 or (head == 0) != (heads == 1) or (row == 0) != (rows == 1) \
            or head % 4 or row % 4:
        raise Error("E_SHAPE", f"{name} has strides {x.strides}; it must have rows without gaps between their "
                               "numbers, in rising order (numpy.ascontiguousarray makes such a copy)")  # fmt: skip
    return _address(x), heads, rows, cols, head // 4, row // 4


def _scalar(value):
    """The number in an array without axes."""
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def _integer(value, name, low, high, code=None):
    """value as an int from low to high, which ctypes would cut off silently beyond its type."""
    value = _scalar(value)
    whole = isinstance(value, (int, np.integer, np.bool_))
    if whole and low <= int(value) <= high:
        return int(value)
    found = f"a number of {int(value).bit_length()} bits" if whole and int(value).bit_length() > 128 else value
    raise Error(code or ("E_RANGE" if whole else "E_TYPE"),
                f"{name} is {found}; it must be an integer from {low} to {high}")  # fmt: skip


def _length(n, name):
    return _integer(n, name, 1, MOST_TOKENS, "E_N")


def _threads(threads):
    return _integer(threads, "threads", 0, MOST_THREADS)


def _double(value, name):
    value = _scalar(value)
    if value is None:
        return None
    if not isinstance(value, (int, float, np.integer, np.floating)):
        raise Error("E_TYPE", f"{name} is of type {type(value).__name__}; it must be a number")
    try:
        return ctypes.pointer(ctypes.c_double(float(value)))
    except OverflowError:
        raise Error("E_RANGE", f"{name} is beyond 1.8e308; it must be a number that a double holds") from None


def _text(value, name):
    if value is None:
        return None
    if not isinstance(value, str) or not value.isascii() or "\0" in value:
        raise Error("E_TYPE", f"{name} is {value!r}; it must be a name of ASCII letters")
    return value.encode()


def _json(value):
    try:
        return json.dumps(_with_cells(value), default=_plain, allow_nan=False).encode()
    except Error:  # of a mask in it
        raise
    except (TypeError, ValueError, RecursionError) as error:
        if "Out of range float" in str(error):
            raise Error("E_NONFINITE", "a parameter is NaN or infinite; it must be a finite number") from None
        raise Error("E_TYPE", f"the pattern cannot be written as JSON ({error}); it must hold only names, numbers and lists") from None


def _is_array(value):
    return hasattr(value, "__array__") and not isinstance(value, np.generic)


def _plain(value):
    """What json does not know: NumPy's scalars and arrays, and what NumPy can make arrays of."""
    if isinstance(value, np.generic) or _is_array(value):
        return np.asarray(value).tolist()
    raise TypeError(f"it holds a {type(value).__name__}")


def _with_cells(value):
    """The same description with every mask that is an array as the list of its cells."""
    if isinstance(value, dict):
        return {k: _cells_of(x) if k == "mask" and _is_array(x) else _with_cells(x) for k, x in value.items()}
    return [_with_cells(one) for one in value] if isinstance(value, (list, tuple)) else value


def _cells_of(mask):
    """An array of 0 and 1 of any dtype (1 attends), or an additive one of 0 (attends) and of numbers of at
    most -10^4, as the specification has it (S4.19)."""
    mask = np.asarray(mask)
    while mask.ndim > 2 and mask.shape[0] == 1:
        mask = mask[0]
    if mask.ndim != 2 or not mask.size:
        raise Error("E_SHAPE", f"mask has shape {mask.shape}; it must be queries x keys")
    if mask.dtype.kind not in "biuf":
        raise Error("E_TYPE", f"mask has dtype {mask.dtype}; it must be bool or numbers")
    zero, one = mask == 0, mask == 1
    binary = bool(np.all(zero | one))
    if not binary and not np.all(zero | (mask <= -1e4)):
        raise Error("E_TYPE", "mask must hold only 0 and 1, or only 0 and numbers of at most -10000 (as -inf)")
    attends = one if binary else zero
    return {"shape": list(mask.shape), "pairs": np.argwhere(attends).tolist()}


def _keys_and_parameters(k, keys, parameters, named):
    """The key array, and all parameters of the mechanism: k is either of them."""
    both = [name for name in named if name in (parameters or {})]
    named = {**(parameters or {}), **named}
    if k is not None and _is_array(k) and np.ndim(k) > 0:
        both += [] if keys is None else ["keys"]
        keys = k
    elif k is not None:
        both += ["k"] if "k" in named else []
        named["k"] = k
    if both:
        raise Error("E_TYPE", f"{', '.join(both)} is given twice; it must be given once")
    return keys, named


def _span(span, name, end):
    """(begin, end) of rows or keys, all of them for None."""
    try:
        first, last = (0, end) if span is None else span
    except (TypeError, ValueError):
        raise Error("E_TYPE", f"{name} is {span!r}; it must be (begin, end)") from None
    last = _integer(last, f"the end of {name}", 0, end)
    return _integer(first, f"the begin of {name}", 0, last), last


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

    def pattern(self, mechanism, n, n_keys=None, *, align="top-left", q=None, k=None, keys=None, threads=0,
                parameters=None, **named):  # fmt: skip
        """A Pattern over n tokens, or n queries and n_keys keys. `mechanism` is a name with its parameters (or
        a dict of them, `parameters`), or the dict of a whole description; values may be NumPy's scalars and
        arrays, a `mask` an array of 0 and 1 or an additive one. q and k (n x d) are for patterns that choose
        keys by the data; a number k is the mechanism's parameter, and then `keys` is the key array."""
        k, named = _keys_and_parameters(k, keys, parameters, named)
        if isinstance(mechanism, str):
            mechanism = {"mechanism": mechanism, "params": named}
        elif named:
            raise Error("E_TYPE", f"{', '.join(named)} stand beside a whole description; parameters must stand "
                                  "within it")  # fmt: skip
        if not isinstance(align, str) or align not in ALIGN:
            raise Error("E_RANGE", f"align is {align}; it must be " + " or ".join(ALIGN))
        if q is None and k is not None:
            raise Error("E_TYPE", "k is given and q is not; give both, or only q")
        text = _json(mechanism)
        lengths = _Lengths(_length(n, "n"), _length(n if n_keys is None else n_keys, "n_keys"), ALIGN[align])
        data = [None if x is None else ctypes.byref(_tensor(x, name)) for x, name in ((q, "q"), (k, "k"))]
        handle, threads = PTR(), I32(_threads(threads))
        self._call("attnx_pattern_open", text, ctypes.byref(lengths), *data, threads, ctypes.byref(handle))
        return Pattern(self, handle, lengths)

    def attend(self, pattern, q, k, v, *, scale=None, softcap=None, threads=0, out=None):
        """(out, lse) of exact attention over a Pattern, or over a list of them, one per head; with a
        softcap c, scores become c tanh(score / c). `out` may be given to write to, shaped as q with v's
        columns, in memory of its own."""
        inputs = _inputs(q, k, v)
        out, lse = self._results(q, v, out)
        result = _ATTEND_RESULT.pack(*_layout(out, "out"), _address(lse))
        scale = _double(scale, "scale")
        softcap = _double(softcap, "softcap")
        options = _ATTEND_OPTIONS.pack(ctypes.addressof(scale.contents) if scale else 0, _threads(threads),
                                       ctypes.addressof(softcap.contents) if softcap else 0)  # fmt: skip
        with _Held(pattern) as handles:
            self._call("attnx_attend", handles, I64(len(handles)), inputs, options, result)
        return out, lse

    def draw_projection(self, projections, d, *, kind="orthogonal", norms="chi", seed=0):
        """w: projections x d in float64, for feature_attend."""
        d = _integer(d, "d", 1, MOST_TOKENS)
        projections = _integer(projections, "projections", 1, MOST_TOKENS // d)
        asked = _Projection(_text(kind, "kind"), _text(norms, "norms"), projections, d,
                            _integer(seed, "seed", 0, 2**64 - 1))  # fmt: skip
        w = _made(np.empty, (projections, d), np.float64)
        self._call("attnx_draw_projection", ctypes.byref(asked), PTR(w.ctypes.data), I64(w.size))
        return w

    def feature_attend(self, q, k, v, w=None, *, map="positive", stabilize="off", eps=None, causal=False,
                       normalized=True, threads=0, out=None):  # fmt: skip
        """(out, denominators, flagged): attention by random features, the sums that it divides by, and how
        many rows have one that is not positive, or numbers that overflowed. w: projections x d."""
        inputs = _inputs(q, k, v)
        out, denominators = self._results(q, v, out)
        try:
            w = np.zeros((0, q.shape[-1])) if w is None else np.ascontiguousarray(w, np.float64)
        except (TypeError, ValueError):
            raise Error("E_TYPE", f"w is of type {type(w).__name__}; it must be an array of numbers") from None
        if w.ndim != 2 or w.shape[1] != q.shape[-1]:
            raise Error("E_SHAPE", f"w has shape {w.shape}; it must be projections x {q.shape[-1]}")
        options = _FeatureOptions(_text(map, "map"), _text(stabilize, "stabilize"), _double(eps, "eps"),
                                  _integer(causal, "causal", 0, 1), 1 - _integer(normalized, "normalized", 0, 1),
                                  _threads(threads), w.shape[0], w.ctypes.data)  # fmt: skip
        flagged = I64()
        result = _FeatureResult(_tensor(out, "out"), denominators.ctypes.data, ctypes.pointer(flagged))
        self._call("attnx_feature_attend", inputs, ctypes.byref(options), ctypes.byref(result))
        return out, denominators, flagged.value

    def reach(self, patterns, layers, *, residual=True, threads=0, bits=True):
        """(bits, pairs): which inputs influence which outputs, as n rows of packed words of 64 keys
        (unpack turns them into booleans), and the pairs after each layer."""
        patterns = _patterns(patterns)
        n = _integer(patterns[0].shape[1], "n", 1, MOST_REACH_TOKENS)
        layers = _integer(layers, "layers", 0, 2**63 - 1)
        residual = _integer(residual, "residual", 0, 1)
        pairs = _made(np.zeros, layers, np.int64)
        reached = _made(np.zeros, (n, -(-n // 64)), np.uint64) if bits else None
        with _Held(patterns) as handles:
            stack = _Stack(handles, len(handles), layers, 1 - residual, _threads(threads))
            self._call("attnx_reach", ctypes.byref(stack), PTR(reached.ctypes.data if bits else None),
                       PTR(pairs.ctypes.data))  # fmt: skip
        return reached, pairs

    def peak(self, rounds=4_000_000, threads=1):
        """Operations a second of multiply-adds on registers; the rounds take about 20 ms."""
        flops = ctypes.c_double()
        rounds = _integer(rounds, "rounds", 1, 2**40)
        self._call("attnx_peak", I64(rounds), I32(_threads(threads)), ctypes.byref(flops))
        return flops.value

    @staticmethod
    def _results(q, v, out):
        """Room for what belongs to q and v, which are inputs."""
        shape = q.shape[:-1] + v.shape[-1:]
        return _result(out, shape, np.float32), _made(np.empty, shape[:-1], np.float32)


def _inputs(q, k, v):
    return _INPUT.pack(*_layout(q, "q"), *_layout(k, "k"), *_layout(v, "v"))


def _patterns(patterns):
    """One pattern or several as a list."""
    several = isinstance(patterns, (list, tuple))
    patterns = list(patterns) if several else [patterns]
    for pattern in patterns:
        if not isinstance(pattern, Pattern):
            raise Error("E_TYPE", f"a {type(pattern).__name__} stands for a pattern; it must be what "
                                  "Library.pattern gives")  # fmt: skip
    if not patterns:
        raise Error("E_TYPE", "there is no pattern; give at least one")
    return patterns


class _Held:
    """The handles of patterns, none of which goes while the with block lasts. No generator of contextlib,
    which would take longer than all the rest of a short call."""

    def __init__(self, patterns):
        self._patterns, self._taken = _patterns(patterns), []

    def __enter__(self):
        handles = (PTR * len(self._patterns))()
        try:
            for k, pattern in enumerate(self._patterns):
                handles[k] = pattern.take()
                self._taken.append(pattern)
        except BaseException:
            self.__exit__()
            raise
        return handles

    def __exit__(self, *_):
        for pattern in self._taken:
            pattern.give_back()


def unpack(bits, n):
    """Rows of packed words as a matrix of booleans with n columns."""
    return np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :n].astype(bool)


class Pattern:
    """A pattern ready for its lengths; `shape` is (queries, keys). Made by Library.pattern, closed by
    close(), the end of a with block, or when nobody has it any more. Closed while other threads' calls
    use it, it takes no further ones, and goes with the last of them."""

    def __init__(self, library, handle, lengths):
        self._library, self._handle = library, handle
        self._lock, self._uses, self._closed = threading.Lock(), 0, False
        self.shape = (lengths.queries, lengths.keys)

    def take(self):
        """Its handle for a call; it does not go before give_back()."""
        with self._lock:
            if self._closed:
                raise Error("E_TYPE", "the pattern is closed")
            self._uses += 1
        return self._handle.value

    def give_back(self):
        with self._lock:
            self._uses -= 1
            self._free_unused()

    def close(self):
        with self._lock:
            self._closed = True
            self._free_unused()

    def _free_unused(self):
        if self._closed and self._uses == 0 and self._handle:
            handle, self._handle = self._handle, None
            self._library._c.attnx_pattern_close(handle)

    def _call(self, function, *arguments):
        with _Held(self) as handles:
            self._library._call(function, PTR(handles[0]), *arguments)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def pairs(self, rows=None, keys=None, threads=0):
        """The exact number of attended pairs, of all or of rows (begin, end) and keys (begin, end)."""
        pairs = I64()
        self._call("attnx_pattern_count", ctypes.byref(self._rect(rows, keys)), I32(_threads(threads)),
                   ctypes.byref(pairs))  # fmt: skip
        return pairs.value

    def row(self, query):
        """The keys of a query as an array of (begin, end, period, width)."""
        query, capacity = _integer(query, "query", 0, self.shape[0] - 1), 64
        while True:
            ranges, count = np.empty((capacity, 4), np.int64), I64()
            self._call("attnx_pattern_row", I64(query), PTR(ranges.ctypes.data), I64(capacity), ctypes.byref(count))
            if count.value <= capacity:
                return ranges[: count.value]
            capacity = count.value

    def mask(self, rows=None, keys=None):
        """Booleans, queries x keys."""
        rect = self._rect(rows, keys)
        mask = _made(np.empty, (rect.row_end - rect.row_begin, rect.key_end - rect.key_begin), np.uint8)
        self._call("attnx_pattern_mask", ctypes.byref(rect), PTR(mask.ctypes.data), I64(mask.size))
        return mask.view(bool)

    def coverage(self, height, width, *, rows=None, keys=None, threads=0, out=None):
        """(counts, exact): attended pairs of each of height x width pixels at any length. `out` may be an
        array of int64 to write to."""
        height, width = _integer(height, "height", 1, MOST_PIXELS), _integer(width, "width", 1, MOST_PIXELS)
        rect, exact = self._rect(rows, keys), I32()
        counts = _result(out, (height, width), np.int64)
        if not counts.flags.c_contiguous:
            raise Error("E_SHAPE", f"out has strides {counts.strides}; it must be an array without gaps, row by row")
        self._call("attnx_pattern_coverage", ctypes.byref(rect), I64(height), I64(width), I32(_threads(threads)),
                   PTR(counts.ctypes.data), ctypes.byref(exact))  # fmt: skip
        return counts, bool(exact.value)

    def _rect(self, rows, keys):
        return _Rect(*_span(rows, "rows", self.shape[0]), *_span(keys, "keys", self.shape[1]))
