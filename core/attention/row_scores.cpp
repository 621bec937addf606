#include "core/attention/row_scores.h"

#include <Eigen/Core>

namespace attention {

template <class T>
void RowScores<T>::compute(Index i, Index begin, Index end) {
  using Keys = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>,
                          0, Eigen::OuterStride<>>;
  using Row = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  scores_.resize(static_cast<std::size_t>(end - begin));
  const Eigen::Map<const Row> q(q_.row(i).data(), q_.cols);
  const Keys k(k_.data + begin * k_.stride, end - begin, k_.cols, Eigen::OuterStride<>(k_.stride));
  Eigen::Map<Row>(scores_.data(), end - begin).noalias() = k * q;
  scoreProducts<T>(scores_, scoring_, i, begin);
}

template class RowScores<float>;
template class RowScores<double>;

} // namespace attention
