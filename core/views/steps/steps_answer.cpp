#include "core/views/steps/steps_answer.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace attention {
namespace {

constexpr std::array<std::string_view, 4> kNames{"softmax", "online", "linear", "features"};

std::vector<double> copied(std::span<const double> row) {
  return {row.begin(), row.end()};
}

Matrix<double> rowsOfKeys(MatrixView<const double> x, const std::vector<Index>& keys) {
  Matrix<double> rows(static_cast<Index>(keys.size()), x.cols);
  for (std::size_t t = 0; t < keys.size(); ++t)
    std::copy_n(x.row(keys[t]).data(), x.cols, rows.view().row(static_cast<Index>(t)).data());
  return rows;
}

// Of the visible keys, by the way that is shown.
std::vector<double> weightsOf(const StepsAnswer& answer) {
  if (answer.features)
    return answer.features->kernel;
  std::vector<double> weights;
  for (const Index j : answer.softmax.visible)
    weights.push_back(answer.softmax.p[static_cast<std::size_t>(j)]);
  return weights;
}

// Of few keys the forbidden ones stand among the others.
std::vector<ListedKey> listedKeys(const StepsInput& input, const ShownKeys& shown) {
  const Index keys = input.pattern.lengths().keys;
  const bool all = keys <= static_cast<Index>(kMostShownKeys) && shown.others.empty();
  std::vector<Index> listed = shown.keys;
  if (all) {
    listed.resize(static_cast<std::size_t>(keys));
    std::iota(listed.begin(), listed.end(), Index{0});
  }
  std::vector<ListedKey> made;
  for (const Index key : listed) {
    Explanation why = input.pattern.why(input.query, key);
    made.push_back({key, why.attends, std::move(why.text)});
  }
  return made;
}

} // namespace

std::span<const std::string_view> stepsByNames() {
  return kNames;
}

std::string_view name(StepsBy by) {
  return kNames[static_cast<std::size_t>(by)];
}

StepsBy stepsByNamed(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end())
    throwRange("by", excerpt(name), "softmax, online, linear or features");
  return static_cast<StepsBy>(found - kNames.begin());
}

const std::vector<double>& StepsAnswer::output() const {
  return online ? online->output : features ? features->output : softmax.output;
}

StepsAnswer stepsAnswer(const StepsInput& input, const StepsQuestion& question) {
  StepsAnswer answer;
  answer.by = question.by;
  answer.query = input.query;
  answer.softmax = softmaxSteps(input);
  answer.token = input.query + input.pattern.lengths().offset;
  answer.scoring = scoringOf(input.options, input.q.cols, input.pattern.lengths());
  answer.q = copied(input.q.row(input.query));
  if (question.by == StepsBy::Online)
    answer.online = onlineSteps(input, question.keyTile);
  const bool features = question.by == StepsBy::Linear || question.by == StepsBy::Features;
  if (features) {
    answer.normalized = question.features.normalized;
    answer.features = featureSteps(input, question.features);
  }
  answer.shown =
      shownKeys(answer.softmax.visible, weightsOf(answer), answer.token, question.pinned);
  answer.listed = listedKeys(input, answer.shown);
  answer.k = rowsOfKeys(input.k, answer.shown.keys);
  answer.v = rowsOfKeys(input.v, answer.shown.keys);
  if (features)
    answer.phiK = keyFeatures(input, question.features, answer.shown.keys);
  return answer;
}

} // namespace attention
