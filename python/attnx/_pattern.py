"""A pattern that is ready for its lengths: its handle in C, and what can be asked about it."""
from __future__ import annotations

import ctypes
import dataclasses
import json
import threading
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import _questions
from ._c import I32, I64, PTR, Rect
from ._described import Described, given
from ._errors import Error, axes
from ._picture import Picture, Shown
from ._results import Difference, Reach, Reason, Tiles
from ._values import MOST_PIXELS, MOST_TEXT, array_of, integer, made, result_in, span_of, threads_of

if TYPE_CHECKING:
    from ._library import Library


@dataclasses.dataclass(frozen=True)
class Origin:
    """What a pattern was opened from. `text` is its JSON, None for a large mask, whose cells it has itself; the arrays
    are copies, since the pattern keeps what it chose by them."""

    text: bytes | None
    align: str
    data: dict[str, np.ndarray]

    @staticmethod
    def of(text: bytes, align: str, q: np.ndarray | None, k: np.ndarray | None) -> Origin:
        large_mask = len(text) > MOST_TEXT and text.startswith(b'{"mechanism": "given"')
        arrays = {"q": q, "k": q if k is None else k} if q is not None else {}
        return Origin(None if large_mask else text, align, {name: x.copy() for name, x in arrays.items()})


def listed(patterns: Any) -> list[Pattern]:
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


class Held:
    """The handles of patterns, all kept alive while the with block lasts. Not a generator of contextlib,
    which would take longer than the rest of a short call."""

    def __init__(self, patterns: Any) -> None:
        self._patterns = listed(patterns)
        self._taken: list[Pattern] = []

    def __enter__(self) -> Any:
        handles = (PTR * len(self._patterns))()
        try:
            for k, pattern in enumerate(self._patterns):
                handles[k] = pattern.take()
                self._taken.append(pattern)
        except BaseException:
            self.__exit__()
            raise
        return handles

    def __exit__(self, *_: object) -> None:
        for pattern in self._taken:
            pattern.give_back()


def unpack(bits: np.ndarray, n: int) -> np.ndarray:
    """Rows of packed words as a matrix of booleans with n columns."""
    if array_of(bits, "bits", np.uint64).ndim != 2:
        raise Error("E_SHAPE", f"bits has {axes(bits.ndim)}; it must be rows x words")
    n = integer(n, "n", 0, 64 * bits.shape[1])
    bits = np.ascontiguousarray(bits)
    return np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :n].astype(bool)


class Pattern(Shown):
    """A pattern ready for its lengths; `shape` is (queries, keys). Made by attnx.pattern or Library.pattern, closed by
    close(), the end of a with block, or when nobody has it any more. Closed while other threads' calls
    use it, it takes no further ones, and goes with the last of them. In a notebook it shows its mask, as `show()` does;
    `save("mask.html")` writes it, also as .svg .png .pdf .tex, and as numbers to .npy .csv .mtx."""

    def __init__(self, library: Library, handle: Any, lengths: Any, origin: Origin) -> None:
        self._library, self._handle, self._origin = library, handle, origin
        self._lock, self._uses, self._closed = threading.Lock(), 0, False
        self.shape: tuple[int, int] = (lengths.queries, lengths.keys)

    def __repr__(self) -> str:
        text = self._origin.text or b'{"mechanism": "given"}'
        return f"<attnx.Pattern {text.decode() if len(text) < 200 else text[:200].decode() + ' ...'}, " \
               f"{self.shape[0]} x {self.shape[1]}>"  # fmt: skip

    @property
    def library(self) -> Library:
        """The library that it belongs to."""
        return self._library

    def take(self) -> int:
        """Its handle for a call; it does not go before give_back()."""
        with self._lock:
            if self._closed:
                raise Error("E_TYPE", "the pattern is closed")
            self._uses += 1
        return self._handle.value

    def give_back(self) -> None:
        with self._lock:
            self._uses -= 1
            self._free_unused()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._free_unused()

    def _free_unused(self) -> None:
        if self._closed and self._uses == 0 and self._handle:
            handle, self._handle = self._handle, None
            self._library._c.attnx_pattern_close(handle)

    def _call(self, function: str, *arguments: Any) -> None:
        with Held(self) as handles:
            self._library._call(function, PTR(handles[0]), *arguments)

    def __enter__(self) -> Pattern:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def pairs(self, rows: tuple[int, int] | None = None, keys: tuple[int, int] | None = None, threads: int = 0) -> int:
        """The exact number of attended pairs, of all or of rows (begin, end) and keys (begin, end)."""
        pairs = I64()
        self._call("attnx_pattern_count", ctypes.byref(self._rect(rows, keys)), I32(threads_of(threads)),
                   ctypes.byref(pairs))  # fmt: skip
        return pairs.value

    def row(self, query: int) -> np.ndarray:
        """The keys of a query as an array of (begin, end, period, width)."""
        query, capacity = integer(query, "query", 0, self.shape[0] - 1), 64
        while True:
            ranges, count = np.empty((capacity, 4), np.int64), I64()
            self._call("attnx_pattern_row", I64(query), PTR(ranges.ctypes.data), I64(capacity), ctypes.byref(count))
            if count.value <= capacity:
                return ranges[: count.value]
            capacity = count.value

    def mask(self, rows: tuple[int, int] | None = None, keys: tuple[int, int] | None = None) -> np.ndarray:
        """Booleans, queries x keys, of all or of rows (begin, end) and keys (begin, end)."""
        rect = self._rect(rows, keys)
        mask = made(np.empty, (rect.row_end - rect.row_begin, rect.key_end - rect.key_begin), np.uint8)
        self._call("attnx_pattern_mask", ctypes.byref(rect), PTR(mask.ctypes.data), I64(mask.size))
        return mask.view(bool)

    def coverage(self, height: int, width: int, *, rows: tuple[int, int] | None = None,
                 keys: tuple[int, int] | None = None, threads: int = 0,
                 out: np.ndarray | None = None) -> tuple[np.ndarray, bool]:  # fmt: skip
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

    def _rect(self, rows: Any, keys: Any) -> Any:
        return Rect(*span_of(rows, "rows", self.shape[0]), *span_of(keys, "keys", self.shape[1]))

    # ---- what the program answers ----

    def why(self, i: int, j: int) -> Reason:
        """Whether query i attends to key j, both counted from 0, and by which rule, with the numbers filled in.
        Error E_RANGE beyond the mask."""
        return _questions.why(self, i, j)

    def diff(self, other: Any) -> Difference:
        """The cells in which another pattern differs: a Pattern of the same shape, a mechanism's name, a description, a
        mask, or a function of (q, k)."""
        return _questions.diff(self, other)

    def reach(self, layers: int, *, then: Sequence[Pattern] = (), residual: bool = True, threads: int = 0) -> Reach:
        """Which inputs can influence which outputs through so many layers. Layers take this pattern and those of `then`
        in turn, the lowest this one; `residual`: with the connection around attention. Square, n at most 16384;
        O(layers n^3 / 64). Source: the boolean power of (M or I)."""
        return _questions.reach(self, layers, then, residual, threads)

    def tiles(self, block: int | tuple[int, int] = 128) -> Tiles:
        """Full, partial and empty tiles of block x block, or (queries, keys), and what whole tiles waste."""
        return _questions.tiles(self, block)

    def code(self, target: str, *, block: int | tuple[int, int] | None = None) -> str | dict[str, np.ndarray]:
        """Source that rebuilds the mask: flex, numpy, jax, xformers, deepspeed, transformers, tikz. Or the arrays that
        kernels take, by name: blockmask, bsr (`block`: 128), flashmask, magi, cu_seqlens."""
        return _questions.code(self, target, block)

    def info(self) -> dict[str, Any]:
        """Pairs, density, keys per query, and the cost model's FLOPs and bytes, as `attnx info --json` says them."""
        return _questions.info(self)

    @property
    def picture(self) -> Picture:  # type: ignore[override]
        """Its mask as a figure."""
        mine = self.described()
        return Picture(mine.scene(), mine.beside)

    def described(self, name: str = "mask") -> Described:
        """What it was opened from, for the program; a large mask goes to the file NAME.npy."""
        length = {"queries": self.shape[0], "n": self.shape[1], "align": self._origin.align}
        if self._origin.text is None:
            return dataclasses.replace(given(self.mask(), name), length=length)
        data = self._origin.data if self._origin.data and self._reads_data() else {}
        return Described(json.loads(self._origin.text), length=length, data=data)

    def _reads_data(self) -> bool:
        """Whether it cannot be opened without queries and keys."""
        try:
            self._library.pattern(json.loads(self._origin.text or b""), *self.shape, align=self._origin.align).close()
        except Error:
            return True
        return False
