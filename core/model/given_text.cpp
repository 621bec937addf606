#include "core/model/given_text.h"

#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/input/metadata_text.h"
#include "core/model/tokenizer_text.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace attention {
namespace {

constexpr double kMostId = 9e15;                                  // that is looked for
constexpr std::uintmax_t kMostIdsBytes = std::uintmax_t{1} << 23; // of a list that is looked into

// Of one text: [n], or [1, n] as tokenizers return it.
std::vector<Index> idsOfNpy(const std::string& path) {
  const Tensor tensor = readArrays(path).arrays.front().tensor;
  if (isFloat(tensor.dtype) || tensor.dtype == DType::Bool || tensor.dtype == DType::Text)
    throwDType(tensor, "an integer");
  const std::vector<Index>& shape = tensor.shape;
  if (shape.size() != 1 && !(shape.size() == 2 && shape.front() == 1))
    throw Error(ErrorCode::Shape, path,
                path + " has shape " + shapeText(shape) +
                    "; it must be (n,) or (1, n), the ids of one text");
  std::vector<Index> ids;
  for (Index i = 0; i < tensor.elements(); ++i)
    ids.push_back(integer(tensor, i));
  return ids;
}

std::vector<Index> idsOfWords(const std::string& text, const std::string& path) {
  std::vector<Index> ids;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::optional<Index> id = numberOf<Index>(word);
    if (!id)
      throwInFile(ErrorCode::Type, path,
                  excerpt(word) + " is not a token id; it must be an integer of at least 0");
    ids.push_back(*id);
  }
  return ids;
}

bool isList(const std::string& text) {
  return trimmed(text).starts_with('[');
}

// A list, or JSON that is none.
bool isJson(const std::string& text) {
  const std::string_view content = trimmed(text);
  return isList(text) || content.starts_with('{') || content.starts_with('"');
}

} // namespace

std::string readModelText(const std::filesystem::path& file) {
  const auto mapped = MappedFile::open(file);
  return readUnchanged(mapped->bytes().data(), [&] {
    std::string text(reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size());
    requireUtf8(text, file.string());
    return text;
  });
}

std::vector<Index> readTokenIds(const std::string& file) {
  std::vector<Index> ids;
  if (endingOf(file) == ".npy") {
    ids = idsOfNpy(file);
  } else {
    const std::string text = textOfFile(file);
    ids = isJson(text) ? idsOf(text, file) : idsOfWords(text, file);
  }
  for (const Index id : ids)
    if (id < 0)
      throwInFile(ErrorCode::Range, file,
                  "a token id is " + std::to_string(id) + "; it must be at least 0");
  if (ids.empty())
    throwInFile(ErrorCode::Type, file, "it has no token ids; it must have at least one");
  return ids;
}

std::optional<std::vector<Index>> findTokenIds(const std::filesystem::path& file) {
  std::error_code ignored;
  if (const auto bytes = std::filesystem::file_size(file, ignored);
      ignored || bytes > kMostIdsBytes)
    return std::nullopt;
  const std::string text = textOfFile(file);
  const auto isWhole = [](const nlohmann::json& number) {
    return number.is_number_integer() && number.get<double>() < kMostId;
  };
  if (!isList(text))
    return std::nullopt;
  try {
    const nlohmann::json list = parseJson(text, file.string());
    if (!list.empty() && std::all_of(list.begin(), list.end(), isWhole))
      return list.get<std::vector<Index>>();
  } catch (const Error&) { // no JSON
  }
  return std::nullopt;
}

void requireKnown(const Model& model, std::span<const Index> ids) {
  const auto beyond =
      std::find_if(ids.begin(), ids.end(), [&](Index id) { return id >= model.vocabulary; });
  if (beyond != ids.end())
    throw Error(ErrorCode::Range, "tokenizer",
                "the tokenizer gives the id " + std::to_string(*beyond) +
                    ", but the model has only " + std::to_string(model.vocabulary) +
                    " tokens; tokenizer and model must belong together");
}

} // namespace attention
