#include "core/scene/own_mask.h"

#include "core/input/mask_file.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/support/run.h"

#include <algorithm>

namespace attention {
namespace {

// Whether a pattern, which may have been written for more tokens, is valid for these.
bool suits(const Pattern& own, const Lengths& lengths) {
  try {
    check(own, lengths);
    return true;
  } catch (const Error&) { // lengths of documents, masks, nodes of a graph
    return false;
  }
}

// Whether the pattern for fewer tokens is the pattern for all of them, cut: not for a stride of √n
// or anything counted from the end. A data-dependent one is computed for the tokens in use.
bool isSameAtEveryLength(const Pattern& own) {
  return own.is<Full>() || own.is<Causal>() || needsData(own);
}

// The keys of `ranges` as runs of query i, sorted.
void appendRuns(std::vector<QueryRun>& runs, Index i, const KeyRanges& ranges) {
  const auto first = std::ssize(runs);
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      runs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(begin),
                      static_cast<std::int32_t>(end)});
    });
  std::sort(runs.begin() + first, runs.end()); // periodic ranges may lie between one another
}

// The cells of `whole` in the queries and keys of `lengths`, whose query 0 is row `firstRow`.
Pattern cutCells(const Prepared& whole, const Lengths& lengths, Index firstRow, const Run& run) {
  MaskSource cut;
  cut.rows = lengths.queries;
  cut.cols = lengths.keys;
  cut.read = true;
  std::vector<QueryRun> runs;
  KeyRanges ranges;
  for (Index i = 0; i < lengths.queries; ++i) {
    if (i % 1024 == 0)
      run.check();
    whole.row(firstRow + i, {0, lengths.keys}, ranges);
    appendRuns(runs, i, ranges);
  }
  cut.runs = std::move(runs);
  return GivenMask{std::move(cut)};
}

} // namespace

std::optional<Pattern> ownPattern(const Input& input, Index batch, const Lengths& lengths,
                                  Index firstRow, const Run& run) {
  const auto at = static_cast<std::size_t>(batch);
  const bool within =
      firstRow >= 0 && firstRow + lengths.queries <= input.queries && lengths.keys <= input.keys;
  if (at >= input.ownMasks.size() || !within)
    return std::nullopt;
  const Pattern& own = input.ownMasks[at];
  const bool whole = lengths.queries == input.queries && lengths.keys == input.keys;
  if ((whole || isSameAtEveryLength(own)) && suits(own, lengths))
    return own;
  const Lengths all{input.queries, input.keys, lengths.offset - firstRow};
  if (needsData(own) || lengths.offset < 0 || !suits(own, all))
    return std::nullopt;
  return cutCells(*prepare(own, all, run), lengths, firstRow, run);
}

std::optional<Pattern> beginningPattern(const Input& input, const InputSpec& spec) {
  if (input.queries != input.keys)
    return std::nullopt;
  auto own = ownPattern(input, spec.batch, squareLengths(input.keys));
  if (!own || !own->is<GivenMask>())
    return own;
  const auto* files = std::get_if<FileInput>(&spec.source);
  if (!files || files->input.empty())
    return std::nullopt;
  MaskSource mask; // the file, since a Scene holds no cells
  mask.file = textOf(MaskReference{files->input, {spec.batch, std::nullopt}});
  return GivenMask{std::move(mask)};
}

std::optional<Base> ownBase(const Input& input, Index batch, const Lengths& lengths, Index firstRow,
                            const Run& run) {
  const std::optional<Pattern> own = ownPattern(input, batch, lengths, firstRow, run);
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

} // namespace attention
