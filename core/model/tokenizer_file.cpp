// Which kind of tokenizer a path holds.
#include "core/input/mapped_file.h"
#include "core/model/tokenizer.h"
#include "core/model/tokenizer_gguf.h"
#include "core/model/tokenizer_json.h"
#include "core/model/tokenizer_pipeline.h"
#include "core/support/error.h"
#include "core/support/text.h"

namespace attention {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Empty where the folder has none.
fs::path fileIn(const fs::path& folder) {
  for (const char* name : {"tokenizer.json", "tokenizer.model"})
    if (isThere(folder / name))
      return folder / name;
  return {};
}

// As the models that bring such a file do it, a text begins with the model's first token.
TokenizerPipeline sentencePieceFrom(const fs::path& path) {
  const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  const auto* letters = reinterpret_cast<const char*>(file->bytes().data());
  SentencePieceModel model({letters, file->bytes().size()}, path.string());
  TokenizerPipeline pipeline{{}, {}, {}, model};
  if (model.begin() >= 0) {
    TemplateItem begin;
    begin.special.add(model.begin(), model.piece(model.begin()));
    pipeline.around.insert(pipeline.around.begin(), begin);
  }
  return pipeline;
}

} // namespace

std::shared_ptr<const Tokenizer> openTokenizer(const fs::path& path) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(path, ignored) ? fileIn(path) : path;
  if (file.empty())
    throw Error(ErrorCode::Io, "tokenizer",
                path.string() + ": the folder has neither tokenizer.json nor tokenizer.model; " +
                    kIdsInstead);
  const std::string ending = endingOf(file);
  if (ending == ".json")
    return std::make_shared<const Tokenizer>(tokenizerFromJson(textOfFile(file), file.string()));
  if (ending == ".gguf")
    return std::make_shared<const Tokenizer>(tokenizerFromGguf(readGguf(file)));
  if (ending == ".model")
    return std::make_shared<const Tokenizer>(sentencePieceFrom(file));
  MappedFile::open(file); // which says so where there is none
  throwInFile(ErrorCode::Unsupported, file.string(),
              "its name ends in \"" + ending +
                  "\"; a tokenizer must be a .json, .model or .gguf file, or a folder with "
                  "tokenizer.json or tokenizer.model");
}

std::shared_ptr<const Tokenizer> findTokenizer(const fs::path& path) {
  std::error_code ignored;
  const bool none = fs::is_directory(path, ignored)
                        ? fileIn(path).empty()
                        : endingOf(path) == ".gguf" && !hasTokenizer(readGguf(path));
  return none ? nullptr : openTokenizer(path);
}

} // namespace attention
