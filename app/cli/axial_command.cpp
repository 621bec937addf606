// attnx axial: axial positional encodings.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/input_flags.h"

#include "app/cli/report.h"
#include "app/cli/setting_flags.h"
#include "core/encoding/axial_tables.h"
#include "core/export/csv_table.h"
#include "core/export/figure_file.h"
#include "core/input/npy_writer.h"
#include "core/input/replace_file.h"
#include "core/scene/encodings_spec.h"
#include "core/support/error.h"

#include <array>
#include <ostream>

namespace attention::cli {
namespace {

constexpr Index kMostCsv = 10'000'000; // entries of a .csv (command line contract, 'Limits')

bool hasTables(const Arguments& arguments) {
  if (arguments.has("e1") != arguments.has("e2"))
    throw Error(ErrorCode::Type, arguments.has("e1") ? "e2" : "e1",
                "one table is given; give both --e1 and --e2, or neither");
  return arguments.has("e1");
}

// Hugging Face's sizes and fresh tables, where the view begins with what its pictures show well.
EncodingsSpec usualEncodings() {
  const AxialShape shape;
  EncodingsSpec spec;
  spec.l1 = shape.l1;
  spec.l2 = shape.l2;
  spec.d1 = shape.d1;
  spec.d2 = shape.d2;
  spec.tables = AxialTables::Normal;
  return spec;
}

// Sides up to 2^30 (axial.h), those of the view as its pictures can show. The seed has 64 bits,
// more than the view's (seedFrom).
const SettingFlags<EncodingsSpec>& encodingFlags() {
  static const SettingFlags<EncodingsSpec> kFlags(
      encodingsSettings(),
      {{.setting = "l1", .bounds = FlagBounds::Command},
       {.setting = "l2", .bounds = FlagBounds::Command},
       {.setting = "d1", .bounds = FlagBounds::Command},
       {.setting = "d2", .bounds = FlagBounds::Command},
       {.setting = "n",
        .help = "positions (l1 · l2); fewer need --truncate",
        .bounds = FlagBounds::Command},
       {.setting = "reading", .help = "order of the two indices"},
       {.setting = "tables", .help = "contents of tables that are not given"}},
      usualEncodings());
  return kFlags;
}

// Lengths that are not given come from the given tables.
EncodingsSpec encodingsFrom(const Arguments& arguments, const AxialTablePair& given) {
  EncodingsSpec spec = usualEncodings();
  if (given.e1.rows() > 0) {
    spec.l1 = given.e1.rows();
    spec.d1 = given.e1.cols();
    spec.l2 = given.e2.rows();
    spec.d2 = given.e2.cols();
  }
  return encodingFlags().read(arguments, spec);
}

AxialShape shapeFrom(const Arguments& arguments, const EncodingsSpec& spec) {
  const AxialShape shape{spec.l1,      spec.l2,
                         spec.d1,      spec.d2,
                         spec.n,       arguments.integer("d"),
                         spec.reading, arguments.on("truncate")};
  check(shape);
  return shape;
}

// Tables are drawn or computed where they are written and not given.
void refuseUnreadFlags(const Arguments& arguments, const EncodingsSpec& spec) {
  if (arguments.has("e1"))
    refuse(arguments, {"tables", "seed"}, "with --e1 and --e2, which give the tables");
  if (!arguments.has("output"))
    refuse(arguments, {"tables", "seed", "dtype"}, "without -o, which writes the encodings");
  if (spec.tables != AxialTables::Normal)
    refuse(arguments, {"seed"}, "with tables that are not drawn; it belongs to --tables normal");
  if (endingOf(arguments.text("output")) == ".csv")
    refuse(arguments, {"dtype"}, "for .csv; it belongs to .npy");
}

void requireTables(const AxialShape& shape, const AxialTablePair& tables) {
  AxialShape first = shape; // one row shows whether the tables fit
  first.n = 1;
  first.truncate = true;
  axialEncoding(first, tables.e1.view(), tables.e2.view());
}

template <class T>
void writeEncoding(const std::string& path, const AxialShape& shape, const AxialTablePair& tables,
                   const Run& run) {
  const std::array size{shape.length(), shape.width()};
  if (shape.length() > kMaxMaskCells / shape.width())
    throwRange("n", std::to_string(shape.length()), "at most 2^32 numbers in a .npy file");
  writeNpyRows<T>(
      path, size,
      [&](Index j, std::span<T> row) {
        axialRow(shape, tables.e1.view(), tables.e2.view(), j, row.data());
      },
      run);
}

void writeEncodingCsv(const std::string& path, const AxialShape& shape,
                      const AxialTablePair& tables, const Run& run) {
  if (shape.length() > kMostCsv / shape.width())
    throwRange("n", std::to_string(shape.length()),
               "at most 10^7 entries in a .csv; .npy holds more");
  std::vector<double> row(static_cast<std::size_t>(shape.width()));
  replaceFile(path, [&](std::ostream& out) {
    for (Index j = 0; j < shape.length(); ++j) {
      run.check();
      axialRow(shape, tables.e1.view(), tables.e2.view(), j, row.data());
      for (std::size_t c = 0; c < row.size(); ++c)
        out << (c == 0 ? "" : ",") << csvNumber(row[c]);
      out << '\n';
    }
  });
}

void write(const Arguments& arguments, const AxialShape& shape, const AxialTablePair& tables,
           const Run& run) {
  const std::string path = arguments.text("output");
  if (endingOf(path) == ".csv")
    writeEncodingCsv(path, shape, tables, run);
  else if (dtypeFrom(arguments) == "float64")
    writeEncoding<double>(path, shape, tables, run);
  else
    writeEncoding<float>(path, shape, tables, run);
}

Json answerJson(const AxialShape& shape, const AxialTablePair& tables, bool drawnTables,
                std::uint64_t seed) {
  const AxialParameters parameters = axialParameters(shape);
  Json json{{"n", shape.length()},
            {"d", shape.width()},
            {"l1", shape.l1},
            {"l2", shape.l2},
            {"d1", shape.d1},
            {"d2", shape.d2},
            {"reading", name(shape.reading)},
            {"truncate", shape.truncate},
            {"parameters", {{"axial", parameters.axial}, {"full", parameters.full}}}};
  if (drawnTables)
    json["seed"] = seed;
  if (tables.e1.rows() > 0)
    json["distinct"] = rowsDistinct(tables.e1.view()) && rowsDistinct(tables.e2.view());
  return json;
}

// Which rows of the tables position --at uses.
void addPosition(const Arguments& arguments, const AxialShape& shape, Json& json) {
  const auto j = arguments.integer("at");
  if (!j)
    return;
  if (*j < 0 || *j >= shape.length())
    throwRange("at", std::to_string(*j),
               "an integer from 0 to " + std::to_string(shape.length() - 1));
  const auto [a, b] = axialRows(shape, *j);
  json["at"] = {{"position", *j}, {"e1_row", a}, {"e2_row", b}};
}

void printAnswer(std::ostream& out, const Json& json) {
  const double axial = json["parameters"]["axial"].get<double>();
  const double full = json["parameters"]["full"].get<double>();
  Lines lines{
      {"positions", json["n"].dump() + " of " + json["l1"].dump() + " × " + json["l2"].dump()},
      {"width", json["d1"].dump() + " + " + json["d2"].dump()},
      {"parameters", textNumber(axial) + " instead of " + textNumber(full) + " (1/" +
                         textNumber(full / axial) + ")"}};
  if (json.contains("distinct"))
    lines.emplace_back("all rows distinct", json["distinct"].get<bool>() ? "yes" : "no");
  if (json.contains("at"))
    lines.emplace_back("position " + json["at"]["position"].dump(),
                       "row " + json["at"]["e1_row"].dump() + " of E1, row " +
                           json["at"]["e2_row"].dump() + " of E2");
  print(out, lines);
}

int runAxial(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 2> kEndings{".npy", ".csv"};
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  const std::uint64_t seed = seedFrom(arguments, "seed");
  const bool given = hasTables(arguments);
  AxialTablePair tables;
  if (given)
    tables = {onlyMatrix("e1", arguments.text("e1"), "l1 × d1"),
              onlyMatrix("e2", arguments.text("e2"), "l2 × d2")};
  const EncodingsSpec spec = encodingsFrom(arguments, tables);
  refuseUnreadFlags(arguments, spec);
  const AxialShape shape = shapeFrom(arguments, spec);
  const bool drawn = !given && !path.empty() && spec.tables == AxialTables::Normal;
  if (!given && !path.empty())
    tables = axialTables(shape, spec.tables, seed);
  if (tables.e1.rows() > 0)
    requireTables(shape, tables);
  Json json = answerJson(shape, tables, drawn, seed);
  addPosition(arguments, shape, json);
  if (!path.empty())
    write(arguments, shape, tables, context.run);
  if (arguments.on("json"))
    print(context.out, json);
  else
    printAnswer(context.out, json);
  return 0;
}

} // namespace

Command axialCommand() {
  Grammar grammar;
  grammar.flags = encodingFlags().flags();
  grammar.add({{"d", "D", "the model's width, to check d1 + d2 against"},
               {"truncate", "", "keep only the first n of the l1 · l2 rows"},
               {"e1", "FILE", "the first table, .npy, l1 × d1; its lengths are then the defaults"},
               {"e2", "FILE", "the second table, .npy, l2 × d2; its lengths are then the defaults"},
               {"seed", "S", "seed of tables that are drawn (0)"},
               {"at", "J", "which rows position J uses"},
               {"output", "FILE", "the encodings, .npy or .csv (also -o)"},
               {"dtype", "float32|float64", "precision of the .npy (float32)"},
               {"json", "", "one JSON object instead of lines"}});
  return {"axial", "--l1 L --l2 L --d1 D --d2 D [-o FILE]", "axial positional encodings", grammar,
          runAxial};
}

} // namespace attention::cli
