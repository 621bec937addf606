#include "core/views/choosing/choosing_figure.h"

#include "core/input/npy_writer.h"
#include "core/support/error.h"

#include <array>
#include <numbers>

namespace attention {
namespace {

constexpr Index kMostPairLines = 1'000'000;

std::string groupText(Index group) {
  return group == kNoGroup ? "" : std::to_string(group);
}

CsvTable sortingTable(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  const HashedTokens& tokens = *answer.tokens;
  const TokenGroups& groups = tokens.groups();
  CsvTable table{{"round", "token", "label", "query_" + tokens.groupName(), "query_rank",
                  "key_" + tokens.groupName(), "key_rank", "chunk", "x", "y"},
                 {}};
  for (std::size_t r = 0; r < groups.rounds.size(); ++r) {
    const SortingPlaces places(tokens, r, spec.moment);
    for (Index i = 0; i < tokens.n(); ++i) {
      const auto token = static_cast<std::size_t>(i);
      const auto& [queries, keys] = groups.rounds[r];
      const Box at = places.token(i);
      table.rows.push_back({std::to_string(r), csvNumber(i),
                            answer.labels.empty() ? "" : answer.labels[token],
                            groupText(queries.group[token]), csvNumber(queries.rank[token]),
                            groupText(keys.group[token]), csvNumber(keys.rank[token]),
                            groups.chunk > 0 ? csvNumber(queries.rank[token] / groups.chunk) : "",
                            csvNumber(at.x), csvNumber(at.y)});
    }
  }
  return table;
}

std::string roundsOf(const Prepared& prepared, Index i, Index j) {
  std::string rounds;
  for (std::size_t r = 0; r < prepared.parts().size(); ++r)
    if (prepared.contains(r, i, j))
      rounds += (rounds.empty() ? "" : " ") + prepared.parts()[r].name;
  return rounds;
}

CsvTable pairsTable(const HashedTokens& tokens) {
  if (tokens.pairs > kMostPairLines)
    throwRange("pairs", std::to_string(tokens.pairs), "at most 1000000 in a table");
  CsvTable table{{"i", "j", "through"}, {}};
  KeyRanges ranges;
  for (Index i = 0; i < tokens.n(); ++i) {
    tokens.prepared->row(i, ranges);
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j)
          table.rows.push_back({csvNumber(i), csvNumber(j), roundsOf(*tokens.prepared, i, j)});
      });
  }
  return table;
}

CsvTable capturedTable(const CapturedCurves& curves) {
  CsvTable table{{curves.kind == GroupKind::Buckets ? "rounds" : "k", "captured_mass", "recall",
                  "recall_keys", "pairs", "share_of_pairs", "random_mass", "base"},
                 {}};
  for (const CapturedPoint& point : curves.points)
    table.rows.push_back({csvNumber(point.count), csvNumber(point.mass), csvNumber(point.recall),
                          csvNumber(curves.recallKeys), csvNumber(point.pairs),
                          csvNumber(point.share), csvNumber(point.random),
                          std::string(name(curves.base))});
  return table;
}

CsvTable circleTable(const CircleAnswer& answer) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  CsvTable table{{"round", "turn", "pair", "point", "angle", "bucket"}, {}};
  for (std::size_t r = 0; r < answer.rounds.size(); ++r)
    for (std::size_t p = 0; p < answer.pairs.size(); ++p)
      for (const std::size_t point : {std::size_t{0}, std::size_t{1}}) {
        const CirclePair& pair = answer.pairs[p];
        table.rows.push_back({std::to_string(r), csvNumber(kDegrees * answer.rounds[r].turn),
                              pair.name, point == 0 ? "x" : "y",
                              csvNumber(kDegrees * (point == 0 ? pair.first : pair.second)),
                              csvNumber(answer.rounds[r].bucket[2 * p + point])});
      }
  return table;
}

void writeGroups(const HashedTokens& tokens, const std::filesystem::path& path) {
  const auto& rounds = tokens.groups().rounds;
  std::vector<std::int64_t> values; // the given labels; kNoGroup is not one of them
  for (const auto member : {&GroupedTokens::group, &GroupedTokens::rank})
    for (const GroupRound& round : rounds)
      for (const Index value : round.queries.*member)
        values.push_back(value);
  const std::array shape{Index{2}, static_cast<Index>(rounds.size()), tokens.n()};
  writeNpy<std::int64_t>(path, shape, values);
}

void writeMatrix(const ChoosingSpec& spec, const HashedTokens& tokens,
                 const std::filesystem::path& path) {
  const Plot plot = groupedMatrix(tokens, spec, true, {});
  const auto& cells = std::get<ValuesMark>(plot.mark).values->values();
  const std::array shape{tokens.n(), tokens.n()};
  writeNpy<double>(path, shape, std::vector<double>(cells.begin(), cells.end()));
}

} // namespace

CsvTable choosingTable(const ChoosingSpec& spec, const ChoosingAnswer& answer) {
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
    return sortingTable(spec, answer);
  case ChoosingPicture::Matrices:
    return pairsTable(*answer.tokens);
  case ChoosingPicture::Captured:
    return capturedTable(*answer.curves);
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
    return choiceTable(*answer.chosen, answer.look());
  case ChoosingPicture::Budget:
    return budgetTable(*answer.budget);
  case ChoosingPicture::Circle:
    break;
  }
  return circleTable(*answer.circle);
}

void writeChoosingNpy(const ChoosingSpec& spec, const ChoosingAnswer& answer,
                      const std::filesystem::path& path) {
  std::vector<double> values;
  switch (spec.picture) {
  case ChoosingPicture::Sorting:
    return writeGroups(*answer.tokens, path);
  case ChoosingPicture::Matrices:
    return writeMatrix(spec, *answer.tokens, path);
  case ChoosingPicture::Captured: {
    for (const CapturedPoint& of : answer.curves->points)
      values.insert(values.end(),
                    {static_cast<double>(of.count), of.mass, of.recall, of.share, of.random});
    const std::array shape{static_cast<Index>(answer.curves->points.size()), Index{5}};
    return writeNpy<double>(path, shape, values);
  }
  case ChoosingPicture::Scores:
  case ChoosingPicture::Cache:
    return writeChoiceNpy(*answer.chosen, path);
  case ChoosingPicture::Budget:
    return writeBudgetNpy(*answer.budget, path);
  case ChoosingPicture::Circle:
    break;
  }
  for (const SameBucket& of : answer.circle->shares)
    values.insert(values.end(), {of.angle, of.share});
  const std::array shape{static_cast<Index>(answer.circle->shares.size()), Index{2}};
  writeNpy<double>(path, shape, values);
}

} // namespace attention
