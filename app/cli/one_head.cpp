#include "app/cli/one_head.h"

#include "app/cli/masks.h"

#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

namespace attention::cli {

void failLengths(const Input& input) {
  const std::string note =
      layoutNote(input, "--input-layout bhnd reads", "--input-layout bnhd reads");
  throw Error(ErrorCode::Shape, "align",
              "the input has " + countText(input.queries, "query") + " and " +
                  countText(input.keys, "key") +
                  "; different lengths need --align top-left or bottom-right" +
                  (note.empty() ? "" : "; " + note.substr(0, note.size() - 1)));
}

Lengths lengthsOfInput(const Arguments& arguments, const Input& input) {
  const auto align = alignOf(arguments, input.queries, input.keys);
  if (input.queries != input.keys && !align)
    failLengths(input);
  return align ? alignedLengths(input.queries, input.keys, *align) : squareLengths(input.queries);
}

OneHead oneHeadFrom(const Arguments& arguments, const Input& input, const Run& run) {
  OneHead one{nullptr, matricesOf<double>(input, input.head, input.batch, run)};
  const Lengths lengths = lengthsOfInput(arguments, input);
  const HeadSelection selection{true, input.batch, 1, input.head, 1, {}};
  Pattern pattern = withOneMask(arguments, input, selection, run).patterns().front();
  if (const auto heads = headsOver(arguments, input))
    pattern = headPatterns(pattern, *heads, lengths.keys)[static_cast<std::size_t>(input.head)];
  PatternData data;
  if (needsData(pattern) || (mayNeedData(pattern) && input.queries == input.keys))
    data = dataOver(arguments, input, lengths, run);
  one.pattern = prepare(pattern, lengths, data, run);
  return one;
}

} // namespace attention::cli
