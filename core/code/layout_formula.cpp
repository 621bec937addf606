#include "core/code/mask_formula.h"

#include "core/pattern/mechanism/block_diffusion.h"
#include "core/pattern/mechanism/dilated_segments.h"
#include "core/pattern/mechanism/radial.h"
#include "core/pattern/mechanism/spans.h"

#include <algorithm>

namespace attention {
namespace {

using Kind = Formula::Kind;

Formula less(Formula a, Formula b) {
  return operation(Kind::Less, std::move(a), std::move(b));
}
Formula atMost(Formula a, Formula b) {
  return operation(Kind::LessEqual, std::move(a), std::move(b));
}
Formula equal(Formula a, Formula b) {
  return operation(Kind::Equal, std::move(a), std::move(b));
}
Formula over(Formula x, Index divisor) {
  return divisor == 1 ? x : operation(Kind::Divide, std::move(x), numberOf(divisor));
}
Formula modulo(Formula x, Index divisor) {
  return operation(Kind::Modulo, std::move(x), numberOf(divisor));
}
Formula distance() {
  return operation(Kind::Subtract, queryToken(), keyToken());
}

// The number of a token's span, below 0 for text, as steps over the tokens.
Formula spanOf(const std::vector<Segment>& segments, const Formula& token) {
  Formula steps = operation(Kind::Steps, token);
  steps.value = -1;
  Index last = -1;
  Index end = 0;
  const auto step = [&](Index at, Index id) {
    if (id != last)
      steps.pairs.emplace_back(at, id - last);
    last = id;
  };
  for (const Segment& s : segments) {
    if (s.begin > end)
      step(end, -1);
    step(s.begin, s.id);
    end = s.end;
  }
  step(end, -1);
  return steps;
}

} // namespace

std::vector<PartFormula> layoutFormula(const BlockDiffusion& diffusion, Index n) {
  const Index size = std::min(*diffusion.blockSize, n);
  if (diffusion.part == BlockDiffusion::Stage::Sample)
    return {{"blocks", "blocks up to its own",
             atMost(over(keyToken(), size), over(queryToken(), size))}};
  const Index half = n / 2;
  const auto block = [&](const Formula& token) { return over(modulo(token, half), size); };
  const Formula own = block(queryToken());
  const Formula seen = block(keyToken());
  const auto noised = [&](const Formula& token) { return less(token, numberOf(half)); };
  const auto clean = [&](const Formula& token) { return atMost(numberOf(half), token); };
  return {{"noised", "noised, own block",
           allOf({noised(queryToken()), noised(keyToken()), equal(seen, own)})},
          {"before", "noised to clean, earlier blocks",
           allOf({noised(queryToken()), clean(keyToken()), less(seen, own)})},
          {"clean", "clean, up to its own block",
           allOf({clean(queryToken()), clean(keyToken()), atMost(seen, own)})}};
}

std::vector<PartFormula> layoutFormula(const Spans& spans, Index n) {
  const std::vector<Segment> segments = spanSegments(spans, n);
  const Index window = std::min(spans.window.value_or(n), n);
  const Range known{1 - n, n - 1};
  const Formula text = allOf({causalCells(), within(distance(), known, 1 - n, window - 1)});
  const Formula own = spanOf(segments, queryToken());
  const Formula same = allOf({atMost(numberOf(0), own), equal(own, spanOf(segments, keyToken()))});
  Formula reach = {Kind::True, 0, {}};
  if (spans.window && spans.reading == Spans::Reading::Clamp)
    reach = within(distance(), known, 1 - n, window - 1);
  if (spans.window && spans.reading == Spans::Reading::ClampBoth)
    reach = within(distance(), known, 1 - window, window - 1);
  return {{"text", "earlier tokens", text},
          {"spans", "same span, both ways", segments.empty() ? Formula() : allOf({same, reach})}};
}

std::vector<PartFormula> layoutFormula(const Radial& radial, Index n) {
  const Index t = *radial.tokensPerFrame;
  const Index canvas = *radial.frames * t;
  const std::vector<Index> widths = radialWidths(radial);
  const auto apart = [&](const Formula& a, const Formula& b) {
    return operation(Kind::Absolute, operation(Kind::Subtract, a, b));
  };
  Formula width = operation(Kind::Steps, apart(over(queryToken(), t), over(keyToken(), t)));
  width.value = widths.front();
  for (std::size_t d = 1; d < widths.size(); ++d)
    if (widths[d] != widths[d - 1])
      width.pairs.emplace_back(static_cast<Index>(d), widths[d] - widths[d - 1]);
  Formula seen = atMost(apart(modulo(queryToken(), t), modulo(keyToken(), t)), width);
  if (radial.model == Radial::Model::Wan)
    seen = anyOf({less(keyToken(), numberOf(t)), seen});
  const Range tokens{0, n - 1};
  const Formula inside = allOf(
      {within(queryToken(), tokens, 0, canvas - 1), within(keyToken(), tokens, 0, canvas - 1)});
  return {{"frames", "bands between frames", allOf({inside, seen})},
          {"text", "text, seen by and seeing all", negated(inside)}};
}

std::vector<PartFormula> layoutFormula(const DilatedSegments& segments, Index) {
  std::vector<PartFormula> parts;
  for (const DilatedBranch& b : branchesOf(segments)) {
    const auto taken = [&](const Formula& token) {
      return b.dilation == 1 && b.shift == 0
                 ? Formula{Kind::True, 0, {}}
                 : equal(modulo(modulo(token, b.segment), b.dilation), numberOf(b.shift));
    };
    const Formula causal = segments.causal ? causalCells() : Formula{Kind::True, 0, {}};
    parts.push_back({"branch_" + std::to_string(parts.size()),
                     "segments of " + std::to_string(b.segment),
                     allOf({equal(over(queryToken(), b.segment), over(keyToken(), b.segment)),
                            taken(queryToken()), taken(keyToken()), causal})});
  }
  return parts;
}

} // namespace attention
