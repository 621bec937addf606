"""Figures that show themselves: drawn by the program, from a Scene and the files that it names."""
from __future__ import annotations

import html
import os
import pathlib
import re
from typing import Any, Mapping

from ._errors import Error
from ._program import Content, Session, session
from ._values import MOST_PIXELS, integer, json_text, shown

SCENE = {"type": "attention-explorer scene", "version": 1}
# Of a page's height, what the figure takes at most (assets/page/figure.css); pixels of the line below one that plays.
SHARE, PLAYER = 0.94, 48
MOST_VH = 62  # hundredths of the height of the screen that a frame takes at most
TEXTS = ("html", "svg")
ENDINGS = (".html", ".svg", ".png", ".pdf", ".tex", ".csv", ".npy", ".mtx")


class Picture:
    """A figure. A notebook shows it as a page that answers the pointer, and as SVG or PNG where scripts do not run;
    `save` writes .html .svg .png .pdf .tex, and its numbers as .csv or .npy.

    `what` is a Scene as a dict, or the name of a published figure, of a scene or of a picture that carries one;
    `files` are written beside the Scene, which names them. `theme` is "light", "dark" or, in pages, "page" (the
    reader's); `size` pixels, (width, height); `sweep` such as "stride=2..8" makes a slider in pages."""

    def __init__(self, what: str | Mapping[str, Any], files: Mapping[str, Content] | None = None, *,
                 theme: str | None = None, size: tuple[int, int] | None = None,
                 sweep: str | None = None) -> None:  # fmt: skip
        if not isinstance(what, (str, Mapping)):
            raise Error("E_TYPE", f"a {type(what).__name__} stands for a figure; it must be its name or a Scene as a dict")
        for name, value in (("theme", theme), ("sweep", sweep)):
            if not isinstance(value, (str, type(None))):
                raise Error("E_TYPE", f"{name} is of type {type(value).__name__}; it must be a string")
        self.what, self.files = what, files or {}
        self.theme, self.size, self.sweep = theme, size_of(size), sweep
        self._drawn: dict[str, bytes] = {}

    def __repr__(self) -> str:
        return f"<attnx.Picture of {self.what if isinstance(self.what, str) else 'a scene'}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file; its ending says what. Raises Error as the program does."""
        path = file_to_write(path)
        if path.suffix not in ENDINGS:
            found = f"ends with {path.suffix}" if path.suffix else "has no ending"
            raise Error("E_UNSUPPORTED", f"{path} {found}; it must be one of {', '.join(ENDINGS)}")
        drawn = self.bytes_of(path.suffix.lstrip("."))
        try:
            path.write_bytes(drawn)
        except OSError as error:
            raise Error("E_IO", f"cannot write {path}: {error.strerror}") from error

    def bytes_of(self, ending: str) -> bytes:
        """The file with that ending; it is drawn once."""
        if not isinstance(ending, str) or f".{ending}" not in ENDINGS:
            raise Error("E_UNSUPPORTED", f"ending is {shown(ending)}; it must be one of {', '.join(ENDINGS)} without the dot")
        if ending not in self._drawn:
            with session() as run:
                drawn = run.made(f"figure.{ending}", "figure", self._named(run), *self._flags(ending))
                # The Scene in it names files beside it, wherever they will be.
                self._drawn[ending] = drawn.replace(f"{run.folder}/".encode(), b"") if ending in TEXTS else drawn
        return self._drawn[ending]

    def _named(self, run: Session) -> str:
        """What the program is told to draw."""
        for name, content in self.files.items():
            run.write(name, content)
        if isinstance(self.what, str):
            return self.what
        return run.write("scene.json", json_text({**SCENE, **self.what}, "the scene"))

    def _flags(self, ending: str) -> list[str]:
        theme = self.theme if ending == "html" or self.theme != "page" else None
        said = {"--theme": theme, "--size": "x".join(map(str, self.size)) if self.size else None,
                "--sweep": self.sweep if ending == "html" else None}  # fmt: skip
        return [word for flag, value in said.items() if value is not None for word in (flag, value)]

    def _repr_html_(self) -> str:
        try:
            return framed(self.bytes_of("html").decode())
        except (Error, OSError) as error:
            return f"<p>{html.escape(str(error))}</p>"

    def _repr_svg_(self) -> str | None:
        drawn = self._quietly("svg")
        return drawn.decode() if drawn else None

    def _repr_png_(self) -> bytes | None:
        return self._quietly("png")

    def _quietly(self, ending: str) -> bytes | None:
        """Nothing where it cannot be drawn, which _repr_html_ says in words."""
        try:
            return self.bytes_of(ending)
        except (Error, OSError):
            return None


def size_of(size: Any) -> tuple[int, int] | None:
    if size is None:
        return None
    if not isinstance(size, (tuple, list)) or len(size) != 2:
        raise Error("E_TYPE", f"size is {shown(size)}; it must be (width, height) in pixels")
    return integer(size[0], "the width of size", 1, MOST_PIXELS), integer(size[1], "the height of size", 1, MOST_PIXELS)


def file_to_write(path: Any) -> pathlib.Path:
    """The path. Error E_IO where its folder is not there: before anything is computed for it."""
    name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(name, str) or "\0" in name:
        raise Error("E_TYPE", f"path is {shown(path)}; it must be the name of a file")
    try:
        os.listdir(pathlib.Path(name).parent)
    except OSError as error:
        raise Error("E_IO", f"cannot write {name}: {error.strerror}") from error
    return pathlib.Path(name)


def framed(page: str) -> str:
    """The page in a frame of its own, no wider than the notebook: neither's styles and names reach the other. The page of
    a lesson makes its frame as high as it needs to be."""
    title = re.search("<title>(.*?)</title>", page, re.DOTALL)
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', page)
    width, height = (float(box[1]), float(box[2])) if box else (800.0, 600.0)
    height = height / SHARE + (PLAYER if 'class="ax-drawings"' in page else 0)
    # As a whole on a screen and on a slide, which magnifies it by a third.
    size = f"width:min(100%,{width:g}px,{MOST_VH * width / height:.1f}vh);aspect-ratio:{width:g}/{height:.0f}"
    if 'class="ax-lesson"' in page:
        size = f"width:100%;height:min(48em,{MOST_VH}vh)"
    return (f'<iframe srcdoc="{html.escape(page)}" style="{size};border:0" '
            f'title="{title[1] if title else "Attention Explorer"}"></iframe>')  # fmt: skip


class Shown:
    """What shows itself by its picture, with facts below it."""

    picture: Picture

    def show(self, *, theme: str | None = None, size: tuple[int, int] | None = None, sweep: str | None = None) -> Picture:
        """Its figure, with what Picture takes."""
        return Picture(self.picture.what, self.picture.files, theme=theme, size=size, sweep=sweep)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its figure, or the figure's numbers, as Picture.save."""
        self.picture.save(path)

    def facts(self) -> str:
        """HTML."""
        return ""

    def _repr_html_(self) -> str:
        return self.picture._repr_html_() + self.facts()

    def _repr_svg_(self) -> str | None:
        return self.picture._repr_svg_()

    def _repr_png_(self) -> bytes | None:
        return self.picture._repr_png_()


def short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "–" if value is None else str(value)


def table(rows: list[list[Any]], head: list[str] | None = None) -> str:
    """An HTML table; numbers in short."""
    lines = ["".join(f"<th>{html.escape(short(one))}</th>" for one in head)] if head else []
    lines += ["".join(f"<td>{html.escape(short(one))}</td>" for one in row) for row in rows]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def aligned(rows: list[list[Any]], head: list[str]) -> str:
    """The same as text, the first column to the left."""
    cells = [head, *([short(one) for one in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *(one.rjust(width) for one, width in zip(row[1:], widths[1:]))])
                     for row in cells)  # fmt: skip
