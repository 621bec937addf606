"""Times of several works taken in turns, so that only ratios within one round are ever formed.

A round measures the peak of fused multiply-adds, then every work once, each round beginning with another
one. On one thread a work is timed by the processor's clock of the calling thread, so that others on the
machine count less; on several by the wall's. A peer's waiting threads spin for a while on the core that the
next work needs; hence a pause, and hence runs that are not measured. The pause is short: after a long one
the system puts new threads on the core of the old one."""
import statistics
import time

LEAST_SAMPLE = 0.02  # seconds; shorter works are repeated within a sample
WARM_BELOW = 0.05  # seconds; such works run unmeasured before each sample,
WARM = 0.02  # so many seconds
PAUSE = 0.002  # seconds between works of several threads
PEAK_ROUNDS = 4_000_000  # about 20 ms


class Spread:
    """Median and quartiles of what the rounds gave."""

    def __init__(self, values):
        values = sorted(values)
        self.median = statistics.median(values)
        self.low, self.high = values[len(values) // 4], values[(3 * len(values)) // 4]


class Contest:
    """Works (name: callable) on so many threads; run() fills `seconds` and `peaks`, one entry a round."""

    def __init__(self, bench, threads, works, limit=25):
        self.bench, self.threads, self.works, self.limit = bench, threads, dict(works), limit
        self.clock = time.thread_time if threads == 1 else time.perf_counter
        self.seconds = {name: [] for name in self.works}
        self.peaks = []

    def run(self):
        if self.bench.torch:
            self.bench.torch.use_threads(self.threads)
        once = {name: self._timed(work, 1) for name, work in self.works.items()}
        names, total = list(self.works), sum(max(LEAST_SAMPLE, s) for s in once.values())
        rounds = max(3, min(self.bench.rounds, int(self.limit / total)))
        for turn in range(rounds):
            self.peaks.append(self._peak())
            first = turn % len(names)
            for name in names[first:] + names[:first]:
                self.seconds[name].append(self._sample(self.works[name], once[name]))
        return self

    def ratio(self, ours, peer):
        """How many times as long as ours the peer takes, of each round."""
        return Spread([p / o for o, p in zip(self.seconds[ours], self.seconds[peer])])

    def rate(self, name, flops):
        """Useful operations a second as a share of the peak, of each round."""
        return Spread([flops / s / peak for s, peak in zip(self.seconds[name], self.peaks)])

    def time(self, name):
        return Spread(self.seconds[name])

    def _peak(self):
        if self.threads > 1:
            time.sleep(PAUSE)
        wall, begin = time.perf_counter(), self.clock()
        rate = self.bench.library.peak(PEAK_ROUNDS, self.threads)
        taken, wall = self.clock() - begin, time.perf_counter() - wall
        return rate * wall / taken  # by the clock that times the works

    def _sample(self, work, once):
        if self.threads > 1:
            time.sleep(PAUSE)
        if once < WARM_BELOW:
            self._timed(work, max(1, round(WARM / max(once, 1e-6))))
        return self._timed(work, max(1, round(LEAST_SAMPLE / max(once, 1e-6))))

    def _timed(self, work, repeats):
        begin = self.clock()
        for _ in range(repeats):
            work()
        return (self.clock() - begin) / repeats


def milliseconds(seconds):
    """ "12.3 ms", three digits."""
    value = 1e3 * seconds
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f} ms"
