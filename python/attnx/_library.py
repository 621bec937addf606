"""libattnx through ctypes, arrays through NumPy. core/c/attnx.h, the same in C, says more about every function."""
import ctypes
import pathlib
import struct
import threading

import numpy as np
from . import _places
from ._values import (Error, MOST_TOKENS, address, double, flag, integer, json_of, keys_and_parameters,
                      layout, length, made, result_in, span_of, text_of, threads_of)  # fmt: skip

ABI = 2
CODES = ("OK", "E_N", "E_RANGE", "E_TYPE", "E_SHAPE", "E_NONFINITE", "E_UNKNOWN", "E_EXPR", "E_UNSUPPORTED",
         "E_IO", "E_MEMORY", "E_INTERNAL")  # fmt: skip
ALIGN = {"top-left": 0, "bottom-right": 1}
MOST_PIXELS, MOST_REACH_TOKENS = 32768, 16384

I32, I64, PTR = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p


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
                                           (3 * "P5q", "Pi4xPP", "P5qP"))  # fmt: skip
_Projection = _struct("Projection", kind=ctypes.c_char_p, norms=ctypes.c_char_p, projections=I64, d=I64,
                      seed=ctypes.c_uint64)  # fmt: skip
_FeatureOptions = _struct("FeatureOptions", map=ctypes.c_char_p, stabilize=ctypes.c_char_p,
                          eps=ctypes.POINTER(ctypes.c_double), causal=I32, unnormalized=I32, threads=I32,
                          projections=I64, w=PTR)  # fmt: skip
_FeatureResult = _struct("FeatureResult", out=_Tensor, denominators=PTR, flagged=ctypes.POINTER(I64))
_Stack = _struct("Stack", patterns=ctypes.POINTER(PTR), count=I64, layers=I64, no_residual=I32, threads=I32)


def _loaded(path):
    """The library and where it was found. FileNotFoundError lists the places where it is not."""
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


def _tensor(x, name):
    """The C struct of an array, which must outlive it."""
    return _Tensor(*layout(x, name))


class Library:
    """libattnx, loaded once; methods may be called from any thread."""

    def __init__(self, path=None):
        self._c, self.path = _loaded(path)
        self._c.attnx_version.restype = self._c.attnx_vectors.restype = ctypes.c_char_p
        self._c.attnx_pattern_close.argtypes = [PTR]
        self._c.attnx_pattern_close.restype = None
        if self._c.attnx_abi() != ABI:
            raise ImportError(f"{self.path} speaks version {self._c.attnx_abi()} of the interface, and this module {ABI}")

    def _call(self, function, *arguments):
        failure = _Failure()
        code = getattr(self._c, function)(*arguments, ctypes.byref(failure))
        if code:
            raise Error(CODES[code], failure.message.decode())

    def version(self):
        return self._c.attnx_version().decode()

    def vectors(self):
        """The vectors that the processor has: "AVX2", "AVX3", "NEON" ..."""
        return self._c.attnx_vectors().decode()

    def pattern(self, mechanism, n, n_keys=None, *, align="top-left", q=None, k=None, keys=None, threads=0,
                parameters=None, **named):  # fmt: skip
        """A Pattern over n tokens, or n queries and n_keys keys. `mechanism` is a name with its parameters (or
        a dict of them, `parameters`), or the dict of a whole description; values may be NumPy's scalars and
        arrays, a `mask` an array of 0 and 1, an additive one, or a SciPy sparse matrix. q and k (n x d) are
        for patterns that choose keys by the data; a number k is the mechanism's parameter, and then `keys`
        is the key array."""
        k, named = keys_and_parameters(k, keys, parameters, named)
        if isinstance(mechanism, str):
            mechanism = {"mechanism": mechanism, "params": named}
        elif named:
            raise Error("E_TYPE", f"{', '.join(named)} stand beside a whole description; parameters must stand "
                                  "within it")  # fmt: skip
        if not isinstance(align, str) or align not in ALIGN:
            raise Error("E_RANGE", f"align is {align}; it must be " + " or ".join(ALIGN))
        if q is None and k is not None:
            raise Error("E_TYPE", "k is given and q is not; give both, or only q")
        text = json_of(mechanism)
        lengths = _Lengths(length(n, "n"), length(n if n_keys is None else n_keys, "n_keys"), ALIGN[align])
        data = [None if x is None else ctypes.byref(_tensor(x, name)) for x, name in ((q, "q"), (k, "k"))]
        handle, threads = PTR(), I32(threads_of(threads))
        self._call("attnx_pattern_open", text, ctypes.byref(lengths), *data, threads, ctypes.byref(handle))
        return Pattern(self, handle, lengths)

    def attend(self, pattern, q, k, v, *, scale=None, softcap=None, modifiers=None, threads=0, out=None):
        """(out, lse) of exact attention over a Pattern, or over a list of them, one per head; with a
        softcap c, scores become c tanh(score / c). `modifiers` is a dict of these and of others:
        {"bias": {"kind": "alibi"}, "temperature": 2, "sink": [0.5, -1], "order": ["softcap", "bias"]};
        lists and arrays have a number per head, and lse includes the sink. `out` may be given to write
        to, shaped as q with v's columns, in new memory."""
        inputs = _inputs(q, k, v)
        out, lse = self._results(q, v, out)
        result = _ATTEND_RESULT.pack(*layout(out, "out"), address(lse))
        scale = double(scale, "scale")
        softcap = double(softcap, "softcap")
        text = None if modifiers is None else ctypes.create_string_buffer(json_of(modifiers, "modifiers"))
        modifiers_address = ctypes.addressof(text) if text else 0
        options = _ATTEND_OPTIONS.pack(ctypes.addressof(scale.contents) if scale else 0, threads_of(threads),
                                       ctypes.addressof(softcap.contents) if softcap else 0,
                                       modifiers_address)  # fmt: skip
        with _Held(pattern) as handles:
            self._call("attnx_attend", handles, I64(len(handles)), inputs, options, result)
        return out, lse

    def draw_projection(self, projections, d, *, kind="orthogonal", norms="chi", seed=0):
        """w: projections x d in float64, for feature_attend."""
        d = integer(d, "d", 1, MOST_TOKENS)
        projections = integer(projections, "projections", 1, MOST_TOKENS // d)
        asked = _Projection(text_of(kind, "kind"), text_of(norms, "norms"), projections, d,
                            integer(seed, "seed", 0, 2**64 - 1))  # fmt: skip
        w = made(np.empty, (projections, d), np.float64)
        self._call("attnx_draw_projection", ctypes.byref(asked), PTR(w.ctypes.data), I64(w.size))
        return w

    def feature_attend(self, q, k, v, w=None, *, map="positive", stabilize="off", eps=None, causal=False,
                       normalized=True, threads=0, out=None):  # fmt: skip
        """(out, denominators, flagged): attention by random features, the sums by which it divides, and
        how many rows have a sum that is not positive, or numbers that overflowed. w: projections x d."""
        inputs = _inputs(q, k, v)
        out, denominators = self._results(q, v, out)
        try:
            w = np.zeros((0, q.shape[-1])) if w is None else np.ascontiguousarray(w, np.float64)
        except (TypeError, ValueError):
            raise Error("E_TYPE", f"w is of type {type(w).__name__}; it must be an array of numbers") from None
        if w.ndim != 2 or w.shape[1] != q.shape[-1]:
            raise Error("E_SHAPE", f"w has shape {w.shape}; it must be projections x {q.shape[-1]}")
        options = _FeatureOptions(text_of(map, "map"), text_of(stabilize, "stabilize"), double(eps, "eps"),
                                  flag(causal, "causal"), 1 - flag(normalized, "normalized"),
                                  threads_of(threads), w.shape[0], w.ctypes.data)  # fmt: skip
        flagged = I64()
        result = _FeatureResult(_tensor(out, "out"), denominators.ctypes.data, ctypes.pointer(flagged))
        self._call("attnx_feature_attend", inputs, ctypes.byref(options), ctypes.byref(result))
        return out, denominators, flagged.value

    def reach(self, patterns, layers, *, residual=True, threads=0, bits=True):
        """(bits, pairs): which inputs influence which outputs, as n rows of packed words of 64 keys
        (unpack turns them into booleans), and the pairs after each layer."""
        patterns = _patterns(patterns)
        n = integer(patterns[0].shape[1], "n", 1, MOST_REACH_TOKENS)
        layers = integer(layers, "layers", 0, 2**63 - 1)
        residual = flag(residual, "residual")
        pairs = made(np.zeros, layers, np.int64)
        reached = made(np.zeros, (n, -(-n // 64)), np.uint64) if bits else None
        with _Held(patterns) as handles:
            stack = _Stack(handles, len(handles), layers, 1 - residual, threads_of(threads))
            self._call("attnx_reach", ctypes.byref(stack), PTR(reached.ctypes.data if bits else None),
                       PTR(pairs.ctypes.data))  # fmt: skip
        return reached, pairs

    def peak(self, rounds=4_000_000, threads=1):
        """Operations per second of multiply-adds on registers; the rounds take about 20 ms."""
        flops = ctypes.c_double()
        rounds = integer(rounds, "rounds", 1, 2**40)
        self._call("attnx_peak", I64(rounds), I32(threads_of(threads)), ctypes.byref(flops))
        return flops.value

    @staticmethod
    def _results(q, v, out):
        """A new array for the result of q and v, which are inputs."""
        shape = q.shape[:-1] + v.shape[-1:]
        return result_in(out, shape, np.float32), made(np.empty, shape[:-1], np.float32)


def _inputs(q, k, v):
    return _INPUT.pack(*layout(q, "q"), *layout(k, "k"), *layout(v, "v"))


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
    """The handles of patterns, all kept alive while the with block lasts. Not a generator of contextlib,
    which would take longer than the rest of a short call."""

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
        self._call("attnx_pattern_count", ctypes.byref(self._rect(rows, keys)), I32(threads_of(threads)),
                   ctypes.byref(pairs))  # fmt: skip
        return pairs.value

    def row(self, query):
        """The keys of a query as an array of (begin, end, period, width)."""
        query, capacity = integer(query, "query", 0, self.shape[0] - 1), 64
        while True:
            ranges, count = np.empty((capacity, 4), np.int64), I64()
            self._call("attnx_pattern_row", I64(query), PTR(ranges.ctypes.data), I64(capacity), ctypes.byref(count))
            if count.value <= capacity:
                return ranges[: count.value]
            capacity = count.value

    def mask(self, rows=None, keys=None):
        """Booleans, queries x keys."""
        rect = self._rect(rows, keys)
        mask = made(np.empty, (rect.row_end - rect.row_begin, rect.key_end - rect.key_begin), np.uint8)
        self._call("attnx_pattern_mask", ctypes.byref(rect), PTR(mask.ctypes.data), I64(mask.size))
        return mask.view(bool)

    def coverage(self, height, width, *, rows=None, keys=None, threads=0, out=None):
        """(counts, exact): attended pairs of each of height x width pixels at any length. `out` may be an
        array of int64 to write to."""
        height, width = integer(height, "height", 1, MOST_PIXELS), integer(width, "width", 1, MOST_PIXELS)
        rect, exact = self._rect(rows, keys), I32()
        counts = result_in(out, (height, width), np.int64)
        if not counts.flags.c_contiguous:
            raise Error("E_SHAPE", f"out has strides {counts.strides}; it must be an array without gaps, row by row")
        self._call("attnx_pattern_coverage", ctypes.byref(rect), I64(height), I64(width), I32(threads_of(threads)),
                   PTR(counts.ctypes.data), ctypes.byref(exact))  # fmt: skip
        return counts, bool(exact.value)

    def _rect(self, rows, keys):
        return _Rect(*span_of(rows, "rows", self.shape[0]), *span_of(keys, "keys", self.shape[1]))
