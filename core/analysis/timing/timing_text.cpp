#include "core/analysis/timing/timing_text.h"

#include "core/analysis/timing/crossover.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace attention {
namespace {

// The same two mechanisms at two neighbouring sizes that both have: one is the faster at the first
// and the slower at the second.
struct MedianCrossing {
  std::array<const TimingRow*, 4> rows{};

  bool fewSamples() const {
    return std::any_of(rows.begin(), rows.end(), [](const TimingRow* row) {
      return row->seconds.samples < kFewestForCrossover;
    });
  }
};

std::vector<MedianCrossing> medianCrossings(const Timings& timings) {
  using Two = std::pair<const TimingRow*, const TimingRow*>;
  const auto firstLeads = [](const Two& of) {
    return of.first->seconds.median < of.second->seconds.median;
  };
  std::vector<MedianCrossing> crossings;
  std::map<std::pair<std::size_t, std::size_t>, Two> last; // of two methods, at the size before
  for (const TimingRow& a : timings.rows)
    for (const TimingRow& b : timings.rows) {
      if (a.method >= b.method || a.n != b.n)
        continue;
      const Two here{&a, &b};
      const auto [before, fresh] = last.try_emplace({a.method, b.method}, here);
      if (!fresh && firstLeads(before->second) != firstLeads(here))
        crossings.push_back({{before->second.first, before->second.second, &a, &b}});
      before->second = here;
    }
  return crossings;
}

bool hasFewSamples(const TimingRow& row) {
  return row.seconds.samples < kNoiseSamples;
}

// Of the median: "23.1 % apart", "30 times the median apart".
std::string apartText(double spread) {
  return (spread < 1 ? percentText(spread)
                     : fixed(spread, spread < 10 ? 1 : 0) + " times the median") +
         " apart";
}

} // namespace

std::string vectorsText(const Timings& timings) {
  const std::string name(timings.vectors);
  return name.starts_with("AVX3") ? "AVX-512" : name;
}

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

std::string rowText(const TimingRow& row, const std::string& name) {
  std::string text = name + "\nn = " + groupedDigits(row.n) + ": " +
                     secondsText(row.seconds.median) + " (" + secondsText(row.seconds.q1) + " – " +
                     secondsText(row.seconds.q3) + ", " + countText(row.seconds.samples, "sample") +
                     ")";
  if (row.chooses)
    text += "\nchoosing keys " + secondsText(row.choosing.median) + ", attention " +
            secondsText(row.attending.median);
  return text + "\n" + readableNumber(row.gflops, 3) + " GFLOP/s, " + ofPeakText(row) +
         "\npredicted " + secondsText(row.predicted);
}

std::string noCrossoverText(const Timings& timings) {
  const std::vector<MedianCrossing> crossings = medianCrossings(timings);
  if (crossings.empty())
    return "none within these sizes";
  const auto few = std::count_if(crossings.begin(), crossings.end(),
                                 [](const MedianCrossing& at) { return at.fewSamples(); });
  if (few == std::ssize(crossings))
    return "no clear crossover: where the medians cross, there are too few samples";
  return few == 0 ? "no clear crossover: where the medians cross, the quartiles overlap"
                  : "no clear crossover: where the medians cross, the quartiles overlap or there "
                    "are too few samples";
}

std::string sharesLeftOutText(const Timings& timings, std::span<const std::string> names) {
  std::string text;
  for (std::size_t m = 0; m < names.size(); ++m) {
    const auto own = [m](const TimingRow& row) { return row.method == m; };
    const auto& rows = timings.rows;
    const auto all = std::count_if(rows.begin(), rows.end(), own);
    const auto out = std::count_if(
        rows.begin(), rows.end(), [&](const TimingRow& row) { return own(row) && abovePeak(row); });
    if (out > 0)
      text += (text.empty() ? "" : ", ") +
              (out == all ? "all" : std::to_string(out) + " of " + std::to_string(all)) +
              " points of “" + names[m] + "”";
  }
  return text.empty() ? text
                      : "points above 100 % of the peak are noise and are not drawn: " + text;
}

std::string doubtsText(const Timings& timings, std::span<const std::string> names) {
  std::string text;
  if (timings.noise.noisy)
    text = "The machine was noisy: " + spreadText(timings.noise) + ".";
  else if (std::any_of(timings.rows.begin(), timings.rows.end(), hasFewSamples))
    text = "Some medians come from fewer than " + std::to_string(kNoiseSamples) +
           " samples, too few to judge noise.";
  if (const std::string shares = sharesLeftOutText(timings, names); !shares.empty())
    text += (text.empty() ? "" : " ") + capitalised(shares) + ".";
  return text;
}

std::string omittedText(const Timings& timings, std::span<const std::string> names) {
  std::string text;
  for (std::size_t m = 0; m < names.size(); ++m) {
    const auto own = [m](const auto& of) { return of.method == m; };
    if (std::none_of(timings.omitted.begin(), timings.omitted.end(), own))
      continue;
    const auto last = std::find_if(timings.rows.rbegin(), timings.rows.rend(), own);
    text += (text.empty() ? "" : "; ") + names[m] +
            (last == timings.rows.rend() ? std::string(" is not measured")
                                         : " stops at n = " + groupedDigits(last->n));
  }
  return text;
}

std::string spreadText(const TimingNoise& noise) {
  return "quartiles up to " + apartText(std::max(noise.worstSpread, noise.peakSpread));
}

std::string noiseText(const Timings& timings, std::span<const std::string> names) {
  const TimingNoise& noise = timings.noise;
  const auto quiet = [](double most) {
    return " (quiet machine: below " + percentText(most, 0) + ")";
  };
  std::string text =
      "the quartiles are " + apartText(noise.peakSpread) + " for the peak" + quiet(kNoisyPeak);
  if (noise.worst) {
    const TimingRow& row = timings.rows[*noise.worst];
    text += " and " + apartText(noise.worstSpread) + " for “" + names[row.method] +
            "” at n = " + groupedDigits(row.n) + quiet(kNoisyRow);
  }
  return text;
}

} // namespace attention
