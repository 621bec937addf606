#include "core/analysis/steps/branch_steps.h"

#include "core/attention/branches.h"

#include <algorithm>
#include <limits>

namespace attention {
namespace {

// Scores of the keys as they are, and which of them the mask lets through.
void takeScores(const StepsInput& whole, SoftmaxSteps& steps) {
  const Scoring scoring = scoringOf(whole.options, whole.q.cols, whole.pattern.lengths());
  const auto q = whole.q.row(whole.query);
  for (Index j = 0; j < whole.k.rows; ++j) {
    double dot = 0;
    for (std::size_t c = 0; c < q.size(); ++c)
      dot += q[c] * whole.k.row(j)[c];
    steps.dot.push_back(dot);
    steps.scaled.push_back(scoring(dot, whole.query, j));
    const bool visible = whole.pattern.contains(whole.query, j);
    steps.masked.push_back(visible ? steps.scaled.back()
                                   : -std::numeric_limits<double>::infinity());
    if (visible)
      steps.visible.push_back(j);
  }
}

} // namespace

StepsInput BranchInput::input(const StepsInput& whole) const {
  return {keys->pattern(), whole.q, k.view(), v.view(), whole.query, whole.options};
}

std::vector<BranchInput> branchInputs(const StepsInput& whole) {
  checkSteps(whole);
  const Branches& branches = *whole.pattern.branches();
  checkBranches(branches, whole.options);
  std::vector<BranchInput> inputs;
  for (std::size_t b = 0; b < branches.of.size(); ++b) {
    const Branch& branch = branches.of[b];
    BranchInput input{&branch,
                      gateOf(branches, whole.query, b),
                      std::make_shared<const BranchKeys<double>>(branch, whole.pattern.lengths()),
                      {},
                      {}};
    input.k = input.keys->of(whole.k, branch.keys);
    input.v = input.keys->of(whole.v, branch.values);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

SoftmaxSteps stepsOfBranch(const StepsInput& whole, const BranchInput& branch) {
  if (branch.keys->count() > 0)
    return softmaxSteps(branch.input(whole));
  SoftmaxSteps none;
  none.sum = 0;
  none.output.resize(static_cast<std::size_t>(whole.v.cols));
  return none;
}

SoftmaxSteps gatedSteps(const StepsInput& whole, std::span<const BranchInput> branches,
                        std::span<const SoftmaxSteps> of) {
  assert(branches.size() == of.size());
  SoftmaxSteps steps;
  takeScores(whole, steps);
  steps.output.resize(static_cast<std::size_t>(whole.v.cols));
  steps.p.resize(steps.dot.size());
  bool means = true;
  for (std::size_t b = 0; b < of.size(); ++b) {
    const BranchInput& branch = branches[b];
    means = means && !branch.branch->keys && !branch.branch->values;
    branch.keys->spread(whole.query, of[b].p, branch.gate, steps.p);
    for (std::size_t c = 0; c < steps.output.size(); ++c)
      steps.output[c] += branch.gate * of[b].output[c];
  }
  if (!means)
    steps.p.clear();
  return steps;
}

} // namespace attention
