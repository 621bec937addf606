#include "core/views/steps/steps_answer.h"

#include "core/analysis/steps/branch_steps.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace attention {
namespace {

constexpr std::size_t kMostOfBranch = 4; // keys of each of several branches
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

// Of few keys the hidden ones stand among the others.
std::vector<ListedKey> listedKeys(const StepsInput& input, const ShownKeys& shown,
                                  const StepsQuestion& question) {
  const std::span<const Index> pinned = question.pinned;
  const Index keys = input.pattern.lengths().keys;
  const bool all = keys <= static_cast<Index>(question.mostKeys) && shown.others.empty();
  std::vector<Index> listed = shown.keys;
  if (all) {
    listed.resize(static_cast<std::size_t>(keys));
    std::iota(listed.begin(), listed.end(), Index{0});
  } else {
    for (const Index key : pinned)
      if (const auto place = std::lower_bound(listed.begin(), listed.end(), key);
          key >= 0 && key < keys && (place == listed.end() || *place != key))
        listed.insert(place, key);
  }
  std::vector<ListedKey> made;
  for (const Index key : listed) {
    Explanation why = input.pattern.why(input.query, key);
    made.push_back({key, why.attends, std::move(why.text)});
  }
  return made;
}

std::optional<ListedKey> hiddenKey(const StepsInput& input, const StepsAnswer& answer) {
  const auto isHidden = [](const ListedKey& of) { return !of.visible; };
  const auto isPinned = [&](const ListedKey& of) {
    return isHidden(of) &&
           std::find(answer.pinned.begin(), answer.pinned.end(), of.key) != answer.pinned.end();
  };
  const auto& listed = answer.listed; // with all pinned ones
  if (const auto found = std::find_if(listed.begin(), listed.end(), isPinned);
      found != listed.end())
    return *found;
  if (const auto found = std::find_if(listed.begin(), listed.end(), isHidden);
      found != listed.end())
    return *found;
  Index first = 0;
  for (const Index key : answer.softmax.visible)
    first += key == first ? 1 : 0;
  if (first >= input.pattern.lengths().keys)
    return std::nullopt;
  return ListedKey{first, false, input.pattern.why(input.query, first).text};
}

// Of a branch: the pinned keys themselves, or the compressed keys that stand for them.
std::vector<Index> pinnedIn(const Branch& branch, Index count, const std::vector<Index>& pinned) {
  if (branch.block == 0)
    return pinned;
  std::vector<Index> own;
  for (Index c = 0; c < count; ++c)
    if (std::any_of(pinned.begin(), pinned.end(), [&](Index key) {
          return key >= c * branch.stride && key < c * branch.stride + branch.block;
        }))
      own.push_back(c);
  return own;
}

BranchAnswer branchAnswer(const StepsInput& whole, const BranchInput& of, StepsQuestion question) {
  BranchAnswer answer{of.branch->part.name, of.branch->part.label, of.gate,
                      of.branch->block,     of.branch->stride,     {}};
  if (of.keys->count() == 0) {
    answer.steps.by = question.by;
    answer.steps.query = whole.query;
    answer.steps.scoring = scoringOf(whole.options, whole.q.cols, whole.pattern.lengths());
    answer.steps.softmax = stepsOfBranch(whole, of);
    answer.steps.q = copied(whole.q.row(whole.query));
    return answer;
  }
  question.mostKeys = kMostOfBranch;
  question.pinned = pinnedIn(*of.branch, of.keys->count(), question.pinned);
  answer.steps = stepsAnswer(of.input(whole), question);
  if (of.branch->block > 0) {
    answer.steps.token = -1; // is none of the compressed keys
    answer.steps.keyNoun = "compressed key";
  }
  return answer;
}

StepsAnswer gatedAnswer(const StepsInput& input, const StepsQuestion& question) {
  if (question.by == StepsBy::Linear || question.by == StepsBy::Features)
    throw Error(ErrorCode::Unsupported, "by",
                "by is " + std::string(name(question.by)) +
                    "; it must be softmax or online for a pattern that adds several softmaxes");
  StepsAnswer answer;
  answer.by = question.by;
  answer.query = input.query;
  answer.token = input.query + input.pattern.lengths().offset;
  answer.pinned = question.pinned;
  answer.scoring = scoringOf(input.options, input.q.cols, input.pattern.lengths());
  answer.q = copied(input.q.row(input.query));
  const std::vector<BranchInput> branches = branchInputs(input);
  std::vector<SoftmaxSteps> of;
  answer.gated.resize(static_cast<std::size_t>(input.v.cols));
  for (const BranchInput& branch : branches) {
    answer.branches.push_back(branchAnswer(input, branch, question));
    const BranchAnswer& made = answer.branches.back();
    of.push_back(made.steps.softmax);
    const std::vector<double>& output = made.steps.output();
    for (std::size_t c = 0; c < answer.gated.size(); ++c)
      answer.gated[c] += made.gate * output[c];
  }
  answer.softmax = gatedSteps(input, branches, of);
  return answer;
}

} // namespace

std::string_view name(StepsBy by) {
  return kNames[static_cast<std::size_t>(by)];
}

const std::vector<double>& StepsAnswer::output() const {
  if (!branches.empty())
    return gated;
  return online ? online->output : features ? features->output : softmax.output;
}

std::vector<double> weightsOf(const StepsAnswer& answer) {
  if (answer.features)
    return answer.features->kernel;
  std::vector<double> weights;
  if (answer.softmax.p.empty()) // single keys have none (gatedSteps)
    return std::vector<double>(answer.softmax.visible.size());
  for (const Index j : answer.softmax.visible)
    weights.push_back(answer.softmax.p[static_cast<std::size_t>(j)]);
  return weights;
}

std::optional<Index> heaviestKey(const StepsAnswer& answer) {
  const std::vector<double> weights = weightsOf(answer);
  if (weights.empty())
    return std::nullopt;
  const auto most = std::max_element(weights.begin(), weights.end());
  return answer.softmax.visible[static_cast<std::size_t>(most - weights.begin())];
}

std::optional<Index> exampleKey(const StepsAnswer& answer) {
  const std::vector<Index>& visible = answer.softmax.visible;
  for (const Index key : answer.pinned)
    if (std::binary_search(visible.begin(), visible.end(), key))
      return key;
  const std::vector<double> weights = weightsOf(answer);
  if (weights.empty())
    return std::nullopt;
  const double top = *std::max_element(weights.begin(), weights.end());
  std::optional<std::size_t> second;
  for (std::size_t t = 0; t < weights.size(); ++t)
    if (weights[t] < top && (!second || weights[t] > weights[*second]))
      second = t;
  return second ? std::optional(visible[*second]) : heaviestKey(answer);
}

StepsAnswer stepsAnswer(const StepsInput& input, const StepsQuestion& question) {
  if (input.pattern.branches())
    return gatedAnswer(input, question);
  StepsAnswer answer;
  answer.by = question.by;
  answer.query = input.query;
  answer.pinned = question.pinned;
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
  answer.shown = shownKeys(answer.softmax.visible, weightsOf(answer), answer.token, question.pinned,
                           question.mostKeys);
  answer.listed = listedKeys(input, answer.shown, question);
  answer.hidden = hiddenKey(input, answer);
  std::vector<Index> listed;
  for (const ListedKey& of : answer.listed)
    listed.push_back(of.key);
  answer.k = rowsOfKeys(input.k, listed);
  answer.v = rowsOfKeys(input.v, answer.shown.keys);
  if (features) {
    answer.phiK = keyFeatures(input, question.features, answer.shown.keys);
    answer.sums = runningSums(input, question.features, answer.shown.keys, kMostStateCells);
  }
  return answer;
}

} // namespace attention
