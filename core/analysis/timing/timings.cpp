#include "core/analysis/timing/timings.h"

#include <span>

namespace attention {
namespace {

// The rows of one mechanism.
using Series = std::span<TimingRow>;

std::vector<Series> seriesOf(std::vector<TimingRow>& rows) {
  std::vector<Series> all;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    while (end < rows.size() && rows[end].method == rows[begin].method)
      ++end;
    all.push_back(Series(rows).subspan(begin, end - begin));
    begin = end;
  }
  return all;
}

void addRates(Timings& timings) {
  for (TimingRow& row : timings.rows) {
    row.gflops = row.seconds.median > 0 ? row.work.usefulFlops / row.seconds.median * 1e-9 : 0;
    row.peakShare = timings.peakGflops > 0 ? row.gflops / timings.peakGflops : 0;
  }
}

void addPredictions(Series series) {
  const TimingRow& last = series.back();
  for (TimingRow& row : series)
    row.predicted =
        last.work.flops > 0 ? last.seconds.median * (row.work.flops / last.work.flops) : 0;
}

void addExponent(Series series, Timings& timings) {
  std::vector<GrowthPoint> seconds;
  std::vector<GrowthPoint> flops;
  for (const TimingRow& row : series) {
    seconds.push_back({row.n, row.seconds.median});
    flops.push_back({row.n, row.work.flops});
  }
  if (const auto law = fitPowerLaw(seconds, timings.fitFrom))
    timings.exponents.push_back({series.front().method, *law, fitPowerLaw(flops, timings.fitFrom)});
}

std::vector<TimedSize> sizesOf(Series series) {
  std::vector<TimedSize> sizes;
  for (const TimingRow& row : series)
    sizes.push_back({row.n, row.seconds});
  return sizes;
}

void addCrossovers(const std::vector<Series>& all, Timings& timings) {
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b)
      for (const Crossover& at : crossoversOf(sizesOf(all[a]), sizesOf(all[b]))) {
        const std::size_t first = all[a].front().method;
        const std::size_t second = all[b].front().method;
        timings.crossovers.push_back(at.firstLeads ? TimingCrossover{first, second, at}
                                                   : TimingCrossover{second, first, at});
      }
}

TimingNoise noiseOf(const Timings& timings) {
  TimingNoise noise;
  if (timings.peak.samples >= kNoiseSamples)
    noise.peakSpread = timings.peak.spread();
  for (std::size_t k = 0; k < timings.rows.size(); ++k) {
    const SampleSummary& seconds = timings.rows[k].seconds;
    if (seconds.samples < kNoiseSamples || seconds.spread() <= noise.worstSpread)
      continue;
    noise.worstSpread = seconds.spread();
    noise.worst = k;
  }
  noise.noisy = noise.peakSpread > kNoisyPeak || noise.worstSpread > kNoisyRow;
  return noise;
}

} // namespace

void analyse(Timings& timings) {
  timings.exponents.clear();
  timings.crossovers.clear();
  addRates(timings);
  const std::vector<Series> all = seriesOf(timings.rows);
  for (const Series& series : all) {
    addPredictions(series);
    addExponent(series, timings);
  }
  addCrossovers(all, timings);
  timings.noise = noiseOf(timings);
}

} // namespace attention
