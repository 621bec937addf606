"""Whether a mask is right: its errors, its name, and promises about it."""
from __future__ import annotations

from typing import Any, Iterable

from ._described import described
from ._errors import keywords_of
from ._opening import stated
from ._picture import Picture
from ._program import listed, session
from ._results import Check, made_of
from ._values import flag, integer, several


def check(mask: Any, n: int | None = None, n_keys: int | None = None, *, align: str = "top-left",
          no_future: bool = False, no_empty: bool = False, against: Any = None, against_model: str | None = None,
          layer: int | None = None, padding: Iterable[int] | int = (), threads: int = 0, **named: Any) -> Check:  # fmt: skip
    """A mask's errors, every mechanism that it equals, and whether it keeps promises.

    `mask` and what follows it are what attnx.pattern takes: a mask, a function of (q, k), FlexAttention's
    mask_mod(b, h, q_idx, kv_idx), a mechanism with its parameters, or a Pattern. Promises: `no_future` (no query attends
    to a later key), `no_empty` (every query attends to a key), `against` (equal to what attnx.pattern takes),
    `against_model` and `layer` (equal to that layer of a model: "mistral-7b-v0.1"), `padding` (no other query attends to
    these keys). A broken promise is no exception: the result is then false, and its `sentence` names the first cell. A
    mask of fewer queries than keys is that of the last tokens with align="bottom-right". Raises Error."""
    asked = stated(mask, n, n_keys, align, named, keywords_of(check))
    shape = asked.length["queries"], asked.length["n"]
    promised = {"no_future": no_future, "no_empty": no_empty}
    words: list[Any] = ["--" + name.replace("_", "-") for name, on in promised.items() if flag(on, name)]
    words += [] if against_model is None else ["--against-model", against_model]
    words += [] if layer is None else ["--layer", layer]
    keys = [integer(key, "padding", 0, shape[1] - 1) for key in several(padding)]
    words += listed("--padding", keys)
    with session() as run:
        other = [] if against is None else ["--against", *described(against, shape, "other").flags(run, "other.json")]
        said = run.json("check", *asked.with_lengths(run), *other, *words, "--threads", threads, may_end_with=1)
        sentence = run.said.splitlines()[-1].removeprefix("attnx: ") if said["broken"] else None
    return made_of(Check, said, picture=Picture(asked.scene(), asked.beside), sentence=sentence)
