// Masks in .csv files: lists of pairs, tables of cells, and rows of 0 and 1.
#include "core/input/csv_headings.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/input/mask_headings.h"
#include "core/input/mask_readers.h"
#include "core/input/text_lines.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace attention {
namespace {

using Fields = std::vector<std::string_view>;

bool isCell(std::string_view field, std::size_t line, const std::string& file) {
  const auto value = maskCell(field);
  if (!value || (*value != 0.0 && *value != 1.0))
    throwInFile(ErrorCode::Type, file,
                atLine(line) + " has " + excerpt(field) +
                    "; a cell of a mask must be 0 or 1, or True or False");
  return *value == 1.0;
}

// Whole numbers, also as numpy.savetxt writes them: 3.000000000000000000e+00.
std::optional<std::int64_t> wholeOf(std::string_view field) {
  const auto real = integerOf(field) ? std::nullopt : realOf(field);
  const bool whole = real && std::floor(*real) == *real && std::abs(*real) <= kMaxLength;
  return whole ? static_cast<std::int64_t>(*real) : integerOf(field);
}

Index indexOf(std::string_view field, std::size_t line, const std::string& file) {
  const auto value = wholeOf(field);
  if (!value)
    throwInFile(ErrorCode::Unsupported, file,
                atLine(line) + " has " + excerpt(field) + "; it must be an integer");
  if (*value < 0 || *value >= kMaxLength)
    throwInFile(ErrorCode::Range, file,
                atLine(line) + " has " + std::to_string(*value) + "; it must be 0 to " +
                    std::to_string(kMaxLength - 1));
  return *value;
}

// The start of the file: headings, which may be a comment, and a row.
struct Beginning {
  Fields headings;
  bool commented = false;
  Fields row;                                  // empty if a heading that is no comment comes first
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
    std::vector<PairRole> named;
    for (std::size_t at = 0; at < comment.size();) {
      const std::size_t begin = std::min(comment.find_first_not_of(kBetween, at), comment.size());
      const std::size_t end = std::min(comment.find_first_of(kBetween, begin), comment.size());
      const PairRole role = pairRoleOf(comment.substr(begin, end - begin));
      if (role == PairRole::Query || role == PairRole::Key)
        named.push_back(role);
      at = end;
    }
    if (named == std::vector{PairRole::Key, PairRole::Query})
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

// A line of a list, by line number from 1.
void requireCount(const Fields& fields, std::size_t count, std::size_t line,
                  const std::string& file) {
  if (fields.size() == count)
    return;
  throwInFile(ErrorCode::Unsupported, file,
              atLine(line) + " has " + countText(fields.size(), "field") +
                  (count != 2           ? "; it must have " + std::to_string(count)
                   : fields.size() == 3 ? "; three columns must have a heading, such as i,j,value "
                                          "above pairs or 0,1,2 above rows of 0 and 1"
                                        : "; it must have two, i,j, or at least four of 0 and 1"));
}

// Pairs may be repeated, but not the numbers of their cells, which others add up.
void requireOnce(std::vector<MaskCell> cells, const std::vector<MaskCell>& others,
                 const std::string& file) {
  cells.insert(cells.end(), others.begin(), others.end());
  if (const auto twice = listedTwice(std::move(cells)))
    throwInFile(ErrorCode::Type, file,
                "it has two numbers for query " + std::to_string(twice->query) + ", key " +
                    std::to_string(twice->key) + "; a cell of a mask must have one, 0 or 1");
}

MaskFile parseCells(std::string_view text, const PairColumns& columns, bool hasHeading,
                    const std::string& file, const Run& run) {
  Lines lines(text);
  Fields fields;
  std::vector<MaskCell> cells;
  std::vector<MaskCell> others;
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
    const bool attends = !columns.value || isCell(fields[*columns.value], lines.number(), file);
    (attends ? cells : others).push_back({i, j});
  }
  if (!hasHeading && rows == 0)
    throwInFile(ErrorCode::Shape, file, "it has no pair; every line is empty or begins with #");
  if (columns.value)
    requireOnce(cells, others, file);
  return maskOf(std::move(cells), rows, cols, false);
}

[[noreturn]] void failCountedPairs(std::size_t line, const std::string& file) {
  throwInFile(ErrorCode::Unsupported, file,
              atLine(line) + " is 0,1, which numbers the columns; the headings of pairs must be " +
                  kHeadingsOfPairs + ", and that of a mask of two tokens query,0,1");
}

// Without a heading.
bool beginsWithColumnNumbers(const Beginning& begin) {
  return begin.headings.empty() && begin.row.size() == 2 && countColumns(begin.row);
}

// Lines of two numbers without a heading may be the rows of a mask where all are 0 and 1: two lines
// are as square a mask as any, and pairs are listed once. A first line 0,1 may number the columns,
// also where the pair 0,0 stands below it or it is there again; it is a pair where it stands alone.
void requireCertainPairs(std::string_view text, const std::string& file) {
  Lines lines(text);
  Fields fields;
  std::set<std::pair<bool, bool>> pairs;
  bool counts = false;
  bool binary = true;
  std::size_t rows = 0;
  std::size_t firstLine = 0;
  while (const auto line = lines.nextFilled('#')) {
    splitFields(*line, separatorOf(*line), fields);
    if (++rows == 1) {
      counts = countColumns(fields);
      firstLine = lines.number();
    } else if (counts && (fields == Fields{"0", "1"} || (rows == 2 && fields == Fields{"0", "0"})))
      failCountedPairs(firstLine, file);
    const auto isBit = [](std::string_view field) {
      return wholeOf(field) == 0 || wholeOf(field) == 1;
    };
    binary = binary && fields.size() == 2 && std::all_of(fields.begin(), fields.end(), isBit);
    if (!binary && !counts)
      return;
    if (binary)
      pairs.emplace(wholeOf(fields[0]) == 1, wholeOf(fields[1]) == 1);
  }
  if (!binary)
    return;
  if (rows == 2 || rows > pairs.size())
    throwInFile(ErrorCode::Unsupported, file,
                "its lines of two numbers 0 and 1 may be pairs or the rows of a mask; a heading "
                "must say which, query,key above pairs or query,0,1 above rows that begin with "
                "their numbers 0, 1 …");
  if (counts && rows > 1)
    failCountedPairs(firstLine, file);
}

// What pandas writes above pairs whose columns nobody named may as well be a mask of two tokens.
void requireNamedPairs(std::string_view text, const Fields& first, const std::string& file) {
  if (first.size() != 3 || !isUnnamed(first.front()) || !countColumns(first, 1))
    return;
  Lines lines(text);
  lines.nextFilled('#');
  failCountedPairs(lines.number(), file);
}

// Square blocks of rows that empty lines or comments divide, as loops of numpy.savetxt write them,
// are several masks.
void refuseBlocks(std::string_view text, std::size_t columns, const std::string& file) {
  Lines lines(text);
  std::vector<std::size_t> rows{0};
  while (const auto line = lines.next()) {
    const std::string_view filled = trimmed(*line);
    if (!filled.empty() && filled.front() != '#')
      ++rows.back();
    else if (rows.back() > 0)
      rows.push_back(0);
  }
  if (rows.back() == 0)
    rows.pop_back();
  if (rows.size() > 1 && rows == std::vector(rows.size(), columns))
    throwInFile(
        ErrorCode::Unsupported, file,
        "it has " + std::to_string(rows.size()) + " masks of " + countText(columns, "row") +
            ", one below the other; it must have one, without empty lines or comments between "
            "its rows (several can be an array [heads, n, n])");
}

// Columns that are too many for pairs, under words that say nothing of them.
void requireHeadingsOfPairs(const Beginning& begin, const std::string& file) {
  const auto saysNothing = [](std::string_view heading) {
    return pairRoleOf(heading) == PairRole::None;
  };
  const Fields& headings = begin.headings;
  if (headings.size() > 3 && std::all_of(headings.begin(), headings.end(), saysNothing))
    throwInFile(ErrorCode::Unsupported, file,
                "the heading " + excerpt(headings[0]) + ", " + excerpt(headings[1]) +
                    " … is neither that of pairs nor the labels of a mask; pairs must have " +
                    kHeadingsOfPairs +
                    ", and a mask the numbers 0, 1 … or the same labels above and before its rows");
}

} // namespace

MaskFile parseCsvMask(std::span<const std::byte> bytes, const std::string& file, const Run& run) {
  const std::string_view text = textOf(bytes);
  const Beginning begin = beginningOf(text);
  if (begin.headings.empty() && begin.row.size() > 3)
    refuseBlocks(text, begin.row.size(), file);
  if (!areHeadingsOfPairs(begin.headings) && beginsMaskTable(text))
    return parseMaskTable(text, file, run);
  requireNamedPairs(text, begin.row, file);
  if (begin.headings.empty() && begin.row.size() == 2)
    requireCertainPairs(text, file);
  if (begin.turned && begin.row.size() < 4)
    throwInFile(ErrorCode::Unsupported, file,
                "the comment " + excerpt(*begin.turned) +
                    " names the key before the query; a line above the pairs must say which column "
                    "is which, such as j,i");
  requireHeadingsOfPairs(begin, file);
  if (!begin.headings.empty())
    return parseCells(text, pairColumns(begin.headings, file), !begin.commented, file, run);
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

std::string doubtOfPairs(const std::filesystem::path& file, std::span<const QueryRun> pairs) {
  if (endingOf(file) != ".csv" || pairs.empty())
    return {};
  const auto none = [&](const auto& condition) {
    return std::none_of(pairs.begin(), pairs.end(), condition);
  };
  const auto mapped = MappedFile::open(file);
  return readUnchanged(mapped->bytes().data(), [&]() -> std::string {
    const Beginning begin = beginningOf(textOf(mapped->bytes()));
    if (beginsWithColumnNumbers(begin))
      return "the first line, 0,1, is read as a pair; if it numbers the columns, as pandas does, "
             "put i,j in its place";
    if (begin.headings.empty() &&
        none([](const QueryRun& run) { return run.query > 1 || run.end > 2; }))
      return "lines of 0 and 1 are read as pairs; if they are rows of a mask, put query,0,1 above "
             "them and their numbers 0, 1 … before them";
    const bool valued = !begin.headings.empty() && pairColumns(begin.headings, "").value;
    if (!valued && none([](const QueryRun& run) { return run.query == 0 || run.begin == 0; }))
      return "no index is 0; indices count from 0, so if these count from 1, subtract 1";
    return {};
  });
}

bool isMaskTable(std::span<const std::byte> bytes, const Run& run) {
  const std::string_view text = textOf(bytes);
  if (areHeadingsOfPairs(beginningOf(text).headings) || !beginsMaskTable(text))
    return false;
  try {
    parseMaskTable(text, "", run);
    return true;
  } catch (const Error&) {
    return false; // numbers of something else
  }
}

} // namespace attention
