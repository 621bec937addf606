#include "core/attention/row_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {

template <class T>
void RowWeights<T>::exponentiate(std::span<const T> scores, T lse) {
  for (std::size_t t = 0; t < scores.size(); ++t)
    weights_[t] = std::exp(scores[t] - lse);
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
  const double kept = sinkShare_ ? std::exp(lseOf(visible) - all) : 1; // what the sink leaves
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
            static_cast<T>(share * std::exp(static_cast<double>(s[t]) - lse));
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

template class RowWeights<float>;
template class RowWeights<double>;

} // namespace attention
