// Masks in .csv files: lists of pairs, tables of cells, and rows of 0 and 1.
#include "core/input/csv_headings.h"
#include "core/input/mask_file.h"
#include "core/input/mask_readers.h"
#include "core/input/text_lines.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace attention {
namespace {

using Fields = std::vector<std::string_view>;

enum class Axis { None, Query, Key, Value };

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

Axis roleOf(std::string_view heading) {
  std::string word;
  for (const char c : heading)
    if (std::string_view("_-. ").find(c) == std::string_view::npos)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto among = [&](const auto& names) {
    return std::find(names.begin(), names.end(), word) != names.end();
  };
  return among(kQueryNames)   ? Axis::Query
         : among(kKeyNames)   ? Axis::Key
         : among(kValueNames) ? Axis::Value
                              : Axis::None;
}

// Where each of them stands in a line.
struct Columns {
  std::size_t count = 2;
  std::size_t query = 0;
  std::size_t key = 1;
  std::optional<std::size_t> value;
  bool hasIndex = false; // the first column has no heading and counts the rows
};

bool areHeadingsOfPairs(const Fields& fields) {
  Index queries = 0;
  Index keys = 0;
  for (const std::string_view field : fields) {
    queries += roleOf(field) == Axis::Query ? 1 : 0;
    keys += roleOf(field) == Axis::Key ? 1 : 0;
  }
  return queries == 1 && keys == 1;
}

// Whether the fields name the ends of edges, also where they leave open which is the query.
bool nameEndsOfEdges(const Fields& fields) {
  constexpr std::array<std::string_view, 6> kEnds{"src", "dst", "source", "target", "from", "to"};
  return areHeadingsOfPairs(fields) ||
         std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
           return std::find(kEnds.begin(), kEnds.end(), field) != kEnds.end();
         });
}

constexpr const char* kMustName =
    "; the headings must be i and j, q_idx and kv_idx, query and key, or row and col, in either "
    "order";

Columns columnsOf(const Fields& headings, const std::string& file) {
  Columns columns;
  columns.count = headings.size();
  std::array<std::optional<std::size_t>, 4> places;
  for (std::size_t column = 0; column < headings.size(); ++column) {
    if (column == 0 && headings.size() > 2 && isUnnamed(headings[0])) {
      columns.hasIndex = true; // of pandas
      continue;
    }
    const Axis role = roleOf(headings[column]);
    auto& place = places[static_cast<std::size_t>(role)];
    if (role == Axis::None)
      throwInFile(ErrorCode::Unsupported, file,
                  "the heading " + excerpt(headings[column]) +
                      " does not say whether it is the query or the key" + kMustName);
    if (place)
      throwInFile(ErrorCode::Unsupported, file,
                  "the headings " + excerpt(headings[*place]) + " and " +
                      excerpt(headings[column]) + " name the same" + kMustName);
    place = column;
  }
  const auto& query = places[static_cast<std::size_t>(Axis::Query)];
  const auto& key = places[static_cast<std::size_t>(Axis::Key)];
  if (!query || !key)
    throwInFile(ErrorCode::Unsupported, file,
                std::string("no heading names the ") + (query ? "key" : "query") + kMustName);
  columns.query = *query;
  columns.key = *key;
  columns.value = places[static_cast<std::size_t>(Axis::Value)];
  return columns;
}

bool isCell(std::string_view field, std::size_t line, const std::string& file) {
  const auto value = maskCell(field);
  if (!value || (*value != 0.0 && *value != 1.0))
    throwInFile(ErrorCode::Type, file,
                atLine(line) + " has " + excerpt(field) +
                    "; a cell of a mask must be 0 or 1, or True or False");
  return *value == 1.0;
}

Index indexOf(std::string_view field, std::size_t line, const std::string& file) {
  const auto value = integerOf(field);
  if (!value)
    throwInFile(ErrorCode::Unsupported, file,
                atLine(line) + " has " + excerpt(field) + "; it must be an integer");
  if (*value < 0 || *value >= kMaxLength)
    throwInFile(ErrorCode::Range, file,
                atLine(line) + " has " + std::to_string(*value) + "; it must be 0 to " +
                    std::to_string(kMaxLength - 1));
  return *value;
}

// What stands first in the file: headings, which may be a comment, and a row.
struct Beginning {
  Fields headings;
  bool commented = false;
  Fields row; // empty where a heading that is no comment comes first
  std::optional<std::string_view> turned = {}; // a comment that may say that keys come first
};

// "key index" of "key index (from 0)".
std::string_view withoutRemark(std::string_view field) {
  return trimmed(field.substr(0, field.find('(')));
}

// Names of both ends in any comment, or what commentedHeadings finds; words that a space separates
// may be prose about the file.
Fields headingsInComments(const Fields& comments, char separator, std::size_t count) {
  for (auto comment = comments.rbegin(); comment != comments.rend(); ++comment)
    for (Fields found : fieldsOfComment(*comment, separator)) {
      std::transform(found.begin(), found.end(), found.begin(), withoutRemark);
      if (found.size() == count && areHeadingsOfPairs(found))
        return found;
    }
  Fields headings = commentedHeadings(comments, separator, count);
  if (separator == ' ' && !nameEndsOfEdges(headings) && !anyCoordinate(headings))
    headings.clear();
  return headings;
}

// The comment that names one key and then one query among its words.
std::optional<std::string_view> turnedComment(const Fields& comments) {
  constexpr std::string_view kBetween = " \t,;:()[]<>=→\"'";
  for (const std::string_view comment : comments) {
    std::vector<Axis> named;
    for (std::size_t at = 0; at < comment.size();) {
      const std::size_t begin = std::min(comment.find_first_not_of(kBetween, at), comment.size());
      const std::size_t end = std::min(comment.find_first_of(kBetween, begin), comment.size());
      const Axis role = roleOf(comment.substr(begin, end - begin));
      if (role == Axis::Query || role == Axis::Key)
        named.push_back(role);
      at = end;
    }
    if (named == std::vector{Axis::Key, Axis::Query})
      return comment;
  }
  return std::nullopt;
}

Beginning beginningOf(std::string_view text) {
  Lines lines(text);
  Beginning begin;
  const auto line = lines.nextFilled('#');
  if (!line)
    return begin;
  const char separator = separatorOf(*line);
  splitFields(*line, separator, begin.row);
  if (areHeadings(begin.row)) {
    std::swap(begin.headings, begin.row);
    return begin;
  }
  if (begin.row.size() == 2 || begin.row.size() == 3) // more are rows of 0 and 1
    begin.headings = headingsInComments(lines.comments(), separator, begin.row.size());
  if (begin.headings.empty())
    begin.turned = turnedComment(lines.comments());
  begin.commented = !begin.headings.empty();
  return begin;
}

// A line of a table, by line number from 1.
void requireCount(const Fields& fields, std::size_t count, std::size_t line,
                  const std::string& file) {
  if (fields.size() != count)
    throwInFile(ErrorCode::Unsupported, file,
                atLine(line) + " has " + countText(fields.size(), "field") + "; it must have " +
                    (count == 2 ? "two, i,j, or at least four of 0 and 1" : std::to_string(count)));
}

MaskFile parseCells(std::string_view text, Columns columns, bool hasHeading,
                    const std::string& file, const Run& run) {
  Lines lines(text);
  Fields fields;
  std::vector<MaskCell> cells;
  Index rows = 0;
  Index cols = 0;
  bool heading = hasHeading;
  while (const auto line = lines.nextFilled('#')) {
    if (lines.number() % 8192 == 0)
      run.check();
    if (std::exchange(heading, false))
      continue;
    splitFields(*line, separatorOf(*line), fields);
    requireCount(fields, columns.count, lines.number(), file);
    if (columns.hasIndex)
      indexOf(fields.front(), lines.number(), file); // else headings are labels of tokens
    const Index i = indexOf(fields[columns.query], lines.number(), file);
    const Index j = indexOf(fields[columns.key], lines.number(), file);
    rows = std::max(rows, i + 1);
    cols = std::max(cols, j + 1);
    if (!columns.value || isCell(fields[*columns.value], lines.number(), file))
      cells.push_back({i, j});
  }
  return maskOf(std::move(cells), rows, cols, false);
}

// Columns that pandas numbered are no headings of pairs. A first line 0,1 may be a pair, but hardly
// where the pairs below begin with 0,0, or where all numbers are 0 and 1: a mask of two tokens.
void requireNoCountedPairs(std::string_view text, const Beginning& begin, const std::string& file) {
  Lines lines(text);
  lines.nextFilled('#');
  const std::string line = atLine(lines.number());
  const Fields& first = begin.row;
  bool counted = first.size() == 3 && isUnnamed(first.front()) && countColumns(first, 1);
  if (begin.headings.empty() && first.size() == 2 && countColumns(first)) {
    Fields row;
    bool binary = true;
    Index rows = 0;
    for (auto below = lines.nextFilled('#'); below && binary && !counted;
         below = lines.nextFilled('#')) {
      splitFields(*below, separatorOf(*below), row);
      counted = ++rows == 1 && row == Fields{"0", "0"};
      binary = std::all_of(row.begin(), row.end(),
                           [](std::string_view field) { return field == "0" || field == "1"; });
    }
    counted = counted || (binary && rows > 0);
  }
  if (counted)
    throwInFile(ErrorCode::Unsupported, file,
                line + " is 0,1, which numbers the columns" + kMustName);
}

} // namespace

MaskFile parseCsvMask(std::span<const std::byte> bytes, const std::string& file, const Run& run) {
  const std::string_view text = textOf(bytes);
  const Beginning begin = beginningOf(text);
  if (!areHeadingsOfPairs(begin.headings) &&
      beginsMaskTable(begin.row.empty() ? begin.headings : begin.row))
    return parseMaskTable(text, file, run);
  requireNoCountedPairs(text, begin, file);
  if (begin.turned && begin.row.size() < 4)
    throwInFile(ErrorCode::Unsupported, file,
                "the comment " + excerpt(*begin.turned) +
                    " names the key before the query; a line above the pairs must say which column "
                    "is which, such as j,i");
  if (!begin.headings.empty())
    return parseCells(text, columnsOf(begin.headings, file), !begin.commented, file, run);
  if (begin.row.size() > 3) {
    const ArrayFile cells = parseCsv(bytes, file, run);
    if (cells.arrays.size() > 1)
      throwInFile(ErrorCode::Unsupported, file,
                  "its headings name " + countText(cells.arrays.size(), "array") +
                      "; they must name one");
    return maskOf(cells.arrays.front().tensor, {}, run);
  }
  return parseCells(text, {}, false, file, run);
}

bool isPairList(std::span<const std::byte> bytes) {
  const Beginning begin = beginningOf(textOf(bytes));
  const bool integers = std::all_of(begin.row.begin(), begin.row.end(), [](std::string_view field) {
    return integerOf(field).has_value();
  });
  return areHeadingsOfPairs(begin.headings) ||
         (begin.row.size() == 2 && integers && !anyCoordinate(begin.headings));
}

bool isMaskTable(std::span<const std::byte> bytes, const Run& run) {
  const Beginning begin = beginningOf(textOf(bytes));
  if (areHeadingsOfPairs(begin.headings) ||
      !beginsMaskTable(begin.row.empty() ? begin.headings : begin.row))
    return false;
  try {
    parseMaskTable(textOf(bytes), "", run);
    return true;
  } catch (const Error&) {
    return false; // numbers of something else
  }
}

} // namespace attention
