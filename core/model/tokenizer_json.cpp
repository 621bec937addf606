#include "core/model/tokenizer_json.h"

#include "core/support/error.h"
#include "core/support/json_text.h"

#include <map>
#include <utility>

namespace attention {
namespace {

AddedToken addedTokenFrom(const TokenizerField& field) {
  AddedToken token;
  token.content = field.at("content").text();
  token.singleWord = field.at("single_word").boolean(false);
  token.stripLeft = field.at("lstrip").boolean(false);
  token.stripRight = field.at("rstrip").boolean(false);
  token.normalised = field.at("normalized").boolean(!field.at("special").boolean(false));
  return token;
}

// An id that the library could not hold is refused, though it is not read.
void checkId(const TokenizerField& id) {
  if (!id.isNull() && id.integer() < 0)
    throwRange(id.name(), std::to_string(id.integer()), "an integer of at least 0");
}

// The ids of added tokens follow from the vocabulary, as in the library: a content that is a piece
// has its id, others follow behind the vocabulary; what the file says is not read.
std::vector<AddedToken> addedTokensFrom(const TokenizerField& list, const TokenModel& model) {
  std::vector<AddedToken> tokens;
  if (list.isNull())
    return tokens;
  std::map<std::string, Index> ids;
  Index next = pieceCount(model);
  for (const TokenizerField& item : list.items()) {
    checkId(item.at("id"));
    AddedToken token = addedTokenFrom(item);
    if (token.content.empty())
      continue;
    const auto known = ids.find(token.content);
    if (known != ids.end())
      token.id = known->second;
    else if (const auto id = idOf(model, token.content))
      token.id = *id;
    else
      token.id = next++;
    ids[token.content] = token.id;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

} // namespace

TextPattern patternFrom(const TokenizerField& pattern) {
  if (pattern.has("String"))
    return TextPattern::fixed(pattern.at("String").text(), pattern.name());
  if (pattern.has("Regex"))
    return TextPattern::expression(pattern.at("Regex").text(), pattern.name());
  pattern.fail("an object with String or Regex");
}

TokenizerPipeline tokenizerFromJson(std::string_view text, const std::string& file) {
  const nlohmann::json json = parseJson(text, file);
  const TokenizerField whole(json, file + ":");
  if (whole.at("version").text("1.0") != "1.0")
    whole.at("version").refuse(jsonExcerpt(whole.at("version").value()), "\"1.0\"");
  if (!whole.has("model"))
    whole.at("model").fail("an object");
  std::vector<Normaliser> normalisers = normalisersFrom(whole.at("normalizer"));
  TokenModel model = tokenModelFrom(whole.at("model"));
  AddedTokens added(addedTokensFrom(whole.at("added_tokens"), model), normalisers);
  return {std::move(normalisers), std::move(added), splittersFrom(whole.at("pre_tokenizer")),
          std::move(model), templateFrom(whole.at("post_processor"))};
}

} // namespace attention
