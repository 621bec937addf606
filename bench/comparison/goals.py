"""The goals, one row each in the order of the printed table, and the table.

A goal has a floor and a stretch; a measured value meets them from above, or from below where less is
better. Rows without either are printed beside the goals, for comparison."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    what: str
    unit: str  # "x": a ratio, "%": a share, "ms", "B"
    floor: float | None = None
    stretch: float | None = None
    less: bool = False  # whether less is better


WINDOW = "window 128, n 16384"
STRIDED = "strided 128, n 16384"
GOALS = {
    "dense-1t": Goal("dense, n 4096, 1 thread: share of the FMA peak", "%", 0.65, 0.75),
    "dense-2t": Goal("dense, n 4096, {threads} threads: share of the FMA peak", "%", 0.65, 0.75),
    "causal-1t": Goal("causal, n 4096, 1 thread: share of the FMA peak", "%", 0.62, 0.72),
    "causal-2t": Goal("causal, n 4096, {threads} threads: share of the FMA peak", "%", 0.62, 0.72),
    "sdpa-1h1t": Goal("dense, n 4096, 1 head, 1 thread: against SDPA", "x", 1.2, 1.3),
    "sdpa-8h2t": Goal("dense, n 4096, 8 heads, {threads} threads: against SDPA", "x", 1.2, 1.3),
    "sdpa-causal-1h1t": Goal("causal, n 4096, 1 head, 1 thread: against SDPA", "x", 1.2, 1.4),
    "sdpa-causal-8h2t": Goal("causal, n 4096, 8 heads, {threads} threads: against SDPA", "x", 1.2, 1.4),
    "sdpa-512-1h1t": Goal("dense, n 512, 1 head, 1 thread: against SDPA", "x", 1.6, 2.0),
    "sdpa-512-8h2t": Goal("dense, n 512, 8 heads, {threads} threads: against SDPA", "x", 1.6, 2.0),
    "sdpa-256-1h1t": Goal("dense, n 256, 1 head, 1 thread: against SDPA", "x", 1.6, 2.0),
    "sdpa-256-8h2t": Goal("dense, n 256, 8 heads, {threads} threads: against SDPA", "x", 1.6, 2.0),
    "eigen": Goal("dense, n 4096, 1 thread: against plain Eigen", "x", 8, 12),
    "eigen-native": Goal("... against plain Eigen with -march=native", "x"),
    "numpy": Goal("... against NumPy", "x"),
    "window-of-causal": Goal(f"{WINDOW}: useful rate, share of our own causal rate", "%", 0.5, 0.65),
    "window-sdpa-causal": Goal(f"{WINDOW}: against SDPA causal", "x", 35, 50),
    "window-sdpa-masked": Goal(f"{WINDOW}: against SDPA with the mask", "x", 150, 250),
    "window-flex": Goal(f"{WINDOW}: against FlexAttention", "x", 2, 2.7),
    "window-chunked": Goal(f"{WINDOW}: against the chunked SDPA form", "x", 3, 4.5),
    "window-chunked-best": Goal("... against the fastest chunked SDPA form", "x", 3, 4.5),
    "strided-of-causal": Goal(f"{STRIDED}: useful rate, share of our own causal rate", "%", 0.35, 0.5),
    "strided-sdpa-causal": Goal(f"{STRIDED}: against SDPA causal", "x", 45, 70),
    "strided-sdpa-masked": Goal(f"{STRIDED}: against SDPA with the mask", "x", 150, 300),
    "strided-reshaped": Goal(f"{STRIDED}: against the reshaped SDPA form", "x", 1.8, 2.6),
    "strided-reshaped-best": Goal("... against the fastest reshaped SDPA form", "x", 1.8, 2.6),
    "family": Goal("every other pattern, n 4096: useful rate, share of our dense rate (least)", "%", 0.3, 0.5),
    "growth": Goal("time a pair at n 65536 over that at n 4096 (the worst pattern)", "x", 1.3, None, True),
    "favor-peak": Goal("FAVOR+ m 256, n 8192, 1 thread: share of the FMA peak", "%", 0.4, 0.5),
    "favor-torch": Goal("... against PyTorch", "x", 3.5, 5),
    "favor-causal-peak": Goal("FAVOR+ m 256, n 8192, causal: share of the FMA peak", "%"),
    "favor-causal-torch": Goal("... against PyTorch in chunks", "x", 2.5, 4),
    "favor-causal-sums": Goal("... against PyTorch by running sums", "x"),
    "reach-graphblas": Goal("receptive field, strided 64, 4 layers, n 4096: against GraphBLAS", "x", 100, 200),
    "reach-numpy": Goal("... against packed NumPy", "x", 8, 12),
    "picture": Goal("mask image 1280 x 800, n 2^24, 1 thread (the slowest closed form)", "ms", 8, 3, True),
    "picture-numpy": Goal("mask 1280 x 800, strided 128, n 4096: against NumPy", "x"),
    "picture-matplotlib": Goal("... against NumPy and matplotlib, drawn", "x"),
    "shader": Goal("the same frame by the shader on a real GPU (the slowest)", "ms", 2, 0.5, True),
    "model-torch": Goal("SmolLM2-135M, n 1024, {threads} threads, forward and losses: against PyTorch", "x", 1, 1.5),
    "start": Goal("start of attnx to its first frame and exit, without a display", "ms", 300, 100, True),
    "memory": Goal("memory of attention beyond Q, K, V, O: growth a token", "B", 32, None, True),
}  # fmt: skip


@dataclass
class Row:
    key: str
    value: float | None  # None: not measured, and `detail` says why
    detail: str

    @property
    def verdict(self):
        goal = GOALS[self.key]
        if self.value is None:
            return "not measured"
        if goal.floor is None:
            return "-"
        sign = -1 if goal.less else 1
        if goal.stretch is not None and sign * self.value >= sign * goal.stretch:
            return "stretch"
        return "floor" if sign * self.value >= sign * goal.floor else "BELOW"


def text_of(value, unit):
    """A value as the table prints it."""
    if value is None:
        return "-"
    if unit == "%":
        return f"{100 * value:.1f} %"
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f} {unit}"


def table(rows, threads=2):
    """The rows as Markdown; `threads` is what stands for two."""
    lines = ["| what | measured | floor | stretch | verdict | of what |", "|---|---|---|---|---|---|"]
    for row in rows:
        goal = GOALS[row.key]
        cells = [goal.what.format(threads=threads), text_of(row.value, goal.unit), text_of(goal.floor, goal.unit),
                 text_of(goal.stretch, goal.unit), row.verdict, row.detail]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
