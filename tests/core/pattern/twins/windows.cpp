// Twins of the mechanisms of index arithmetic without lists and draws.
#include "core/pattern/mechanism/all.h"
#include "tests/core/pattern/twins/twins.h"

#include <algorithm>
#include <cstdlib>

namespace attention::twins {

Index nearestRoot(Index n) {
  Index r = 1;
  while (2 * r * r + 2 * r < 2 * n) // (r + ½)² < n, n being an integer
    ++r;
  return r;
}

Cells cellsOf(const Full& p, Index) {
  return [=](Index i, Index j) { return !p.causal || j <= i; };
}

Cells cellsOf(const Causal&, Index) {
  return [](Index i, Index j) { return j <= i; };
}

// S4.3: all integers (or all keys) in the order of |i − j|; the first `window` of them.
Cells cellsOf(const Local& p, Index n) {
  const Index taken = p.window + (p.count == Local::Count::Previous ? 1 : 0);
  if (p.causal)
    return [=](Index i, Index j) { return i - taken < j && j <= i; };
  return [=](Index i, Index j) {
    const Index far = std::abs(i - j);
    Index before = 0;
    for (Index other = i - far; other <= i + far; ++other) {
      const bool candidate = p.edge == Local::Edge::Clip || (other >= 0 && other < n);
      const bool tied = std::abs(i - other) == far;
      const bool first = p.tie == Local::Tie::Left ? other < j : other > j;
      before += candidate && (!tied || first) ? 1 : 0;
    }
    return before < taken;
  };
}

Cells cellsOf(const SlidingWindow& p, Index) {
  const Index a = p.left;
  const Index b = p.right ? *p.right : p.causal ? 0 : a;
  return [=](Index i, Index j) {
    return (a == -1 || i - a <= j) && (b == -1 || j <= i + b) && (!p.causal || j <= i);
  };
}

Cells cellsOf(const Dilated& p, Index) {
  const Index r = p.dilation;
  const Index unit = p.unit == Dilated::Unit::Steps ? r : 1;
  const Index a = p.left * unit;
  const Index b = (p.right ? *p.right : p.causal ? 0 : p.left) * unit;
  return [=](Index i, Index j) {
    return (i - j) % r == 0 && -b <= i - j && i - j <= a && (!p.causal || j <= i);
  };
}

Cells cellsOf(const BlockLocal& p, Index n) {
  const Index blocks = (n + p.blockSize - 1) / p.blockSize;
  return [=](Index i, Index j) {
    bool near = false;
    for (Index o = -p.before; o <= p.after; ++o) {
      const Index block = i / p.blockSize + o;
      near = near || j / p.blockSize == (p.wrap ? modulo(block, blocks) : block);
    }
    return near && (!p.causal || j <= i);
  };
}

Cells cellsOf(const Strided& p, Index n) {
  const Index l = p.stride ? *p.stride : nearestRoot(n);
  const Index far = p.reading == Strided::Reading::Paper ? l : l - 1;
  return [=](Index i, Index j) {
    const bool a1 = std::abs(i - j) <= far;
    const bool a2 = (i - j) % l == 0;
    const bool in = p.head == Factor::First ? a1 : p.head == Factor::Second ? a2 : a1 || a2;
    return in && (!p.causal || j <= i);
  };
}

Cells cellsOf(const Fixed& p, Index n) {
  const Index l = p.stride ? *p.stride : nearestRoot(n);
  const Index c = p.columns ? *p.columns : std::max<Index>(1, l / 16);
  const Index hi = l - p.subblock * c;
  Index lo = l - (p.subblock + 1) * c;
  if (p.reading == Fixed::Reading::Inclusive && lo > 0)
    --lo;
  const Index whole = n / l * l;
  const Index start = std::max<Index>(0, std::min(whole + lo, n - (hi - lo)));
  const bool shifts = p.tail == Fixed::Tail::Shift && whole < n;
  return [=](Index i, Index j) {
    const bool a1 = i / l == j / l;
    const bool ofBlock = lo <= j % l && j % l < hi && (!shifts || j < whole);
    const bool a2 = ofBlock || (shifts && start <= j && j < start + hi - lo);
    const bool in = p.head == Factor::First ? a1 : p.head == Factor::Second ? a2 : a1 || a2;
    return in && (!p.causal || j <= i);
  };
}

Cells cellsOf(const Sinks& p, Index) {
  const Index recent = p.window + (p.reading == Sinks::Reading::Inclusive ? 1 : 0);
  return [=](Index i, Index j) { return j <= i && (j < p.sinks || i - j < recent); };
}

Cells cellsOf(const VerticalSlash& p, Index) {
  return [=](Index i, Index j) {
    const auto has = [](const IndexList& list, Index x) {
      return std::find(list.begin(), list.end(), x) != list.end();
    };
    return j <= i && (has(p.vertical, j) || has(p.slash, i - j));
  };
}

Cells cellsOf(const PrefixLm& p, Index) {
  return [=](Index i, Index j) { return j <= i || j < *p.prefix; };
}

} // namespace attention::twins
