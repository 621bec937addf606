"""Random features, receptive fields, pictures of masks, memory, and the program's start."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

from . import other_peers
from .dense_rows import D, detail
from .measure import Contest, Spread, milliseconds

EPS = 1e-4  # added to every feature, as Performer's public code does
CLOSED_FORMS = {  # and of shader_bench.cpp
    "causal": {}, "local": {}, "sliding_window": {}, "dilated": {}, "block_local": {}, "strided": {}, "fixed": {},
    "longformer": {}, "bigbird": {}, "sinks": {}, "prefix_lm": {"prefix": 1 << 20},
    "vertical_slash": {"vertical": [0, 1, 1 << 20], "slash": [0, 1, 1 << 20]},
}  # fmt: skip


def favor(bench):
    m, n = 256, 8192
    q, k, v = (0.5 * x for x in bench.normals(1, n, D))
    w = bench.library.draw_projection(m, D, seed=1)
    work = 4.0 * n * m * D + 4.0 * n * m * D  # features, and the two products

    def ours(causal):
        options = {"stabilize": "reference", "eps": EPS, "causal": causal, "threads": 1}
        return lambda: bench.library.feature_attend(q, k, v, w, **options)

    for causal, share, peers in ((False, "favor-peak", ("favor-torch",)),
                                 (True, "favor-causal-peak", ("favor-causal-torch", "favor-causal-sums"))):  # fmt: skip
        wanted = [key for key in (share, *peers) if bench.wants(key)]
        if not wanted:
            continue
        works, notes = {"ours": ours(causal)}, {}
        for key in peers:

            def make(key=key, causal=causal):
                torch = bench.need_torch()
                torch.use_threads(1)
                if key.endswith("sums"):
                    peer, form = torch.performer_by_running_sums(q[0], k[0], v[0], w, EPS), "chunks of 128"
                else:
                    peer, form = torch.performer(q[0], k[0], v[0], w, EPS, causal)
                error = bench.agree(works["ours"]()[0][0], peer())
                works[key], notes[key] = peer, f"; {form}; {error}"

            if key in wanted:
                bench.attempt([key], make)
        contest = Contest(bench, 1, works).run()
        if share in wanted:
            rate = contest.rate("ours", work)
            bench.row(share, rate.median, f"{milliseconds(contest.time('ours').median)}, "
                                          f"{100 * rate.low:.1f} to {100 * rate.high:.1f} %")  # fmt: skip
        for key, note in notes.items():
            bench.row(key, contest.ratio("ours", key).median, detail(contest, "ours", key, note))


def reach(bench):
    wanted = [key for key in ("reach-graphblas", "reach-numpy") if bench.wants(key)]
    if not wanted:
        return
    n, layers = 4096, 4
    pattern = bench.library.pattern("strided", n, stride=64)
    works, notes = {"ours": lambda: bench.library.reach(pattern, layers, threads=1)}, {}
    pairs = works["ours"]()[1][-1]
    peers = {"reach-graphblas": lambda: other_peers.graphblas_reach(pattern.mask(), layers, 1),
             "reach-numpy": lambda: other_peers.packed_reach(pattern, layers)}  # fmt: skip
    for key in wanted:

        def make(key=key):
            work = peers[key]()
            notes[key] = f"; {bench.agree(np.float64(pairs), np.float64(work()), 0)}"
            works[key] = work

        bench.attempt([key], make)
    contest = Contest(bench, 1, works).run()
    for key, note in notes.items():
        bench.row(key, contest.ratio("ours", key).median, detail(contest, "ours", key, note))


def pictures(bench):
    height, width = 800, 1280
    counts = np.empty((height, width), np.int64)
    if bench.wants("picture"):
        works = {}
        for name, parameters in CLOSED_FORMS.items():
            pattern = bench.library.pattern(name, 1 << 24, **parameters)
            works[name] = lambda pattern=pattern: pattern.coverage(height, width, threads=1, out=counts)
        contest = Contest(bench, 1, works).run()
        times = {name: contest.time(name).median for name in works}
        slowest = max(times, key=times.get)
        listed = ", ".join(f"{name} {milliseconds(s)}" for name, s in sorted(times.items(), key=lambda item: item[1]))
        bench.row("picture", 1e3 * times[slowest], f"{slowest}: {listed}")
    pictures_by_numpy(bench, height, width)


def pictures_by_numpy(bench, height, width):
    wanted = [key for key in ("picture-numpy", "picture-matplotlib") if bench.wants(key)]
    if not wanted:
        return
    n = 4096
    pattern = bench.library.pattern("strided", n, stride=128)
    areas = np.outer(*(np.diff(np.arange(pixels + 1) * n // pixels) for pixels in (height, width)))
    colours = np.linspace(255, 0, 256).astype(np.uint8)

    def counted():
        return pattern.coverage(height, width, threads=1)[0]

    def drawn():
        return colours[(counted() * 255 // areas)]

    works, notes = {"counted": counted, "drawn": drawn}, {}

    def by_numpy():
        work = other_peers.numpy_coverage(n, 128, height, width)
        notes["picture-numpy"] = f"; {bench.agree(counted().astype(float), work().astype(float), 0)}"
        works["picture-numpy"] = work

    def by_matplotlib():
        work = other_peers.matplotlib_picture(n, 128, height, width)
        if work().shape[:2] != (height, width):
            raise bench.Differs("the image has another size")
        works["picture-matplotlib"] = work
        notes["picture-matplotlib"] = "; ours coloured by a table"

    for key, make, ours in (("picture-numpy", by_numpy, "counted"), ("picture-matplotlib", by_matplotlib, "drawn")):
        if key in wanted:
            bench.attempt([key], make)
    contest = Contest(bench, 1, works).run()
    for key, ours in (("picture-numpy", "counted"), ("picture-matplotlib", "drawn")):
        if key in notes:
            bench.row(key, contest.ratio(ours, key).median, detail(contest, ours, key, notes[key]))


def shader_frames(benchmarks):
    """(milliseconds of each frame, patterns that the shader does not serve) of shader_bench's report. Raises
    ValueError where its patterns are not those of the row of pictures."""
    scale = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
    differ = {frame["name"].split("/")[0] for frame in benchmarks} ^ set(CLOSED_FORMS)
    if differ:
        raise ValueError(f"the shader's patterns are not those of the pictures: {', '.join(sorted(differ))}")
    failed = [frame for frame in benchmarks if frame.get("error_occurred")]
    times = {frame["name"]: frame["real_time"] * scale[frame["time_unit"]]
             for frame in benchmarks if frame not in failed}  # fmt: skip
    return times, sorted(frame["name"].split("/")[0] for frame in failed)


def shader(bench):
    """The largest time of shader_bench's frames, where they are drawn by a graphics processor."""

    def report(chosen):
        told = subprocess.run([bench.shader_bench, "--benchmark_format=json", f"--benchmark_filter={chosen}"],
                              capture_output=True, text=True, check=True)  # fmt: skip
        return json.loads(told.stdout)

    def run():
        if not bench.shader_bench:
            raise FileNotFoundError("no program was given: --shader-bench build/shader_bench")
        renderer = report("causal/2.24/1280x800")["context"]["renderer"]
        if re.search("llvmpipe|softpipe|swrast", renderer):
            raise FileNotFoundError(f"there is no graphics processor: {renderer}")
        times, unserved = shader_frames(report("2.24/1280x800")["benchmarks"])
        slowest = max(times, key=times.get)
        note = "; not served: " + ", ".join(unserved) if unserved else ""
        bench.row("shader", times[slowest], f"{slowest} on {renderer}{note}")

    if bench.wants("shader"):
        bench.attempt(["shader"], run)


def start(bench):
    def run():
        if not bench.attnx:
            raise FileNotFoundError("no program was given: --attnx build/attnx")
        seconds = []
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as script:
            script.write("# nothing\n")
            script.flush()
            for _ in range(bench.rounds + 1):
                begin = time.perf_counter()
                subprocess.run([bench.attnx, "gui", "--script", script.name, "--wait", "0"], check=True)
                seconds.append(time.perf_counter() - begin)
        spread = Spread(seconds[1:])  # the first reads the program from the disk
        detail_text = f"quartiles {milliseconds(spread.low)} to {milliseconds(spread.high)}"
        bench.row("start", 1e3 * spread.median, detail_text + "; two frames and the exit are in it")

    if bench.wants("start"):
        bench.attempt(["start"], run)


def memory(bench):
    """The peak of the resident memory during a call less that before it, in processes of their own."""

    def used(name, n):
        program = pathlib.Path(__file__).with_name("memory.py")
        told = subprocess.run([sys.executable, program, bench.library.path, name, str(n), str(bench.threads)],
                              capture_output=True, text=True, check=True)  # fmt: skip
        return int(told.stdout)

    def run():
        short, long = 16384, 65536
        grown, told = {}, []
        for name in ("local", "strided"):
            few, many = used(name, short), used(name, long)
            grown[name] = max(0, many - few) / (long - short)
            told.append(f"{name} 128 {few / 2**20:.1f} MiB at n {short}, {many / 2**20:.1f} MiB at n {long}")
        worst = max(grown, key=grown.get)
        told += [f"Q, K, V, O are {16 * D} B a token", f"{bench.threads} threads"]
        bench.row("memory", grown[worst], "; ".join(told))

    if bench.wants("memory"):
        bench.attempt(["memory"], run)


def measure(bench):
    for part in (favor, reach, pictures, shader, start, memory):
        part(bench)
