#include "core/scene/own_mask.h"

#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/given.h"
#include "core/support/run.h"

#include <algorithm>

namespace attention {
namespace {

// The rows and keys of a mask that the lengths have.
Given cutMask(const Given& given, const Lengths& lengths, Index firstRow) {
  const MaskSource& mask = *given.mask;
  if (mask.rows == lengths.queries && mask.cols == lengths.keys)
    return given;
  std::vector<QueryRun> runs;
  for (const QueryRun& run : mask.runs)
    if (run.query >= firstRow && run.query < firstRow + lengths.queries && run.begin < lengths.keys)
      runs.push_back({static_cast<std::int32_t>(run.query - firstRow), run.begin,
                      std::min(run.end, static_cast<std::int32_t>(lengths.keys))});
  MaskSource cut = mask;
  cut.rows = lengths.queries;
  cut.cols = lengths.keys;
  cut.runs = std::move(runs);
  return {std::move(cut)};
}

bool looksBack(const Pattern& pattern, const Lengths& lengths) {
  return ownBase(pattern, lengths).past;
}

} // namespace

std::optional<Pattern> ownPattern(const Input& input, Index batch, const Lengths& lengths,
                                  Index firstRow) {
  const auto at = static_cast<std::size_t>(batch);
  const bool within =
      firstRow >= 0 && firstRow + lengths.queries <= input.queries && lengths.keys <= input.keys;
  if (at >= input.ownMasks.size() || !within)
    return std::nullopt;
  if (const auto* given = input.ownMasks[at].as<Given>(); given && given->mask && given->mask->read)
    return cutMask(*given, lengths, firstRow);
  return input.ownMasks[at];
}

std::optional<Pattern> beginningPattern(const Input& input, Index batch) {
  if (input.queries != input.keys)
    return std::nullopt;
  auto own = ownPattern(input, batch, squareLengths(input.keys));
  return own && !own->is<Given>() ? own : std::nullopt;
}

std::optional<Base> ownBase(const Input& input, Index batch, const Lengths& lengths, Index firstRow,
                            const Run& run) {
  const std::optional<Pattern> own = ownPattern(input, batch, lengths, firstRow);
  if (!own || needsData(*own))
    return std::nullopt;
  return ownBase(*own, lengths, run);
}

std::optional<Base> baseFor(AttentionBase choice, const Input& input, Index batch,
                            const Lengths& lengths, Index firstRow, const Run& run) {
  if (choice == AttentionBase::Meaningful)
    return ownBase(input, batch, lengths, firstRow, run);
  return choice == AttentionBase::Full ? Base::Full : Base::Causal;
}

std::string attendsText(const Input& input) {
  if (input.ownMasks.empty() || input.queries != input.keys)
    return {};
  const Lengths lengths = squareLengths(input.keys);
  const auto isFull = [](const Pattern& own) { return own.is<Full>(); };
  if (std::all_of(input.ownMasks.begin(), input.ownMasks.end(), isFull))
    return "An encoder: every token attends to all others, before and after it.";
  const auto back = [&](const Pattern& own) { return !needsData(own) && looksBack(own, lengths); };
  if (std::all_of(input.ownMasks.begin(), input.ownMasks.end(), back))
    return "A decoder: a token attends to itself and to earlier tokens only.";
  return "Some layers let a token attend to later tokens.";
}

} // namespace attention
