// attnx tiles: what block-sparse kernels compute of a pattern. attnx ranks: how its work is shared
// out where the queries are split over devices.
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"
#include "app/cli/setting_flags.h"

#include "core/analysis/tiles/rank_work.h"
#include "core/analysis/tiles/tile_counts.h"
#include "core/scene/mask_spec.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"

#include <ostream>

namespace attention::cli {
namespace {

constexpr Index kMostPrintedRanks = 64;

int runTiles(const Arguments& arguments, const Context& context) {
  const BlockSize block = blockFrom(arguments);
  const auto pattern = onlyHead(arguments, context);
  const TileCounts counts =
      countTiles(*pattern, block, threadsFrom(arguments), partOf(context.run, 0.1, 1));
  if (arguments.on("json")) {
    print(context.out, Json{{"n", pattern->lengths().keys},
                            {"block", {block.queries, block.keys}},
                            {"full", counts.full},
                            {"partial", counts.partial},
                            {"empty", counts.empty},
                            {"full_cut", counts.fullCut},
                            {"wanted_pairs", counts.wantedPairs},
                            {"computed_pairs", counts.computedPairs},
                            {"computed_pairs_cut", counts.computedPairsCut},
                            {"wasted_pairs", counts.wastedPairs()},
                            {"waste", jsonNumber(counts.waste())},
                            {"block_density", jsonNumber(counts.blockDensity())},
                            {"exact", counts.exact}});
    return 0;
  }
  print(context.out, Lines{{"full tiles", std::to_string(counts.full)},
                           {"partial tiles", std::to_string(counts.partial)},
                           {"empty tiles", std::to_string(counts.empty)},
                           {"block density", textNumber(counts.blockDensity())},
                           {"pairs wanted", std::to_string(counts.wantedPairs)},
                           {"pairs computed", std::to_string(counts.computedPairs)},
                           {"pairs wasted", std::to_string(counts.wastedPairs()) + " (" +
                                                textNumber(counts.waste()) + " of computed)"}});
  if (!counts.exact)
    context.out << "rows of tiles were sampled: these are estimates\n";
  return 0;
}

const SettingFlags<RanksSpec>& rankFlags() {
  static const SettingFlags<RanksSpec> kFlags(
      ranksSettings(), {{.setting = "ranks", .required = true},
                        {.setting = "scheme"},
                        {.setting = "chunk",
                         .name = "rank-chunk",
                         .help = "striped, sorted, greedy: queries that are dealt together",
                         .bounds = FlagBounds::Least}});
  return kFlags;
}

int runRanks(const Arguments& arguments, const Context& context) {
  const RanksSpec spec = rankFlags().read(arguments);
  if (!settingNamed(ranksSettings(), "chunk").visible(spec))
    noteUnread(arguments, context.notes, {"rank-chunk"},
               "with --scheme " + arguments.text("scheme", "contiguous") +
                   ", which deals no chunks");
  const RankQuestion question{spec.ranks, spec.scheme, spec.chunk};
  const auto pattern = onlyHead(arguments, context);
  const RankWork work =
      rankWork(*pattern, question, threadsFrom(arguments), partOf(context.run, 0.1, 1));
  if (arguments.on("json")) {
    print(context.out, Json{{"n", pattern->lengths().keys},
                            {"ranks", question.ranks},
                            {"scheme", arguments.text("scheme", "contiguous")},
                            {"pairs", work.pairs},
                            {"rows", work.rows},
                            {"imbalance", jsonNumber(work.imbalance)}});
    return 0;
  }
  std::vector<Cells> lines{{"rank", "queries", "pairs"}};
  for (std::size_t r = 0; r < work.pairs.size() && std::ssize(lines) <= kMostPrintedRanks; ++r)
    lines.push_back(
        {std::to_string(r), std::to_string(work.rows[r]), std::to_string(work.pairs[r])});
  printAligned(context.out, lines);
  if (const Index more = question.ranks - (std::ssize(lines) - 1); more > 0)
    context.out << "… " << more << " more\n";
  context.out << "imbalance: " << textNumber(work.imbalance)
              << " (the largest number of pairs over the mean)\n";
  return 0;
}

} // namespace

Command tilesCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.dataFlags = queryKeyFlags();
  grammar.flags = withMaskFlags({{"block", "BQxBK", "queries and keys of a tile (128x128)"}}, true);
  return {"tiles", "PATTERN --n N [--block BQxBK]",
          "full, partial and empty tiles, and the work that blocks waste", grammar, runTiles};
}

Command ranksCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.dataFlags = queryKeyFlags();
  grammar.flags = withMaskFlags(rankFlags().flags(), true);
  return {"ranks", "PATTERN --n N --ranks R [--scheme S] [--rank-chunk C]",
          "pairs per rank where queries are split over devices", grammar, runRanks};
}

} // namespace attention::cli
