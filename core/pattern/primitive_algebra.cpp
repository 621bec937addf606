// Intersections of primitives, and the rule of a primitive in words.
#include "core/pattern/primitive.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

Primitive nothing() {
  return area({0, 0, 0, 0});
}

bool isCausalHalf(const Primitive& p) {
  return p.shape == Shape::Band && p.period == 1 && p.lo == 0 && p.hi >= kMaxLength;
}

Primitive withinClip(Primitive p, const Rect& clip) {
  p.clip = intersection(p.clip, clip);
  return p.clip.empty() ? nothing() : p;
}

Primitive ranged(Primitive p, Index lo, Index hi, bool halfOpen) {
  p.lo = lo;
  p.hi = hi;
  return (halfOpen ? lo >= hi : lo > hi) ? nothing() : p;
}

Primitive bandWithBand(const Primitive& a, const Primitive& b) {
  Primitive both = a;
  // No two tokens are kUnbounded apart: longer common periods leave the same cells.
  const Index factor = a.period / std::gcd(a.period, b.period);
  both.period = factor > kUnbounded / b.period ? kUnbounded : factor * b.period;
  const Index lo = std::max(a.lo, b.lo);
  const Index hi = std::min(a.hi, b.hi);
  // A band without a diagonal of its period between lo and hi is empty.
  if (lo > hi || floorDiv(hi, both.period) < ceilDiv(lo, both.period))
    return nothing();
  return ranged(both, lo, hi, false);
}

// Same period, neither Area nor Band.
std::optional<Primitive> periodic(const Primitive& a, const Primitive& b) {
  if (a.shape == b.shape)
    return ranged(a, std::max(a.lo, b.lo), std::min(a.hi, b.hi), a.shape != Shape::Blocks);
  if (a.shape == Shape::Blocks || b.shape == Shape::Blocks) {
    const Primitive& block = a.shape == Shape::Blocks ? a : b;
    Primitive own = a.shape == Shape::Blocks ? b : a;
    if (own.shape == Shape::Columns && !(block.lo == 0 && block.hi == 0))
      return std::nullopt;
    own.shape = Shape::BlockColumns;
    return block.lo <= 0 && block.hi >= 0 ? own : nothing();
  }
  Primitive own = a.shape == Shape::BlockColumns ? a : b; // columns cut one's own block
  return ranged(own, std::max(a.lo, b.lo), std::min(a.hi, b.hi), true);
}

std::optional<Primitive> shapes(const Primitive& a, const Primitive& b) {
  if (a.shape == Shape::Area)
    return b;
  if (b.shape == Shape::Area)
    return a;
  if (a.shape == Shape::Band && b.shape == Shape::Band)
    return bandWithBand(a, b);
  if (isCausalHalf(a))
    return causalPart(b);
  if (isCausalHalf(b))
    return causalPart(a);
  if (a.shape == Shape::Band || b.shape == Shape::Band || a.period != b.period)
    return std::nullopt;
  auto both = periodic(a, b);
  if (both)
    both->causal = both->shape != Shape::Area && (a.causal || b.causal);
  return both;
}

std::string number(Index value) {
  return value < 0 ? "−" + std::to_string(-value) : std::to_string(value);
}

std::string explainClip(const Rect& clip, Index i, Index j) {
  const auto side = [](const char* name, Index at, Index begin, Index end) {
    const std::string subject = std::string(name) + " " + number(at);
    if (at < begin)
      return subject + " < " + number(begin);
    if (at >= end)
      return subject + " ≥ " + number(end);
    return number(begin) + " ≤ " + subject + (end < kUnbounded ? " < " + number(end) : "");
  };
  const bool rows = i < clip.rowBegin || i >= clip.rowEnd;
  const bool keysNarrow = clip.keyBegin > 0 || clip.keyEnd < kUnbounded;
  const bool rowsNarrow = clip.rowBegin > 0 || clip.rowEnd < kUnbounded;
  if (rows || (rowsNarrow && !keysNarrow))
    return side("query", i, clip.rowBegin, clip.rowEnd);
  return side("key", j, clip.keyBegin, clip.keyEnd);
}

std::string explainBand(const Primitive& p, Index i, Index j) {
  const Index distance = i - j;
  const std::string difference = number(i) + " − " + number(j) + " = " + number(distance);
  if (distance < p.lo)
    return difference + " < " + number(p.lo);
  if (distance > p.hi)
    return difference + " > " + number(p.hi);
  if (p.period > 1)
    return "(" + number(i) + " − " + number(j) + ") mod " + number(p.period) + " = " +
           number(floorMod(distance, p.period));
  if (p.hi >= kMaxLength && p.lo <= -kMaxLength)
    return difference;
  if (p.hi >= kMaxLength)
    return difference + " ≥ " + number(p.lo);
  if (p.lo <= -kMaxLength)
    return difference + " ≤ " + number(p.hi);
  return number(p.lo) + " ≤ " + difference + " ≤ " + number(p.hi);
}

std::string explainResidue(const Primitive& p, Index j) {
  const Index residue = j % p.period;
  const std::string found = number(j) + " mod " + number(p.period) + " = " + number(residue);
  if (residue < p.lo)
    return found + " < " + number(p.lo);
  if (residue >= p.hi)
    return found + " ≥ " + number(p.hi);
  if (p.hi - p.lo == 1)
    return found;
  return number(p.lo) + " ≤ " + found + " < " + number(p.hi);
}

std::string explainBlocks(const Primitive& p, Index i, Index j) {
  const auto floorText = [&](Index at) {
    return "⌊" + number(at) + "/" + number(p.period) + "⌋ = " + number(at / p.period);
  };
  const Index offset = j / p.period - i / p.period;
  const std::string both = "block of key " + floorText(j) + ", of query " + floorText(i);
  if (p.lo == 0 && p.hi == 0)
    return both;
  const std::string found = both + ": " + number(offset);
  if (offset < p.lo)
    return found + " < " + number(p.lo);
  if (offset > p.hi)
    return found + " > " + number(p.hi);
  if (p.lo <= -kMaxLength)
    return p.hi >= kMaxLength ? found : found + " ≤ " + number(p.hi);
  if (p.hi >= kMaxLength)
    return found + " ≥ " + number(p.lo);
  return found + " within " + number(p.lo) + " … " + number(p.hi);
}

} // namespace

std::optional<Primitive> intersection(const Primitive& a, const Primitive& b) {
  const Rect clip = intersection(a.clip, b.clip);
  if (clip.empty())
    return nothing();
  auto both = shapes(a, b);
  if (!both)
    return std::nullopt;
  both->clip = intersection(both->clip, clip);
  return both->clip.empty() ? nothing() : *both;
}

Primitive causalPart(const Primitive& p) {
  Primitive causal = p;
  if (p.shape == Shape::Area)
    return withinClip(band(0, kUnbounded, 1, p.clip), p.clip);
  if (p.shape == Shape::Band)
    return bandWithBand(p, band(0, kUnbounded));
  causal.causal = true;
  return causal;
}

std::string explain(const Primitive& p, Index i, Index j) {
  if (!p.clip.contains(i, j) || p.shape == Shape::Area)
    return explainClip(p.clip, i, j);
  if (p.causal && j > i)
    return "key " + number(j) + " > query " + number(i);
  if (p.shape == Shape::Band)
    return explainBand(p, i, j);
  if (p.shape == Shape::Columns)
    return explainResidue(p, j);
  const bool sameBlock = j / p.period == i / p.period;
  if (p.shape == Shape::BlockColumns && sameBlock)
    return explainResidue(p, j);
  return explainBlocks(p, i, j);
}

} // namespace attention
