#include "core/input/mask_file.h"

#include "core/input/file_kind.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_readers.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

// What people call a mask in a file that has more than it.
constexpr std::array<std::string_view, 3> kMaskNames{"mask", "attention_mask", "attn_mask"};

} // namespace

Index MaskAxes::leftOpenBy(const MaskPlane& chosen) const {
  if (oneAxis && (chosen.batch || chosen.head))
    return 1;
  return (chosen.batch ? 1 : batches) * (chosen.head ? 1 : heads);
}

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

void appendCell(std::vector<QueryRun>& runs, Index i, Index j) {
  const auto query = static_cast<std::int32_t>(i);
  const auto key = static_cast<std::int32_t>(j);
  if (!runs.empty() && runs.back().query == query && runs.back().end >= key)
    runs.back().end = std::max(runs.back().end, key + 1);
  else
    runs.push_back({query, key, key + 1});
}

MaskFile maskOf(std::vector<MaskCell> cells, Index rows, Index cols, bool sized) {
  std::sort(cells.begin(), cells.end());
  MaskFile mask;
  mask.rows = rows;
  mask.cols = cols;
  mask.sized = sized;
  for (const MaskCell& cell : cells)
    appendCell(mask.runs, cell.query, cell.key);
  return mask;
}

namespace {

// Whether the file is an input, beside which a mask [layers, n, n] has one for each layer.
bool holdsInput(const ArrayFile& file) {
  return file.has("q") || file.has("k") || file.has("qk") || file.has("x");
}

Tensor ofLayers(Tensor mask) {
  if (mask.shape.size() == 3)
    mask.shape.insert(mask.shape.begin() + 1, 1);
  if (mask.strides.size() == 3)
    mask.strides.insert(mask.strides.begin() + 1, 0);
  return mask;
}

// The only array, or the one that is called a mask, as `get` gives it.
Tensor maskArray(const ArrayFile& file, Tensor (ArrayFile::*get)(std::string_view) const) {
  if (file.arrays.size() == 1)
    return (file.*get)(file.arrays.front().name());
  for (const std::string_view name : kMaskNames)
    if (file.has(name))
      return holdsInput(file) ? ofLayers((file.*get)(name)) : (file.*get)(name);
  return (file.*get)("mask"); // says which arrays there are
}

bool holdsArrays(const std::filesystem::path& path) {
  const std::string ending = endingOf(path);
  return ending == ".npy" || ending == ".npz" || ending == ".safetensors";
}

} // namespace

MaskFile maskOf(const ArrayFile& file, const MaskPlane& plane, const Run& run) {
  return isSparse(file) ? sparseMask(file, run)
                        : maskOf(maskArray(file, &ArrayFile::get), plane, run);
}

namespace {

MaskFile parseMask(std::span<const std::byte> bytes, const std::filesystem::path& path,
                   const Run& run) {
  const std::string ending = endingOf(path);
  requireKind(bytes, ending, path.string());
  if (ending == ".mtx")
    return parseMtxMask(bytes, path.string(), run);
  if (ending == ".csv")
    return parseCsvMask(bytes, path.string(), run);
  throw Error(ErrorCode::Unsupported, path.string(),
              path.string() + " ends in " + (ending.empty() ? "nothing" : ending) +
                  "; the name of a mask must end in .npy, .npz, .safetensors, .mtx or .csv");
}

} // namespace

MaskFile readMask(const std::filesystem::path& named, const Run& run) {
  const MaskReference reference = maskReference(named.string());
  const std::filesystem::path path(reference.file);
  if (holdsArrays(path))
    return maskOf(readArrays(path, run), reference.plane, run);
  const std::shared_ptr<const MappedFile> mapped = MappedFile::open(path);
  return readUnchanged(mapped->bytes().data(),
                       [&] { return parseMask(mapped->bytes(), path, run); });
}

MaskAxes maskAxes(const std::filesystem::path& named, const Run& run) {
  const std::filesystem::path path(maskReference(named.string()).file);
  if (!holdsArrays(path))
    return {};
  const ArrayFile file = readArrays(path, run);
  return isSparse(file) ? MaskAxes{} : maskAxes(maskArray(file, &ArrayFile::getShape));
}

} // namespace attention
