#include "core/input/mask_file.h"

#include "core/input/file_kind.h"
#include "core/input/input_files.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_readers.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

// What people call a mask in a file that has more than it.
std::optional<std::string_view> maskName(const ArrayFile& file) {
  for (const std::string_view name : {"mask", "attention_mask", "attn_mask"})
    if (file.has(name))
      return name;
  return std::nullopt;
}

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

std::optional<MaskCell> listedTwice(std::vector<MaskCell> cells) {
  std::sort(cells.begin(), cells.end());
  const auto twice = std::adjacent_find(cells.begin(), cells.end());
  return twice == cells.end() ? std::nullopt : std::optional(*twice);
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

// Beside queries a mask [layers, n, n] has one for each layer.
Tensor ofLayers(Tensor mask) {
  if (mask.shape.size() == 3)
    mask.shape.insert(mask.shape.begin() + 1, 1);
  if (mask.strides.size() == 3)
    mask.strides.insert(mask.strides.begin() + 1, 0);
  return mask;
}

// What a tokenizer calls attention_mask is [batch, n]: which tokens are padding.
Tensor notPadding(Tensor mask) {
  if (mask.name == "attention_mask" && mask.shape.size() == 2 && mask.shape[0] != mask.shape[1])
    throw Error(ErrorCode::Shape, mask.label(),
                mask.label() + " has shape " + shapeText(mask.shape) +
                    ", as a tokenizer's padding has; it must be (n, n), or an array \"mask\" of "
                    "(n_q, n_k)");
  return mask;
}

// The only array, or the one that is called a mask, as `get` gives it.
Tensor maskArray(const ArrayFile& file, Tensor (ArrayFile::*get)(std::string_view) const) {
  if (file.arrays.size() == 1)
    return notPadding((file.*get)(file.arrays.front().name()));
  const std::string_view name = maskName(file).value_or("mask"); // says which arrays there are
  Tensor mask = notPadding((file.*get)(name));
  return holdsQueries(file) ? ofLayers(std::move(mask)) : mask;
}

bool holdsArrays(const std::filesystem::path& path) {
  const std::string ending = endingOf(path);
  return ending == ".npy" || ending == ".npz" || ending == ".safetensors";
}

} // namespace

std::string doubtOfName(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 5> kHiding{"masked", "blocked", "hidden", "forbidden",
                                                    "padding"};
  if (!holdsArrays(file))
    return {};
  const ArrayFile arrays = readArrays(file);
  const std::string name = arrays.arrays.size() == 1 ? arrays.arrays.front().name() : "";
  const bool hides = std::any_of(kHiding.begin(), kHiding.end(), [&](std::string_view word) {
    const std::size_t at = name.find(word);
    const std::string before = name.substr(0, std::min(at, name.size()));
    return at != name.npos && !before.ends_with("un") && !before.ends_with("not_");
  });
  return hides ? "the array " + excerpt(name) +
                     " is read as a mask where 1 attends; if 1 marks what is hidden, save its "
                     "inverse"
               : std::string();
}

namespace {

bool isSquare(const Tensor& tensor) {
  return tensor.shape.size() >= 2 && tensor.fromEnd(0) == tensor.fromEnd(1);
}

// What can be nothing but a mask (bool, integers, −∞), or is square and only holds 0 and 1.
bool looksLikeMask(const Tensor& tensor, const Run& run) {
  return !isFloat(tensor.dtype) || (isSquare(tensor) && holdsMask(tensor, run)) ||
         (tensor.shape.size() >= 2 && std::isinf(number(tensor, tensor.fromEnd(0) - 1)) &&
          holdsMask(tensor, run));
}

} // namespace

bool isMask(const ArrayFile& file, const Run& run) {
  if (holdsQueries(file) || file.has("attention"))
    return false;
  if (isSparse(file) || maskName(file))
    return true;
  return file.arrays.size() == 1 && looksLikeMask(file.get(file.arrays.front().name()), run);
}

bool isMaskText(const std::filesystem::path& file, const Run& run) {
  const std::string ending = endingOf(file);
  if (ending != ".csv")
    return ending == ".mtx";
  const auto mapped = MappedFile::open(file);
  return readUnchanged(mapped->bytes().data(), [&] {
    return isPairList(mapped->bytes()) || isMaskTable(mapped->bytes(), run);
  });
}

bool isMaskFile(const std::filesystem::path& file, const Run& run) {
  if (isMaskText(file, run))
    return true;
  return (endingOf(file) == ".csv" || holdsArrays(file)) && isMask(readArrays(file, run), run);
}

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
