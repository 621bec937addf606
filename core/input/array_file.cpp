#include "core/input/array_file.h"

#include "core/input/file_kind.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <span>

namespace attention {
namespace {

ArrayFile oneArray(Tensor tensor) {
  ArrayFile file;
  file.file = tensor.file;
  file.arrays.push_back({std::move(tensor), {}, {}});
  return file;
}

ArrayFile parse(std::span<const std::byte> bytes, const std::string& ending,
                const std::string& file, const Run& run) {
  requireKind(bytes, ending, file);
  if (ending == ".npy")
    return oneArray(parseNpy(bytes, file));
  if (ending == ".npz")
    return parseNpz(bytes, file, run);
  if (ending == ".safetensors")
    return parseSafetensors(bytes, file);
  if (ending == ".csv")
    return parseCsv(bytes, file, run);
  if (ending == ".mtx")
    return oneArray(parseMtxArray(bytes, file, run));
  throw Error(ErrorCode::Unsupported, file,
              file + " ends in " + (ending.empty() ? "nothing" : ending) +
                  "; its name must end in .npy, .npz, .safetensors, .csv or .mtx");
}

} // namespace

namespace {

bool isOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

bool isMetadataKey(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kRead{
      "tokens", "ids",      "scale",  "softcap", "modifiers", "patterns", "mask",
      "model",  "revision", "layers", "heads",   "text",      "license",  "axis0"};
  return isOneOf(name, kRead) || onlyDescribes(name);
}

bool onlyDescribes(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kDescribing{
      "image",  "audio", "format",      "title", "comment", "source",
      "author", "url",   "description", "date",  "note",    "version"};
  return isOneOf(name, kDescribing);
}

// Throws its problem where it has one.
const NamedArray* ArrayFile::arrayNamed(std::string_view name) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const NamedArray& array) { return array.name() == name; });
  if (found == arrays.end())
    return nullptr;
  if (found->problem)
    throw *found->problem;
  return &*found;
}

bool ArrayFile::has(std::string_view name) const {
  return std::any_of(arrays.begin(), arrays.end(),
                     [&](const NamedArray& array) { return array.name() == name; });
}

std::optional<Tensor> ArrayFile::find(std::string_view name) const {
  const NamedArray* array = arrayNamed(name);
  if (!array)
    return std::nullopt;
  return array->unpack ? array->unpack() : array->tensor;
}

Tensor ArrayFile::get(std::string_view name) const {
  if (auto tensor = find(name))
    return *std::move(tensor);
  failMissing(name);
}

Tensor ArrayFile::getShape(std::string_view name) const {
  const NamedArray* array = arrayNamed(name);
  if (!array)
    failMissing(name);
  return array->shape ? array->shape() : array->tensor;
}

void ArrayFile::failMissing(std::string_view name) const {
  constexpr std::size_t kListed = 12;
  std::string names;
  for (std::size_t i = 0; i < arrays.size() && i < kListed; ++i)
    names += (i == 0 ? "" : ", ") + arrays[i].name();
  if (arrays.size() > kListed)
    names += " and " + std::to_string(arrays.size() - kListed) + " more";
  throw Error(ErrorCode::Unknown, file,
              file + " has no array \"" + std::string(name) + "\"; it has " +
                  (names.empty() ? "none" : names));
}

ArrayFile readArrays(const std::filesystem::path& path, const Run& run) {
  const std::shared_ptr<const MappedFile> mapped = MappedFile::open(path);
  ArrayFile file = readUnchanged(mapped->bytes().data(), [&] {
    return parse(mapped->bytes(), endingOf(path), path.string(), run);
  });
  for (NamedArray& array : file.arrays) {
    if (array.tensor.owner == nullptr)
      array.tensor.owner = mapped;
    for (auto* read : {&array.unpack, &array.shape})
      if (*read)
        *read = [read = std::move(*read), mapped] {
          return readUnchanged(mapped->bytes().data(), read);
        };
  }
  return file;
}

} // namespace attention
