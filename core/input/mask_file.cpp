#include "core/input/mask_file.h"

#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

[[noreturn]] void failCell(const Tensor& tensor, unsigned value) {
  throw Error(ErrorCode::Type, tensor.label(),
              tensor.label() + " holds " + std::to_string(value) +
                  "; allowed in a mask are 0 and 1");
}

void checkMaskTensor(const Tensor& tensor) {
  if (tensor.dtype != DType::Bool && tensor.dtype != DType::UInt8)
    throw Error(ErrorCode::Type, tensor.label(),
                tensor.label() + " has dtype " + std::string(name(tensor.dtype)) +
                    "; allowed in a mask are bool and uint8");
  if (tensor.shape.size() != 2 || tensor.shape[0] > kMaxLength || tensor.shape[1] > kMaxLength)
    throw Error(ErrorCode::Shape, tensor.label(),
                tensor.label() + " has shape " + shapeText(tensor.shape) +
                    "; allowed is (n_q, n_k), each at most 2^30");
}

// Appends key j of query i, the cells of a query coming in order.
void append(std::vector<QueryRun>& runs, Index i, Index j) {
  const auto query = static_cast<std::int32_t>(i);
  const auto key = static_cast<std::int32_t>(j);
  if (!runs.empty() && runs.back().query == query && runs.back().end >= key)
    runs.back().end = std::max(runs.back().end, key + 1);
  else
    runs.push_back({query, key, key + 1});
}

} // namespace

std::span<const QueryRun> MaskFile::row(Index i) const {
  const auto less = [](const QueryRun& run, Index query) { return Index{run.query} < query; };
  const auto first = std::lower_bound(runs.begin(), runs.end(), i, less);
  const auto last = std::lower_bound(first, runs.end(), i + 1, less);
  return {first, last};
}

Index MaskFile::pairs() const {
  Index sum = 0;
  for (const QueryRun& run : runs)
    sum += run.end - run.begin;
  return sum;
}

MaskFile maskOf(const Tensor& tensor, const Run& run) {
  checkMaskTensor(tensor);
  MaskFile mask;
  mask.rows = tensor.shape[0];
  mask.cols = tensor.shape[1];
  const Index rowStride = tensor.fortranOrder ? 1 : mask.cols;
  const Index colStride = tensor.fortranOrder ? mask.rows : 1;
  for (Index i = 0; i < mask.rows; ++i) {
    run.check();
    for (Index j = 0; j < mask.cols; ++j) {
      const auto cell = std::to_integer<unsigned>(tensor.data[i * rowStride + j * colStride]);
      if (cell > 1)
        failCell(tensor, cell);
      if (cell == 1)
        append(mask.runs, i, j);
    }
  }
  return mask;
}

MaskFile maskOf(std::vector<MaskCell> cells, Index rows, Index cols, bool sized) {
  std::sort(cells.begin(), cells.end());
  MaskFile mask;
  mask.rows = rows;
  mask.cols = cols;
  mask.sized = sized;
  for (const MaskCell& cell : cells)
    append(mask.runs, cell.query, cell.key);
  return mask;
}

namespace {

MaskFile parseMask(std::span<const std::byte> bytes, const std::filesystem::path& path,
                   const Run& run) {
  const std::string ending = endingOf(path);
  if (ending == ".npy")
    return maskOf(parseNpy(bytes, path.string()), run);
  if (ending == ".mtx")
    return parseMtxMask(bytes, path.string(), run);
  if (ending == ".csv")
    return parsePairs(bytes, path.string(), run);
  throw Error(ErrorCode::Unsupported, path.string(),
              path.string() + " ends in " + (ending.empty() ? "nothing" : ending) +
                  "; allowed for a mask are .npy .mtx .csv");
}

} // namespace

MaskFile readMask(const std::filesystem::path& path, const Run& run) {
  const std::shared_ptr<const MappedFile> mapped = MappedFile::open(path);
  return readUnchanged(mapped->bytes().data(),
                       [&] { return parseMask(mapped->bytes(), path, run); });
}

} // namespace attention
