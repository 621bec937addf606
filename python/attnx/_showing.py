"""attnx.show: figures of whatever can be drawn."""
from __future__ import annotations

import os
from typing import Any, Mapping

from ._described import described
from ._errors import Error, keywords_of, only_known
from ._opening import stated
from ._picture import SCENE, Picture, Shown
from ._sources import source_of
from ._values import shown, whole_name


def show(what: Any, n: int | None = None, n_keys: int | None = None, *, view: str | None = None,
         settings: Mapping[str, Any] | None = None, input: Any = None, theme: str | None = None,
         size: tuple[int, int] | None = None, sweep: str | None = None, **params: Any) -> Picture:  # fmt: skip
    """A figure that shows itself in a notebook, and saves itself: show(...).save("figure.html").

    `what` is a Scene: as a dict, a file (a scene, or a picture that carries one), or the name of a published figure
    ("child-2019-fig3"; `attnx figure --list`). Or it is a pattern: what attnx.pattern takes, with `n` and its
    parameters, or what has a picture itself. `view` is how a pattern is shown ("mask", "reach" ...) and `settings` the
    Scene's settings of that view, {"layers": 3}; `input` is what attnx.compare takes, for a view of attention.
    `theme`: "light", "dark", or "page" for the reader's; `size` in pixels; `sweep`, "stride=2..8": a slider. Raises
    Error as the program says it, at the latest when it is drawn."""
    look: dict[str, Any] = {"theme": theme, "size": size, "sweep": sweep}
    beside = {**params, "n": n, "n_keys": n_keys, "view": view, "settings": settings, "input": input}
    if is_scene(what) and n is None:
        refuse_beside(beside, "a whole scene, which must hold them")
        return Picture(where(what), **look)
    if isinstance(what, Picture) or (isinstance(what, Shown) and not hasattr(what, "described")):
        refuse_beside(beside, "a result, which has its own picture")
        drawn = what if isinstance(what, Picture) else what.picture
        return Picture(drawn.what, drawn.files, **look)
    view = "mask" if view is None else view
    if not isinstance(view, str):
        raise Error("E_TYPE", f"view is {shown(view)}; it must be the name of a view")
    if not isinstance(settings, (Mapping, type(None))):
        raise Error("E_TYPE", f"settings is {shown(settings)}; it must be a dict")
    if view == "attention" and input is None:
        raise Error("E_TYPE", "the attention view needs queries and keys; give input=... (a sample's name, a file, arrays), "
                              "or take a capture and its show()")  # fmt: skip
    given = None if input is None else source_of(input)
    known = [*keywords_of(show), "align"]
    if callable(what) and given and given.shape and n is None and n_keys is None:
        n, n_keys = given.shape
    if n is None and n_keys is None and isinstance(what, str):
        mine = described({"mechanism": what, "params": params}, given and given.shape)
    else:
        mine = stated(what, n, n_keys, params.pop("align", "top-left"), params, known)
    scene = mine.scene(view, **({view: settings} if settings else {}))
    if given:
        scene["input"] = given.scene()
    return Picture(scene, {**mine.beside, **(given.files if given else {})}, **look)


def refuse_beside(named: Mapping[str, Any], what: str) -> None:
    found = [name for name, value in named.items() if value is not None]
    if found:
        raise Error("E_TYPE", f"{', '.join(found)} cannot be given with {what}")


def is_scene(what: Any) -> bool:
    """Names of figures have hyphens, files have endings, and mechanisms neither."""
    if isinstance(what, Mapping):
        return what.get("type") == SCENE["type"] or "view" in what or "pattern" in what
    return isinstance(what, os.PathLike) or (isinstance(what, str) and any(sign in what for sign in "-./"))


def where(what: Any) -> Any:
    """A file by its whole name, as the program runs elsewhere."""
    if isinstance(what, Mapping):
        return what
    name = whole_name(what, "the figure")
    return name if os.path.splitext(name)[1] or os.path.exists(name) else str(what)
