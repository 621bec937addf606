"""memory.py <libattnx.so> <pattern> <n> <threads>: prints the bytes by which the resident memory peaks during
attention above what it was with Q, K, V and O in place. Linux alone."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import attnx  # noqa: E402

PARAMETERS = {"local": {"window": 128, "causal": True}, "strided": {"stride": 128}}


def status(field):
    for line in open("/proc/self/status"):
        if line.startswith(field + ":"):
            return 1024 * int(line.split()[1])
    raise OSError(f"/proc/self/status has no {field}")


def main(path, name, n, threads):
    library = attnx.Library(path)
    q, k, v = np.random.default_rng(0).standard_normal((3, int(n), 64), dtype=np.float32)
    out = np.zeros_like(v)
    with library.pattern(name, 256, **PARAMETERS[name]) as small:  # code and thread stacks are in memory then
        library.attend(small, q[:256], k[:256], v[:256], threads=int(threads))
    pattern = library.pattern(name, int(n), **PARAMETERS[name])
    with open("/proc/self/clear_refs", "w") as peaks:
        peaks.write("5")
    before = status("VmRSS")
    library.attend(pattern, q, k, v, threads=int(threads), out=out)
    print(status("VmHWM") - before)


if __name__ == "__main__":
    main(*sys.argv[1:])
