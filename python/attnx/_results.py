"""What the program answers, as values. Those with a picture show themselves in a notebook."""
from __future__ import annotations

import dataclasses
from typing import Any, Mapping, TypeVar

import numpy as np

from ._errors import only_known
from ._picture import Picture, Shown, aligned, table

Answer = TypeVar("Answer")


def hidden() -> Any:
    return dataclasses.field(repr=False, compare=False)


def made_of(kind: type[Answer], said: Mapping[str, Any], **more: Any) -> Answer:
    """The dataclass of what the program said, by its names."""
    names = {field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in said.items() if name in names}, **more)


def named(pattern: Mapping[str, Any]) -> str:
    """A description in words: local, window 5, causal."""
    said = [name if value is True else f"{name} {value}"[:60]
            for name, value in pattern["params"].items() if value is not False]  # fmt: skip
    return ", ".join([pattern["mechanism"], *said])


@dataclasses.dataclass(frozen=True)
class Reason:
    """Whether a query attends to a key: the part of the pattern that says so, and the rule with its numbers."""

    attends: bool
    part: str | None
    text: str

    def __bool__(self) -> bool:
        return self.attends


@dataclasses.dataclass(frozen=True)
class Difference(Shown):
    """Cells only in one pattern, only in the other, in both; the first query whose keys differ (None: they are
    equal); `iou`, the share of `both` of all."""

    only_first: int
    only_second: int
    both: int
    first_row: int | None
    iou: float
    picture: Picture = hidden()

    def __bool__(self) -> bool:
        return self.first_row is not None

    def facts(self) -> str:
        return table([[self.only_first, self.only_second, self.both, self.first_row]],
                     ["only in (a)", "only in (b)", "in both", "first query that differs"])  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Tiles(Shown):
    """Tiles of `block` queries x keys: full, partial and empty ones (`full_cut`: full ones that the edge cuts), the
    pairs that are wanted and those that whole tiles compute, and `waste`, the share of these that is not wanted.
    `exact` is False where rows were sampled."""

    block: list[int]
    full: int
    partial: int
    empty: int
    full_cut: int
    wanted_pairs: int
    computed_pairs: int
    wasted_pairs: int
    waste: float
    block_density: float
    exact: bool
    picture: Picture = hidden()

    def facts(self) -> str:
        return table([[self.full, self.partial, self.empty, self.wanted_pairs, self.computed_pairs, self.waste]],
                     ["full", "partial", "empty", "pairs", "computed", "waste"])  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Reach(Shown):
    """`mask[i, j]`: whether input j can influence output i; `pairs`: how many pairs each layer and those below it
    connect."""

    mask: np.ndarray
    pairs: np.ndarray
    picture: Picture = hidden()


@dataclasses.dataclass(frozen=True)
class Check(Shown):
    """A mask's errors. `matches` lists every mechanism that the mask equals, its name first, as descriptions;
    `broken` which promises it breaks, and `sentence` the first of these in words. True where it keeps them all."""

    n_q: int
    n_k: int
    pairs: int
    future_cells: int
    first_future: list[int] | None
    empty_rows: list[int]
    unused_keys: list[int]
    rows_without_self: list[int]
    constant_tile: int
    broken: list[str]
    picture: Picture = hidden()
    sentence: str | None = None
    matches: list[dict[str, Any]] = dataclasses.field(default_factory=list)  # none is looked for in rectangular masks
    asymmetric_pairs: int | None = None  # of square masks
    first_asymmetric: list[int] | None = None
    against: dict[str, Any] | None = None
    padding: dict[str, Any] | None = None

    def __bool__(self) -> bool:
        return not self.broken

    @property
    def name(self) -> str | None:
        """The mechanism that the mask is; None where it is none that is known."""
        return self.matches[0]["mechanism"] if self.matches else None

    def facts(self) -> str:
        def listed(found: list[int]) -> str:
            return f"{len(found)}: " + ", ".join(map(str, found[:8])) if found else "none"

        rows: list[list[Any]] = [["mask", f"{self.n_q} × {self.n_k}, {self.pairs} pairs"],
                                 ["is", named(self.matches[0]) if self.matches else "no known mechanism"],
                                 ["cells in the future", self.future_cells], ["empty rows", listed(self.empty_rows)],
                                 ["unused keys", listed(self.unused_keys)],
                                 ["promises", self.sentence or "kept"]]  # fmt: skip
        return table(rows)


@dataclasses.dataclass(frozen=True)
class Board(Shown):
    """A score board: `rows` with the name, pairs, captured_mass, output_error, topk_recall, entropy (nats), flops,
    bytes, seconds and seed of each mechanism, and its choice where a pattern of the board chooses blocks or keys;
    None where one has no such number."""

    rows: list[dict[str, Any]] = dataclasses.field(repr=False)
    heads: int
    recall_keys: int
    threads: int
    dtype: str
    picture: Picture = hidden()
    shown: str = dataclasses.field(default="layer 0, head 0", repr=False)  # in the picture

    def __repr__(self) -> str:
        heads = f"{self.heads} heads" if self.heads > 1 else "1 head"
        return f"attnx.Board of {heads}, {self.dtype}\n{aligned(*self._table())}"

    def facts(self) -> str:
        where = f"<p>In the figure {self.shown}; in the table all {self.heads} heads.</p>" if self.heads > 1 else ""
        return where + table(*self._table())

    def _table(self) -> tuple[list[list[Any]], list[str]]:
        """Rows and headings."""
        error = lambda row: (row.get("output_error") or {}).get("relative_frobenius")  # noqa: E731
        names = ["pairs", "captured_mass", "topk_recall", "entropy", "flops", "seconds"]
        rows = [[row["name"], error(row), *(row.get(name) for name in names)] for row in self.rows]
        return rows, ["name", "output error", *(name.replace("_", " ") for name in names)]


@dataclasses.dataclass(frozen=True)
class Heads(Shown):
    """What each head does: means over the queries of the weight on the own key (self), the previous and the first
    one, keys within `near` tokens and beyond, earlier occurrences of the query's token (previous_occurrence), what
    followed these (induction), and what the pattern captures; entropy in nats. heads["previous"] is an array,
    layers x heads in the order of the rows, with NaN where the program says null."""

    n: int
    near: int
    base: str
    rows: list[dict[str, Any]] = dataclasses.field(repr=False)
    picture: Picture = hidden()

    def __getitem__(self, name: str) -> np.ndarray:
        only_known([name], list(self.rows[0]) if self.rows else [])
        layers, heads = (list(dict.fromkeys(row[axis] for row in self.rows)) for axis in ("layer", "head"))
        values = np.full((len(layers), len(heads)), np.nan)
        for row in self.rows:
            place = layers.index(row["layer"]), heads.index(row["head"])
            values[place] = np.nan if row[name] is None else row[name]
        return values


@dataclasses.dataclass(frozen=True)
class Steps(Shown):
    """One query, step by step: steps["p"], steps["output"] ... are what `attnx steps --json` says, lists of numbers
    as arrays in float64."""

    values: dict[str, Any] = dataclasses.field(repr=False)
    picture: Picture = hidden()

    def __repr__(self) -> str:
        over = f" over {len(self.values['visible'])} keys" if "visible" in self.values else ""
        return f"<attnx.Steps of query {self.values['query']} by {self.values['by']}{over}: {', '.join(self.values)}>"

    def __getitem__(self, name: str) -> Any:
        only_known([name], list(self.values))
        value = self.values[name]
        return np.array(value) if isinstance(value, list) and all(isinstance(x, (int, float)) for x in value) else value
