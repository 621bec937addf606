#include "core/pattern/expression_lanes.h"

#include "core/support/vector_targets.h"

#include <cassert>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/pattern/expression_lanes.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Op = Expression::Op;
using Tag = hn::ScalableTag<std::int64_t>;
using Lanes = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(kTag));
static_assert(64 % kLanes == 0);

// The quotient of integers below 2^51 is exact in doubles: a non-integer stays away from the next
// integer by more than their spacing.
HWY_INLINE Lanes floorQuotient(Lanes a, Lanes b) {
  const hn::RebindToFloat<Tag> reals;
  const auto q = hn::Div(hn::ConvertTo(reals, a), hn::ConvertTo(reals, b));
  return hn::ConvertTo(kTag, hn::Floor(q));
}

HWY_INLINE Lanes floorRemainder(Lanes a, Lanes b) {
  const hn::RebindToFloat<Tag> reals;
  const auto x = hn::ConvertTo(reals, a);
  const auto y = hn::ConvertTo(reals, b);
  return hn::ConvertTo(kTag, hn::NegMulAdd(hn::Floor(hn::Div(x, y)), y, x));
}

template <class Map>
HWY_INLINE void forEach(const std::int64_t* b, Index count, std::int64_t* a, Map map) {
  for (Index t = 0; t < count; t += kLanes)
    hn::Store(map(hn::Load(kTag, a + t), hn::Load(kTag, b + t)), kTag, a + t);
}

void combine(Op op, const std::int64_t* b, Index count, std::int64_t* a) {
  switch (op) {
  case Op::Add:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return hn::Add(x, y); });
  case Op::Subtract:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return hn::Sub(x, y); });
  case Op::Multiply: // few processors have vectors for it
    for (Index t = 0; t < count; ++t)
      a[t] *= b[t];
    return;
  case Op::Divide:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return floorQuotient(x, y); });
  case Op::Modulo:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return floorRemainder(x, y); });
  case Op::And:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return hn::And(x, y); });
  case Op::Xor:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return hn::Xor(x, y); });
  case Op::Or:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return hn::Or(x, y); });
  case Op::Min:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return hn::Min(x, y); });
  case Op::Max:
    return forEach(b, count, a, [](Lanes x, Lanes y) { return hn::Max(x, y); });
  default:
    assert(false); // no op of two numbers
  }
}

void line(Index at, Index slope, Index count, std::int64_t* to) {
  HWY_ALIGN std::int64_t first[static_cast<std::size_t>(kLanes)];
  for (Index t = 0; t < kLanes; ++t)
    first[t] = at + slope * t;
  Lanes x = hn::Load(kTag, first);
  const Lanes step = hn::Set(kTag, slope * kLanes);
  for (Index t = 0; t < count; t += kLanes, x = hn::Add(x, step))
    hn::Store(x, kTag, to + t);
}

// Each vector from the fourth before: no division, and no waiting for the last one.
void residues(Index at, Index slope, Index period, Index count, std::int64_t* to) {
  constexpr Index kApart = 4 * kLanes;
  static_assert(64 % kApart == 0);
  const Lanes whole = hn::Set(kTag, period);
  const auto further = [&](Lanes x, Lanes step) {
    const Lanes sum = hn::Add(x, step);
    return hn::IfThenElse(hn::Lt(sum, whole), sum, hn::Sub(sum, whole));
  };
  to[0] = floorMod(at, period);
  const Index slopeLeft = floorMod(slope, period);
  for (Index t = 1; t < kLanes; ++t) {
    const Index sum = to[t - 1] + slopeLeft;
    to[t] = sum < period ? sum : sum - period;
  }
  Lanes x[4] = {hn::Load(kTag, to)};
  const Lanes one = hn::Set(kTag, floorMod(slopeLeft * kLanes, period));
  for (Index v = 1; v < 4; ++v)
    x[v] = further(x[v - 1], one);
  const Lanes four = further(further(one, one), further(one, one));
  for (Index t = 0; t < count; t += kApart)
    for (Index v = 0; v < 4; ++v) {
      hn::Store(x[v], kTag, to + t + v * kLanes);
      x[v] = further(x[v], four);
    }
}

// test(numbers of a in a vector, where they begin) for bits.
template <class Test>
HWY_INLINE void forEachBit(const std::int64_t* a, Index count, std::uint64_t* bits, Test test) {
  for (Index word = 0; word < count / 64; ++word) {
    std::uint64_t all = 0;
    for (Index t = 0; t < 64; t += kLanes) {
      std::uint8_t some[8] = {};
      const Index at = 64 * word + t;
      hn::StoreMaskBits(kTag, test(hn::Load(kTag, a + at), at), some);
      all |= std::uint64_t{some[0]} << t;
    }
    bits[word] = all;
  }
}

// other(where they begin): the numbers to test with.
template <class Other>
HWY_INLINE void testWith(LaneTest how, const std::int64_t* a, Index count, std::uint64_t* bits,
                         Other other) {
  switch (how) {
  case LaneTest::Less:
    return forEachBit(a, count, bits, [&](Lanes x, Index at) { return hn::Lt(x, other(at)); });
  case LaneTest::Greater:
    return forEachBit(a, count, bits, [&](Lanes x, Index at) { return hn::Gt(x, other(at)); });
  case LaneTest::Equal:
    return forEachBit(a, count, bits, [&](Lanes x, Index at) { return hn::Eq(x, other(at)); });
  }
}

void test(LaneTest how, const std::int64_t* a, const std::int64_t* b, Index count,
          std::uint64_t* bits) {
  testWith(how, a, count, bits, [b](Index at) { return hn::Load(kTag, b + at); });
}

void testOne(LaneTest how, const std::int64_t* a, Index b, Index count, std::uint64_t* bits) {
  const Lanes one = hn::Set(kTag, b);
  testWith(how, a, count, bits, [one](Index) { return one; });
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(combine);
HWY_EXPORT(line);
HWY_EXPORT(residues);
HWY_EXPORT(test);
HWY_EXPORT(testOne);

} // namespace

void combineLanes(Expression::Op op, const Index* b, Index count, Index* a) {
  HWY_DYNAMIC_DISPATCH(combine)(op, b, count, a);
}
void fillLine(Index at, Index slope, Index count, Index* to) {
  HWY_DYNAMIC_DISPATCH(line)(at, slope, count, to);
}
void fillResidues(Index at, Index slope, Index period, Index count, Index* to) {
  HWY_DYNAMIC_DISPATCH(residues)(at, slope, period, count, to);
}
void testLanes(LaneTest how, const Index* a, const Index* b, Index count, std::uint64_t* bits) {
  HWY_DYNAMIC_DISPATCH(test)(how, a, b, count, bits);
}
void testLanes(LaneTest how, const Index* a, Index b, Index count, std::uint64_t* bits) {
  HWY_DYNAMIC_DISPATCH(testOne)(how, a, b, count, bits);
}

} // namespace attention
#endif
