// attnx info: counts, density and cost of a pattern.
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"

#include "core/analysis/cost.h"
#include "core/analysis/metrics.h"
#include "core/analysis/row_statistics.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention::cli {
namespace {

constexpr Index kDefaultWidth = 64; // of queries, keys and values
constexpr Index kFloatBytes = 4;

struct Widths {
  Index d = kDefaultWidth;
  Index dv = kDefaultWidth;
};

Widths widthsFrom(const Arguments& arguments) {
  Widths widths;
  widths.d = arguments.integer("d").value_or(kDefaultWidth);
  widths.dv = arguments.integer("dv").value_or(widths.d);
  for (const auto& [name, width] : {std::pair("d", widths.d), std::pair("dv", widths.dv)})
    if (width < 1)
      throwRange(name, std::to_string(width), "an integer ≥ 1");
  return widths;
}

Json costJson(Index n, Index pairs, const Widths& widths) {
  const SparseCost cost = sparseCost(n, widths.d, widths.dv, pairs);
  return {{"pairs", pairs},
          {"flops", jsonNumber(cost.flops)},
          {"bytes", jsonNumber(sparseBytes(cost, kFloatBytes))}};
}

Json headJson(const Prepared& pattern, const Widths& widths, const Arguments& arguments,
              const Context& context) {
  const Lengths& lengths = pattern.lengths();
  RowStatisticsOptions options;
  options.threads = threadsFrom(arguments);
  if (!arguments.on("exact"))
    options.rowBudget = affordableRows(pattern);
  const RowStatistics rows = rowStatistics(pattern, options, context.run);
  const Json cost = costJson(lengths.queries, rows.pairs, widths);
  Json json{{"n", lengths.keys}, {"pairs", rows.pairs}};
  if (lengths.queries != lengths.keys)
    json["n_q"] = lengths.queries;
  json["density"] = jsonNumber(density(rows.pairs, lengths));
  json["row_min"] = rows.minimum;
  json["row_mean"] = jsonNumber(rows.mean);
  json["row_max"] = rows.maximum;
  json["empty_rows"] = rows.emptyRows;
  json["flops"] = cost["flops"];
  json["bytes"] = cost["bytes"];
  json["full"] = costJson(lengths.queries, lengths.queries * lengths.keys, widths);
  json["exact"] = rows.exact;
  return json;
}

std::string number(const Json& json) {
  return json.is_number_float() ? textNumber(json.get<double>()) : json.dump();
}

void printHead(const Json& json, std::ostream& out) {
  const Json& full = json["full"];
  print(out,
        Lines{{"n", number(json["n"])},
              {"pairs", number(json["pairs"]) + (json["exact"] ? "" : " (sampled)")},
              {"density", number(json["density"])},
              {"keys a query", "min " + number(json["row_min"]) + ", mean " +
                                   number(json["row_mean"]) + ", max " + number(json["row_max"])},
              {"empty rows", number(json["empty_rows"])},
              {"FLOPs", number(json["flops"]) + " of " + number(full["flops"]) + " (full)"},
              {"bytes", number(json["bytes"]) + " of " + number(full["bytes"]) + " (full)"}});
}

int run(const Arguments& arguments, const Context& context) {
  const Widths widths = widthsFrom(arguments);
  std::vector<Json> heads;
  for (const auto& head : preparedHeads(arguments, context))
    heads.push_back(headJson(*head, widths, arguments, context));
  if (!arguments.on("json")) {
    for (std::size_t h = 0; h < heads.size(); ++h) {
      if (heads.size() > 1)
        context.out << (h == 0 ? "" : "\n") << "head " << h << '\n';
      printHead(heads[h], context.out);
    }
    return 0;
  }
  if (heads.size() == 1)
    print(context.out, heads.front());
  else
    print(context.out, Json{{"n", heads.front()["n"]}, {"heads", heads}});
  return 0;
}

} // namespace

Command infoCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.dataFlags = inputFlags();
  grammar.flags = withMaskFlags({{"d", "D", "width of queries and keys for the cost (64)"},
                                 {"dv", "DV", "width of values for the cost (d)"},
                                 {"exact", "",
                                  "look at every row of a mask beyond 16384 tokens "
                                  "that has no closed form, however long it takes"}},
                                true);
  return {"info", "PATTERN --n N [--d D]", "counts, density and cost", grammar, run};
}

} // namespace attention::cli
