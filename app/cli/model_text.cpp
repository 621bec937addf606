#include "app/cli/model_text.h"

#include "core/model/given_text.h"
#include "core/model/tokenizer.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <ostream>

namespace attention::cli {
namespace {

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

// With a note where the text has fewer than were asked for.
Index lengthIn(const Arguments& arguments, std::size_t tokens, const Context& context) {
  const Index n = lengthFrom(arguments, "n").value_or(static_cast<Index>(tokens));
  if (n < 1)
    throw Error(ErrorCode::N, "n",
                "n is " + std::to_string(n) + "; it must be an integer of at least 1");
  if (n > static_cast<Index>(tokens))
    context.notes << "attnx: note: n is " << n << ", but the text has only "
                  << countText(tokens, "token") << "; all of them are taken\n";
  return std::min(n, static_cast<Index>(tokens));
}

} // namespace

std::string givenText(const Arguments& arguments) {
  requireOneText(arguments);
  if (const std::string* string = arguments.find("string"))
    return *string;
  if (!arguments.has("text"))
    throw Error(ErrorCode::Type, "text",
                "the text is missing; it must be given by --text FILE or --string S "
                "(or, except for model tokens, --ids FILE)");
  return readModelText(arguments.text("text"));
}

ModelText modelTextFrom(const Arguments& arguments, const Model& model, const Context& context) {
  if (arguments.has("ids")) {
    requireOneText(arguments);
    if (arguments.on("special"))
      throw Error(ErrorCode::Type, "special",
                  "special is given with --ids, which are taken as they are; it must be left out");
    std::vector<Index> ids = readTokenIds(arguments.text("ids"));
    const auto given = static_cast<Index>(ids.size());
    ids.resize(static_cast<std::size_t>(lengthIn(arguments, ids.size(), context)));
    return {std::move(ids), {}, given};
  }
  const std::string given = givenText(arguments); // what is wrong with it comes first
  Encoding encoding = openTokenizer(model.path)->encode(given, arguments.on("special"));
  if (encoding.ids.empty())
    throw Error(ErrorCode::Type, "text", "the text has no tokens; it must have at least one");
  const auto n = static_cast<std::size_t>(lengthIn(arguments, encoding.ids.size(), context));
  const auto all = static_cast<Index>(encoding.ids.size());
  encoding.ids.resize(n);
  encoding.pieces.resize(n);
  requireKnown(model, encoding.ids);
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
  return {
      {"text", "FILE", "a file of text, tokenised as the model does it"},
      checkedBy(needsText, {"string", "S", "the text itself"}),
      {"ids", "FILE",
       "loss, run, capture: token ids instead of a text: a JSON list, a .npy, or numbers"},
      {"special", "", "with the tokens that the model's tokenizer adds to a text (a BOS, [CLS])"},
      {"n", "N", "loss, run, capture: only the first N tokens"}};
}

} // namespace attention::cli
