#include "core/input/array_file.h"
#include "core/input/csv_headings.h"
#include "core/input/text_lines.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace attention {
namespace {

// Rows of equal length, one after the other, and the headings above them if there are any.
struct Table {
  std::vector<std::string> headings;
  std::size_t cols = 0;
  bool hasIndex = false; // the first column has no heading and belongs to no array
  std::vector<double> values;
  bool firstCounts = false;  // the first row is 0, 1, 2, …
  bool firstNumbers = false; // or these numbers, or 1, 2, 3, … in any order, however written
  bool wholeFirst = true;    // all of its numbers are written as indices are: 0, 2, 17
  bool wholeLater = false;   // some of the others are
  bool reals = false;        // a later one has numbers that are written as reals
  bool parts = false;        // or that are not whole

  std::size_t rows() const { return cols == 0 ? 0 : values.size() / cols; }
};

[[noreturn]] void failNumbered(const std::string& file, const std::string& firstLine) {
  throwInFile(ErrorCode::Unsupported, file,
              firstLine +
                  " numbers the columns and names no array; the headings must be names with "
                  "numbers, such as q0, q1, k0, k1");
}

[[noreturn]] void failCounted(const std::string& file, std::size_t columns) {
  failNumbered(file, std::string(columns == 1   ? "line 1 is 0"
                                 : columns == 2 ? "line 1 is 0, 1"
                                                : "line 1 is 0, 1, 2 …") +
                         ", which");
}

// Whether the first line heads the columns: none of its fields is a number. What pandas writes
// where only the index lacks a name is refused here.
bool isHeading(const std::vector<std::string_view>& fields, const std::string& file) {
  if (isUnnamed(fields.front()) && countColumns(fields, 1))
    failCounted(file, fields.size() - 1);
  return areHeadings(fields);
}

void setHeadings(Table& table, const std::vector<std::string_view>& fields,
                 const std::string& file) {
  table.headings.assign(fields.begin(), fields.end());
  table.cols = fields.size();
  table.hasIndex = isUnnamed(table.headings.front());
  groupsOf(table.headings, file); // their errors are reported before the rows
}

// Words separated by spaces may be prose about the file.
std::vector<std::string_view> headingsInComments(const Lines& lines, char separator,
                                                 std::size_t fields, const std::string& file) {
  std::vector<std::string_view> found = commentedHeadings(lines.comments(), separator, fields);
  if (separator == ' ' && !anyCoordinate(found))
    found.clear();
  if (!found.empty())
    return found;
  if (const auto misfit = misfitComment(lines.comments(), separator, fields))
    throwInFile(ErrorCode::Unsupported, file,
                "the comment " + excerpt(*misfit) + " does not head the " +
                    countText(fields, "column") + "; it must have a heading for each");
  return found;
}

[[noreturn]] void failField(const Table& table, std::string_view field, const std::string& file,
                            std::size_t line) {
  std::string pointed(field);
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  const bool first = table.headings.empty() && table.values.size() < table.cols;
  throwInFile(ErrorCode::Unsupported, file,
              atLine(line) + " has " + (field.empty() ? "an empty field" : excerpt(field)) +
                  "; it must be a number" +
                  (realOf(pointed)        ? " with a decimal point"
                   : isBeyondReals(field) ? " within the range of float64"
                   : first                ? ", or every field of this line a heading such as q0"
                                          : ""));
}

// A name or a date in the index, which is no value, is NaN.
void appendRow(Table& table, const std::vector<std::string_view>& fields, const std::string& file,
               std::size_t line) {
  if (table.cols == 0) {
    table.cols = fields.size();
    table.firstCounts = countColumns(fields);
    table.firstNumbers = numberColumns(fields);
  }
  if (fields.size() != table.cols)
    throwInFile(ErrorCode::Shape, file,
                atLine(line) + " has " + countText(fields.size(), "field") +
                    "; the lines before have " + std::to_string(table.cols));
  for (const std::string_view& field : fields) {
    std::optional<double> value = realOf(field);
    if (!value && table.hasIndex && &field == &fields.front())
      value = std::numeric_limits<double>::quiet_NaN();
    if (!value)
      failField(table, field, file, line);
    const bool whole = !field.empty() && field.find_first_not_of("0123456789") == field.npos;
    if (table.values.size() < table.cols)
      table.wholeFirst = table.wholeFirst && whole;
    else
      table.wholeLater = table.wholeLater || whole;
    table.reals = table.reals || field.find_first_of(".eEnN") != field.npos;
    table.parts = table.parts || *value != std::floor(*value);
    table.values.push_back(*value);
  }
}

// Columns numbered by pandas for lack of names would be read as a row.
void requireNoCountedColumns(const Table& table, const std::string& file) {
  const bool likely = table.cols > 2 || (table.reals && table.rows() > 1);
  if (table.headings.empty() && table.firstCounts && likely)
    failCounted(file, table.cols);
  const bool numbered = table.firstNumbers && table.cols > 2;
  const auto row = std::span(table.values).first(table.cols);
  const bool differs = std::any_of(row.begin(), row.end(), [&](double x) { return x != row[0]; });
  const bool indices = table.wholeFirst && !table.wholeLater && differs && table.rows() > 1;
  if (table.headings.empty() && (numbered || indices) && table.parts)
    failNumbered(file, "line 1");
}

// The index that pandas writes where headings are left out would be read as a coordinate.
void requireNoIndex(const Table& table, const std::string& file) {
  if (!table.headings.empty() || !table.parts || table.cols < 2 || table.rows() < 2)
    return;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.values[row * table.cols] != static_cast<double>(row))
      return;
  throwInFile(ErrorCode::Unsupported, file,
              "column 0 counts the rows, as an index does; leave it out, or head the columns with "
              "names and numbers, such as q0, q1");
}

Table tableOf(std::string_view text, const std::string& file, const Run& run) {
  Table table;
  Lines lines(text);
  std::vector<std::string_view> fields;
  std::optional<char> separator;
  while (const auto line = lines.nextFilled(table.hasIndex ? '\0' : '#')) { // "##ing" in an index
    if (lines.number() % 1024 == 0)
      run.check();
    const bool first = !separator;
    if (first)
      separator = separatorOf(*line);
    splitFields(*line, *separator, fields);
    if (first && isHeading(fields, file)) {
      setHeadings(table, fields, file);
      continue;
    }
    if (first)
      if (const auto found = headingsInComments(lines, *separator, fields.size(), file);
          !found.empty())
        setHeadings(table, found, file);
    appendRow(table, fields, file, lines.number());
  }
  if (table.rows() == 0)
    throwInFile(ErrorCode::Shape, file, "it has no row of numbers; it must have at least one");
  requireNoCountedColumns(table, file);
  requireNoIndex(table, file);
  return table;
}

// A first column without a heading must be an index: ascending whole numbers, or words.
void requireIndex(const Table& table, const std::string& file) {
  const bool words = std::isnan(table.values.front());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double value = table.values[row * table.cols];
    const bool rises = row == 0 || value > table.values[(row - 1) * table.cols];
    if (words ? !std::isnan(value) : value != std::floor(value) || !rises)
      throwInFile(
          ErrorCode::Unsupported, file,
          "the first column has no heading and does not count the rows; its heading must be a "
          "name with a number, such as q0");
  }
}

// A single array without a name where there is no heading.
std::vector<ColumnGroup> arraysOf(const Table& table, const std::string& file) {
  if (!table.headings.empty()) {
    std::vector<ColumnGroup> groups = groupsOf(table.headings, file);
    if (table.hasIndex)
      requireIndex(table, file);
    return groups;
  }
  std::vector<std::size_t> all(table.cols);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return {{std::string{}, std::move(all)}};
}

Tensor tensorOf(const Table& table, const ColumnGroup& group, const std::string& file) {
  std::vector<double> values;
  values.reserve(table.rows() * group.columns.size());
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (const std::size_t column : group.columns)
      values.push_back(table.values[row * table.cols + column]);
  Matrix<double> rows(static_cast<Index>(table.rows()), static_cast<Index>(group.columns.size()),
                      std::move(values));
  return tensorOf(std::move(rows), file, group.name);
}

} // namespace

ArrayFile parseCsv(std::span<const std::byte> bytes, const std::string& file, const Run& run) {
  const Table table = tableOf(textOf(bytes), file, run);
  ArrayFile result;
  result.file = file;
  for (const ColumnGroup& group : arraysOf(table, file))
    result.arrays.push_back({tensorOf(table, group, file), {}, {}});
  return result;
}

} // namespace attention
