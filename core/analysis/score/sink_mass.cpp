#include "core/analysis/score/choice_scores.h"

#include "core/analysis/score/head_references.h"
#include "core/support/part_of_run.h"

namespace attention {

template <class T>
std::vector<std::optional<double>>
massesOfAll(std::span<const ScoredMethod> methods, std::span<const Score> scores,
            const ScoredInput<T>& input, const ScoreOptions& options, const Run& run) {
  assert(methods.size() == scores.size());
  std::vector<std::optional<double>> masses(methods.size());
  for (Index h = 0; h < input.heads; ++h) {
    const ScoredHead<T> in = input.load(h);
    const AttendOptions how = attendOptions(in, options);
    if (!how.sink) // all heads have one, or none
      break;
    const Run step = stepOf(run, h, input.heads);
    for (std::size_t k = 0; k < methods.size(); ++k) {
      const auto* pattern = std::get_if<Pattern>(&methods[k]);
      if (!pattern)
        continue;
      const Run part = stepOf(step, static_cast<Index>(k), std::ssize(methods));
      const auto prepared = prepare(*pattern, squareLengths(input.n),
                                    needsData(*pattern) ? in.data : PatternData{}, part.quiet());
      const Base& base = options.headBases.empty() ? scores[k].base
                                                   : options.headBases[static_cast<std::size_t>(h)];
      const auto mass = capturedMass<T>(prepared, in.q.view(), in.k.view(), base, how, part);
      masses[k] = masses[k].value_or(0) + *mass.meanOfAll / static_cast<double>(input.heads);
    }
  }
  return masses;
}

template std::vector<std::optional<double>> massesOfAll(std::span<const ScoredMethod>,
                                                        std::span<const Score>,
                                                        const ScoredInput<float>&,
                                                        const ScoreOptions&, const Run&);
template std::vector<std::optional<double>> massesOfAll(std::span<const ScoredMethod>,
                                                        std::span<const Score>,
                                                        const ScoredInput<double>&,
                                                        const ScoreOptions&, const Run&);

} // namespace attention
