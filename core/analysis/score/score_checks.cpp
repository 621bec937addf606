#include "core/analysis/score/score_board.h"

#include "core/attention/attend.h"
#include "core/attention/linformer.h"
#include "core/support/error.h"
#include "core/support/products.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attention {
namespace {

// Features whose inner products are exp(q·k / √d) on average; gaussian_trig once rows sum to 1 and
// keys are of one length.
bool approximatesExp(FeatureMap map) {
  return map != FeatureMap::Relu && map != FeatureMap::Elu1;
}

bool standsForExp(const ScoredMethod& method) {
  if (const auto* features = std::get_if<FeatureMethod>(&method))
    return approximatesExp(features->features.map);
  const auto* kernel = std::get_if<KernelMethod>(&method);
  return kernel && (kernel->kernel == Kernel::Softmax || kernel->kernel == Kernel::Gaussian);
}

template <class T>
struct Check {
  const ScoredHead<T>& head;
  const ScoreOptions& options;
  const Run& run;

  void operator()(const Pattern& pattern) const { check(pattern, squareLengths(head.q.rows())); }

  void operator()(const FeatureMethod& method) const {
    checkScale(method, std::string(name(method.features.map)) + " features, which approximate");
    Projection one = method.projection; // for one row: what it refuses does not depend on m > 0
    one.rows = std::min<Index>(one.rows, 1);
    featuresOf<T>(rowsOf(head.q.view(), 0, 1),
                  takesProjections(method.features.map) ? drawProjection(one) : Matrix<double>(),
                  method.features, FeatureRole::Query, 1, run);
  }

  void operator()(const KernelMethod& method) const {
    checkScale(method, "the " + std::string(name(method.kernel)) + " kernel, which has");
  }

  void operator()(const LinformerMethod& method) const {
    if (!head.scores.bias.none())
      throw Error(ErrorCode::Unsupported, "bias",
                  "a bias is given; there must be none with Linformer, whose keys mix all "
                  "positions");
    const auto past = [](const Base& base) { return base.past; };
    if ((options.base && options.base->past) ||
        std::any_of(options.headBases.begin(), options.headBases.end(), past))
      throw Error(ErrorCode::Unsupported, "base",
                  "base is causal; Linformer is not defined for causal masks, since E mixes all "
                  "positions");
    drawLinformer(std::min<Index>(method.k, 1), 1, method.seed, LinformerSide::Keys);
  }

private:
  void checkScale(const ScoredMethod& method, const std::string& of) const {
    const AttendOptions& scores = head.scores;
    if (suitsScores(method, scores, head.q.cols()))
      return;
    if (scores.softcap)
      throw Error(ErrorCode::Unsupported, "softcap",
                  "softcap is " + shortest(*scores.softcap) + "; it must be none with " + of +
                      " exp(q·k / √d)");
    if (!scores.bias.none() || scores.sink)
      throw Error(ErrorCode::Unsupported, scores.sink ? "sink" : "bias",
                  std::string(scores.sink ? "a sink" : "a bias") +
                      " is given; there must be none with " + of + " exp(q·k / √d)");
    if (scores.temperature != 1)
      throwRange("temperature", shortest(scores.temperature), "1 with " + of + " exp(q·k / √d)");
    throwRange("scale", shortest(*scores.scale), "1/√d with " + of + " exp(q·k / √d)");
  }
};

} // namespace

bool suitsScores(const ScoredMethod& method, const AttendOptions& scores, Index d) {
  if (std::holds_alternative<LinformerMethod>(method))
    return scores.bias.none();
  if (!standsForExp(method))
    return true;
  const double own = 1 / std::sqrt(static_cast<double>(d));
  const double scale = scores.scale.value_or(own) / scores.temperature;
  return !scores.softcap && scores.bias.none() && !scores.sink &&
         std::abs(scale - own) <= 1e-12 * own;
}

template <class T>
void checkScored(const ScoredMethod& method, const ScoredHead<T>& head, const ScoreOptions& options,
                 const Run& run) {
  std::visit(Check<T>{head, options, run}, method);
}

template void checkScored(const ScoredMethod&, const ScoredHead<float>&, const ScoreOptions&,
                          const Run&);
template void checkScored(const ScoredMethod&, const ScoredHead<double>&, const ScoreOptions&,
                          const Run&);

} // namespace attention
