#include "core/attention/strip_kernel.h"

#include "core/support/vector_targets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <hwy/cache_control.h>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/strip_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "core/attention/strip_transpose-inl.h"
#include "core/attention/vectors-inl.h"
#include "core/support/register_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

// Keys that are checked together: a vector sees one of them or is skipped.
constexpr Index kGroup = 6;
// The most keys of a run: its probabilities stay in a core's nearest cache while they are used.
constexpr Index kStripRunKeys = kManyRegisters ? 48 : 192;

// Rows of a register tile of so many vectors: at most 24 sums, or 12 where there are 16 registers.
constexpr int rowsOf(int vectors) {
  return kManyRegisters ? (vectors <= 2 ? 12 : 24 / vectors) : 12 / vectors;
}

// The next smaller tile, for what is left.
constexpr int fewerRows(int rows) {
  return rows > 6 ? 6 : rows > 4 ? 4 : rows / 2;
}

template <int R, int V>
using Tile = RegisterTile<Lanes, R, V>;

Index width() {
  return kWidth;
}

float powerOf(float x) {
  return hn::GetLane(exp2(hn::Set(kTag, x)));
}

// Prefetches a row's lines of 64 bytes: hardware prefetches only within a page, and keys and values
// of long inputs come from beyond a core's nearest caches.
HWY_INLINE void fetch(const float* row, Index cols) {
  for (Index c = 0; c < cols; c += 16)
    hwy::Prefetch(row + c);
}

// sums[r][v] += Σ_t a[r · rowStep + t · step] · b[t · kWidth + v]: the one loop of all products.
template <int R, int V>
HWY_INLINE void multiplyAdd(const float* HWY_RESTRICT a, Index rowStep, Index step,
                            const float* HWY_RESTRICT b, Index count, Tile<R, V>& sums) {
  Tile<R, V> s = sums;
  HWY_UNROLL(1)
  for (Index t = 0; t < count; ++t, a += step, b += kWidth)
    addOne(a, rowStep, b, s);
  sums = s;
}

// What one strip does with one step.
class StripStep {
public:
  StripStep(const QueryStrip& strip, const StepKeys& keys) : strip_(strip), keys_(keys) {
    for (Vector& most : most_)
      most = hn::Set(kTag, kMinusInfinity);
  }

  void run() {
    for (Index t = 0; t < keys_.count; t += kGroup)
      appendRuns(t, std::min(t + kGroup, keys_.count));
    if (runs_ == 0)
      return;
    for (Index k = 0; k < runs_; ++k)
      scores(run_[k]);
    if (strip_.cap > 0)
      capScores();
    if (addsBiasLast())
      addBias();
    raiseMaximum();
    const bool scaledAlong = run_[0].count == kVectors; // with the first run's values
    if (!scaledAlong)
      scaleOut();
    for (Index k = 0; k < runs_; ++k)
      values(run_[k], k == 0 && scaledAlong);
  }

private:
  // Keys begin … end − 1 for the queries of the vectors first … first + count − 1.
  struct Run {
    Index begin;
    Index end;
    int first;
    int count;
  };

  std::uint64_t seenBy(Index t) const { return keys_.seen[t] >> strip_.shift & strip_.live; }

  // Queries of the vectors first … first + count − 1.
  static std::uint64_t lanesOf(int first, int count) {
    const Index bits = count * kLanes;
    return (bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) << first * kLanes;
  }

  // The vectors that see some of the keys t … end − 1, neighbours together.
  void appendRuns(Index t, Index end) {
    std::uint64_t any = 0;
    for (Index k = t; k < end; ++k)
      any |= seenBy(k);
    if (any == 0)
      return;
    for (int first = 0; first < kVectors; ++first) {
      int count = 0;
      while (first + count < kVectors && (any & lanesOf(first + count, 1)) != 0)
        ++count;
      if (count > 0)
        append({t, end, first, count});
      first += count;
    }
  }

  // A group adds one run, or two with a gap between: those that may go on are the last two.
  void append(const Run& more) {
    for (Index k = std::max<Index>(runs_ - 2, 0); k < runs_; ++k) {
      Run& run = run_[k];
      if (run.end == more.begin && run.first == more.first && run.count == more.count &&
          more.end - run.begin <= kStripRunKeys) {
        run.end = more.end;
        return;
      }
    }
    run_[runs_++] = more;
  }

  void scores(const Run& run) {
    if (run.count == 1)
      return scoresOf<1>(run);
    if (run.count == 2)
      return scoresOf<2>(run);
    if constexpr (kVectors == 4)
      return run.count == 3 ? scoresOf<3>(run) : scoresOf<4>(run);
  }

  void values(const Run& run, bool scaled) {
    if (run.count == 1)
      return valuesOf<1>(run, scaled);
    if (run.count == 2)
      return valuesOf<2>(run, scaled);
    if constexpr (kVectors == 4)
      return run.count == 3 ? valuesOf<3>(run, scaled) : valuesOf<4>(run, scaled);
  }

  template <int V>
  void scoresOf(const Run& run) {
    for (Index t = run.begin; t < run.end;)
      t += scoreRows<rowsOf(V), V>(run.first, t, run.end - t);
  }

  template <int R, int V>
  HWY_INLINE Index scoreRows(int first, Index t, Index left) {
    if constexpr (R > 1)
      if (left < R)
        return scoreRows<fewerRows(R), V>(first, t, left);
    return scoreTile<R, V>(first, t);
  }

  // Exponentials, then O += Vᵀ P, where `scaled` after O has been scaled.
  template <int V>
  void valuesOf(const Run& run, bool scaled) {
    exponentiate<V>(run);
    for (Index c = 0; c < strip_.dv;)
      c += valueRows<rowsOf(V), V>(run, c, scaled);
  }

  template <int R, int V>
  HWY_INLINE Index valueRows(const Run& run, Index c, bool scaled) {
    if constexpr (R > 1)
      if (strip_.dv - c < R)
        return valueRows<fewerRows(R), V>(run, c, scaled);
    return valueTile<R, V>(run, c, scaled);
  }

  // Keys t … t + R − 1: S = K Qᵀ, einsum("rc,cl->rl", k, q). Returns R.
  template <int R, int V>
  HWY_INLINE Index scoreTile(int first, Index t) {
    const std::uint64_t wanted = lanesOf(first, V) & strip_.live;
    std::uint64_t all = wanted;
    for (int r = 0; r < R; ++r)
      all &= seenBy(t + r);
    for (Index next = t + R; next < std::min(t + 2 * R, keys_.count); ++next)
      fetch(keys_.k + next * keys_.kStride, strip_.d);
    Tile<R, V> s;
    if (strip_.bias != nullptr && !addsBiasLast())
      startWithBias<R, V>(first, t, s);
    else
      for (auto& row : s.at)
        for (Vector& x : row)
          x = hn::Zero(kTag);
    multiplyAdd<R, V>(keys_.k + t * keys_.kStride, keys_.kStride, 1, strip_.q + first * kLanes,
                      strip_.d, s);
    if (strip_.cap > 0)
      keepFinite<R, V>(s);
    if (all != wanted)
      hide<R, V>(first, t, s);
    float* const to = scoresAt(t, first); // once: stores of vectors may change any pointer
    for (int v = 0; v < V; ++v) {
      Vector most = most_[first + v];
      for (int r = 0; r < R; ++r) {
        most = hn::Max(most, s.at[r][v]);
        hn::Store(s.at[r][v], kTag, to + r * kWidth + v * kLanes);
      }
      most_[first + v] = most;
    }
    return R;
  }

  // With a cap before it; else the products are added to it.
  bool addsBiasLast() const {
    return strip_.bias != nullptr && strip_.cap > 0 && !strip_.bias->first;
  }

  IntVector tokensOf(int v) const { return hn::Load(kIntTag, strip_.tokens + v * kLanes); }

  template <int R, int V>
  HWY_INLINE void startWithBias(int first, Index t, Tile<R, V>& s) const {
    const Vector each = hn::Set(kTag, strip_.bias->perToken);
    for (int v = 0; v < V; ++v) {
      const IntVector tokens = tokensOf(first + v);
      const Vector own = hn::Mul(each, hn::ConvertTo(kTag, tokens));
      for (int r = 0; r < R; ++r)
        s.at[r][v] =
            hn::Add(own, biasAt(*strip_.bias, hn::Sub(hn::Set(kIntTag, keys_.at[t + r]), tokens)));
    }
  }

  // To all scores of the step, whose maxima change.
  HWY_NOINLINE void addBias() {
    for (Vector& most : most_)
      most = hn::Set(kTag, kMinusInfinity);
    for (Index k = 0; k < runs_; ++k)
      for (Index t = run_[k].begin; t < run_[k].end; ++t)
        for (int v = run_[k].first; v < run_[k].first + run_[k].count; ++v) {
          float* const at = scoresAt(t, v);
          const IntVector distance = hn::Sub(hn::Set(kIntTag, keys_.at[t]), tokensOf(v));
          const Vector x = hn::Add(hn::Load(kTag, at), biasAt(*strip_.bias, distance));
          most_[v] = hn::Max(most_[v], x);
          hn::Store(x, kTag, at);
        }
  }

  float* scoresAt(Index t, int v) const { return strip_.scores + t * kWidth + v * kLanes; }

  template <int R, int V>
  HWY_INLINE void hide(int first, Index t, Tile<R, V>& s) const {
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v) {
        const std::uint64_t bits = seenBy(t + r) >> ((first + v) * kLanes) & lanesOf(0, 1);
        const std::array<std::uint8_t, 8> bytes = std::bit_cast<std::array<std::uint8_t, 8>>(bits);
        s.at[r][v] = hn::IfThenElse(hn::LoadMaskBits(kTag, bytes.data()), s.at[r][v],
                                    hn::Set(kTag, kMinusInfinity));
      }
  }

  // A score of −∞ is a hidden one.
  template <int R, int V>
  HWY_INLINE void keepFinite(Tile<R, V>& s) const {
    const Vector least = hn::Set(kTag, std::numeric_limits<float>::lowest());
    for (auto& row : s.at)
      for (Vector& x : row)
        x = hn::IfThenElse(hn::Lt(x, least), least, x);
  }

  static HWY_INLINE Vector capped(Vector x, Vector cap, Vector per) {
    return hn::IfThenElse(hn::Eq(x, hn::Set(kTag, kMinusInfinity)), x, softCapped(x, cap, per));
  }

  // Caps all scores of the step, and their maxima: a cap keeps the order.
  HWY_NOINLINE void capScores() {
    const Vector cap = hn::Set(kTag, strip_.cap);
    const Vector per = hn::Set(kTag, 1 / strip_.cap);
    for (Index k = 0; k < runs_; ++k)
      for (Index t = run_[k].begin; t < run_[k].end; ++t)
        for (int v = 0; v < run_[k].count; ++v) {
          float* const at = scoresAt(t, run_[k].first + v);
          hn::Store(capped(hn::Load(kTag, at), cap, per), kTag, at);
        }
    for (Vector& most : most_)
      most = capped(most, cap, per);
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

  void scaleOut() {
    for (Index c = 0; c < strip_.dv; ++c)
      for (int v = 0; v < kVectors; ++v) {
        float* const at = strip_.out + c * kWidth + v * kLanes;
        hn::Store(hn::Mul(factor_[v], hn::Load(kTag, at)), kTag, at);
      }
  }

  template <int V>
  HWY_INLINE void exponentiate(const Run& run) {
    Vector sums[static_cast<std::size_t>(V)];
    Vector most[static_cast<std::size_t>(V)];
    for (int v = 0; v < V; ++v) {
      sums[v] = hn::Zero(kTag);
      most[v] = most_[run.first + v];
    }
    float* at = scoresAt(run.begin, run.first);
    for (Index t = run.begin; t < run.end; ++t, at += kWidth) {
      fetch(keys_.v + t * keys_.vStride, strip_.dv);
      for (int v = 0; v < V; ++v) {
        const Vector p = exp2(hn::Sub(hn::Load(kTag, at + v * kLanes), most[v]));
        sums[v] = hn::Add(sums[v], p);
        hn::Store(p, kTag, at + v * kLanes);
      }
    }
    for (int v = 0; v < V; ++v) {
      float* const sum = strip_.sum + (run.first + v) * kLanes;
      hn::Store(hn::Add(hn::Load(kTag, sum), sums[v]), kTag, sum);
    }
  }

  // Columns c … c + R − 1: O += Vᵀ P, einsum("tr,tl->rl", v, p). Returns R.
  template <int R, int V>
  HWY_INLINE Index valueTile(const Run& run, Index c, bool scaled) {
    float* const out = strip_.out + c * kWidth + run.first * kLanes;
    Tile<R, V> o;
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v)
        o.at[r][v] = hn::Load(kTag, out + r * kWidth + v * kLanes);
    if (scaled)
      for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v)
          o.at[r][v] = hn::Mul(factor_[run.first + v], o.at[r][v]);
    multiplyAdd<R, V>(keys_.v + run.begin * keys_.vStride + c, 1, keys_.vStride,
                      scoresAt(run.begin, run.first), run.end - run.begin, o);
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v)
        hn::Store(o.at[r][v], kTag, out + r * kWidth + v * kLanes);
    return R;
  }

  const QueryStrip& strip_;
  const StepKeys& keys_;
  Vector most_[kVectors];
  Vector factor_[kVectors];
  Run run_[2 * (kStepKeys / kGroup)]; // of each group, those of its vectors
  Index runs_ = 0;
};

static_assert(kStepKeys % kGroup == 0);

void step(const QueryStrip& strip, const StepKeys& keys) {
  StripStep(strip, keys).run();
}

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

void addStep(const QueryStrip& strip, const StepKeys& keys) {
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
  std::int64_t targets = 0; // Highway's value for no restriction
  for (std::int64_t left = HWY_TARGETS; left != 0; left &= left - 1)
    if (kind == hwy::TargetName(left & -left))
      targets = left & -left;
  hwy::SetSupportedTargetsForTest(targets);
}

} // namespace attention
#endif
