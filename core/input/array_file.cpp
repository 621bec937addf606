#include "core/input/array_file.h"

#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"

namespace attention {
namespace {

ArrayFile oneArray(Tensor tensor) {
  ArrayFile file;
  file.file = tensor.file;
  file.arrays.push_back({std::move(tensor), {}});
  return file;
}

ArrayFile parse(std::span<const std::byte> bytes, const std::string& ending,
                const std::string& file) {
  if (ending == ".npy")
    return oneArray(parseNpy(bytes, file));
  if (ending == ".npz")
    return parseNpz(bytes, file);
  if (ending == ".safetensors")
    return parseSafetensors(bytes, file);
  if (ending == ".csv")
    return parseCsv(bytes, file);
  if (ending == ".mtx")
    return oneArray(parseMtxArray(bytes, file));
  throw Error(ErrorCode::Unsupported, file,
              file + " ends in " + (ending.empty() ? "nothing" : ending) +
                  "; allowed are .npy .npz .safetensors .csv .mtx");
}

} // namespace

const Tensor* ArrayFile::find(std::string_view name) const {
  for (const NamedArray& array : arrays)
    if (array.tensor.name == name) {
      if (array.problem)
        throw *array.problem;
      return &array.tensor;
    }
  return nullptr;
}

const Tensor& ArrayFile::get(std::string_view name) const {
  if (const Tensor* tensor = find(name))
    return *tensor;
  constexpr std::size_t kListed = 12;
  std::string names;
  for (std::size_t i = 0; i < arrays.size() && i < kListed; ++i)
    names += (i == 0 ? "" : ", ") + arrays[i].tensor.name;
  if (arrays.size() > kListed)
    names += " and " + std::to_string(arrays.size() - kListed) + " more";
  throw Error(ErrorCode::Unknown, file,
              file + " has no array \"" + std::string(name) + "\"; it has " +
                  (names.empty() ? "none" : names));
}

ArrayFile readArrays(const std::filesystem::path& path) {
  const std::shared_ptr<const MappedFile> mapped = MappedFile::open(path);
  ArrayFile file = parse(mapped->bytes(), path.extension().string(), path.string());
  for (NamedArray& array : file.arrays)
    if (array.tensor.owner == nullptr)
      array.tensor.owner = mapped;
  return file;
}

} // namespace attention
