#include "core/attention/branch_keys.h"

namespace attention {

template <class T>
BranchKeys<T>::BranchKeys(const Branch& branch, const Lengths& lengths)
    : branch_(branch), count_(branch.block == 0 ? lengths.keys : countOf(branch, lengths)),
      pattern_(patternOf(branch, lengths, count_)) {}

template <class T>
Matrix<T> BranchKeys<T>::of(MatrixView<const T> rows,
                            const std::shared_ptr<const Matrix<double>>& given) const {
  Matrix<T> own(count_, rows.cols);
  for (Index c = 0; c < count_; ++c)
    for (Index t = 0; t < rows.cols; ++t)
      own(c, t) = given ? static_cast<T>((*given)(c, t)) : meanOf(rows, c, t);
  return own;
}

template <class T>
void BranchKeys<T>::spread(Index i, std::span<const T> weights, double gate,
                           std::span<double> into) const {
  if (!compressed()) {
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

template <class T>
Index BranchKeys<T>::countOf(const Branch& branch, const Lengths& lengths) {
  return lengths.keys < branch.block ? 0 : (lengths.keys - branch.block) / branch.stride + 1;
}

template <class T>
Prepared BranchKeys<T>::patternOf(const Branch& branch, const Lengths& lengths, Index count) {
  if (branch.block == 0)
    return Prepared(lengths, {branch.part});
  RowTable table;
  for (Index i = 0; i < lengths.queries; ++i) {
    const Index visible = branch.visible[static_cast<std::size_t>(i)];
    table.appendGroup(i + 1,
                      visible > 0 ? std::vector<KeyRun>{{0, visible}} : std::vector<KeyRun>{});
  }
  const auto explain = [block = branch.block, stride = branch.stride](Index i, Index c) {
    const Index last = c * stride + block - 1;
    return "it stands for keys up to " + std::to_string(last) + (last <= i ? " ≤ " : " > ") +
           std::to_string(i);
  };
  return Prepared({lengths.queries, count, 0},
                  {{branch.part.name, branch.part.label,
                    std::make_shared<const RowTable>(std::move(table)), explain}});
}

template <class T>
T BranchKeys<T>::meanOf(MatrixView<const T> rows, Index c, Index t) const {
  if (!compressed())
    return rows(c, t);
  double sum = 0;
  for (Index u = 0; u < branch_.block; ++u)
    sum += static_cast<double>(rows(c * branch_.stride + u, t));
  return static_cast<T>(sum / static_cast<double>(branch_.block));
}

template class BranchKeys<float>;
template class BranchKeys<double>;

double gateOf(const Branches& branches, Index i, std::size_t b) {
  const Matrix<double>& gates = branches.gates;
  return gates(gates.rows() == 1 ? 0 : i, static_cast<Index>(b));
}

} // namespace attention
