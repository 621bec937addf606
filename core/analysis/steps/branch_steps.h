// One query of a pattern that adds several softmaxes with gates (S22: NSA's compressed keys,
// selected blocks and window): o = Σ_b g_b o_b, each o_b one softmax over keys of its own. A branch
// is asked for its steps as any other pattern is.
#pragma once

#include "core/analysis/steps/softmax_steps.h"
#include "core/attention/branch_keys.h"

#include <memory>
#include <span>
#include <vector>

namespace attention {

// A branch with its keys and values; `whole` must outlive it.
struct BranchInput {
  const Branch* branch = nullptr;
  double gate = 0;
  std::shared_ptr<const BranchKeys<double>> keys;
  Matrix<double> k; // own keys × d
  Matrix<double> v; // own keys × d_v

  // The query among these keys. Nothing to ask where there are none: keys->count() is 0.
  StepsInput input(const StepsInput& whole) const;
};

// Of a pattern with branches, in their order. Throws as checkSteps; E_UNSUPPORTED: a bias, where
// keys are means. O(n_k (d + d_v)).
std::vector<BranchInput> branchInputs(const StepsInput& whole);

// Of one branch; zeros where it has no keys. Throws as softmaxSteps.
SoftmaxSteps stepsOfBranch(const StepsInput& whole, const BranchInput& branch);

// All branches together, from the steps of each: `visible`, `dot`, `scaled` and `masked` are those
// of the keys that are read one by one, p is what every key has in the output (S22's effective
// weight) and empty where compressed keys or values are given in place of means. No max, sum, exp.
SoftmaxSteps gatedSteps(const StepsInput& whole, std::span<const BranchInput> branches,
                        std::span<const SoftmaxSteps> of);

} // namespace attention
