#include "core/views/encodings/scene_encodings.h"

#include "core/input/npy_writer.h"
#include "core/support/error.h"

namespace attention {

CsvTable encodingsTable(const EncodingsSpec& spec, const Run& run) {
  const AxialShape shape = axialShape(spec);
  const Index numbers = shape.length() * shape.width();
  if (numbers > kMostTableNumbers)
    throwRange("encodings", "n (d1 + d2) = " + std::to_string(numbers),
               "at most " + std::to_string(kMostTableNumbers) + " in a table; .npy holds more");
  const auto [e1, e2] = encodingTables(spec);
  CsvTable table{{"j", "row_e1", "row_e2"}, {}};
  for (Index c = 0; c < shape.width(); ++c)
    table.headings.push_back("e" + std::to_string(c));
  std::vector<float> values(static_cast<std::size_t>(shape.width()));
  for (Index j = 0; j < shape.length(); ++j) {
    run.check();
    const auto [a, b] = axialRows(shape, j);
    axialRow(shape, e1.view(), e2.view(), j, values.data());
    std::vector<std::string> row{std::to_string(j), std::to_string(a), std::to_string(b)};
    for (const float value : values)
      row.push_back(csvNumber(static_cast<double>(value)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void writeEncodingsNpy(const EncodingsSpec& spec, const std::filesystem::path& path,
                       const Run& run) {
  const AxialShape shape = axialShape(spec);
  const Index numbers = shape.length() * shape.width();
  if (numbers > kMostEncodingNumbers)
    throwRange("encodings", "n (d1 + d2) = " + std::to_string(numbers),
               "at most " + std::to_string(kMostEncodingNumbers) +
                   " in a file; attnx axial writes more");
  const auto tables = encodingTables(spec);
  const auto e1 = tables.first.view();
  const auto e2 = tables.second.view();
  const Index sizes[] = {shape.length(), shape.width()};
  writeNpyRows<float>(
      path, sizes,
      [&](Index j, std::span<float> values) { axialRow(shape, e1, e2, j, values.data()); }, run);
}

} // namespace attention
