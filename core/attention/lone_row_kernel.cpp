#include "core/attention/lone_row_kernel.h"

#include "core/support/vector_targets.h"

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

HWY_INLINE Vector laneSums(Vector (&x)[kLanes]) {
  return x[0];
}

#else

// Lane t of the result is the sum of the lanes of x[t]: each step adds what lies 1, 2, 4, … lanes
// apart, of two vectors at once. Overwrites x.
HWY_INLINE Vector laneSums(Vector (&x)[kLanes]) {
  for (Index t = 0; t < kLanes; t += 2)
    x[t / 2] =
        hn::Add(hn::OddEven(x[t + 1], x[t]), hn::Reverse2(kTag, hn::OddEven(x[t], x[t + 1])));
  const hn::Repartition<std::uint64_t, Lanes> pairs;
  for (Index t = 0; t < kLanes / 2; t += 2) {
    const auto a = hn::BitCast(pairs, x[t]);
    const auto b = hn::BitCast(pairs, x[t + 1]);
    x[t / 2] = hn::Add(hn::BitCast(kTag, hn::OddEven(b, a)),
                       hn::BitCast(kTag, hn::Reverse2(pairs, hn::OddEven(a, b))));
  }
  if constexpr (kLanes >= 8)
    for (Index t = 0; t < kLanes / 4; t += 2)
      x[t / 2] = hn::Add(hn::OddEvenBlocks(x[t + 1], x[t]),
                         hn::SwapAdjacentBlocks(hn::OddEvenBlocks(x[t], x[t + 1])));
  if constexpr (kLanes >= 16)
    x[0] = hn::Add(hn::ConcatUpperLower(kTag, x[1], x[0]), hn::ConcatLowerUpper(kTag, x[1], x[0]));
  return x[0];
}

#endif

static_assert(kLanes == 1 || kLanes == 4 || kLanes == 8 || kLanes == 16);

// One query over keys of its own.
class LoneStep {
public:
  LoneStep(const LoneRow& row, float* out) : row_(row), out_(out) {}

  void run(float& maximum, float& sum) {
    for (Index t = 0; t < row_.count; t += kLanes)
      scores(t);
    const Index padded = (row_.count + kLanes - 1) / kLanes * kLanes;
    const bool biasLast = row_.cap > 0 && row_.bias != nullptr && !row_.bias->first;
    if (row_.bias != nullptr && !biasLast)
      addBias();
    if (row_.cap > 0)
      capScores();
    if (biasLast)
      addBias();
    const float most = std::max(maximum, largest(padded));
    factor_ = hn::GetLane(exp2(hn::Set(kTag, maximum - most)));
    sum = sum * factor_ + exponentiate(most, padded);
    maximum = most;
    addValues();
  }

private:
  // Keys whose products are summed side by side, which hides an addition's latency.
  static constexpr Index kTogether = kLanes < 4 ? kLanes : 4;

  // einsum("c,tc->t", q, k) of as many keys as there are lanes.
  HWY_INLINE void scores(Index first) {
    Vector sums[kLanes];
    const Index keys = std::min(kLanes, row_.count - first);
    for (Index t = 0; t < kLanes; t += kTogether)
      if (t < keys)
        products(first + t, sums + t);
      else
        std::fill_n(sums + t, kTogether, hn::Zero(kTag));
    float* const to = row_.scores + first;
    // One store that is read back whole: lanes beyond the last key weigh nothing.
    hn::StoreU(hn::IfThenElse(hn::FirstN(kTag, static_cast<std::size_t>(keys)), laneSums(sums),
                              hn::Set(kTag, kMinusInfinity)),
               kTag, to);
    for (Index c = row_.d / kLanes * kLanes; c < row_.d; ++c)
      for (Index t = 0; t < keys; ++t)
        to[t] += row_.q[c] * key(first + t)[c];
  }

  // Whole vectors of keys first: beyond the last key there is nothing to read.
  void addBias() const {
    const ScoreBias& bias = *row_.bias;
    const IntVector token = hn::Set(kIntTag, row_.token);
    const Vector own = hn::Set(kTag, bias.perToken * static_cast<float>(row_.token));
    Index t = 0;
    for (; t + kLanes <= row_.count; t += kLanes) {
      const IntVector distance = hn::Sub(hn::LoadU(kIntTag, row_.keys + t), token);
      const Vector b = hn::Add(own, biasAt(bias, distance));
      hn::StoreU(hn::Add(hn::LoadU(kTag, row_.scores + t), b), kTag, row_.scores + t);
    }
    for (; t < row_.count; ++t) {
      const IntVector distance = hn::Set(kIntTag, row_.keys[t] - row_.token);
      row_.scores[t] += hn::GetLane(hn::Add(own, biasAt(bias, distance)));
    }
  }

  const float* key(Index t) const { return row_.k + row_.keys[t] * row_.kStride; }

  // Products of the columns that fill vectors, of kTogether keys; the last one again beyond it.
  HWY_INLINE void products(Index first, Vector* sums) const {
    const float* k[kTogether];
    Vector s[kTogether];
    for (Index t = 0; t < kTogether; ++t) {
      k[t] = key(std::min(first + t, row_.count - 1));
      s[t] = hn::Zero(kTag);
    }
    for (Index c = 0; c + kLanes <= row_.d; c += kLanes) {
      const Vector q = hn::LoadU(kTag, row_.q + c);
      HWY_UNROLL(4)
      for (Index t = 0; t < kTogether; ++t)
        s[t] = hn::MulAdd(q, hn::LoadU(kTag, k[t] + c), s[t]);
    }
    for (Index t = 0; t < kTogether; ++t)
      sums[t] = s[t];
  }

  // Lanes beyond the last key keep weight zero.
  void capScores() const {
    const Vector cap = hn::Set(kTag, row_.cap);
    const Vector per = hn::Set(kTag, 1 / row_.cap);
    for (Index t = 0; t < row_.count; t += kLanes) {
      const auto keys = hn::FirstN(kTag, static_cast<std::size_t>(row_.count - t));
      const Vector s = softCapped(hn::LoadU(kTag, row_.scores + t), cap, per);
      hn::StoreU(hn::IfThenElse(keys, s, hn::Set(kTag, kMinusInfinity)), kTag, row_.scores + t);
    }
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
    for (; c + 4 * kLanes <= row_.dv; c += 4 * kLanes)
      addColumns<4>(c);
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
