// The score board over scores with modifiers (T8), against the weights of dense attention.
#include "core/analysis/score/score_board.h"
#include "core/attention/weights.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/local.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/attention/some_modifiers.h"

#include <algorithm>

using namespace attention;

TEST_CASE("a board measures with the modifiers of the scores") {
  const Index n = 30;
  const RandomQkv<double> in(n, n, 4, 3, 5);
  Local window;
  window.window = 6;
  window.causal = true;
  const std::vector<ScoredMethod> methods{Pattern(Causal{}), Pattern(window)};
  ScoreOptions options;
  options.recallKeys = 4;
  for (const ScoreModifiers& modifiers : someModifiers()) {
    const AttendOptions how = optionsOf(modifiers, 1, 2, n);
    const ScoredInput<double> input{n, 1, [&](Index) {
                                      return ScoredHead<double>{
                                          in.q, in.k, in.v,
                                          patternData<double>(in.qView(), in.kView()), how};
                                    }};
    const auto scores = scoreBoard<double>(methods, input, options);
    CHECK(*scores[0].capturedMass == Approx(1));
    CHECK(scores[0].error->maxAbs <= 1e-12);
    CHECK(scores[0].recall == 1);
    const auto local = prepare(window, squareLengths(n));
    const auto causal = prepare(Causal{}, squareLengths(n));
    const auto dense = attend(*causal, in.qView(), in.kView(), in.vView(), how);
    const auto kept = attend(*local, in.qView(), in.kView(), in.vView(), how);
    CHECK(scores[1].error->maxAbs == Approx(outputError(kept.out, dense.out).maxAbs));
    // Of the weights of dense attention, row by row.
    const WeightSource<double> source{*causal, in.qView(), in.kView(), dense.lse,
                                      scoringOf(how, 4, causal->lengths())};
    const Matrix<double> p = weightsOf(source, causal->bounds());
    double share = 0;
    double recall = 0;
    for (Index i = 0; i < n; ++i) {
      std::vector<std::pair<double, Index>> row;
      double all = 0;
      double seen = 0;
      for (Index j = 0; j <= i; ++j) {
        row.emplace_back(-p(i, j), j);
        all += p(i, j);
        seen += local->contains(i, j) ? p(i, j) : 0;
      }
      share += seen / all / static_cast<double>(n);
      std::sort(row.begin(), row.end());
      row.resize(std::min<std::size_t>(row.size(), 4));
      const auto found = std::count_if(
          row.begin(), row.end(), [&](const auto& key) { return local->contains(i, key.second); });
      recall +=
          static_cast<double>(found) / static_cast<double>(row.size()) / static_cast<double>(n);
    }
    CHECK(*scores[1].capturedMass == Approx(share));
    CHECK(scores[1].recall == Approx(recall));
  }
}
