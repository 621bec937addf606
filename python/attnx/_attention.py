"""Attention over patterns: its outputs, score boards, one query step by step, and what heads do."""
from __future__ import annotations

import json
from typing import Any, Mapping, Sequence

import numpy as np

from ._arrays import batch_as_heads, floats_of
from ._described import Described, described
from ._errors import Error
from ._opening import library, opened
from ._picture import Picture
from ._program import Session, listed, session
from ._results import Board, Heads, Steps, made_of
from ._sources import Source, source_of
from ._values import json_of, several

MOST_COMPARED, MOST_SCORED = 4, 12  # masks and mechanisms of the Compare view (core/scene/compare_spec.h)

def attend(pattern: Any, q: Any, k: Any, v: Any, *, scale: float | None = None, softcap: float | None = None,
           modifiers: Mapping[str, Any] | None = None, threads: int = 0) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """(out, lse) of exact softmax attention over a pattern: out_i = sum_j exp(s_ij - lse_i) v_j over the keys of row i,
    zeros where it has none; never n x n in memory.

    q: n_q x d, heads x n_q x d or batch x heads x n_q x d, k and v likewise with as many heads or a divisor of them;
    arrays of NumPy, torch or JAX, read in place where they are float32 with rows without gaps. `pattern` is what
    attnx.pattern takes without further parameters, a Pattern, or a list of one per head. Scores are q k^T times `scale`
    (1/sqrt(d)); with a softcap c they become c tanh(score / c); `modifiers` is a dict of these, a bias, a temperature,
    sinks and their order, as docs/command-line.md has it. out has q's shape with v's columns, lse q's without the last;
    NumPy, float32. Raises Error: E_SHAPE, E_TYPE, E_NONFINITE, E_RANGE."""
    q, k, v = (floats_of(x, name) for x, name in ((q, "q"), (k, "k"), (v, "v")))
    if modifiers is not None and q.ndim == 4 and k.ndim == 4 and v.ndim == 4 and len(q) == len(k) == len(v) > 1:
        # Biases and sinks are per head, so that the items cannot stand as further heads.
        items = [attend(pattern, *one, scale=scale, softcap=softcap, modifiers=modifiers, threads=threads)
                 for one in zip(q, k, v)]  # fmt: skip
        return np.stack([out for out, _ in items]), np.stack([lse for _, lse in items])
    per_head = isinstance(pattern, (list, tuple))
    patterns = [opened(one, q.shape[-2], k.shape[-2]) for one in (pattern if per_head else [pattern])]
    if per_head and q.ndim == 4:
        patterns = patterns * q.shape[0]
    out, lse = library().attend(patterns, *(batch_as_heads(x, name) for x, name in ((q, "q"), (k, "k"), (v, "v"))),
                                scale=scale, softcap=softcap, modifiers=modifiers, threads=threads)  # fmt: skip
    return out.reshape(*q.shape[:-1], v.shape[-1]), lse.reshape(q.shape[:-1])


def compare(patterns: Any, source: Any, *, features: Sequence[str] = (), m: Sequence[int] = (),
            kernels: Sequence[str] = (), linformer: Sequence[int] = (), base: str = "own", recall_keys: int = 10,
            modifiers: Mapping[str, Any] | None = None, threads: int = 0) -> Board:  # fmt: skip
    """The score board: pairs, captured mass, output error, recall of the `recall_keys` largest weights, entropy, FLOPs,
    bytes and seconds of patterns, and of approximations: random `features` ("elu1", "positive" ...) with `m`
    projections, `kernels` ("gaussian" ...), and Linformer with so many keys.

    `patterns`: one or a list of what attnx.pattern takes; the input gives the lengths. `source`: (q, k, v) as arrays, a
    dict of arrays, a file (.npz, .safetensors, .csv), a bundled sample's name ("minilm_alice", "smollm2_pride"), or a
    capture. `base`: "own" (the mask of the input's model where it names one), "full" or "causal". Raises Error."""
    given = source_of(source)
    patterns = patterns if isinstance(patterns, (list, tuple)) else [patterns]
    if not patterns:
        raise Error("E_TYPE", "there is no pattern; give at least one")
    all_of = [described(one, given.shape, f"mask{place}") for place, one in enumerate(patterns)]
    features, m, kernels, linformer = map(several, (features, m, kernels, linformer))
    others = {"--features": features, "--m": m, "--kernel": kernels, "--linformer": linformer}
    with session() as run:
        said = run.json("compare", *in_turn(run, all_of), *given.flags(run), *modified(modifiers), "--base", base,
                        "--recall-keys", recall_keys, "--threads", threads,
                        *(word for flag, values in others.items() for word in listed(flag, values)))  # fmt: skip
    shown = f"layer {(given.layers or [0])[0]}, head {(given.heads or [0])[0]}"
    picture = board_picture(all_of, given, base, approximations(features, m, kernels, linformer))
    return made_of(Board, said, picture=picture, shown=shown)


def steps(pattern: Any, source: Any, query: int, *, layer: int | None = None, head: int | None = None,
          by: str = "softmax", key_tile: int | None = None, m: int | None = None, seed: int | None = None,
          modifiers: Mapping[str, Any] | None = None) -> Steps:  # fmt: skip
    """One query of one head computed step by step in double: by "softmax", "online" (FlashAttention's, in tiles of
    `key_tile` keys), "linear" (elu + 1) or "features" (`m` positive random ones from `seed`). `pattern` and `source` are
    what compare takes; {"words": [...], "q": [...], "k": [...], "v": [...]} is a small example. `layer` and `head` (the
    first ones) are the model's own numbers where the input names them, as captures, samples and `layers` and `heads` of
    a file or a dict do; else they count from 0. Raises Error."""
    given = source_of(source)
    mine = described(pattern, given.shape)
    chosen = {"by": by, "key_tile": key_tile, "m": m, "seed": seed}
    chosen = {name: value for name, value in chosen.items() if value is not None}
    with session() as run:
        said = run.json("steps", *mine.flags(run), *given.flags(run), *modified(modifiers), "--query", query,
                        *placed(given, layer, head),
                        *(word for name, value in chosen.items()
                          for word in ("--" + name.replace("_", "-"), value)))  # fmt: skip
    scene = scene_of(mine, given, {"picture": "steps", "steps": chosen}, layer, head, modifiers)
    return Steps(said, Picture({**scene, "pins": {"query": query}}, {**mine.files, **given.files}))


def heads(source: Any, pattern: Any = None, *, near: int = 8, base: str = "own",
          modifiers: Mapping[str, Any] | None = None, threads: int = 0) -> Heads:  # fmt: skip
    """What each head of a model does, and what `pattern` captures of it. `source` and `base` are what compare takes; all
    numbers are means over the queries; layers and heads are numbered as in steps. Raises Error."""
    given = source_of(source)
    mine = None if pattern is None else described(pattern, given.shape)
    with session() as run:
        said = run.json("heads", *(mine.flags(run) if mine else []), *given.flags(run), *modified(modifiers),
                        "--near", near, "--base", base, "--threads", threads)  # fmt: skip
    shown = mine or Described({"mechanism": "full", "params": {}})
    of_heads = {"picture": "heads", "list": {"shown": True, "near": near}}
    scene = scene_of(shown, given, of_heads, modifiers=modifiers)
    for row in said["rows"]:
        row["layer"] = row.pop("layer_number", row["layer"])
        row["head"] = row.pop("head_number", row["head"])
    return made_of(Heads, said, picture=Picture(scene, {**shown.files, **given.files}))


def in_turn(run: Session, patterns: Sequence[Described]) -> list[str]:
    """The first pattern, and each further one behind --with."""
    return [word for place, one in enumerate(patterns)
            for word in (*(["--with"] if place else []), *one.flags(run, f"pattern{place}.json"))]  # fmt: skip


def modified(modifiers: Mapping[str, Any] | None) -> list[str]:
    return [] if modifiers is None else ["--modifiers", json_of(modifiers, "modifiers").decode()]


def placed(given: Source, layer: int | None, head: int | None) -> list[Any]:
    """Which layer and head; a small example has one."""
    batch, number = given.place(layer, head)
    return [] if given.kind == "typed" else ["--batch", batch, "--head-index", number]


def scene_of(mine: Described, given: Source, attention: Mapping[str, Any], layer: int | None = None,
             head: int | None = None, modifiers: Mapping[str, Any] | None = None) -> dict[str, Any]:  # fmt: skip
    """The Attention view of an input through a pattern."""
    read = {**given.scene(layer, head), **({} if modifiers is None else {"modifiers": json.loads(modified(modifiers)[1])})}
    return {"view": "attention", "pattern": mine.pattern, "input": read, "attention": attention}


def board_picture(patterns: Sequence[Described], given: Source, base: str, others: list[dict[str, Any]]) -> Picture:
    """The masks side by side, and the score board of them and of the approximations."""
    files = {name: content for one in patterns for name, content in one.files.items()} | dict(given.files)
    scene: dict[str, Any] = {"pattern": patterns[0].pattern, "input": given.scene()}
    if len(patterns) > 1:
        scored = [*({"kind": "pattern", "pattern": one.pattern} for one in patterns), *others][:MOST_SCORED]
        masks = [{"pattern": one.pattern} for one in patterns[:MOST_COMPARED]]
        base = "meaningful" if base == "own" else base
        scene |= {"view": "compare", "compare": {"patterns": masks, "scored": scored, "base": base}}
    return Picture(scene, files)


def approximations(features: Sequence[str], m: Sequence[int], kernels: Sequence[str],
                   linformer: Sequence[int]) -> list[dict[str, Any]]:  # fmt: skip
    """As a Scene lists them; features only with their number of projections, which otherwise depends on the input."""
    with_m = [{"kind": "features", "features": name, "m": number} for name in features for number in m]
    return [*with_m, *({"kind": "kernel", "kernel": name} for name in kernels),
            *({"kind": "linformer", "k": number} for number in linformer)]  # fmt: skip
