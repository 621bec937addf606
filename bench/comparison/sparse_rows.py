"""Windows and strides beside our own causal rate and every form that PyTorch has for them; the other patterns;
how time grows with the pairs."""
from .dense_rows import D, detail, flops
from .measure import Contest, milliseconds

LONG = 16384
LOCAL = {"mechanism": "local", "params": {"window": 128, "causal": True}}
STRIDED = {"mechanism": "strided", "params": {"stride": 128}}
# The family at n 4096 with its defaults, and what those that are nothing without parameters are given.
FAMILY = {
    "local": {}, "sliding_window": {}, "dilated": {}, "block_local": {}, "strided": {}, "fixed": {},
    "longformer": {}, "bigbird": {}, "sinks": {},
    "graph grid": {"kind": "grid", "neighborhood": 8}, "graph random": {"kind": "random"},
    "vertical_slash": {"vertical": [0, 1, 2, 3, 512, 2048], "slash": [0, 1, 2, 3, 64, 1024]},
    "prefix_lm": {"prefix": 1024}, "document": {"lengths": [1000, 2048, 1048]},
    "expr": {"expr": "j <= i && (i - j) % 4 < 2"},
    "topk": {}, "cluster": {}, "routing": {}, "vertical_slash_estimated": {}, "lsh": {},
}  # fmt: skip
GROWING = {
    "local": {"window": 128, "causal": True}, "strided": {"stride": 128}, "fixed": {"stride": 128, "c": 8},
    "block_local": {"block_size": 128}, "dilated": {"left": 64, "causal": True}, "sinks": {"sinks": 4, "window": 256},
    "longformer": {"window": 256}, "bigbird": {},
}  # fmt: skip


def long_patterns(bench):
    """One contest at n 16384, in which our causal attention and SDPA's take part for windows and strides alike."""
    keys = ("of-causal", "sdpa-causal", "sdpa-masked", "flex", "chunked", "chunked-best", "reshaped", "reshaped-best")
    wanted = {f"{p}-{key}" for p in ("window", "strided") for key in keys if bench.wants(f"{p}-{key}")}
    if not wanted:
        return
    q, k, v = bench.normals(1, LONG, D)
    causal = bench.library.pattern("causal", LONG)
    patterns = {"window": bench.library.pattern(LOCAL, LONG), "strided": bench.library.pattern(STRIDED, LONG)}
    works = {"causal": lambda: bench.library.attend(causal, q, k, v, threads=1)}
    notes, expected = {}, {}
    for name, pattern in patterns.items():
        works[name] = lambda pattern=pattern: bench.library.attend(pattern, q, k, v, threads=1)
        expected[name] = works[name]()[0][0]

    def add(key, make, against):
        """A peer whose result has to be ours; make gives (work, form)."""

        def made():
            work, form = make(bench.need_torch())
            error = bench.agree(against, work().reshape(LONG, D))
            works[key], notes[key] = work, f"; {form}{error}"

        if key in wanted:
            bench.attempt([key], made)

    if bench.torch:
        bench.torch.use_threads(1)
    if {"window-sdpa-causal", "strided-sdpa-causal"} & wanted:

        def sdpa_causal():
            works["sdpa-causal"] = bench.need_torch().sdpa(q, k, v, causal=True)
            bench.agree(works["causal"]()[0], works["sdpa-causal"]()[0])

        bench.attempt(sorted(wanted & {"window-sdpa-causal", "strided-sdpa-causal"}), sdpa_causal)
    for name, pattern in patterns.items():
        add(f"{name}-sdpa-masked", lambda torch, pattern=pattern: (torch.sdpa(q, k, v, mask=pattern.mask()), ""),
            expected[name])  # fmt: skip
    add("window-flex", lambda torch: (torch.flex_window(q, k, v, 128), ""), expected["window"])
    for key, blocks in (("", (128,)), ("-best", None)):
        add(f"window-chunked{key}", lambda torch, b=blocks: with_form(torch.chunked_window(q, k, v, 128, b)),
            expected["window"])  # fmt: skip
        add(f"strided-reshaped{key}", lambda torch, b=blocks: with_form(torch.reshaped_strided(q, k, v, 128, b)),
            expected["strided"])  # fmt: skip
    contest = Contest(bench, 1, works, limit=40).run()
    for name, pattern in patterns.items():
        report_long(bench, contest, name, pattern.pairs() / causal.pairs(), notes, flops(pattern.pairs()))


def with_form(found):
    work, form = found
    return work, form + "; "


def report_long(bench, contest, name, pairs, notes, work):
    share = contest.rate(name, work).median
    ratio = contest.ratio(name, "causal")
    if bench.wants(f"{name}-of-causal"):
        a, b = contest.time(name).median, contest.time("causal").median
        bench.row(f"{name}-of-causal", ratio.median * pairs,
                  f"{milliseconds(a)} beside {milliseconds(b)} causal; {100 * share:.1f} % of the peak")  # fmt: skip
    if "sdpa-causal" in contest.works and bench.wants(f"{name}-sdpa-causal"):
        ratio = contest.ratio(name, "sdpa-causal").median
        bench.row(f"{name}-sdpa-causal", ratio, detail(contest, name, "sdpa-causal"))
    for key, note in notes.items():
        if key.startswith(name):
            bench.row(key, contest.ratio(name, key).median, detail(contest, name, key, note))


def family(bench):
    if not bench.wants("family"):
        return
    n = 4096
    q, k, v = bench.normals(1, n, D)
    full = bench.library.pattern("full", n)
    patterns = {name: bench.library.pattern(name.split()[0], n, q=q[0], k=k[0], threads=bench.threads, **parameters)
                for name, parameters in FAMILY.items()}  # fmt: skip
    # Beside each the window with as many pairs (w n - w^2 / 4): what keys that lie together reach at that density.
    width = {name: max(1, round(2 * (n - (n**2 - pattern.pairs()) ** 0.5))) for name, pattern in patterns.items()}
    windows = {w: bench.library.pattern("local", n, window=w) for w in set(width.values())}
    works = {name: lambda pattern=pattern: bench.library.attend(pattern, q, k, v, threads=1)
             for name, pattern in [("full", full), *patterns.items(), *windows.items()]}  # fmt: skip
    contest = Contest(bench, 1, works, limit=60).run()

    def share(name, of, whole):
        return contest.ratio(name, of).median * patterns[name].pairs() / whole.pairs()

    shares = {name: share(name, "full", full) for name in patterns}
    beside = {name: share(name, width[name], windows[width[name]]) for name in patterns}
    least = min(shares, key=shares.get)
    under = [name for name, share in shares.items() if share < 0.3]
    density = {name: pattern.pairs() / n**2 for name, pattern in patterns.items()}
    listed = ", ".join(f"{name} {100 * share:.0f} % (density {100 * density[name]:.2g} %, "
                       f"{100 * beside[name]:.0f} % of the window's)" for name, share in
                       sorted(shares.items(), key=lambda item: -item[1]))  # fmt: skip
    bench.row("family", shares[least], f"{least}; {len(shares) - len(under)} of {len(shares)} meet the floor: {listed}")


def growth(bench):
    if not bench.wants("growth"):
        return
    short, long = 4096, 65536
    inputs = {n: bench.normals(1, n, D) for n in (short, long)}
    pairs, works = {}, {}
    for name, parameters in GROWING.items():
        for n in (short, long):
            pattern = bench.library.pattern(name, n, **parameters)
            pairs[name, n] = pattern.pairs()
            works[name, n] = lambda pattern=pattern, x=inputs[n]: bench.library.attend(pattern, *x, threads=1)
    contest = Contest(bench, 1, works).run()
    grown = {name: contest.ratio((name, short), (name, long)).median * pairs[name, short] / pairs[name, long]
             for name in GROWING}  # fmt: skip
    worst = max(grown, key=grown.get)
    listed = ", ".join(f"{name} {ratio:.2f}" for name, ratio in sorted(grown.items(), key=lambda item: item[1]))
    bench.row("growth", grown[worst], f"{worst}: {listed}")


def measure(bench):
    long_patterns(bench)
    family(bench)
    growth(bench)
