// attnx diff: two patterns compared cell by cell.
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"

#include "core/analysis/difference.h"
#include "core/support/error.h"

namespace attention::cli {
namespace {

int runDiff(const Arguments& arguments, const Context& context) {
  const std::size_t given = arguments.patterns().size();
  if (given != 2)
    throw Error(ErrorCode::Type, "with",
                "diff has " + std::to_string(given) + (given == 1 ? " pattern" : " patterns") +
                    "; give two: PATTERN --with PATTERN");
  const int threads = threadsFrom(arguments);
  const auto prepared = preparedPatterns(arguments, context.part(0, 0.2));
  const auto& first = prepared[0];
  const auto& second = prepared[1];
  const Difference d = difference(first, second, threads, partOf(context.run, 0.2, 1));
  const Json row = d.firstRow ? Json(*d.firstRow) : Json(nullptr);
  if (arguments.on("json")) {
    print(context.out, Json{{"only_first", d.onlyFirst},
                            {"only_second", d.onlySecond},
                            {"both", d.both},
                            {"first_row", row},
                            {"iou", jsonNumber(d.iou)}});
    return 0;
  }
  print(context.out,
        Lines{{"only in the first", std::to_string(d.onlyFirst)},
              {"only in the second", std::to_string(d.onlySecond)},
              {"in both", std::to_string(d.both)},
              {"first row that differs", d.firstRow ? row.dump() : "none: they are equal"},
              {"intersection over union", textNumber(d.iou)}});
  return 0;
}

} // namespace

Command diffCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.morePatterns = "with";
  grammar.flags = {{"n", "N", "length: queries and keys"},
                   {"n-q", "A", "queries of rectangular masks"},
                   {"n-k", "B", "keys of rectangular masks"},
                   {"align", "top-left|bottom-right", "which token query i acts as"},
                   {"threads", "T", "number of threads; 0 uses all"},
                   {"json", "", "one JSON object instead of lines"}};
  grammar.dataFlags = queryKeyFlags();
  return {"diff", "PATTERN --with PATTERN --n N",
          "cells only in one, only in the other, in both; the first row that differs", grammar,
          runDiff};
}

} // namespace attention::cli
