#include "core/input/mask_headings.h"

#include "core/input/csv_headings.h"
#include "core/input/text_lines.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace attention {
namespace {

using Fields = std::vector<std::string_view>;

// In small letters, without what joins their words. A graph's src and dst, source and target, from
// and to are read in either direction by people, so they name neither.
constexpr std::array<std::string_view, 15> kQueryNames{
    "i",        "q",          "qi",  "qidx", "qindex", "qpos",     "query",   "queries",
    "queryidx", "queryindex", "row", "rows", "rowidx", "rowindex", "querypos"};
constexpr std::array<std::string_view, 22> kKeyNames{
    "j",       "k",      "kj",      "kv",     "kidx",     "kindex",     "kpos",   "kvidx",
    "kvindex", "kvpos",  "key",     "keys",   "keyidx",   "keyindex",   "keypos", "col",
    "cols",    "column", "columns", "colidx", "colindex", "columnindex"};
constexpr std::array<std::string_view, 6> kValueNames{"value", "values", "val",
                                                      "data",  "mask",   "attends"};

} // namespace

const char* const kHeadingsOfPairs =
    "i and j, q_idx and kv_idx, query and key, or row and col, in either order";

PairRole pairRoleOf(std::string_view heading) {
  std::string word;
  for (const char c : heading)
    if (std::string_view("_-. ").find(c) == std::string_view::npos)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto among = [&](const auto& names) {
    return std::find(names.begin(), names.end(), word) != names.end();
  };
  return among(kQueryNames)   ? PairRole::Query
         : among(kKeyNames)   ? PairRole::Key
         : among(kValueNames) ? PairRole::Value
                              : PairRole::None;
}

bool areHeadingsOfPairs(const Fields& fields) {
  const auto count = [&](PairRole role) {
    return std::count_if(fields.begin(), fields.end(),
                         [&](std::string_view field) { return pairRoleOf(field) == role; });
  };
  return count(PairRole::Query) == 1 && count(PairRole::Key) == 1;
}

bool nameEndsOfEdges(const Fields& fields) {
  constexpr std::array<std::string_view, 6> kEnds{"src", "dst", "source", "target", "from", "to"};
  return areHeadingsOfPairs(fields) ||
         std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
           return std::find(kEnds.begin(), kEnds.end(), field) != kEnds.end();
         });
}

PairColumns pairColumns(const Fields& headings, const std::string& file) {
  const auto fail = [&](const std::string& what) {
    throwInFile(ErrorCode::Unsupported, file, what + "; the headings must be " + kHeadingsOfPairs);
  };
  PairColumns columns;
  columns.count = headings.size();
  std::array<std::optional<std::size_t>, 4> places;
  const bool named = areHeadingsOfPairs(headings);
  for (std::size_t column = 0; column < headings.size(); ++column) {
    if (column == 0 && headings.size() > 2 && isUnnamed(headings[0])) {
      columns.hasIndex = true; // of pandas
      continue;
    }
    const PairRole role = pairRoleOf(headings[column]);
    auto& place = places[static_cast<std::size_t>(role)];
    if (role == PairRole::None && named)
      throwInFile(
          ErrorCode::Unsupported, file,
          "the heading " + excerpt(headings[column]) +
              " stands beside query and key; it must be value, data or mask, above 0 and 1");
    if (role == PairRole::None)
      fail("the heading " + excerpt(headings[column]) +
           " does not say whether it is the query or the key");
    if (place)
      fail("the headings " + excerpt(headings[*place]) + " and " + excerpt(headings[column]) +
           " name the same");
    place = column;
  }
  const auto& query = places[static_cast<std::size_t>(PairRole::Query)];
  const auto& key = places[static_cast<std::size_t>(PairRole::Key)];
  if (!query || !key)
    fail(std::string("no heading names the ") + (query ? "key" : "query"));
  columns.query = *query;
  columns.key = *key;
  columns.value = places[static_cast<std::size_t>(PairRole::Value)];
  return columns;
}

} // namespace attention
