// attnx count: exact pairs in a rectangle.
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"

#include "core/support/error.h"
#include "core/support/number_text.h"

namespace attention::cli {
namespace {

// [begin, end) of queries or keys; E_RANGE where it ends before it begins.
void requireSide(Index begin, Index end, const char* names) {
  if (end < begin)
    throw Error(ErrorCode::Range, "rect",
                "rect has " + std::string(names) + " " + std::to_string(begin) + " to " +
                    std::to_string(end) + "; the end must not be before the beginning");
}

// Cut to the whole mask (S12), which is noted.
Rect rectFrom(const Arguments& arguments, const Rect& whole, const Context& context) {
  const std::string* text = arguments.find("rect");
  if (!text)
    return whole;
  const auto numbers = integersFromText("rect", *text);
  if (numbers.size() != 4)
    throw Error(ErrorCode::Type, "rect",
                "rect has " + countText(numbers.size(), "number") + "; it must be i0,i1,j0,j1");
  requireSide(numbers[0], numbers[1], "queries");
  requireSide(numbers[2], numbers[3], "keys");
  const Rect rect{numbers[0], numbers[1], numbers[2], numbers[3]};
  const Rect cut = intersection(rect, whole);
  if (cut != rect)
    context.notes << "attnx: note: the rectangle reaches beyond the mask and is cut to it\n";
  return cut;
}

int runCount(const Arguments& arguments, const Context& context) {
  const int threads = threadsFrom(arguments);
  const auto heads = preparedHeads(arguments, context.part(0, 0.1));
  const Rect rect = rectFrom(arguments, heads.front()->bounds(), context);
  const Run run = partOf(context.run, 0.1, 1);
  const auto all = static_cast<Index>(heads.size());
  Index pairs = 0;
  std::vector<Index> each;
  for (const auto& head : heads) {
    each.push_back(head->count(rect, stepOf(run, static_cast<Index>(each.size()), all), threads));
    pairs += each.back();
  }
  const Index cells = rect.cells() * all;
  const double coverage =
      cells == 0 ? 0.0 : static_cast<double>(pairs) / static_cast<double>(cells);
  if (arguments.on("json")) {
    Json json{{"count", pairs}, {"cells", cells}, {"coverage", jsonNumber(coverage)}};
    if (heads.size() > 1)
      json["heads"] = each;
    print(context.out, json);
    return 0;
  }
  print(context.out, Lines{{"count", std::to_string(pairs)},
                           {"cells", std::to_string(cells)},
                           {"coverage", textNumber(coverage)}});
  return 0;
}

} // namespace

Command countCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.dataFlags = queryKeyFlags();
  grammar.flags =
      withMaskFlags({{"rect", "I0,I1,J0,J1", "queries I0 … I1−1, keys J0 … J1−1 (all)"}}, true);
  return {"count", "PATTERN --n N --rect I0,I1,J0,J1", "the exact number of pairs in a rectangle",
          grammar, runCount};
}

} // namespace attention::cli
