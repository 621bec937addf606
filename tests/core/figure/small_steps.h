// One query's steps that can be computed by hand, others of random numbers, and the diagram of a
// board.
#pragma once

#include "core/plot/figure.h"
#include "core/views/steps/steps_answer.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/pattern_text.h"

namespace attention {

// Two words of which the second looks at the first: scores 4/√2 and 2/√2, so that every number can
// be computed by hand.
inline StepsAnswer byHand() {
  static const Matrix<double> q(2, 2, {1, 0, 2, 0});
  static const Matrix<double> k(2, 2, {2, 0, 1, 1});
  static const Matrix<double> v(2, 2, {0, 2, 1, 1});
  static const auto pattern = prepare(patternNamed("causal"), squareLengths(2));
  return stepsAnswer({*pattern, q.view(), k.view(), v.view(), 1, {}}, {});
}

// A query among random keys.
struct RandomSteps {
  RandomQkv<double> in;
  std::shared_ptr<const Prepared> pattern;

  RandomSteps(Index n, Index d, const char* name)
      : in(n, n, d, d, 3), pattern(prepare(patternNamed(name), squareLengths(n))) {}

  StepsAnswer answer(Index query, StepsBy by, Index keyTile = 4) const {
    StepsQuestion question;
    question.by = by;
    question.keyTile = keyTile;
    question.features.map.map = FeatureMap::Elu1;
    return stepsAnswer({*pattern, in.qView(), in.kView(), in.vView(), query, {}}, question);
  }
};

inline const DiagramMark& diagramOf(const Plot& plot) {
  return std::get<DiagramMark>(plot.mark);
}

} // namespace attention
