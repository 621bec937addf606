"""Dense and causal attention: shares of the peak, and SDPA, Eigen and NumPy beside it."""
from . import other_peers
from .measure import Contest, milliseconds

D = 64
CASES = {"1h1t": (1, 1), "8h2t": (8, 2)}  # heads, threads


def flops(pairs, heads=1):
    return 4.0 * D * pairs * heads


def detail(contest, ours, peer, bench_note=""):
    a, b = contest.time(ours).median, contest.time(peer).median
    spread = contest.ratio(ours, peer)
    return f"{milliseconds(a)} and {milliseconds(b)}, quartiles {spread.low:.2f} to {spread.high:.2f}{bench_note}"


def shares(bench):
    """Ours alone, one head."""
    n = 4096
    q, k, v = bench.normals(1, n, D)
    for name in ("full", "causal"):
        pattern = bench.library.pattern(name, n)
        for key, threads in (("1t", 1), ("2t", bench.threads)):
            key = f"{'dense' if name == 'full' else name}-{key}"
            if not bench.wants(key):
                continue
            works = {"ours": lambda p=pattern, t=threads: bench.library.attend(p, q, k, v, threads=t)}
            contest = Contest(bench, threads, works).run()
            share = contest.rate("ours", flops(pattern.pairs()))
            bench.row(key, share.median, f"{milliseconds(contest.time('ours').median)}, quartiles "
                                         f"{100 * share.low:.1f} to {100 * share.high:.1f} %")  # fmt: skip


def against_sdpa(bench):
    for case, (heads, threads) in CASES.items():
        threads = bench.threads if threads == 2 else threads
        for n, names in ((4096, ("full", "causal")), (512, ("full",)), (256, ("full",))):
            for name in names:
                middle = f"-{n}" if n < 4096 else "-causal" if name == "causal" else ""
                key = f"sdpa{middle}-{case}"
                if bench.wants(key):
                    bench.attempt([key], lambda: one_sdpa(bench, key, name, n, heads, threads))


def one_sdpa(bench, key, name, n, heads, threads):
    torch = bench.need_torch()
    q, k, v = bench.normals(heads, n, D)
    pattern = bench.library.pattern(name, n)
    ours = lambda: bench.library.attend(pattern, q, k, v, threads=threads)  # noqa: E731
    theirs = torch.sdpa(q, k, v, causal=name == "causal")
    error = bench.agree(ours()[0], theirs()[0])
    contest = Contest(bench, threads, {"ours": ours, "sdpa": theirs}).run()
    share = contest.rate("sdpa", flops(pattern.pairs(), heads)).median
    bench.row(key, contest.ratio("ours", "sdpa").median,
              detail(contest, "ours", "sdpa", f"; SDPA at {100 * share:.0f} % of the peak; {error}"))  # fmt: skip


def against_plain(bench):
    """Eigen twice, and NumPy."""
    wanted = [key for key in ("eigen", "eigen-native", "numpy") if bench.wants(key)]
    if not wanted:
        return
    n = 4096
    q, k, v = bench.normals(1, n, D)
    pattern = bench.library.pattern("full", n)
    works, errors = {"ours": lambda: bench.library.attend(pattern, q, k, v, threads=1)}, {}
    peers = {"eigen": lambda: other_peers.eigen_attention(bench.built("libeigen_twin.so"), q[0], k[0], v[0]),
             "eigen-native": lambda: other_peers.eigen_attention(bench.built("libeigen_twin_native.so"),
                                                                 q[0], k[0], v[0]),
             "numpy": lambda: other_peers.numpy_attention(q[0], k[0], v[0])}  # fmt: skip
    ours = works["ours"]()[0][0]
    for key in wanted:

        def make(key=key):
            work = peers[key]()
            errors[key] = bench.agree(ours, work())
            works[key] = work

        bench.attempt([key], make)
    contest = Contest(bench, 1, works).run()
    for key in errors:
        share = contest.rate(key, flops(pattern.pairs())).median
        note = f"; the peer at {100 * share:.1f} % of the peak; {errors[key]}"
        bench.row(key, contest.ratio("ours", key).median, detail(contest, "ours", key, note))


def measure(bench):
    shares(bench)
    against_sdpa(bench)
    against_plain(bench)
