#include "core/attention/branches.h"

#include "core/attention/weights.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention {
namespace {

// A branch as attention over a mask and keys of its own.
template <class T>
class OwnKeys {
public:
  OwnKeys(const Branch& branch, const Lengths& lengths)
      : branch_(branch), count_(branch.block == 0 ? lengths.keys : countOf(branch, lengths)),
        pattern_(patternOf(branch, lengths, count_)) {}

  Index count() const { return count_; }
  const Prepared& pattern() const { return pattern_; }

  // n_k × d rows as keys or values of the branch.
  Matrix<T> of(MatrixView<const T> rows, const std::shared_ptr<const Matrix<double>>& given) const {
    Matrix<T> own(count_, rows.cols);
    for (Index c = 0; c < count_; ++c)
      for (Index t = 0; t < rows.cols; ++t)
        own(c, t) = given ? static_cast<T>((*given)(c, t)) : meanOf(rows, c, t);
    return own;
  }

  // How many visible compressed keys of query i stand for each key, and what these give it.
  void spread(Index i, std::span<const T> weights, double gate, std::span<double> into) const {
    if (branch_.block == 0) {
      for (std::size_t j = 0; j < weights.size(); ++j)
        into[j] += gate * static_cast<double>(weights[j]);
      return;
    }
    const auto share = gate / static_cast<double>(branch_.block);
    for (Index c = 0; c < branch_.visible[static_cast<std::size_t>(i)]; ++c)
      for (Index u = 0; u < branch_.block; ++u)
        into[static_cast<std::size_t>(c * branch_.stride + u)] +=
            share * static_cast<double>(weights[static_cast<std::size_t>(c)]);
  }

private:
  static Index countOf(const Branch& branch, const Lengths& lengths) {
    return lengths.keys < branch.block ? 0 : (lengths.keys - branch.block) / branch.stride + 1;
  }

  static Prepared patternOf(const Branch& branch, const Lengths& lengths, Index count) {
    if (branch.block == 0)
      return Prepared(lengths, {branch.part});
    RowTable table;
    for (Index i = 0; i < lengths.queries; ++i) {
      const Index visible = branch.visible[static_cast<std::size_t>(i)];
      table.appendGroup(i + 1,
                        visible > 0 ? std::vector<KeyRun>{{0, visible}} : std::vector<KeyRun>{});
    }
    return Prepared({lengths.queries, count, 0},
                    {{"compressed", "", std::make_shared<const RowTable>(std::move(table))}});
  }

  T meanOf(MatrixView<const T> rows, Index c, Index t) const {
    if (branch_.block == 0)
      return rows(c, t);
    double sum = 0;
    for (Index u = 0; u < branch_.block; ++u)
      sum += static_cast<double>(rows(c * branch_.stride + u, t));
    return static_cast<T>(sum / static_cast<double>(branch_.block));
  }

  const Branch& branch_;
  Index count_;
  Prepared pattern_;
};

void requireNoBias(const Branches& branches, const AttendOptions& options) {
  const bool means = std::any_of(branches.of.begin(), branches.of.end(),
                                 [](const Branch& branch) { return branch.block > 0; });
  if (means && !options.bias.none())
    throw Error(ErrorCode::Unsupported, "modifiers.bias",
                "modifiers.bias is given; it must be none with a pattern that attends to means of "
                "keys, which have no position");
}

double gateOf(const Branches& branches, Index i, std::size_t b) {
  const Matrix<double>& gates = branches.gates;
  return gates(gates.rows() == 1 ? 0 : i, static_cast<Index>(b));
}

} // namespace

template <class T>
BranchOutputs<T> attendBranches(const Prepared& pattern, MatrixView<const T> q,
                                MatrixView<const T> k, MatrixView<const T> v,
                                const AttendOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, v);
  const Branches& branches = *pattern.branches();
  requireNoBias(branches, options);
  BranchOutputs<T> result{Matrix<T>(q.rows, v.cols), {}};
  for (std::size_t b = 0; b < branches.of.size(); ++b) {
    const OwnKeys<T> own(branches.of[b], pattern.lengths());
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

template <class T>
Matrix<double> effectiveWeights(const Prepared& pattern, MatrixView<const T> q,
                                MatrixView<const T> k, const AttendOptions& options,
                                const Run& run) {
  const Branches& branches = *pattern.branches();
  requireNoBias(branches, options);
  Matrix<double> effective(q.rows, k.rows);
  for (std::size_t b = 0; b < branches.of.size(); ++b) {
    const Branch& branch = branches.of[b];
    if (branch.keys || branch.values)
      throw Error(
          ErrorCode::Unsupported, "compressed_v",
          "compressed keys or values are given; the weights of single keys are defined only "
          "for means");
    const OwnKeys<T> own(branch, pattern.lengths());
    if (own.count() == 0)
      continue;
    const Matrix<T> keys = own.of(k, {});
    const std::vector<T> lse = logSumExp<T>(own.pattern(), q, keys.view(), options, run.quiet());
    const WeightSource<T> source{own.pattern(), q, keys.view(), lse,
                                 scoringOf(options, q.cols, own.pattern().lengths())};
    for (Index i = 0; i < q.rows; ++i) {
      const Matrix<T> weights = weightsOf(source, {i, i + 1, 0, own.count()}, 1, run.quiet());
      own.spread(i, weights.view().row(0), gateOf(branches, i, b), effective.view().row(i));
    }
  }
  return effective;
}

template BranchOutputs<float> attendBranches(const Prepared&, MatrixView<const float>,
                                             MatrixView<const float>, MatrixView<const float>,
                                             const AttendOptions&, const Run&);
template BranchOutputs<double> attendBranches(const Prepared&, MatrixView<const double>,
                                              MatrixView<const double>, MatrixView<const double>,
                                              const AttendOptions&, const Run&);
template Matrix<double> effectiveWeights(const Prepared&, MatrixView<const float>,
                                         MatrixView<const float>, const AttendOptions&, const Run&);
template Matrix<double> effectiveWeights(const Prepared&, MatrixView<const double>,
                                         MatrixView<const double>, const AttendOptions&,
                                         const Run&);

} // namespace attention
