// Twins of the mechanisms whose layout fixes n, and of LongNet (T1 – T7).
#include "core/pattern/mechanism/all.h"
#include "tests/core/pattern/twins/twins.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace attention::twins {
namespace {

template <class One, class Many>
std::vector<Index> forAxes(const std::variant<One, Many>& values, std::size_t axes) {
  if (const One* one = std::get_if<One>(&values))
    return std::vector<Index>(axes, static_cast<Index>(*one));
  std::vector<Index> list;
  for (const auto value : std::get<Many>(values))
    list.push_back(static_cast<Index>(value));
  return list;
}

struct Interval {
  Index first = 0;
  Index last = 0;
};

Index between(Index x, Index low, Index high) {
  return std::min(std::max(x, low), high);
}

// I(p) of T1 for a group of L positions.
Interval interval(Neighborhood::Reading reading, Index p, Index L, Index k, Index s, bool causal) {
  using Reading = Neighborhood::Reading;
  if (reading == Reading::ZeroPad && causal)
    return {std::max<Index>(p - k + 1, 0), p};
  if (reading == Reading::ZeroPad)
    return {std::max<Index>(p - k / 2, 0), std::min(p + k / 2 + k % 2 - 1, L - 1)};
  if (reading == Reading::Gym) {
    const Index h = k / 2;
    if (2 * h + 1 >= L)
      return {0, L - 1};
    const Index centre = between(p, h, L - 1 - h);
    return {centre - h, centre + h};
  }
  if (causal)
    return {std::max<Index>(0, std::min(p / s * s + s - 1, L - 1) - k + 1), p};
  if (k >= L)
    return {0, L - 1};
  const Index lo = between(std::min(p / s * s + s / 2, L - 1) - k / 2, 0, L - k);
  return {lo, lo + k - 1};
}

// The coordinates of a token, one digit after the other.
std::vector<Index> placed(Index token, const std::vector<Index>& shape,
                          const std::vector<Index>& tile) {
  std::vector<Index> sizes;
  for (std::size_t a = 0; a < shape.size(); ++a)
    sizes.push_back(shape[a] / tile[a]);
  sizes.insert(sizes.end(), tile.begin(), tile.end());
  std::vector<Index> digits;
  for (std::size_t k = sizes.size(); k > 0; token /= sizes[--k])
    digits.insert(digits.begin(), token % sizes[k - 1]);
  std::vector<Index> place;
  for (std::size_t a = 0; a < shape.size(); ++a)
    place.push_back(digits[a] * tile[a] + digits[shape.size() + a]);
  return place;
}

} // namespace

Cells cellsOf(const Neighborhood& p, Index n) {
  const std::vector<Index> shape = p.shape->get();
  const std::size_t m = shape.size();
  const std::vector<Index> ones(m, 1);
  const bool sta = p.reading == Neighborhood::Reading::Sta;
  const auto tile = p.tile ? forAxes(*p.tile, m) : ones;
  const bool byTile = p.layout ? *p.layout == Neighborhood::Layout::Tile : sta;
  const auto k = forAxes(*p.kernel, m);
  const auto s = forAxes(p.stride, m);
  const auto d = forAxes(p.dilation, m);
  const auto causal = forAxes(p.causal, m);
  return [=, reading = p.reading, text = n - p.text](Index i, Index j) {
    if (i >= text || j >= text)
      return true;
    const auto a = placed(i, shape, byTile ? tile : ones);
    const auto b = placed(j, shape, byTile ? tile : ones);
    for (std::size_t x = 0; x < m; ++x) {
      const Index unit = sta ? tile[x] : 1;
      const Index c = a[x] / unit;
      const Index e = b[x] / unit;
      const Index g = c % d[x];
      const Index L = shape[x] / unit / d[x] + (g < shape[x] / unit % d[x] ? 1 : 0);
      const Interval in = interval(reading, c / d[x], L, k[x] / unit, s[x], causal[x] != 0);
      if (e % d[x] != g || e / d[x] < in.first || e / d[x] > in.last)
        return false;
    }
    return true;
  };
}

Cells cellsOf(const BlockDiffusion& p, Index n) {
  const Index b = *p.blockSize;
  if (p.part == BlockDiffusion::Stage::Sample)
    return [=](Index i, Index j) { return j / b <= i / b; };
  const Index L = n / 2;
  return [=](Index i, Index j) {
    const Index I = i % L / b;
    const Index J = j % L / b;
    if (i >= L)
      return j >= L && J <= I;
    return j < L ? J == I : J < I;
  };
}

Cells cellsOf(const Spans& p, Index n) {
  std::vector<Index> id(static_cast<std::size_t>(n), -1);
  if (p.ids)
    std::copy(p.ids->begin(), p.ids->end(), id.begin());
  Index next = 0;
  for (const auto& [start, length] : p.spans.value_or(PairList())) {
    std::fill_n(id.begin() + start, length, next);
    ++next;
  }
  std::map<Index, Index> size;
  for (const Index x : id)
    ++size[x];
  const Index W = p.window.value_or(n + 1);
  return [=, reading = p.reading](Index i, Index j) mutable {
    const Index own = id[static_cast<std::size_t>(i)];
    const bool same = own >= 0 && own == id[static_cast<std::size_t>(j)];
    switch (reading) {
    case Spans::Reading::Clamp:
      return (j <= i || same) && i - j < W;
    case Spans::Reading::ClampBoth:
      return (j <= i || same) && std::abs(i - j) < W;
    case Spans::Reading::Drop:
    case Spans::Reading::Overlay:
      break;
    }
    const bool dropped = reading == Spans::Reading::Drop && same && size[own] > W;
    return (j <= i && i - j < W) || (same && !dropped);
  };
}

Cells cellsOf(const Tree& p, Index) {
  std::vector<Index> parents;
  if (p.parents)
    parents = p.parents->get();
  else {
    auto paths = std::vector<std::vector<Index>>(p.paths->begin(), p.paths->end());
    paths.emplace_back();
    std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) {
      return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    for (std::vector<Index> path : paths) {
      const bool root = path.empty();
      if (!root)
        path.pop_back();
      parents.push_back(root ? -1 : std::find(paths.begin(), paths.end(), path) - paths.begin());
    }
  }
  return [=, prefix = p.prefix](Index i, Index j) {
    if (i < prefix || j < prefix)
      return j <= i;
    for (Index t = i - prefix; t >= 0; t = parents[static_cast<std::size_t>(t)])
      if (t == j - prefix)
        return true;
    return false;
  };
}

namespace {

constexpr double kAll = 1e18;

// The half width of T5 for the frames f and g; below 0: nothing.
double halfWidth(const Radial& p, Index f, Index g) {
  const auto bits = [](Index x) {
    double power = 1;
    for (; x > 0; x /= 2)
      power *= 2;
    return power;
  };
  const Index D = std::abs(f - g);
  if (g == 0 && p.model == Radial::Model::Wan)
    return kAll;
  const double base = bits(*p.tokensPerFrame) / bits(D);
  const auto split = static_cast<double>(p.split);
  if (base < split && D % static_cast<Index>(split / base) != 0)
    return -1;
  return D <= 1 ? kAll : std::max(base * p.decay, static_cast<double>(p.blockSize));
}

bool inBand(const Radial& p, Index f, Index g, Index r, Index c) {
  return static_cast<double>(std::abs(r - c)) <= halfWidth(p, f, g);
}

// Whether block (R, C) of the code is on for the frames f and g.
bool isOn(const Radial& p, Index f, Index g, Index R, Index C) {
  const Index t = *p.tokensPerFrame;
  const Index B = p.blockSize;
  const Index side = (t + B - 1) / B * B;
  const Index down = R - f * t / B;
  const Index across = C - g * t / B;
  if (down < 0 || across < 0 || down >= (f * t % B + side) / B || across >= (g * t % B + side) / B)
    return false;
  Index some = 0;
  Index many = 0;
  for (Index j = C * B; j < (C + 1) * B; ++j) {
    Index cells = 0;
    for (Index i = R * B; i < (R + 1) * B; ++i)
      cells += i >= f * t && i < (f + 1) * t && j >= g * t && j < (g + 1) * t &&
                       inBand(p, f, g, i - f * t, j - g * t)
                   ? 1
                   : 0;
    some += cells > 0 ? 1 : 0;
    many += 3 * cells > B ? 1 : 0;
  }
  return some > 0 && 10 * many > 6 * some;
}

} // namespace

Cells cellsOf(const Radial& p, Index n) {
  const Index t = *p.tokensPerFrame;
  const Index V = *p.frames * t;
  const Index B = p.blockSize;
  if (p.reading == Radial::Reading::Token)
    return
        [=](Index i, Index j) { return i >= V || j >= V || inBand(p, i / t, j / t, i % t, j % t); };
  std::map<IndexPair, bool> on;
  for (Index R = 0; R < n / B; ++R)
    for (Index C = 0; C < n / B; ++C) {
      bool& block = on[{R, C}];
      block = R >= V / B || C >= V / B;
      for (Index f = 0; f < *p.frames && !block; ++f)
        for (Index g = 0; g < *p.frames && !block; ++g)
          block = isOn(p, f, g, R, C);
    }
  return [=](Index i, Index j) { return on.at({i / B, j / B}); };
}

Cells cellsOf(const DilatedSegments& p, Index) {
  return [=](Index i, Index j) {
    for (std::size_t k = 0; k < p.segments->size(); ++k) {
      const Index w = (*p.segments)[k];
      const Index r = (*p.dilations)[k];
      const Index s = p.reading == DilatedSegments::Reading::Paper
                          ? p.head % r
                          : p.head / ((p.heads + r - 1) / r);
      if (i / w == j / w && i % w % r == s && j % w % r == s && (j <= i || !p.causal))
        return true;
    }
    return false;
  };
}

} // namespace attention::twins
