#include "core/analysis/timing/timing_text.h"

#include "core/support/text.h"

#include <array>

namespace attention {

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

std::string noiseText(const Timings& timings, std::span<const std::string> names) {
  const TimingNoise& noise = timings.noise;
  std::string text = "quartiles of the peak " + percentText(noise.peakSpread) + " apart";
  if (noise.worst) {
    const TimingRow& row = timings.rows[*noise.worst];
    text += ", those of " + names[row.method] + " at n " + std::to_string(row.n) + " " +
            percentText(noise.worstSpread);
  }
  return text + " (quiet: below " + percentText(kNoisyPeak, 0) + " and " +
         percentText(kNoisyRow, 0) + ")";
}

} // namespace attention
