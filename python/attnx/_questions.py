"""What the program is asked about one pattern: the methods of Pattern."""
from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ._described import described
from ._errors import Error
from ._picture import Picture
from ._program import session
from ._results import Difference, Reach, Reason, Tiles, made_of
from ._values import integer, shown

if TYPE_CHECKING:
    from ._pattern import Pattern

SOURCES = ("flex", "numpy", "jax", "xformers", "deepspeed", "transformers", "tikz")
TILED = ("blockmask", "bsr")


def why(pattern: Pattern, i: int, j: int) -> Reason:
    cell = f"{integer(i, 'i', 0, pattern.shape[0] - 1)},{integer(j, 'j', 0, pattern.shape[1] - 1)}"
    with session() as run:
        return made_of(Reason, run.json("why", *described(pattern).with_lengths(run), "--at", cell))


def diff(pattern: Pattern, other: Any) -> Difference:
    first, second = described(pattern), described(other, pattern.shape, "other")
    if second.length and second.length != first.length:
        raise Error("E_SHAPE", f"the other pattern is {other.shape[0]} × {other.shape[1]}; it must be "
                               f"{pattern.shape[0]} × {pattern.shape[1]}, with the same alignment")  # fmt: skip
    with session() as run:
        said = run.json("diff", *first.with_lengths(run), "--with", *second.flags(run, "other.json"),
                        *data_flags(run, first, second))  # fmt: skip
    compared = {"patterns": [{"title": one.title, "pattern": one.pattern} for one in (first, second)]}
    picture = Picture(first.scene("compare", compare=compared), {**first.beside, **second.beside})
    return made_of(Difference, said, picture=picture)


def data_flags(run: Any, first: Any, second: Any) -> list[str]:
    """The data of the second pattern, where the first brings none."""
    if first.data or not second.data:
        return []
    return [word for name, x in second.data.items() for word in (f"--{name}", run.write(f"{name}.npy", x))]


def tiles(pattern: Pattern, block: int | tuple[int, int]) -> Tiles:
    queries, keys = block_of(block)
    mine = described(pattern)
    with session() as run:
        said = run.json("tiles", *mine.with_lengths(run), "--block", f"{queries}x{keys}")
    shown = {"tiles": {"shown": True, "queries": queries, "keys": keys}}
    return made_of(Tiles, said, picture=Picture(mine.scene(mask=shown), mine.beside))


def block_of(block: int | tuple[int, int]) -> tuple[int, int]:
    sizes = block if isinstance(block, (tuple, list)) else (block, block)
    if len(sizes) != 2:
        raise Error("E_TYPE", f"block is {shown(block)}; it must be one size, or (queries, keys)")
    return integer(sizes[0], "block", 1, 2**30), integer(sizes[1], "block", 1, 2**30)


def code(pattern: Pattern, target: str, block: int | tuple[int, int] | None) -> str | dict[str, np.ndarray]:
    tile = [] if block is None else ["--block", "{}x{}".format(*block_of(block))]
    with session() as run:
        words = ["code", *described(pattern).with_lengths(run), "--to", target, *tile]
        if isinstance(target, str) and target in SOURCES:
            return run.run(*words)
        with np.load(io.BytesIO(run.made("arrays.npz", *words))) as arrays:
            return {name: arrays[name] for name in arrays.files}


def reach(pattern: Pattern, layers: int, then: Pattern | Sequence[Pattern], residual: bool, threads: int) -> Reach:
    library = pattern.library
    all_patterns = [pattern, *(then if isinstance(then, (list, tuple)) else [then])]
    bits, pairs = library.reach(all_patterns, layers, residual=residual, threads=threads)
    assert bits is not None
    n = pattern.shape[1]
    mask = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :n].astype(bool)
    all_of = [described(one, name=f"mask{place}") for place, one in enumerate(all_patterns)]
    stack = [{"pattern": one.pattern} for one in all_of] if len(all_of) > 1 else []
    scene = all_of[0].scene("reach", reach={"layers": layers, "residual": residual, "stack": stack})
    files = {name: content for one in all_of for name, content in one.beside.items()}
    return Reach(mask, pairs, Picture(scene, files))


def info(pattern: Pattern) -> dict[str, Any]:
    with session() as run:
        return run.json("info", *described(pattern).with_lengths(run))
