#include "core/input/mask_readers.h"

#include "core/input/csv_headings.h"
#include "core/input/mask_headings.h"
#include "core/input/text_lines.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <memory>

namespace attention {
namespace {

using Fields = std::vector<std::string_view>;

// Fewer columns may be pairs with an index or a value.
constexpr std::size_t kLeastColumns = 3;

struct TableForm {
  bool heading = false;
  bool index = false;  // the first column is none of the mask's
  bool labels = false; // words, the same for rows and columns
};

// Whether a cell can be no number of a token: True, or -inf and what stands for it.
bool isCellAlone(std::string_view field) {
  const auto value = realOf(field);
  return !value || isForbidden(*value);
}

bool haveCellAlone(const Fields& fields, std::size_t from) {
  return fields.size() > from &&
         std::any_of(fields.begin() + static_cast<std::ptrdiff_t>(from), fields.end(), isCellAlone);
}

// Labels above cells without an index column. Three columns may be pairs with a value.
bool areLabelsOnly(const Fields& first, const Fields& below) {
  const auto isBit = [](std::string_view field) {
    const auto cell = maskCell(field);
    return cell == 0.0 || cell == 1.0;
  };
  return first.size() > kLeastColumns && first.size() == below.size() && areHeadings(first) &&
         !isUnnamed(first.front()) && !nameEndsOfEdges(first) && !anyCoordinate(first) &&
         std::all_of(below.begin(), below.end(), isBit);
}

// By the first line of the file and the one below it.
std::optional<TableForm> formOf(const Fields& first, const Fields& below) {
  const auto isCell = [](std::string_view field) { return maskCell(field).has_value(); };
  if (std::all_of(first.begin(), first.end(), isCell)) {
    if (countColumns(first) && (first.size() >= kLeastColumns || haveCellAlone(below, 0)))
      return TableForm{true, false, false};
    return haveCellAlone(first, 0) ? std::optional(TableForm{}) : std::nullopt;
  }
  if (first.size() < kLeastColumns || isCell(first.front()))
    return std::nullopt;
  if (areLabelsOnly(first, below))
    return TableForm{true, false, false};
  const bool certain = first.size() > kLeastColumns;
  if (countColumns(first, 1))
    return certain || pairRoleOf(first.front()) == PairRole::Query || haveCellAlone(below, 1)
               ? std::optional(TableForm{true, true, false})
               : std::nullopt;
  const bool repeated = !below.empty() && below.front() == first[1];
  const bool words = isUnnamed(first.front()) && // q0, q1 name columns of an array
                     (repeated || (areHeadings(first) && !allCoordinates(first, 1)));
  return words && (certain || repeated) ? std::optional(TableForm{true, true, true}) : std::nullopt;
}

std::optional<TableForm> formOf(std::string_view text) {
  Lines lines(text);
  const auto first = lines.nextFilled('#');
  if (!first)
    return std::nullopt;
  Fields fields;
  Fields below;
  splitFields(*first, separatorOf(*first), fields);
  if (const auto next = lines.nextFilled('\0'))
    splitFields(*next, separatorOf(*first), below);
  return formOf(fields, below);
}

// The lines of a table, one after the other.
class TableReader {
public:
  TableReader(std::string_view text, const std::string& file)
      : lines_(text), file_(file), form_(formOf(text).value_or(TableForm{})) {}

  // Appends the cells of the next line to `values`; false at the end.
  bool next(std::vector<double>& values) {
    auto line = nextLine();
    if (line && columns_ == 0)
      line = begin(*line);
    if (!line) {
      requireAllLabels();
      return false;
    }
    splitFields(*line, separator_, fields_);
    if (fields_.size() != columns_)
      throwInFile(ErrorCode::Shape, file_,
                  atLine(lines_.number()) + " has " + countText(fields_.size(), "field") +
                      "; the lines before have " + std::to_string(columns_));
    if (form_.index)
      requireIndex();
    ++rows_;
    for (std::size_t column = form_.index ? 1 : 0; column < columns_; ++column)
      values.push_back(cell(fields_[column]));
    return true;
  }

  Index rows() const { return static_cast<Index>(rows_); }
  Index cols() const { return static_cast<Index>(columns_ - (form_.index ? 1 : 0)); }

private:
  // The first line, or the one behind it where it is the heading.
  std::optional<std::string_view> begin(std::string_view line) {
    separator_ = separatorOf(line);
    splitFields(line, separator_, fields_);
    columns_ = fields_.size();
    if (!form_.heading)
      return line;
    headings_ = fields_;
    requireQueriesBelow();
    return nextLine();
  }

  // "key" or "key\query" above the numbers of the rows.
  void requireQueriesBelow() const {
    const std::string_view corner = headings_.front();
    if (form_.index && pairRoleOf(corner.substr(0, corner.find_first_of("\\/|"))) == PairRole::Key)
      throwInFile(ErrorCode::Unsupported, file_,
                  "the heading " + excerpt(corner) +
                      " says that the rows are keys; they must be queries, under a heading such "
                      "as query");
  }

  // Below the heading a label may be "#".
  std::optional<std::string_view> nextLine() {
    return lines_.nextFilled(form_.labels && columns_ > 0 ? '\0' : '#');
  }

  // Rows in another order, or only some of them, would be read as other queries.
  void requireIndex() const {
    const std::size_t row = rows_ + 1;
    const std::string found = atLine(lines_.number()) + " begins with " + excerpt(fields_.front());
    if (!form_.labels && realOf(fields_.front()) != static_cast<double>(rows_))
      throwInFile(ErrorCode::Unsupported, file_,
                  found + "; the first column must number the rows 0, 1, 2 …, here " +
                      std::to_string(rows_));
    if (form_.labels && row >= columns_)
      throwInFile(ErrorCode::Unsupported, file_,
                  found + "; there must be as many rows as labelled columns");
    if (form_.labels && fields_.front() != headings_[row])
      throwInFile(ErrorCode::Unsupported, file_,
                  found + "; it must repeat the label of its column, " + excerpt(headings_[row]));
  }

  void requireAllLabels() const {
    if (form_.labels && rows_ + 1 < columns_)
      throwInFile(ErrorCode::Unsupported, file_,
                  "it has " + countText(rows_, "row") +
                      "; there must be as many as labelled "
                      "columns, " +
                      std::to_string(columns_ - 1));
  }

  double cell(std::string_view field) const {
    const auto value = maskCell(field);
    if (!value)
      throwInFile(ErrorCode::Unsupported, file_,
                  atLine(lines_.number()) + " has " + excerpt(field) +
                      "; a cell of a mask must be 0 or 1, or True or False");
    return *value;
  }

  Lines lines_;
  const std::string& file_;
  Fields fields_;
  Fields headings_;
  const TableForm form_;
  char separator_ = ',';
  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
};

} // namespace

std::optional<double> maskCell(std::string_view field) {
  if (field == "True" || field == "TRUE" || field == "true")
    return 1.0;
  if (field == "False" || field == "FALSE" || field == "false")
    return 0.0;
  return realOf(field);
}

bool beginsMaskTable(std::string_view text) {
  return formOf(text).has_value();
}

MaskFile parseMaskTable(std::string_view text, const std::string& file, const Run& run) {
  const auto values = std::make_shared<std::vector<double>>();
  TableReader table(text, file);
  while (table.next(*values))
    run.check();
  if (values->empty())
    throwInFile(ErrorCode::Shape, file, "it has no row of cells; it must have at least one");
  Tensor tensor;
  tensor.file = file;
  tensor.dtype = DType::Float64;
  tensor.shape = {table.rows(), table.cols()};
  tensor.data = reinterpret_cast<const std::byte*>(values->data());
  tensor.owner = values;
  return maskOf(tensor, {}, run);
}

} // namespace attention
