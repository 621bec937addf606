#include "core/input/array_file.h"
#include "core/input/text_lines.h"

namespace attention {
namespace {

[[noreturn]] void fail(ErrorCode code, const std::string& file, const std::string& what) {
  throw Error(code, file, file + ": " + what);
}

// Rows of equal length, one after the other, and the names above them if there are any.
struct Table {
  std::vector<std::string> names;
  std::size_t cols = 0;
  std::vector<double> values;

  std::size_t rows() const { return cols == 0 ? 0 : values.size() / cols; }
};

void appendRow(Table& table, const std::vector<std::string_view>& fields, const std::string& file,
               std::size_t line) {
  if (table.cols == 0)
    table.cols = fields.size();
  if (fields.size() != table.cols)
    fail(ErrorCode::Shape, file,
         atLine(line) + " has " + std::to_string(fields.size()) +
             " fields; the lines before have " + std::to_string(table.cols));
  for (const std::string_view field : fields) {
    const std::optional<double> value = realOf(field);
    if (!value)
      fail(ErrorCode::Unsupported, file,
           atLine(line) + " has " + excerpt(field) + "; allowed are numbers");
    table.values.push_back(*value);
  }
}

bool isHeading(const std::vector<std::string_view>& fields) {
  for (const std::string_view field : fields)
    if (field.empty() || realOf(field))
      return false;
  return true;
}

Table tableOf(std::string_view text, const std::string& file, const Run& run) {
  Table table;
  Lines lines(text);
  std::vector<std::string_view> fields;
  std::optional<char> separator;
  while (const auto line = lines.nextFilled('#')) {
    if (lines.number() % 1024 == 0)
      run.check();
    const bool first = !separator;
    if (first)
      separator = separatorOf(*line);
    splitFields(*line, *separator, fields);
    if (first && isHeading(fields)) {
      table.names.assign(fields.begin(), fields.end());
      table.cols = fields.size();
    } else {
      appendRow(table, fields, file, lines.number());
    }
  }
  if (table.rows() == 0)
    fail(ErrorCode::Shape, file, "no row of numbers; allowed is at least one");
  return table;
}

// "q12" belongs to the array q; a name without a number at its end to none.
std::string_view arrayName(std::string_view column) {
  const std::size_t last = column.find_last_not_of("0123456789");
  return last == std::string_view::npos || last + 1 == column.size() ? std::string_view{}
                                                                     : column.substr(0, last + 1);
}

// Columns by array, in the order of the heading; a single unnamed array where any column has none.
std::vector<std::pair<std::string, std::vector<std::size_t>>> groupsOf(const Table& table) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  for (std::size_t column = 0; column < table.names.size(); ++column) {
    const std::string name(arrayName(table.names[column]));
    if (name.empty()) {
      groups.clear();
      break;
    }
    if (groups.empty() || groups.back().first != name)
      groups.emplace_back(name, std::vector<std::size_t>{});
    groups.back().second.push_back(column);
  }
  if (!groups.empty())
    return groups;
  std::vector<std::size_t> all(table.cols);
  for (std::size_t column = 0; column < table.cols; ++column)
    all[column] = column;
  return {{std::string{}, std::move(all)}};
}

Tensor tensorOf(const Table& table, const std::vector<std::size_t>& columns,
                const std::string& file, const std::string& name) {
  const auto values = std::make_shared<std::vector<double>>();
  values->reserve(table.rows() * columns.size());
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (const std::size_t column : columns)
      values->push_back(table.values[row * table.cols + column]);
  Tensor tensor;
  tensor.file = file;
  tensor.name = name;
  tensor.dtype = DType::Float64;
  tensor.shape = {static_cast<Index>(table.rows()), static_cast<Index>(columns.size())};
  tensor.data = reinterpret_cast<const std::byte*>(values->data());
  tensor.owner = values;
  return tensor;
}

} // namespace

ArrayFile parseCsv(std::span<const std::byte> bytes, const std::string& file, const Run& run) {
  const Table table = tableOf(textOf(bytes), file, run);
  ArrayFile result;
  result.file = file;
  for (const auto& [name, columns] : groupsOf(table)) {
    for (const NamedArray& other : result.arrays)
      if (other.name() == name)
        fail(ErrorCode::Unsupported, file,
             "the columns of array " + excerpt(name) + " do not stand side by side");
    result.arrays.push_back({tensorOf(table, columns, file, name), {}, {}});
  }
  return result;
}

} // namespace attention
