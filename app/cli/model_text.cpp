#include "app/cli/model_text.h"

#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/input/metadata_text.h"
#include "core/model/tokenizer.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace attention::cli {
namespace {

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

[[noreturn]] void throwTwice(const std::string& flag, const std::string& other) {
  std::string sentence = "both --";
  sentence.append(flag).append(" and --").append(other);
  throw Error(ErrorCode::Type, other, sentence + " are given; leave one of them out");
}

// E_TYPE where several of the flags are given.
void requireOneText(const Arguments& arguments) {
  std::string given;
  for (const std::string flag : {"text", "string", "ids"}) {
    if (!arguments.has(flag))
      continue;
    if (!given.empty())
      throwTwice(given, flag);
    given = flag;
  }
}

Index lengthIn(const Arguments& arguments, std::size_t tokens) {
  const Index n = lengthFrom(arguments, "n").value_or(static_cast<Index>(tokens));
  if (n < 1)
    throw Error(ErrorCode::N, "n",
                "n is " + std::to_string(n) + "; it must be an integer of at least 1");
  return std::min(n, static_cast<Index>(tokens));
}

} // namespace

std::vector<Index> idsOfFile(const std::string& path) {
  std::vector<Index> ids;
  if (endingOf(path) == ".npy") {
    ids = idsOfNpy(path);
  } else {
    const std::string text = textOfFile(path);
    ids = trimmed(text).starts_with('[') ? idsOf(text, path) : idsOfWords(text, path);
  }
  for (const Index id : ids)
    if (id < 0)
      throwInFile(ErrorCode::Range, path,
                  "a token id is " + std::to_string(id) + "; it must be at least 0");
  if (ids.empty())
    throwInFile(ErrorCode::Type, path, "it has no token ids; it must have at least one");
  return ids;
}

std::string givenText(const Arguments& arguments) {
  requireOneText(arguments);
  if (const std::string* string = arguments.find("string"))
    return *string;
  if (!arguments.has("text"))
    throw Error(ErrorCode::Type, "text",
                "the text is missing; it must be given by --text FILE or --string S "
                "(or, except for model tokens, --ids FILE)");
  const std::shared_ptr<const MappedFile> mapped = MappedFile::open(arguments.text("text"));
  return readUnchanged(mapped->bytes().data(), [&] {
    return std::string(reinterpret_cast<const char*>(mapped->bytes().data()),
                       mapped->bytes().size());
  });
}

ModelText modelTextFrom(const Arguments& arguments, const std::filesystem::path& model) {
  if (arguments.has("ids")) {
    requireOneText(arguments);
    std::vector<Index> ids = idsOfFile(arguments.text("ids"));
    const auto given = static_cast<Index>(ids.size());
    ids.resize(static_cast<std::size_t>(lengthIn(arguments, ids.size())));
    return {std::move(ids), {}, given};
  }
  const std::string given = givenText(arguments); // what is wrong with it comes first
  Encoding encoding = openTokenizer(model)->encode(given, arguments.on("special"));
  if (encoding.ids.empty())
    throw Error(ErrorCode::Type, "text", "the text has no tokens; it must have at least one");
  const auto n = static_cast<std::size_t>(lengthIn(arguments, encoding.ids.size()));
  const auto all = static_cast<Index>(encoding.ids.size());
  encoding.ids.resize(n);
  encoding.pieces.resize(n);
  return {std::move(encoding.ids), std::move(encoding.pieces), all};
}

std::vector<std::string> piecesOf(const std::vector<Index>& ids,
                                  const std::filesystem::path& model) {
  const std::shared_ptr<const Tokenizer> tokenizer = findTokenizer(model);
  std::vector<std::string> pieces;
  for (std::size_t i = 0; tokenizer && i < ids.size(); ++i)
    pieces.push_back(tokenizer->piece(ids[i]));
  return pieces;
}

std::vector<Flag> modelTextFlags() {
  return {{"text", "FILE", "a file of text, tokenised as the model does it"},
          {"string", "S", "the text itself"},
          {"ids", "FILE",
           "loss, run, capture: token ids instead of a text: a JSON list, a .npy, or numbers"},
          {"special", "", "with the tokens that the model's tokenizer adds (a BOS, [CLS])"},
          {"n", "N", "loss, run, capture: only the first N tokens"}};
}

} // namespace attention::cli
