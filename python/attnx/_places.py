"""Where the library and the program lie: named by the environment, in this package (a wheel), in the build
folder of this package's repository, below the folder where all were installed, or where the system looks."""
from __future__ import annotations

import os
import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY_VARIABLE, PROGRAM_VARIABLE = "ATTNX_LIBRARY", "ATTNX_PROGRAM"


def repository() -> pathlib.Path | None:
    """The source tree that this package lies in; None where it is installed."""
    root = HERE.parents[1]
    return root if (root / "core" / "c" / "attnx.h").is_file() else None


def prefixes() -> list[pathlib.Path]:
    """Folders that this package may have been installed below: PREFIX/share/attention-explorer/python/attnx,
    PREFIX/lib/python3/dist-packages/attnx, PREFIX/lib/python3.N/site-packages/attnx."""
    return [folder for folder in HERE.parents[2:5] if folder != folder.parent]


def library_places(abi: int) -> list[pathlib.Path]:
    """Files to try in turn; the last has no folder, and the system's loader looks for it."""
    named = os.environ.get(LIBRARY_VARIABLE)
    if named:
        return [pathlib.Path(named)]
    root = repository()
    if root:
        return [root / "build" / "libattnx.so"]
    names = (f"libattnx.so.{abi}", "libattnx.so")
    places = [HERE / "lib" / names[0]]
    for prefix in prefixes():
        for name in names:
            places += sorted(prefix.glob(f"lib*/{name}")) + sorted(prefix.glob(f"lib*/*/{name}"))
    return [*places, pathlib.Path(names[0])]


def program_places() -> list[pathlib.Path]:
    """Files to try in turn."""
    named = os.environ.get(PROGRAM_VARIABLE)
    if named:
        return [pathlib.Path(named)]
    root = repository()
    if root:
        return [root / "build" / "attnx"]
    found = shutil.which("attnx") if not (HERE / "bin").is_dir() else None  # of a wheel it is a script of Python
    return [HERE / "bin" / "attnx", *(prefix / "bin" / "attnx" for prefix in prefixes()),
            *([pathlib.Path(found)] if found else [])]  # fmt: skip


def sample_place(name: str) -> pathlib.Path:
    """Where the file of a bundled sample lies, beside the program (core/input/assets.cpp)."""
    here = next((place.resolve().parent for place in program_places() if place.is_file()), HERE)
    folders = ("../share/attention-explorer", "share/attention-explorer", "assets", "../assets", "../../assets")
    samples = [here / folder / "samples" for folder in folders]
    return next((folder for folder in samples if folder.is_dir()), samples[0]) / f"{name}.safetensors"


def program() -> pathlib.Path:
    """The program. FileNotFoundError lists the places where it is not."""
    places = program_places()
    for place in places:
        if place.is_file():
            return place.absolute()  # it runs in other folders
    raise FileNotFoundError("the program attnx is at none of these places: " + ", ".join(map(str, places))
                            + f"; build the target attnx, or set {PROGRAM_VARIABLE}")  # fmt: skip
