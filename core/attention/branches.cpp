#include "core/attention/branches.h"

#include "core/attention/branch_keys.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention {

void checkBranches(const Branches& branches, const AttendOptions& options) {
  const bool means = std::any_of(branches.of.begin(), branches.of.end(),
                                 [](const Branch& branch) { return branch.block > 0; });
  if (means && !options.bias.none())
    throw Error(ErrorCode::Unsupported, "modifiers.bias",
                "modifiers.bias is given; it must be none with a pattern that attends to means of "
                "keys, which have no position");
}

template <class T>
BranchOutputs<T> attendBranches(const Prepared& pattern, MatrixView<const T> q,
                                MatrixView<const T> k, MatrixView<const T> v,
                                const AttendOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, v);
  const Branches& branches = *pattern.branches();
  checkBranches(branches, options);
  BranchOutputs<T> result{Matrix<T>(q.rows, v.cols), {}};
  for (std::size_t b = 0; b < branches.of.size(); ++b) {
    const BranchKeys<T> own(branches.of[b], pattern.lengths());
    Matrix<T> out(q.rows, v.cols);
    if (own.count() > 0) {
      const Matrix<T> keys = own.of(k, branches.of[b].keys);
      const Matrix<T> values = own.of(v, branches.of[b].values);
      out = attend(own.pattern(), q, keys.view(), values.view(), options, run.quiet()).out;
    }
    for (Index i = 0; i < q.rows; ++i) {
      const auto gate = static_cast<T>(gateOf(branches, i, b));
      for (Index c = 0; c < v.cols; ++c)
        result.out(i, c) += gate * out(i, c);
    }
    result.of.push_back(std::move(out));
    run.report(static_cast<double>(b + 1) / static_cast<double>(branches.of.size()));
  }
  return result;
}

template BranchOutputs<float> attendBranches(const Prepared&, MatrixView<const float>,
                                             MatrixView<const float>, MatrixView<const float>,
                                             const AttendOptions&, const Run&);
template BranchOutputs<double> attendBranches(const Prepared&, MatrixView<const double>,
                                              MatrixView<const double>, MatrixView<const double>,
                                              const AttendOptions&, const Run&);

} // namespace attention
