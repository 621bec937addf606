"""Where the library lies: named by the environment, in this package (a wheel), in the build folder of this
package's repository, beside the folder where both were installed, or where the system's loader finds it."""
import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY_VARIABLE = "ATTNX_LIBRARY"


def repository():
    """The source tree that this package lies in; None where it is installed."""
    root = HERE.parents[1]
    return root if (root / "core" / "c" / "attnx.h").is_file() else None


def prefixes():
    """Folders that this package may have been installed below: PREFIX/share/attention-explorer/python/attnx,
    PREFIX/lib/python3/dist-packages/attnx, PREFIX/lib/python3.N/site-packages/attnx."""
    return [folder for folder in HERE.parents[2:5] if folder != folder.parent]


def library_places(abi):
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
