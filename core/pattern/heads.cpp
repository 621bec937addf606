#include "core/pattern/heads.h"

#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

struct Head {
  const HeadOptions& options;
  Index index = 0;
  Index n = 0;

  template <class M>
  M operator()(M m) const {
    return m;
  }

  Strided operator()(Strided strided) const {
    strided.head = factor();
    return strided;
  }

  Fixed operator()(Fixed fixed) const {
    const Index most = strideOf(fixed, n) / std::max<Index>(columnsOf(fixed, n), 1);
    if (options.subblocks < 1 || options.subblocks > most)
      throwRange("num_subblocks", std::to_string(options.subblocks),
                 "an integer from 1 to " + std::to_string(most) + " = ⌊ℓ / c⌋");
    fixed.head = factor();
    // When alternating, even heads are A¹, which has no summary columns; odd ones share the
    // sub-blocks.
    const Index turn = options.alternate ? index / 2 : index;
    fixed.subblock = fixed.head == Factor::First ? 0 : turn % options.subblocks;
    return fixed;
  }

  Longformer operator()(Longformer longformer) const {
    if (!options.dilations.empty())
      longformer.dilation = options.dilations[static_cast<std::size_t>(index)];
    return longformer;
  }

  BigBird operator()(BigBird bigbird) const {
    bigbird.head = index;
    return bigbird;
  }

  DilatedSegments operator()(DilatedSegments segments) const {
    if (options.heads > 1) {
      segments.head = index;
      segments.heads = options.heads;
    }
    return segments;
  }

  // The same strokes on every head of the pattern below.
  Drawn operator()(Drawn drawn) const {
    if (drawn.on)
      drawn.on =
          std::visit([&](const auto& m) { return Pattern((*this)(m)); }, drawn.on->mechanism());
    return drawn;
  }

  Factor factor() const {
    if (!options.alternate)
      return Factor::Union;
    return index % 2 == 0 ? Factor::First : Factor::Second;
  }
};

// `pattern`, or what it is drawn on, changed where that is an M.
template <class M, class Change>
Pattern withOwn(Pattern pattern, const Change& change) {
  if (auto* own = pattern.as<M>())
    change(*own);
  if (auto* drawn = pattern.as<Drawn>(); drawn && drawn->on)
    drawn->on = withOwn<M>(*drawn->on, change);
  return pattern;
}

void checkOptions(const Pattern& pattern, const HeadOptions& options) {
  if (options.heads < 1 || options.heads > kMostHeads)
    throwRange("heads", std::to_string(options.heads),
               "an integer from 1 to " + std::to_string(kMostHeads));
  const bool dilated = belowStrokes(pattern).is<Longformer>() && !options.dilations.empty();
  if (dilated && static_cast<Index>(options.dilations.size()) != options.heads)
    throw Error(ErrorCode::Shape, "dilations",
                "dilations has " + countText(options.dilations.size(), "value") + " for " +
                    countText(options.heads, "head") + "; it must have one per head");
}

} // namespace

std::vector<Pattern> headPatterns(const Pattern& pattern, const HeadOptions& options, Index n) {
  checkOptions(pattern, options);
  // Every head has its own sub-block; a bad stride is named before what follows from it.
  check(withOwn<Fixed>(pattern, [](Fixed& fixed) { fixed.subblock = 0; }), squareLengths(n));
  std::vector<Pattern> heads;
  for (Index h = 0; h < options.heads; ++h)
    heads.push_back(std::visit(
        [&](const auto& m) {
          return Pattern(Head{options, h, n}(m));
        },
        pattern.mechanism()));
  return heads;
}

std::vector<std::string_view> setByHeads(const Pattern& drawn, const HeadOptions& options) {
  const Pattern& pattern = belowStrokes(drawn);
  if (pattern.is<Strided>() || pattern.is<BigBird>())
    return {"head"};
  if (pattern.is<Fixed>())
    return {"head", "subblock"};
  if (pattern.is<Longformer>() && !options.dilations.empty())
    return {"dilation"};
  if (pattern.is<DilatedSegments>() && options.heads > 1)
    return {"head", "heads"};
  return {};
}

Pattern layerPattern(const Pattern& pattern, Index layer) {
  const Factor factor = layer % 2 == 0 ? Factor::First : Factor::Second;
  const auto choose = [factor](auto& m) { m.head = factor; };
  return withOwn<Fixed>(withOwn<Strided>(pattern, choose), choose);
}

} // namespace attention
