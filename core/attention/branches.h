// Attention by several softmaxes over the same keys whose outputs are added with a weight for every
// query (S22: NSA's compressed, selected and window branches):
//
//   o_i = Σ_b g_ib o_ib,   o_ib the softmax attention of branch b; zeros where it has no key.
//
// A branch reads the keys of its cells, or compressed keys: means of stretches of keys and values,
// unless the pattern has others in their place. What a key has in the sum is in row_weights.h.
#pragma once

#include "core/attention/attend.h"

#include <vector>

namespace attention {

template <class T>
struct BranchOutputs {
  Matrix<T> out;             // n × d_v
  std::vector<Matrix<T>> of; // of each branch, before its gate
};

// E_UNSUPPORTED: a bias by position, where keys are means, which have none.
void checkBranches(const Branches& branches, const AttendOptions& options);

// `pattern` has branches. Throws as attend.
template <class T>
BranchOutputs<T> attendBranches(const Prepared& pattern, MatrixView<const T> q,
                                MatrixView<const T> k, MatrixView<const T> v,
                                const AttendOptions& options = {}, const Run& run = {});

} // namespace attention
