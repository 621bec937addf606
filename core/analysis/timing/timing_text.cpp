#include "core/analysis/timing/timing_text.h"

#include "core/analysis/timing/crossover.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace attention {
namespace {

// Whether one of two mechanisms is the faster at one size and the slower at the next that both
// have.
bool mediansCross(const Timings& timings) {
  std::map<std::pair<std::size_t, std::size_t>, bool> firstLeads; // of two methods, so far
  for (const TimingRow& a : timings.rows)
    for (const TimingRow& b : timings.rows) {
      if (a.method >= b.method || a.n != b.n)
        continue;
      const bool leads = a.seconds.median < b.seconds.median;
      const auto [known, fresh] = firstLeads.try_emplace({a.method, b.method}, leads);
      if (!fresh && known->second != leads)
        return true;
    }
  return false;
}

} // namespace

std::string secondsText(double seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  static constexpr std::array<Unit, 3> kUnits{{{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}}};
  const Unit* unit = &kUnits.back();
  for (const Unit& larger : kUnits)
    if (seconds >= larger.size) {
      unit = &larger;
      break;
    }
  const double value = seconds / unit->size;
  return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0) + unit->name;
}

std::string percentText(double share, int digits) {
  return fixed(100 * share, digits) + " %";
}

bool abovePeak(const TimingRow& row) {
  return row.peakShare > 1;
}

std::string peakShareText(const TimingRow& row) {
  return abovePeak(row) ? "too noisy" : percentText(row.peakShare);
}

std::string ofPeakText(const TimingRow& row) {
  return abovePeak(row) ? "share of the peak too noisy to tell"
                        : percentText(row.peakShare) + " of the peak";
}

std::string noCrossoverText(const Timings& timings) {
  if (!mediansCross(timings))
    return "none within these sizes";
  const bool few = std::any_of(timings.rows.begin(), timings.rows.end(), [](const TimingRow& row) {
    return row.seconds.samples < kFewestForCrossover;
  });
  return few ? "none certain from so few samples"
             : "none certain: where medians cross, quartiles overlap";
}

std::string noiseText(const Timings& timings, std::span<const std::string> names) {
  const TimingNoise& noise = timings.noise;
  std::string text = "quartiles of the peak " + percentText(noise.peakSpread) + " apart";
  if (noise.worst) {
    const TimingRow& row = timings.rows[*noise.worst];
    text += ", those of " + names[row.method] + " at n " + groupedDigits(row.n) + " " +
            percentText(noise.worstSpread);
  }
  return text + " (quiet: below " + percentText(kNoisyPeak, 0) + " and " +
         percentText(kNoisyRow, 0) + ")";
}

} // namespace attention
