#include "core/analysis/timing/fma_peak.h"

#include "core/support/parallel.h"

#include <vector>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/analysis/timing/fma_peak.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr Index kChains = 12; // more than latency times units, fewer than registers

double flopsOfRound() {
  return 2 * static_cast<double>(kChains) *
         static_cast<double>(hn::Lanes(hn::ScalableTag<float>()));
}

// x ← a x + b in every chain, which stays near b / (1 − a): neither zero nor beyond.
float loop(Index rounds, float a, float b) {
  const hn::ScalableTag<float> lanes;
  const auto va = hn::Set(lanes, a);
  const auto vb = hn::Set(lanes, b);
  // Different starting values, or the compiler would merge the chains.
  auto x0 = hn::Iota(lanes, 0);
  auto x1 = hn::Iota(lanes, 1);
  auto x2 = hn::Iota(lanes, 2);
  auto x3 = hn::Iota(lanes, 3);
  auto x4 = hn::Iota(lanes, 4);
  auto x5 = hn::Iota(lanes, 5);
  auto x6 = hn::Iota(lanes, 6);
  auto x7 = hn::Iota(lanes, 7);
  auto x8 = hn::Iota(lanes, 8);
  auto x9 = hn::Iota(lanes, 9);
  auto x10 = hn::Iota(lanes, 10);
  auto x11 = hn::Iota(lanes, 11);
  for (Index r = 0; r < rounds; ++r) {
    x0 = hn::MulAdd(x0, va, vb);
    x1 = hn::MulAdd(x1, va, vb);
    x2 = hn::MulAdd(x2, va, vb);
    x3 = hn::MulAdd(x3, va, vb);
    x4 = hn::MulAdd(x4, va, vb);
    x5 = hn::MulAdd(x5, va, vb);
    x6 = hn::MulAdd(x6, va, vb);
    x7 = hn::MulAdd(x7, va, vb);
    x8 = hn::MulAdd(x8, va, vb);
    x9 = hn::MulAdd(x9, va, vb);
    x10 = hn::MulAdd(x10, va, vb);
    x11 = hn::MulAdd(x11, va, vb);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)),
                           hn::Add(hn::Add(hn::Add(x4, x5), hn::Add(x6, x7)),
                                   hn::Add(hn::Add(x8, x9), hn::Add(x10, x11))));
  return hn::GetLane(hn::SumOfLanes(lanes, sum));
}

const char* vectors() {
  return hwy::TargetName(HWY_TARGET);
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(flopsOfRound);
HWY_EXPORT(loop);
HWY_EXPORT(vectors);

} // namespace

double peakFlops(Index rounds, int threads) {
  return HWY_DYNAMIC_DISPATCH(flopsOfRound)() * static_cast<double>(rounds) *
         static_cast<double>(resolvedThreads(threads));
}

float runPeakLoop(Index rounds, int threads, const Run& run) {
  const int all = resolvedThreads(threads);
  std::vector<float> sums(static_cast<std::size_t>(all));
  parallelFor(all, all, run.quiet(), [&](Index t) {
    sums[static_cast<std::size_t>(t)] = HWY_DYNAMIC_DISPATCH(loop)(rounds, 0.75F, 0.25F);
  });
  float sum = 0;
  for (const float x : sums)
    sum += x;
  return sum;
}

std::string_view peakVectors() {
  return HWY_DYNAMIC_DISPATCH(vectors)();
}

} // namespace attention
#endif
