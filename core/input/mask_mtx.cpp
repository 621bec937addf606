// Masks and matrices in Matrix Market files: https://math.nist.gov/MatrixMarket/formats.html.
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

// Once in some thousands of entries.
void checkNowAndThen(Index entry, const Run& run) {
  if (entry % 8192 == 0)
    run.check();
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

struct Banner {
  bool coordinate = false;
  bool pattern = false;
  bool symmetric = false;
};

Banner bannerOf(Lines& lines, const std::string& file) {
  const auto line = lines.next();
  Fields fields;
  splitFields(line.value_or(""), ' ', fields);
  std::array<std::string, 5> words;
  for (std::size_t i = 0; i < std::min(fields.size(), words.size()); ++i)
    words[i] = lowered(fields[i]);
  const bool form = words[2] == "coordinate" || words[2] == "array";
  const bool numbers = words[3] == "pattern" || words[3] == "real" || words[3] == "integer" ||
                       words[3] == "double" || words[3] == "unsigned-integer";
  const bool symmetry = words[4] == "general" || words[4] == "symmetric";
  if (fields.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" || !form ||
      !numbers || !symmetry)
    throwInFile(ErrorCode::Unsupported, file,
                "the first line is " + excerpt(line.value_or("")) +
                    "; it must be %%MatrixMarket matrix coordinate|array pattern|integer|real "
                    "general|symmetric");
  return {words[2] == "coordinate", words[3] == "pattern", words[4] == "symmetric"};
}

// An integer in [least, most].
Index lengthOf(std::string_view field, const Lines& lines, const std::string& file, Index least,
               Index most) {
  const auto value = integerOf(field);
  if (!value)
    throwInFile(ErrorCode::Unsupported, file,
                atLine(lines.number()) + " has " + excerpt(field) + "; it must be an integer");
  if (*value < least || *value > most)
    throwInFile(ErrorCode::Range, file,
                atLine(lines.number()) + " has " + std::to_string(*value) + "; it must be " +
                    std::to_string(least) + " to " + std::to_string(most));
  return *value;
}

// The next line with `count` fields; what else is missing is named.
void nextFields(Lines& lines, const std::string& file, std::size_t count, Fields& fields) {
  const auto line = lines.nextFilled('%');
  if (!line)
    throwInFile(ErrorCode::Unsupported, file,
                "it ends after line " + std::to_string(lines.number()) + ", before its last entry");
  splitFields(*line, ' ', fields);
  if (fields.size() != count)
    throwInFile(ErrorCode::Unsupported, file,
                atLine(lines.number()) + " has " + countText(fields.size(), "field") +
                    "; it must have " + std::to_string(count));
}

void requireEnd(Lines& lines, const std::string& file) {
  if (lines.nextFilled('%'))
    throwInFile(ErrorCode::Unsupported, file,
                atLine(lines.number()) + " comes after the last entry that the file declares");
}

void requireSquareIf(bool symmetric, Index rows, Index cols, const std::string& file) {
  if (symmetric && rows != cols)
    throwInFile(ErrorCode::Shape, file,
                "it is symmetric but has shape " + shapeText(std::array<Index, 2>{rows, cols}));
}

bool isCell(std::string_view field, const Lines& lines, const std::string& file) {
  const auto value = realOf(field);
  if (!value || (*value != 0.0 && *value != 1.0))
    throwInFile(ErrorCode::Type, file,
                atLine(lines.number()) + " has " + excerpt(field) +
                    "; a cell of a mask must be 0 or 1");
  return *value == 1.0;
}

// Others add such numbers up.
void requireOnce(const std::vector<MaskCell>& cells, const std::string& file) {
  if (const auto twice = listedTwice(cells))
    throwInFile(ErrorCode::Type, file,
                "it has two numbers for row " + std::to_string(twice->query + 1) + ", column " +
                    std::to_string(twice->key + 1) + "; a cell of a mask must have one, 0 or 1");
}

} // namespace

MaskFile parseMtxMask(std::span<const std::byte> bytes, const std::string& file, const Run& run) {
  Lines lines(textOf(bytes));
  const Banner banner = bannerOf(lines, file);
  if (!banner.coordinate)
    return maskOf(parseMtxArray(bytes, file, run), {}, run);
  Fields fields;
  nextFields(lines, file, 3, fields);
  const Index rows = lengthOf(fields[0], lines, file, 1, kMaxLength);
  const Index cols = lengthOf(fields[1], lines, file, 1, kMaxLength);
  const auto declared = integerOf(fields[2]);
  if (declared && *declared > rows * cols)
    throwInFile(ErrorCode::Range, file,
                atLine(lines.number()) + " declares " + countText(*declared, "entry") +
                    "; it must be 0 to " + std::to_string(rows * cols) + ", the cells of the mask");
  const Index entries = lengthOf(fields[2], lines, file, 0, rows * cols);
  requireSquareIf(banner.symmetric, rows, cols, file);
  std::vector<MaskCell> cells;
  std::vector<MaskCell> zeros;
  for (Index entry = 0; entry < entries; ++entry) {
    checkNowAndThen(entry, run);
    nextFields(lines, file, banner.pattern ? 2 : 3, fields);
    const Index i = lengthOf(fields[0], lines, file, 1, rows) - 1;
    const Index j = lengthOf(fields[1], lines, file, 1, cols) - 1;
    auto& listed = banner.pattern || isCell(fields[2], lines, file) ? cells : zeros;
    listed.push_back({i, j});
    if (banner.symmetric && i != j)
      listed.push_back({j, i});
  }
  requireEnd(lines, file);
  zeros.insert(zeros.end(), cells.begin(), cells.end());
  if (!banner.pattern)
    requireOnce(zeros, file);
  return maskOf(std::move(cells), rows, cols, true);
}

Tensor parseMtxArray(std::span<const std::byte> bytes, const std::string& file, const Run& run) {
  Lines lines(textOf(bytes));
  const Banner banner = bannerOf(lines, file);
  if (banner.coordinate || banner.pattern)
    throwInFile(ErrorCode::Unsupported, file,
                std::string(banner.coordinate ? "it is a sparse matrix"
                                              : "it is array pattern, which has no values") +
                    "; a matrix of numbers must be array real|integer");
  Fields fields;
  nextFields(lines, file, 2, fields);
  const Index rows = lengthOf(fields[0], lines, file, 1, kMaxLength);
  const Index cols = lengthOf(fields[1], lines, file, 1, kMaxLength);
  requireSquareIf(banner.symmetric, rows, cols, file);
  const auto values = std::make_shared<std::vector<double>>();
  for (Index entry = 0; entry < rows * cols; ++entry) {
    const Index row = entry % rows;
    const Index col = entry / rows;
    checkNowAndThen(entry, run);
    if (banner.symmetric && row < col) { // listed below the diagonal
      values->push_back((*values)[static_cast<std::size_t>(row * rows + col)]);
      continue;
    }
    nextFields(lines, file, 1, fields);
    const auto value = realOf(fields[0]);
    if (!value)
      throwInFile(ErrorCode::Unsupported, file,
                  atLine(lines.number()) + " has " + excerpt(fields[0]) + "; it must be a number");
    values->push_back(*value);
  }
  requireEnd(lines, file);
  Tensor tensor;
  tensor.file = file;
  tensor.dtype = DType::Float64;
  tensor.shape = {rows, cols};
  tensor.fortranOrder = true; // the format lists columns
  tensor.data = reinterpret_cast<const std::byte*>(values->data());
  tensor.owner = values;
  return tensor;
}

} // namespace attention
