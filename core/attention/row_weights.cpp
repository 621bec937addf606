#include "core/attention/row_weights.h"

#include "core/attention/sink.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {

template <class T>
WeightKeys<T>::WeightKeys(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k)
    : keys_(pattern.outputs().keys, q, k) {
  if (!pattern.branches())
    return;
  const std::vector<Branch>& all = pattern.branches()->of;
  for (std::size_t b = 0; b < all.size(); ++b)
    if (!all[b].keys && !all[b].values) {
      WeighedBranch<T> branch{{all[b], pattern.lengths()}, b, {}};
      if (branch.own.compressed())
        branch.means = branch.own.of(keys_.view(), {});
      branches_.push_back(std::move(branch));
    }
}

template <class T>
void RowWeights<T>::exponentiate(std::span<const T> scores, T lse) {
  for (std::size_t t = 0; t < scores.size(); ++t)
    weights_[t] = weightOf(scores[t], lse);
}

namespace {

// ln Σ e^lse over the parts.
double lseOf(const std::vector<std::pair<std::size_t, double>>& parts) {
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const auto& [part, lse] : parts)
    most = std::max(most, lse);
  for (const auto& [part, lse] : parts)
    sum += std::exp(lse - most);
  return most + std::log(sum);
}

} // namespace

template <class T>
std::span<const T> RowWeights<T>::branchRow(BranchRows& branch, Index i) {
  const BranchKeys<T>& own = branch.of->own;
  constexpr T kHidden = -std::numeric_limits<T>::infinity();
  ownWeights_.assign(static_cast<std::size_t>(own.count()), kHidden);
  T most = kHidden;
  own.pattern().row(i, ranges_);
  branch.scores.visit(i, ranges_, 0, own.count(), [&](Index begin, std::span<const T> s) {
    std::copy(s.begin(), s.end(), ownWeights_.begin() + begin);
    most = std::max(most, *std::max_element(s.begin(), s.end()));
  });
  double sum = 0;
  for (T& weight : ownWeights_) {
    weight = most == kHidden ? T{0} : std::exp(weight - most);
    sum += static_cast<double>(weight);
  }
  if (sum == 0)
    return ownWeights_;
  const double share = sink_ ? shareBeside(*sink_, static_cast<double>(most), sum) : 1 / sum;
  for (T& weight : ownWeights_)
    weight *= static_cast<T>(share);
  return ownWeights_;
}

template <class T>
void RowWeights<T>::addBranches(Index i, Index j0, Index j1) {
  allShares_.assign(static_cast<std::size_t>(pattern_.lengths().keys), 0);
  for (BranchRows& branch : branches_)
    branch.of->own.spread(i, branchRow(branch, i), gateOf(*pattern_.branches(), i, branch.of->gate),
                          allShares_);
  weights_.assign(allShares_.begin() + j0, allShares_.begin() + j1);
}

template <class T>
void RowWeights<T>::addParts(Index i, Index j0, Index j1) {
  weights_.assign(static_cast<std::size_t>(j1 - j0), T{0});
  const double all = static_cast<double>(lse_[static_cast<std::size_t>(i)]);
  if (rows_.combine() == Combine::Lse) {
    for (std::size_t part = 0; part < rows_.parts(); ++part)
      addPart(part, i, j0, j1, all, 1);
    return;
  }
  std::vector<std::pair<std::size_t, double>> visible;
  for (std::size_t part = 0; part < rows_.parts(); ++part)
    if (const double lse = partLse(part, i); std::isfinite(lse))
      visible.emplace_back(part, lse);
  const double kept = sink_ ? std::exp(lseOf(visible) - all) : 1; // what the sink leaves
  for (const auto& [part, lse] : visible)
    addPart(part, i, j0, j1, lse, kept / static_cast<double>(visible.size()));
}

template <class T>
void RowWeights<T>::addPart(std::size_t part, Index i, Index j0, Index j1, double lse,
                            double share) {
  if (rows_.lone(part, i)) {
    if (i >= j0 && i < j1)
      weights_[static_cast<std::size_t>(i - j0)] +=
          static_cast<T>(share * std::exp(rows_.loneLogit() - lse));
    return;
  }
  for (std::size_t layer = 0; layer < rows_.layers(part); ++layer) {
    rows_.row(part, layer, i, ranges_);
    scores_.visit(i, ranges_, j0, j1, [&](Index begin, std::span<const T> s) {
      for (std::size_t t = 0; t < s.size(); ++t)
        weights_[static_cast<std::size_t>(begin - j0) + t] +=
            static_cast<T>(share * weightOf(static_cast<double>(s[t]), lse));
    });
  }
}

template <class T>
double RowWeights<T>::partLse(std::size_t part, Index i) {
  if (rows_.lone(part, i))
    return rows_.loneLogit();
  double maximum = -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t layer = 0; layer < rows_.layers(part); ++layer) {
    rows_.row(part, layer, i, ranges_);
    scores_.visit(i, ranges_, 0, pattern_.lengths().keys, [&](Index, std::span<const T> s) {
      for (const T score : s) {
        const auto x = static_cast<double>(score);
        if (x > maximum) {
          sum = sum * std::exp(maximum - x) + 1;
          maximum = x;
        } else
          sum += std::exp(x - maximum);
      }
    });
  }
  return sum > 0 ? maximum + std::log(sum) : maximum;
}

template class WeightKeys<float>;
template class WeightKeys<double>;
template class RowWeights<float>;
template class RowWeights<double>;

} // namespace attention
