#!/usr/bin/env python3
"""Attention Explorer beside the libraries that people use instead, against its goals for speed.

    python bench/peers.py [--rows REGEX] [--rounds N] [--threads T] [--quick] [--json FILE]
                          [--library build/libattnx.so] [--attnx build/attnx] [--model FILE.gguf] [--shader-bench PROGRAM]
                          [--list]

One process, one run: works are timed in turns, each round with the machine's peak of fused multiply-adds, and
the table has medians of ratios formed within a round. Outputs are compared before anything is timed. A peer
that is not installed is said so in its row. bench/README.md tells the rest."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's products; read as it is loaded

import numpy as np  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "bench")]
import attnx  # noqa: E402
from comparison import dense_rows, goals, model_rows, other_rows, sparse_rows  # noqa: E402


class Bench:
    """What the measurements share: options, libraries, inputs, and the rows that they fill."""

    class Differs(Exception):
        """The outputs of ours and a peer are not the same, so that times say nothing."""

    def __init__(self, options):
        self.library = attnx.Library(options.library)
        self.rounds, self.threads = options.rounds, options.threads
        self.attnx, self.shader_bench, self.model = options.attnx, options.shader_bench, options.model
        self.chosen = re.compile(options.rows)
        self.rows, self.verbose = {}, not options.silent
        self.torch, self.why_no_torch = loaded_torch()

    def wants(self, key):
        return key in goals.GOALS and bool(self.chosen.search(key))

    def normals(self, heads, n, d):
        """q, k, v: heads x n x d."""
        return np.random.default_rng(7).standard_normal((3, heads, n, d), dtype=np.float32)

    def built(self, name):
        """A library beside ours."""
        return self.library.path.with_name(name)

    def need_torch(self):
        if not self.torch:
            raise ImportError(self.why_no_torch)
        return self.torch

    def agree(self, ours, theirs, tolerance=2e-5):
        """The largest difference in words. Differs where it is beyond the tolerance."""
        error = float(np.abs(np.asarray(ours, np.float64) - np.asarray(theirs, np.float64)).max())
        if not error <= tolerance:
            raise self.Differs(f"outputs differ by {error:.2g}, more than {tolerance:.0e}: not compared")
        return f"outputs differ by {error:.0e}" if error else "the same output"

    def attempt(self, keys, work):
        """work(), or rows that say what it lacked."""
        try:
            work()
        except Exception as error:  # a peer may fail in any way of its own; the others go on
            sentence = " ".join(str(error).split()) or type(error).__name__
            for key in keys:
                self.row(key, None, sentence[:200])

    def row(self, key, value, detail):
        self.rows[key] = goals.Row(key, value, detail)
        if self.verbose:
            print(f"{key}: {goals.text_of(value, goals.GOALS[key].unit)} ({self.rows[key].verdict}) {detail}",
                  file=sys.stderr, flush=True)  # fmt: skip

    def ordered(self):
        return [self.rows[key] for key in goals.GOALS if key in self.rows]


def loaded_torch():
    try:
        from comparison import torch_peers

        return torch_peers, ""
    except ImportError as error:
        return None, f"PyTorch is not installed ({error})"


def machine(bench):
    """What the numbers depend on, a line each."""
    model = platform.processor() or platform.machine()
    for line in open("/proc/cpuinfo") if pathlib.Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    peaks = [bench.library.peak(threads=t) / 1e9 for t in (1, bench.threads)]
    now = datetime.datetime.now(datetime.timezone.utc)
    lines = [f"{now:%Y-%m-%d %H:%M} UTC; {model}, {os.cpu_count()} processors, {bench.library.vectors()}; "
             f"peak {peaks[0]:.0f} GFLOP/s on one thread, {peaks[1]:.0f} on {bench.threads}",
             f"attnx {bench.library.version()}; Python {platform.python_version()}, NumPy {np.__version__}"]  # fmt: skip
    if bench.torch:
        lines.append(bench.torch.versions())
    return lines


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", default=".", metavar="REGEX", help="only rows whose key it matches (see --list)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each contest, at least 3 (9)")
    parser.add_argument("--threads", type=int, default=2, help="threads for the rows that use two (2)")
    parser.add_argument("--quick", action="store_true", help="three rounds, to see whether everything runs")
    parser.add_argument("--json", metavar="FILE", help="also write the rows as JSON")
    parser.add_argument("--library", metavar="FILE", help="libattnx.so (build/ of this repository)")
    parser.add_argument("--attnx", metavar="FILE", help="the program, to time its start")
    parser.add_argument("--model", metavar="FILE", help="SmolLM2-135M-Instruct.Q4_1.gguf, of tools/get_model.sh")
    parser.add_argument("--shader-bench", metavar="FILE", help="build/shader_bench, on a machine with a GPU")
    parser.add_argument("--silent", action="store_true", help="do not print rows on standard error as they come")
    parser.add_argument("--list", action="store_true", help="print the keys and what they measure")
    options = parser.parse_args(arguments)
    if options.rounds < 3 or options.threads < 1:
        parser.error("there must be at least 3 rounds and 1 thread")
    if options.quick:
        options.rounds = 3
    return options


def main(arguments):
    options = options_from(arguments)
    if options.list:
        for key, goal in goals.GOALS.items():
            print(f"{key:22} {goal.what.format(threads=options.threads)}")
        return 0
    bench = Bench(options)
    about = machine(bench)
    for rows in (dense_rows, sparse_rows, other_rows, model_rows):
        rows.measure(bench)
    print("\n".join(about) + "\n\n" + goals.table(bench.ordered(), bench.threads))
    if options.json:
        rows = [{**vars(row), "verdict": row.verdict, **vars(goals.GOALS[row.key])} for row in bench.ordered()]
        pathlib.Path(options.json).write_text(json.dumps({"machine": about, "rows": rows}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
