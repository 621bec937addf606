"""libattnx through ctypes, arrays through NumPy. core/c/attnx.h, the same in C, says more about every function."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Mapping, Sequence

import numpy as np

from ._c import (ABI, ATTEND_OPTIONS, ATTEND_RESULT, CODES, I32, I64, INPUT, MOST_REACH_TOKENS, PTR, Failure,
                 FeatureOptions, FeatureResult, Lengths, Projection, Stack, loaded, tensor)  # fmt: skip
from ._errors import Error
from ._pattern import Held, Origin, Pattern, listed
from ._values import (MOST_TOKENS, address, alignment, double, flag, integer, json_of, keys_and_parameters, large_mask,
                      layout, length, made, result_in, text_of, threads_of)  # fmt: skip


class Library:
    """libattnx, loaded once; methods may be called from any thread."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._c, self.path = loaded(path)
        self._c.attnx_version.restype = self._c.attnx_vectors.restype = ctypes.c_char_p
        self._c.attnx_pattern_close.argtypes = [PTR]
        self._c.attnx_pattern_close.restype = None
        if self._c.attnx_abi() != ABI:
            raise ImportError(f"{self.path} speaks version {self._c.attnx_abi()} of the interface, and this module {ABI}")

    def _call(self, function: str, *arguments: Any) -> None:
        failure = Failure()
        code = getattr(self._c, function)(*arguments, ctypes.byref(failure))
        if code:
            raise Error(CODES[code], failure.message.decode())

    def version(self) -> str:
        """"0.1.0"."""
        return self._c.attnx_version().decode()

    def vectors(self) -> str:
        """The vectors that the processor has: "AVX2", "AVX3", "NEON" ..."""
        return self._c.attnx_vectors().decode()

    def pattern(self, mechanism: str | Mapping[str, Any], n: int, n_keys: int | None = None, *,
                align: str = "top-left", q: np.ndarray | None = None, k: Any = None, keys: np.ndarray | None = None,
                threads: int = 0, parameters: Mapping[str, Any] | None = None, **named: Any) -> Pattern:  # fmt: skip
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
        if q is None and k is not None:
            raise Error("E_TYPE", "k is given and q is not; give both, or only q")
        lengths = Lengths(length(n, "n"), length(n if n_keys is None else n_keys, "n_keys"), alignment(align))
        mask = large_mask(mechanism) if q is None else None
        if mask is not None:
            return self._of_mask(mask, lengths, align)
        text = json_of(mechanism)
        data = [None if x is None else ctypes.byref(tensor(x, name)) for x, name in ((q, "q"), (k, "k"))]
        handle = PTR()
        self._call("attnx_pattern_open", text, ctypes.byref(lengths), *data, I32(threads_of(threads)),
                   ctypes.byref(handle))  # fmt: skip
        return Pattern(self, handle, lengths, Origin.of(text, align, q, k))

    def _of_mask(self, mask: np.ndarray, lengths: Any, align: str) -> Pattern:
        handle = PTR()
        self._call("attnx_pattern_open_mask", PTR(mask.ctypes.data), I64(mask.shape[0]), I64(mask.shape[1]),
                   ctypes.byref(lengths), ctypes.byref(handle))  # fmt: skip
        return Pattern(self, handle, lengths, Origin(None, align, {}))

    def attend(self, pattern: Pattern | Sequence[Pattern], q: np.ndarray, k: np.ndarray, v: np.ndarray, *,
               scale: float | None = None, softcap: float | None = None, modifiers: Mapping[str, Any] | None = None,
               threads: int = 0, out: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """(out, lse) of exact attention over a Pattern, or over a list of them, one per head; with a
        softcap c, scores become c tanh(score / c). `modifiers` is a dict of these and of others:
        {"bias": {"kind": "alibi"}, "temperature": 2, "sink": [0.5, -1], "order": ["softcap", "bias"]};
        lists and arrays have a number per head, and lse includes the sink. `out` may be given to write
        to, shaped as q with v's columns, in new memory."""
        inputs = _inputs(q, k, v)
        out, lse = self._results(q, v, out)
        result = ATTEND_RESULT.pack(*layout(out, "out"), address(lse))
        numbers = double(scale, "scale"), double(softcap, "softcap")
        text = None if modifiers is None else ctypes.create_string_buffer(json_of(modifiers, "modifiers"))
        modifiers_address = ctypes.addressof(text) if text else 0
        options = ATTEND_OPTIONS.pack(pointed(numbers[0]), threads_of(threads), pointed(numbers[1]),
                                      modifiers_address)  # fmt: skip
        with Held(pattern) as handles:
            self._call("attnx_attend", handles, I64(len(handles)), inputs, options, result)
        return out, lse

    def draw_projection(self, projections: int, d: int, *, kind: str = "orthogonal", norms: str = "chi",
                        seed: int = 0) -> np.ndarray:  # fmt: skip
        """w: projections x d in float64, for feature_attend."""
        d = integer(d, "d", 1, MOST_TOKENS)
        projections = integer(projections, "projections", 1, MOST_TOKENS // d)
        asked = Projection(text_of(kind, "kind"), text_of(norms, "norms"), projections, d,
                           integer(seed, "seed", 0, 2**64 - 1))  # fmt: skip
        w = made(np.empty, (projections, d), np.float64)
        self._call("attnx_draw_projection", ctypes.byref(asked), PTR(w.ctypes.data), I64(w.size))
        return w

    def feature_attend(self, q: np.ndarray, k: np.ndarray, v: np.ndarray, w: np.ndarray | None = None, *,
                       map: str = "positive", stabilize: str = "off", eps: float | None = None,
                       causal: bool = False, normalized: bool = True, threads: int = 0,
                       out: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, int]:  # fmt: skip
        """(out, denominators, flagged): attention by random features, the sums by which it divides, and
        how many rows have a sum that is not positive, or numbers that overflowed. w: projections x d."""
        inputs = _inputs(q, k, v)
        out, denominators = self._results(q, v, out)
        try:
            w = np.zeros((0, q.shape[-1])) if w is None else np.ascontiguousarray(w, np.float64)
        except (TypeError, ValueError, OverflowError, RuntimeError):
            raise Error("E_TYPE", f"w is of type {type(w).__name__}; it must be an array of numbers") from None
        if w.ndim != 2 or w.shape[1] != q.shape[-1]:
            raise Error("E_SHAPE", f"w has shape {w.shape}; it must be projections x {q.shape[-1]}")
        options = FeatureOptions(text_of(map, "map"), text_of(stabilize, "stabilize"), double(eps, "eps"),
                                 flag(causal, "causal"), 1 - flag(normalized, "normalized"),
                                 threads_of(threads), w.shape[0], w.ctypes.data)  # fmt: skip
        flagged = I64()
        result = FeatureResult(tensor(out, "out"), denominators.ctypes.data, ctypes.pointer(flagged))
        self._call("attnx_feature_attend", inputs, ctypes.byref(options), ctypes.byref(result))
        return out, denominators, flagged.value

    def reach(self, patterns: Pattern | Sequence[Pattern], layers: int, *, residual: bool = True, threads: int = 0,
              bits: bool = True) -> tuple[np.ndarray | None, np.ndarray]:  # fmt: skip
        """(bits, pairs): which inputs influence which outputs, as n rows of packed words of 64 keys
        (unpack turns them into booleans), and the pairs after each layer."""
        patterns = listed(patterns)
        n = integer(patterns[0].shape[1], "n", 1, MOST_REACH_TOKENS)
        layers = integer(layers, "layers", 0, 2**63 - 1)
        cut = 1 - flag(residual, "residual")
        pairs = made(np.zeros, layers, np.int64)
        reached = made(np.zeros, (n, -(-n // 64)), np.uint64) if bits else None
        with Held(patterns) as handles:
            stack = Stack(handles, len(handles), layers, cut, threads_of(threads))
            self._call("attnx_reach", ctypes.byref(stack), PTR(None if reached is None else reached.ctypes.data),
                       PTR(pairs.ctypes.data))  # fmt: skip
        return reached, pairs

    def peak(self, rounds: int = 4_000_000, threads: int = 1) -> float:
        """Operations per second of multiply-adds on registers; the rounds take about 20 ms."""
        flops = ctypes.c_double()
        rounds = integer(rounds, "rounds", 1, 2**40)
        self._call("attnx_peak", I64(rounds), I32(threads_of(threads)), ctypes.byref(flops))
        return flops.value

    @staticmethod
    def _results(q: np.ndarray, v: np.ndarray, out: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """A new array for the result of q and v, which are inputs."""
        shape = q.shape[:-1] + v.shape[-1:]
        return result_in(out, shape, np.float32), made(np.empty, shape[:-1], np.float32)


def pointed(number: Any) -> int:
    """The address of what a pointer of ctypes points to; 0 for None."""
    return ctypes.addressof(number.contents) if number else 0


def _inputs(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> bytes:
    return INPUT.pack(*layout(q, "q"), *layout(k, "k"), *layout(v, "v"))
