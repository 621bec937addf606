#include "core/model/hf_folder.h"

#include "core/input/file_kind.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

namespace attention {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

ArrayFile openShard(const fs::path& path, ModelFolder& folder) {
  const auto mapped = MappedFile::open(path);
  folder.files.push_back(mapped);
  return readUnchanged(mapped->bytes().data(), [&] {
    requireKind(mapped->bytes(), ".safetensors", path.string());
    return parseSafetensors(mapped->bytes(), path.string());
  });
}

// GuardedMapping maps only so many at a time.
constexpr std::size_t kMostShards = 200;

void readShards(const fs::path& folder, const fs::path& index, ModelFolder& made) {
  const auto shards = shardsOfIndex(parseJson(textOfFile(index), index.string()), index.string());
  made.weights = StoredWeights(index.string());
  for (const auto& [shard, names] : shards) {
    const ArrayFile arrays = openShard(folder / shard, made);
    made.weights.add(arrays, names, made.files.back());
  }
}

[[noreturn]] void failWithoutWeights(const fs::path& folder) {
  for (const char* name : {"pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt",
                           "model.pth", "consolidated.00.pth"})
    if (isThere(folder / name)) {
      const std::string file = (folder / name).string();
      throw Error(ErrorCode::Unsupported, file, file + " " + std::string(kPickledModel));
    }
  const std::string file = folder.string();
  throw Error(ErrorCode::Io, file,
              file + " has neither model.safetensors nor model.safetensors.index.json; it must "
                     "have one of them");
}

bool isPlainName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

} // namespace

std::map<std::string, std::vector<std::string>> shardsOfIndex(const nlohmann::json& index,
                                                              const std::string& file) {
  const auto map = index.is_object() ? index.find("weight_map") : index.end();
  if (map == index.end() || !map->is_object())
    throwInFile(ErrorCode::Type, file,
                "weight_map is missing or not an object; it must be an object");
  std::map<std::string, std::vector<std::string>> shards;
  for (const auto& [tensor, shard] : map->items()) {
    if (!shard.is_string() || !isPlainName(shard.get_ref<const std::string&>()))
      throwInFile(ErrorCode::Unsupported, file,
                  "tensor " + excerpt(tensor) + " is in " + jsonExcerpt(shard) +
                      "; it must be the name of a file in the same folder");
    shards[shard.get<std::string>()].push_back(tensor);
  }
  if (shards.size() > kMostShards)
    throwInFile(ErrorCode::Unsupported, file,
                "it names " + countText(shards.size(), "file") + "; it must name at most " +
                    std::to_string(kMostShards));
  return shards;
}

ModelFolder readModelFolder(const fs::path& folder) {
  ModelFolder made;
  const fs::path config = folder / "config.json";
  made.configFile = config.string();
  made.config = parseJson(textOfFile(config), made.configFile);
  const fs::path whole = folder / "model.safetensors";
  const fs::path index = folder / "model.safetensors.index.json";
  if (isThere(whole)) {
    made.weights = StoredWeights(whole.string());
    const ArrayFile arrays = openShard(whole, made);
    made.weights.add(arrays, made.files.back());
  } else if (isThere(index)) {
    readShards(folder, index, made);
  } else {
    failWithoutWeights(folder);
  }
  return made;
}

} // namespace attention
