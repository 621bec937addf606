#include "core/attention/lone_row_kernel.h"

#include "core/attention/vector_targets.h"

#include <algorithm>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/lone_row_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "core/attention/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

template <std::size_t kCount>
void storeSums(const Vector (&x)[kCount], float* to) {
  for (std::size_t t = 0; t < kCount; ++t)
    to[t] = hn::GetLane(x[t]);
}

#else

// Four lanes with the sum of all.
template <class V>
HWY_INLINE hn::Vec<Quad> folded(V x) {
  using Tag = hn::DFromV<V>;
  if constexpr (hn::MaxLanes(Tag()) <= 4) {
    return x;
  } else {
    const hn::Half<Tag> half;
    return folded(hn::Add(hn::LowerHalf(half, x), hn::UpperHalf(half, x)));
  }
}

// to[t] = the sum of the lanes of x[t].
template <std::size_t kCount>
HWY_INLINE void storeSums(const Vector (&x)[kCount], float* to) {
  for (std::size_t t = 0; t < kCount; t += 4) {
    const Quads columns =
        transposed({{folded(x[t]), folded(x[t + 1]), folded(x[t + 2]), folded(x[t + 3])}});
    hn::StoreU(
        hn::Add(hn::Add(columns.at[0], columns.at[1]), hn::Add(columns.at[2], columns.at[3])),
        Quad(), to + t);
  }
}

#endif

// One query over keys of its own.
class LoneStep {
public:
  LoneStep(const LoneRow& row, float* out) : row_(row), out_(out) {}

  void run(float& maximum, float& sum) {
    for (Index t = 0; t < row_.count; t += kTogether)
      scores(t);
    const Index padded = (row_.count + kLanes - 1) / kLanes * kLanes;
    std::fill(row_.scores + row_.count, row_.scores + padded, kMinusInfinity);
    const float most = std::max(maximum, largest(padded));
    factor_ = hn::GetLane(exp2(hn::Set(kTag, maximum - most)));
    sum = sum * factor_ + exponentiate(most, padded);
    maximum = most;
    addValues();
  }

private:
  static constexpr Index kTogether = 8; // keys; as many sums hide an addition's latency

  // einsum("c,tc->t", q, k) of kTogether keys.
  HWY_INLINE void scores(Index first) {
    const float* k[kTogether];
    Vector sums[kTogether];
    for (Index t = 0; t < kTogether; ++t) {
      k[t] = row_.k + row_.keys[std::min(first + t, row_.count - 1)] * row_.kStride;
      sums[t] = hn::Zero(kTag);
    }
    Index c = 0;
    for (; c + kLanes <= row_.d; c += kLanes) {
      const Vector q = hn::LoadU(kTag, row_.q + c);
      HWY_UNROLL(8)
      for (Index t = 0; t < kTogether; ++t)
        sums[t] = hn::MulAdd(q, hn::LoadU(kTag, k[t] + c), sums[t]);
    }
    float* const to = row_.scores + first;
    storeSums(sums, to);
    for (; c < row_.d; ++c)
      for (Index t = 0; t < kTogether; ++t)
        to[t] += row_.q[c] * k[t][c];
  }

  float largest(Index padded) const {
    Vector most = hn::Set(kTag, kMinusInfinity);
    for (Index t = 0; t < padded; t += kLanes)
      most = hn::Max(most, hn::LoadU(kTag, row_.scores + t));
    return hn::GetLane(hn::MaxOfLanes(kTag, most));
  }

  float exponentiate(float most, Index padded) const {
    const Vector shift = hn::Set(kTag, most);
    Vector sum = hn::Zero(kTag);
    for (Index t = 0; t < padded; t += kLanes) {
      const Vector p = exp2(hn::Sub(hn::LoadU(kTag, row_.scores + t), shift));
      sum = hn::Add(sum, p);
      hn::StoreU(p, kTag, row_.scores + t);
    }
    return hn::GetLane(hn::SumOfLanes(kTag, sum));
  }

  // O = factor · O + einsum("t,tc->c", p, v).
  void addValues() const {
    Index c = 0;
    for (; c + 8 * kLanes <= row_.dv; c += 8 * kLanes)
      addColumns<8>(c);
    for (; c + 2 * kLanes <= row_.dv; c += 2 * kLanes)
      addColumns<2>(c);
    for (; c + kLanes <= row_.dv; c += kLanes)
      addColumns<1>(c);
    for (; c < row_.dv; ++c) {
      float o = out_[c] * factor_;
      for (Index t = 0; t < row_.count; ++t)
        o += row_.scores[t] * row_.v[row_.keys[t] * row_.vStride + c];
      out_[c] = o;
    }
  }

  template <int kCount>
  HWY_INLINE void addColumns(Index c) const {
    const Vector factor = hn::Set(kTag, factor_);
    Vector o[static_cast<std::size_t>(kCount)];
    for (int k = 0; k < kCount; ++k)
      o[k] = hn::Mul(factor, hn::LoadU(kTag, out_ + c + k * kLanes));
    for (Index t = 0; t < row_.count; ++t) {
      const Vector p = hn::Set(kTag, row_.scores[t]);
      const float* const v = row_.v + row_.keys[t] * row_.vStride + c;
      HWY_UNROLL(8)
      for (int k = 0; k < kCount; ++k)
        o[k] = hn::MulAdd(p, hn::LoadU(kTag, v + k * kLanes), o[k]);
    }
    for (int k = 0; k < kCount; ++k)
      hn::StoreU(o[k], kTag, out_ + c + k * kLanes);
  }

  const LoneRow& row_;
  float* out_;
  float factor_ = 1;
};

void lone(const LoneRow& row, float* out, float& maximum, float& sum) {
  LoneStep(row, out).run(maximum, sum);
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(lone);

} // namespace

void addLoneRow(const LoneRow& row, float* out, float& maximum, float& sum) {
  HWY_DYNAMIC_DISPATCH(lone)(row, out, maximum, sum);
}

} // namespace attention
#endif
