#include "tests/core/figure/choice_facts.h"

#include "core/analysis/score/choice_board.h"
#include "core/scene/input_data.h"

#include <stdexcept>

using namespace attention;

namespace {

ChoiceBoard boardOf(const Scene& scene, const Input& input, const Prepared& mask) {
  const PatternData data =
      inputData(input, scene.input.batch, scene.input.head, mask.lengths().keys);
  return choiceBoard<double>(mask, data.q->view(), data.k->view(),
                             attendOptions(input, scene.input.head));
}

double oracle(const ChoiceBoard& board, const std::string& what) {
  if (what != "blocks" && what != "keys")
    throw std::invalid_argument("no oracle is called " + what);
  return what == "blocks" ? board.oracleBlocksRecall : board.oracleKeysRecall;
}

// Two FLOPs for a number of a query times one of a key, and as many for a value.
double attentionFlops(const Input& input, const Prepared& mask) {
  return 2.0 * static_cast<double>(mask.pairs()) * static_cast<double>(input.d + input.dv);
}

} // namespace

std::optional<double> choiceFact(const Scene& scene, const std::shared_ptr<const Input>& input,
                                 const std::function<std::shared_ptr<const Prepared>(Index)>& mask,
                                 const std::string& name, const std::vector<std::string>& of) {
  const auto place = [&](std::size_t k) { return of.size() > k ? std::stoll(of[k]) : 0; };
  if (name == "oracle")
    return oracle(boardOf(scene, *input, *mask(place(1))), of.at(0));
  if (name == "overlap")
    return boardOf(scene, *input, *mask(place(0))).blockOverlap;
  if (name == "choosing") {
    const auto prepared = mask(place(0));
    return prepared->choice()->flops / attentionFlops(*input, *prepared);
  }
  if (name == "evicted")
    return static_cast<double>(
        evictedAt(*mask(place(1))).at(static_cast<std::size_t>(std::stoll(of.at(0)))));
  return std::nullopt;
}
