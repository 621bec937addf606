"""attnx.capture: queries, keys and values of a model's own run."""
from __future__ import annotations

import contextlib
import os
from typing import Any, Iterable

import numpy as np

from .._described import Described, described
from .._errors import Error, only_known
from .._picture import Picture, Shown
from .._sources import source_of
from .._values import integer, several
from . import file
from .layer import Layer, check, with_heads
from .record import eager, encoder_of, recorded

ABOUT = ("model", "revision", "text", "image", "audio", "license", "title", "comment", "source", "author", "tokens",
         "ids")  # what a file may be given besides


class Capture(Shown):
    """What a model attended by while it ran within the with block: `layers`, one Layer for each chosen one, `numbers` and
    `head_numbers`, which layers and heads of the model they are, `q`, `k` and `v`. In a notebook it shows what every head
    does."""

    def __init__(self, model: Any, layers: str | int | Iterable[int] | None, heads: Iterable[int] | None,
                 tokenizer: Any) -> None:  # fmt: skip
        self._model, self._asked, self._tokenizer = model, layers, tokenizer
        if not hasattr(model, "register_forward_pre_hook") or not hasattr(model, "modules"):
            raise Error("E_TYPE", f"the model is of type {type(model).__name__}; it must be a model of transformers")
        self._heads = None if heads is None else [integer(head, "heads", 0, 2**31) for head in several(heads)]
        self._run: list[tuple[Any, Layer]] = []
        self._whole: list[tuple[Any, Layer]] = []
        self._inputs: dict[str, Any] = {}
        self._hooks = contextlib.ExitStack()
        self.layers: list[Layer] = []
        self.numbers: list[int] = []
        self.head_numbers: list[int] = []
        self.ids: list[int] | None = None
        self.tokens: list[str] | None = None

    def __repr__(self) -> str:
        taken = f"layers {self.numbers}, {self.shape[0]} tokens" if self.layers else "nothing yet"
        return f"<attnx.Capture of {type(self._model).__name__}: {taken}>"

    def __enter__(self) -> Capture:
        reader = encoder_of(self._model, {})
        with contextlib.ExitStack() as hooks:
            hooks.enter_context(eager(self._model))
            hooks.enter_context(recorded(reader, lambda module, layer: self._run.append((module, layer))))
            hooks.callback(self._model.register_forward_pre_hook(self._begin, with_kwargs=True).remove)
            hooks.callback(self._model.register_forward_hook(lambda *_: self._end()).remove)
            self._hooks = hooks.pop_all()
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        self._hooks.close()
        if kind is None:
            self._finish()

    def _begin(self, _: Any, positional: tuple[Any, ...], named: dict[str, Any]) -> None:
        self._run = []
        self._named = {**({"input_ids": positional[0]} if positional else {}), **named}

    def _end(self) -> None:
        """Keeps the run, unless it is a step of generating text: one token behind those that are kept already."""
        if self._run and (not self._whole or self._run[0][1].q.shape[1] > 1):
            self._whole, self._inputs = self._run, self._named
        self._run = []

    def _finish(self) -> None:
        members = {id(part) for part in encoder_of(self._model, self._inputs).modules()}
        found = [layer for module, layer in self._whole or self._run if id(module) in members]
        if not found:
            raise Error("E_UNSUPPORTED", f"no attention of {type(self._model).__name__} was seen; it must run within the with "
                                         "block, and be a model that export_qkv.py supports")  # fmt: skip
        check(found)
        self.numbers = file.chosen(self._asked, len(found))
        self.layers = [found[number] for number in self.numbers]
        if self._heads is not None:
            self.layers = [with_heads(layer, self._heads) for layer in self.layers]
        self.head_numbers = self._heads or list(range(self.layers[0].q.shape[0]))
        ids = self._inputs.get("input_ids")
        if ids is not None and tuple(ids.shape[-1:]) == self.shape[:1]:
            self.ids = ids[0].tolist()
            self.tokens = self._tokenizer.convert_ids_to_tokens(self.ids) if self._tokenizer else None
        self._run, self._whole, self._inputs = [], [], {}

    @property
    def shape(self) -> tuple[int, int]:
        """Queries and keys."""
        n = self._first().q.shape[1]
        return n, n

    @property
    def q(self) -> np.ndarray:
        """layers x heads x n x d, float32, after any rotation."""
        return self._stacked("q")

    @property
    def k(self) -> np.ndarray:
        """layers x key/value heads x n x d."""
        return self._stacked("k")

    @property
    def v(self) -> np.ndarray:
        """layers x key/value heads x n x d."""
        return self._stacked("v")

    @property
    def patterns(self) -> list[dict[str, Any] | None]:
        """Each layer's own mask as a description; None where it is no known one."""
        return [file.pattern(layer) for layer in self.layers]

    @property
    def modifiers(self) -> dict[str, Any]:
        """What is done to the scores, for all layers. Error E_UNSUPPORTED where they differ in it."""
        self._first()
        return file.shared_modifiers(self.layers, self.numbers)

    def save(self, path: str | os.PathLike[str], *, dtype: str = "float32", **about: Any) -> str:  # type: ignore[override]
        """Writes a .safetensors file that every command and the window read; gives in words what it holds. `about` says
        where it comes from: model, revision, text, image, audio, license, tokens, ids. Needs safetensors. Raises Error."""
        self._first()
        only_known(about, ["dtype", *ABOUT])
        known = {"tokens": self.tokens, "ids": self.ids, "model": type(self._model).__name__, "heads": self._heads}
        return file.save(path, self.layers, self.numbers, dtype, {**known, **about})

    def show(self, pattern: Any = None, *, layer: int | None = None, head: int | None = None,  # type: ignore[override]
             picture: str = "maps") -> Picture:  # fmt: skip
        """The attention of one head, by the model's own numbers of its layer and head (the first that were captured), and
        through a pattern what is kept and lost. `picture`: "maps", "heads" (all of them, small), "lines" or "text".
        Error E_RANGE for a layer or head that was not captured."""
        self._first()
        shown = Described({"mechanism": "full", "params": {}}) if pattern is None else described(pattern, self.shape)
        attention: dict[str, Any] = {"picture": picture}
        if pattern is None:
            attention["maps"] = {"full": True, "pattern": False, "difference": False}
        return self._picture(shown, attention, layer, head)

    @property
    def picture(self) -> Picture:  # type: ignore[override]
        heads = {"picture": "heads", "list": {"shown": True}}
        return self._picture(Described({"mechanism": "full", "params": {}}), heads, None, None)

    def _picture(self, shown: Described, attention: dict[str, Any], layer: int | None, head: int | None) -> Picture:
        given = source_of(self)
        scene = {"view": "attention", "pattern": shown.pattern, "input": given.scene(layer, head), "attention": attention}
        return Picture(scene, {**shown.files, **given.files})

    def _stacked(self, name: str) -> np.ndarray:
        self._first()
        return np.stack([getattr(layer, name).numpy() for layer in self.layers])

    def _first(self) -> Layer:
        if not self.layers:
            raise Error("E_TYPE", "nothing is captured yet; the model must run within the with block, which must have ended")
        return self.layers[0]


def capture(model: Any, layers: str | int | Iterable[int] | None = None, heads: Iterable[int] | None = None, *,
            tokenizer: Any = None) -> Capture:  # fmt: skip
    """Queries, keys, values, masks, scale and modifiers of a model of transformers while it runs:

        with attnx.capture(model, layers=[0, 5], heads=range(4)) as c:
            model(**inputs)
        c.show(), c.save("mine.safetensors"), attnx.heads(c)

    Of a batch the first item is taken, of several runs the last (of generated text the prompt's), of models with an
    encoder and a decoder the encoder. Attention runs in transformers' eager form meanwhile. Each layer is computed again
    from what was taken and compared with the model's own; Error E_UNSUPPORTED where they differ, or where the family is
    none that tools/export_qkv.py supports, E_RANGE for layers or heads that there are not. `tokenizer` gives the pieces
    of the text. Needs torch and transformers."""
    return Capture(model, layers, heads, tokenizer)
