#include "core/attention/strip_kernel.h"

#include "core/attention/vector_targets.h"

#include <algorithm>
#include <array>
#include <bit>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/strip_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "core/attention/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

// Register tiles of 6 rows: 24 sums where there are 32 registers, 12 where there are 16.
constexpr int kRows = 6;
constexpr int kVectors = (HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON) ? 4 : 2;
constexpr Index kWidth = kVectors * kLanes;

// Plain arrays, which compilers keep in registers.
template <int R>
struct Tile {
  Vector at[static_cast<std::size_t>(R)][kVectors];
};

Index width() {
  return kWidth;
}

float powerOf(float x) {
  return hn::GetLane(exp2(hn::Set(kTag, x)));
}

// s[r][v] += a[r · rowStep] · b[v].
template <int R>
HWY_INLINE void multiplyAddOne(const float* HWY_RESTRICT a, Index rowStep,
                               const float* HWY_RESTRICT b, Tile<R>& s) {
  Vector x[kVectors];
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v)
    x[v] = hn::Load(kTag, b + v * kLanes);
  HWY_UNROLL(8)
  for (int r = 0; r < R; ++r) {
    const Vector y = hn::Set(kTag, a[r * rowStep]);
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v)
      s.at[r][v] = hn::MulAdd(y, x[v], s.at[r][v]);
  }
}

// sums[r][v] += Σ_t a[r · rowStep + t · step] · b[t · kWidth + v]: the one loop of all products.
template <int R>
HWY_INLINE void multiplyAdd(const float* HWY_RESTRICT a, Index rowStep, Index step,
                            const float* HWY_RESTRICT b, Index count, Tile<R>& sums) {
  Tile<R> s = sums;
  HWY_UNROLL(1)
  for (Index t = 0; t < count; ++t, a += step, b += kWidth)
    multiplyAddOne<R>(a, rowStep, b, s);
  sums = s;
}

// What one strip does with one step.
class StripStep {
public:
  StripStep(const Strip& strip, const StepKeys& keys) : strip_(strip), keys_(keys) {
    for (Vector& most : most_)
      most = hn::Set(kTag, kMinusInfinity);
  }

  void run() {
    for (Index t = 0; t < keys_.count;)
      t += scoresAt(t);
    if (runs_ == 0)
      return;
    raiseMaximum();
    exponentiate();
    for (Index c = 0; c < strip_.dv;)
      c += valuesAt(c);
  }

private:
  struct Run {
    Index begin;
    Index end;
  };

  Index scoresAt(Index t) {
    const Index left = keys_.count - t;
    if (left >= kRows)
      return scores<kRows>(t);
    if (left >= 4)
      return scores<4>(t);
    return left >= 2 ? scores<2>(t) : scores<1>(t);
  }

  Index valuesAt(Index c) {
    const Index left = strip_.dv - c;
    if (left >= kRows)
      return values<kRows>(c);
    if (left >= 4)
      return values<4>(c);
    return left >= 2 ? values<2>(c) : values<1>(c);
  }

  std::uint64_t seenBy(Index t) const { return keys_.seen[t] >> strip_.shift & strip_.live; }

  // Keys t … t + R − 1: S = K Qᵀ, einsum("rc,cl->rl", k, q). Gives R.
  template <int R>
  HWY_INLINE Index scores(Index t) {
    std::uint64_t any = 0;
    std::uint64_t all = strip_.live;
    for (int r = 0; r < R; ++r) {
      any |= seenBy(t + r);
      all &= seenBy(t + r);
    }
    if (any == 0)
      return R;
    append(t, t + R);
    Tile<R> s;
    for (auto& row : s.at)
      for (Vector& x : row)
        x = hn::Zero(kTag);
    multiplyAdd<R>(keys_.k + t * keys_.kStride, keys_.kStride, 1, strip_.q, strip_.d, s);
    if (all != strip_.live)
      hide<R>(t, s);
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < kVectors; ++v) {
        most_[v] = hn::Max(most_[v], s.at[r][v]);
        hn::Store(s.at[r][v], kTag, strip_.scores + (t + r) * kWidth + v * kLanes);
      }
    return R;
  }

  template <int R>
  HWY_INLINE void hide(Index t, Tile<R>& s) const {
    constexpr std::uint64_t kOfVector = (std::uint64_t{1} << kLanes) - 1;
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < kVectors; ++v) {
        const std::uint64_t bits = seenBy(t + r) >> (v * kLanes) & kOfVector;
        const std::array<std::uint8_t, 8> bytes = std::bit_cast<std::array<std::uint8_t, 8>>(bits);
        s.at[r][v] = hn::IfThenElse(hn::LoadMaskBits(kTag, bytes.data()), s.at[r][v],
                                    hn::Set(kTag, kMinusInfinity));
      }
  }

  void append(Index begin, Index end) {
    if (runs_ > 0 && run_[runs_ - 1].end == begin)
      run_[runs_ - 1].end = end;
    else
      run_[runs_++] = {begin, end};
  }

  // The maximum of the step joins the running one; what was summed relative to the old is scaled.
  void raiseMaximum() {
    for (int v = 0; v < kVectors; ++v) {
      float* const maximum = strip_.maximum + v * kLanes;
      float* const sum = strip_.sum + v * kLanes;
      const Vector old = hn::Load(kTag, maximum);
      most_[v] = hn::Max(old, most_[v]);
      factor_[v] = exp2(hn::Sub(old, most_[v]));
      hn::Store(most_[v], kTag, maximum);
      hn::Store(hn::Mul(hn::Load(kTag, sum), factor_[v]), kTag, sum);
    }
  }

  void exponentiate() {
    Vector sums[kVectors];
    for (Vector& x : sums)
      x = hn::Zero(kTag);
    for (Index k = 0; k < runs_; ++k)
      for (Index t = run_[k].begin; t < run_[k].end; ++t)
        for (int v = 0; v < kVectors; ++v) {
          float* const at = strip_.scores + t * kWidth + v * kLanes;
          const Vector p = exp2(hn::Sub(hn::Load(kTag, at), most_[v]));
          sums[v] = hn::Add(sums[v], p);
          hn::Store(p, kTag, at);
        }
    for (int v = 0; v < kVectors; ++v) {
      float* const sum = strip_.sum + v * kLanes;
      hn::Store(hn::Add(hn::Load(kTag, sum), sums[v]), kTag, sum);
    }
  }

  // Columns c … c + R − 1: O = factor · O + Vᵀ P, einsum("tr,tl->rl", v, p). Gives R.
  template <int R>
  HWY_INLINE Index values(Index c) {
    float* const out = strip_.out + c * kWidth;
    Tile<R> o;
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < kVectors; ++v)
        o.at[r][v] = hn::Mul(factor_[v], hn::Load(kTag, out + r * kWidth + v * kLanes));
    for (Index k = 0; k < runs_; ++k)
      multiplyAdd<R>(keys_.v + run_[k].begin * keys_.vStride + c, 1, keys_.vStride,
                     strip_.scores + run_[k].begin * kWidth, run_[k].end - run_[k].begin, o);
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < kVectors; ++v)
        hn::Store(o.at[r][v], kTag, out + r * kWidth + v * kLanes);
    return R;
  }

  const Strip& strip_;
  const StepKeys& keys_;
  Vector most_[kVectors];
  Vector factor_[kVectors];
  Run run_[kStepKeys / 2 + 1]; // groups of keys that some query sees
  Index runs_ = 0;
};

void step(const Strip& strip, const StepKeys& keys) {
  StripStep(strip, keys).run();
}

#if HWY_TARGET == HWY_SCALAR

void transposeIn(const float* const* rows, Index count, Index cols, float factor, float* to) {
  for (Index c = 0; c < cols; ++c)
    for (Index r = 0; r < kWidth; ++r)
      to[c * kWidth + r] = r < count ? factor * rows[r][c] : 0.0F;
}

void transposeOut(const float* from, float* const* rows, Index count, Index cols) {
  for (Index c = 0; c < cols; ++c)
    for (Index r = 0; r < count; ++r)
      rows[r][c] = from[c * kWidth + r];
}

#else

void transposeIn(const float* const* rows, Index count, Index cols, float factor, float* to) {
  const Quad tag;
  const auto scale = hn::Set(tag, factor);
  for (Index r = 0; r < kWidth; r += 4) {
    Index c = 0;
    for (; r + 4 <= count && c + 4 <= cols; c += 4) {
      Quads a;
      for (Index k = 0; k < 4; ++k)
        a.at[k] = hn::Mul(scale, hn::LoadU(tag, rows[r + k] + c));
      a = transposed(a);
      for (Index k = 0; k < 4; ++k)
        hn::Store(a.at[k], tag, to + (c + k) * kWidth + r);
    }
    for (; c < cols; ++c)
      for (Index k = r; k < r + 4; ++k)
        to[c * kWidth + k] = k < count ? factor * rows[k][c] : 0.0F;
  }
}

void transposeOut(const float* from, float* const* rows, Index count, Index cols) {
  const Quad tag;
  for (Index r = 0; r < count; r += 4) {
    Index c = 0;
    for (; r + 4 <= count && c + 4 <= cols; c += 4) {
      Quads a;
      for (Index k = 0; k < 4; ++k)
        a.at[k] = hn::Load(tag, from + (c + k) * kWidth + r);
      a = transposed(a);
      for (Index k = 0; k < 4; ++k)
        hn::StoreU(a.at[k], tag, rows[r + k] + c);
    }
    for (; c < cols; ++c)
      for (Index k = r; k < std::min(r + 4, count); ++k)
        rows[k][c] = from[c * kWidth + k];
  }
}

#endif

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(width);
HWY_EXPORT(step);
HWY_EXPORT(transposeIn);
HWY_EXPORT(transposeOut);
HWY_EXPORT(powerOf);

} // namespace

Index stripWidth() {
  return HWY_DYNAMIC_DISPATCH(width)();
}

void addStep(const Strip& strip, const StepKeys& keys) {
  HWY_DYNAMIC_DISPATCH(step)(strip, keys);
}

void loadTransposed(const float* const* rows, Index count, Index cols, float factor, float* to) {
  HWY_DYNAMIC_DISPATCH(transposeIn)(rows, count, cols, factor, to);
}

void storeTransposed(const float* from, float* const* rows, Index count, Index cols) {
  HWY_DYNAMIC_DISPATCH(transposeOut)(from, rows, count, cols);
}

float powerOfTwo(float x) {
  return HWY_DYNAMIC_DISPATCH(powerOf)(x);
}

std::vector<std::string> vectorKinds() {
  std::vector<std::string> kinds;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1)
    kinds.emplace_back(hwy::TargetName(left & -left));
  return kinds;
}

void useVectors(std::string_view kind) {
  std::int64_t targets = 0; // Highway's word for no restriction
  for (std::int64_t left = HWY_TARGETS; left != 0; left &= left - 1)
    if (kind == hwy::TargetName(left & -left))
      targets = left & -left;
  hwy::SetSupportedTargetsForTest(targets);
}

} // namespace attention
#endif
