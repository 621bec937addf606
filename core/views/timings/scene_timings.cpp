#include "core/views/timings/scene_timings.h"

#include "core/analysis/timing/timing_text.h"
#include "core/input/generators.h"
#include "core/scene/marked_words.h"
#include "core/scene/pattern_files.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kSecondsOfFile = 8;

// The steepest and the flattest, where there are two.
std::string growthSentence(const Timings& timings, std::span<const std::string> names) {
  const auto less = [](const TimingExponent& a, const TimingExponent& b) {
    return a.measured.exponent < b.measured.exponent;
  };
  const auto [flat, steep] =
      std::minmax_element(timings.exponents.begin(), timings.exponents.end(), less);
  const auto grows = [&](const TimingExponent& of) {
    return "as n" + raised(fixed(of.measured.exponent, 2)) + " for " + names[of.method] +
           (of.predicted ? " (cost model: n" + raised(fixed(of.predicted->exponent, 2)) + ")" : "");
  };
  return "Time grows " + (flat == steep ? "" : grows(*steep) + ", ") + grows(*flat) + ".";
}

std::string crossoverSentence(const TimingCrossover& crossover,
                              std::span<const std::string> names) {
  return names[crossover.above] + " overtakes " + names[crossover.below] + " at n ≈ " +
         groupedDigits(std::lround(crossover.at.n)) + ".";
}

} // namespace

TimingQuestion timingQuestion(const Scene& scene) {
  checkTimings(scene.timings);
  TimingQuestion question{scene.timings, {}};
  question.spec.mechanisms = mechanismsOf(scene.timings, scene.pattern);
  for (const TimedMechanism& mechanism : question.spec.mechanisms)
    if (mechanism.kind == TimedMechanism::Kind::Own)
      question.own = scene.pattern;
  return question;
}

std::vector<ScoredMethod> methodsOf(const TimingQuestion& question, const Run& run) {
  std::vector<ScoredMethod> methods;
  for (const TimedMechanism& mechanism : question.spec.mechanisms) {
    ScoredMethod method = scoredMethod(mechanism, question.own, question.spec.d);
    if (auto* pattern = std::get_if<Pattern>(&method))
      *pattern = resolveFiles(*pattern, {}, run);
    methods.push_back(std::move(method));
  }
  return methods;
}

std::string nameOf(const TimedMechanism& mechanism, const ScoredMethod& method) {
  if (mechanism.title.empty())
    return methodTitle(method);
  const auto* pattern = std::get_if<Pattern>(&method);
  return pattern ? wordsNow(mechanism.title, *pattern) : mechanism.title;
}

std::vector<std::string> namesOf(const TimingQuestion& question,
                                 std::span<const ScoredMethod> methods) {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (std::size_t k = 0; k < methods.size(); ++k)
    names.push_back(nameOf(question.spec.mechanisms[k], methods[k]));
  return names;
}

TimingFigureOptions figureOptionsOf(const TimingQuestion& question,
                                    std::span<const ScoredMethod> methods) {
  TimingFigureOptions options;
  options.names = namesOf(question, methods);
  options.sizes = timedSizes(question.spec);
  options.threads = static_cast<int>(question.spec.threads);
  options.d = question.spec.d;
  return options;
}

Timings timingsOf(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                  const SamplingOptions& sampling,
                  const std::function<void(const Timings&)>& onChange, const Run& run) {
  TimingOptions options;
  options.sizes = timedSizes(question.spec);
  options.d = question.spec.d;
  options.heads = question.spec.heads;
  options.threads = static_cast<int>(question.spec.threads);
  options.sampling = sampling;
  return measureTimings(methods, timingInput(options.d, options.heads, 0), options, onChange, run);
}

Timings timingsForFile(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                       const Run& run) {
  SamplingOptions sampling;
  sampling.samples = 9;
  sampling.seconds = kSecondsOfFile;
  sampling.longest = kSecondsOfFile / 30; // longer runs are left out: the others have more samples
  return timingsOf(question, methods, sampling, {}, run);
}

std::vector<std::string> readingOf(const Timings& timings, std::span<const std::string> names) {
  std::vector<std::string> sentences;
  if (!timings.exponents.empty())
    sentences.push_back(growthSentence(timings, names));
  for (const TimingCrossover& crossover : timings.crossovers)
    sentences.push_back(crossoverSentence(crossover, names));
  const auto best =
      std::max_element(timings.rows.begin(), timings.rows.end(),
                       [](const auto& a, const auto& b) { return a.peakShare < b.peakShare; });
  if (best != timings.rows.end() && abovePeak(*best))
    sentences.push_back("At n = " + groupedDigits(best->n) + ", “" + names[best->method] +
                        "” seemed faster than the machine's peak, which is impossible: the "
                        "measurement was too noisy. Points above the peak are not drawn, and the "
                        "other shares of the peak are not reliable.");
  else if (best != timings.rows.end() && best->peakShare > 0)
    sentences.push_back("The best use of the machine is " + fixed(100 * best->peakShare, 0) +
                        " % of its peak, by " + names[best->method] +
                        " at n = " + groupedDigits(best->n) + ".");
  return sentences;
}

TimingInput timingInput(Index d, Index heads, std::uint64_t seed) {
  RandomInput random;
  random.d = d;
  random.heads = heads;
  random.seed = seed;
  checkRandom(random);
  return [random](Index n, Index head, const Run& run) {
    RandomInput of = random;
    of.n = n;
    const auto draw = [&](Role role) { return randomMatrix<float>(of, role, head, 0, run); };
    return TimedHead{draw(Role::Query), draw(Role::Key), draw(Role::Value)};
  };
}

} // namespace attention
