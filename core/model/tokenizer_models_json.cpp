// The model and the post-processor of a tokenizer.json.
#include "core/model/tokenizer_json.h"

#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <utility>

namespace attention {
namespace {

TokenPieces piecesFrom(const TokenizerField& vocab) {
  if (!vocab.value().is_object())
    vocab.fail("an object of pieces with their ids");
  TokenPieces pieces;
  for (const auto& [piece, id] : vocab.value().items())
    pieces.add(piece, TokenizerField(id, vocab.name() + "." + excerpt(piece)).integer(),
               vocab.name());
  return pieces;
}

using Pair = std::pair<std::string, std::string>;

// ["a", "b"], or "a b" as older files write it.
Pair mergeFrom(const nlohmann::json& merge, const std::string& name) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  if (merge.is_string()) {
    const auto& text = merge.get_ref<const std::string&>();
    const std::vector<std::string_view> parts = split(text, ' ');
    if (parts.size() == 2)
      return {std::string(parts[0]), std::string(parts[1])};
  }
  failJsonType(name, merge, "a pair of pieces");
}

void readMerges(const TokenizerField& merges, BpeModel& model) {
  if (!merges.value().is_array())
    merges.fail("a list of pairs of pieces");
  for (const nlohmann::json& merge : merges.value()) {
    const auto& legacy = merge.is_string() ? merge.get_ref<const std::string&>() : std::string();
    if (legacy.starts_with("#version"))
      continue;
    const Pair pair = mergeFrom(merge, merges.name());
    addMerge(model, pair.first, pair.second, merges.name());
  }
}

BpeModel bpeFrom(const TokenizerField& field) {
  const TokenizerField dropout = field.at("dropout");
  if (!dropout.isNull() && dropout.real() != 0)
    dropout.refuse(jsonExcerpt(dropout.value()), "0 or null");
  BpeModel model;
  model.pieces = piecesFrom(field.at("vocab"));
  if (field.has("unk_token"))
    model.unknown = field.at("unk_token").text();
  model.fuseUnknown = field.at("fuse_unk").boolean(false);
  model.byteFallback = field.at("byte_fallback").boolean(false);
  model.ignoreMerges = field.at("ignore_merges").boolean(false);
  model.continuingPrefix = field.at("continuing_subword_prefix").text("");
  model.wordEnd = field.at("end_of_word_suffix").text("");
  readMerges(field.at("merges"), model);
  return model;
}

UnigramModel unigramFrom(const TokenizerField& field) {
  const TokenizerField vocab = field.at("vocab");
  std::vector<std::pair<std::string, double>> pieces;
  if (!vocab.value().is_array())
    vocab.fail("a list of pieces with their scores");
  for (const nlohmann::json& item : vocab.value()) {
    if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_number())
      failJsonType(vocab.name() + "[" + std::to_string(pieces.size()) + "]", item,
                   "a list of a piece and its score");
    pieces.emplace_back(item[0].get<std::string>(), item[1].get<double>());
  }
  std::optional<Index> unknown;
  if (const TokenizerField id = field.at("unk_id"); !id.isNull()) {
    unknown = id.integer();
    if (*unknown < 0 || *unknown >= std::ssize(pieces))
      throwRange(id.name(), std::to_string(*unknown),
                 "the index of one of the " + std::to_string(pieces.size()) + " pieces");
  }
  return {pieces, unknown, field.at("byte_fallback").boolean(false)};
}

WordPieceModel wordPieceFrom(const TokenizerField& field) {
  WordPieceModel model;
  model.pieces = piecesFrom(field.at("vocab"));
  model.unknown = field.at("unk_token").text();
  model.continuingPrefix = field.at("continuing_subword_prefix").text();
  model.longestWord = field.at("max_input_chars_per_word").integer();
  return model;
}

// Files of the first years have no type.
std::string typeOf(const TokenizerField& model) {
  if (model.has("type"))
    return model.at("type").text();
  if (model.has("merges"))
    return "BPE";
  return model.at("vocab").value().is_array() ? "Unigram" : "WordPiece";
}

// ---- post-processors ----

TemplateItem specialItem(const TokenizerField& tokens, const std::string& name) {
  const TokenizerField token = tokens.at(name.c_str());
  if (token.isNull())
    throw Error(ErrorCode::Unknown, tokens.name(),
                tokens.name() + " has no " + excerpt(name) +
                    ", which the template names; every special token of it must be there");
  const auto ids = token.at("ids").items();
  const auto pieces = token.at("tokens").items();
  if (ids.size() != pieces.size())
    token.fail("an object with as many ids as tokens");
  TemplateItem item;
  for (std::size_t i = 0; i < ids.size(); ++i)
    item.special.add(ids[i].integer(), pieces[i].text());
  return item;
}

std::vector<TemplateItem> templateProcessingFrom(const TokenizerField& field) {
  std::vector<TemplateItem> items;
  for (const TokenizerField& item : field.at("single").items()) {
    if (item.has("SpecialToken")) {
      items.push_back(
          specialItem(field.at("special_tokens"), item.at("SpecialToken").at("id").text()));
      continue;
    }
    const TokenizerField id = item.at("Sequence").at("id");
    if (id.text() != "A")
      id.fail("\"A\", since a single template has only one text");
    items.push_back({true, {}});
  }
  return items;
}

// ["[SEP]", 102].
TemplateItem pairItem(const TokenizerField& pair) {
  const auto parts = pair.items();
  if (parts.size() != 2)
    pair.fail("a list of a token and its id");
  TemplateItem item;
  item.special.add(parts[1].integer(), parts[0].text());
  return item;
}

void appendTemplates(const TokenizerField& field, std::vector<std::vector<TemplateItem>>& to) {
  const TokenizerField type = field.at("type");
  const std::string name = type.text();
  if (name == "Sequence") {
    for (const TokenizerField& step : field.at("processors").items())
      appendTemplates(step, to);
  } else if (name == "TemplateProcessing") {
    to.push_back(templateProcessingFrom(field));
  } else if (name == "BertProcessing" || name == "RobertaProcessing") {
    to.push_back({pairItem(field.at("cls")), {true, {}}, pairItem(field.at("sep"))});
  } else if (name != "ByteLevel") { // which only moves offsets
    type.refuse(excerpt(name), "one of Sequence, TemplateProcessing, BertProcessing, "
                               "RobertaProcessing, ByteLevel");
  }
}

} // namespace

TokenModel tokenModelFrom(const TokenizerField& model) {
  const std::string type = typeOf(model);
  if (type == "BPE")
    return bpeFrom(model);
  if (type == "Unigram")
    return unigramFrom(model);
  if (type == "WordPiece")
    return wordPieceFrom(model);
  model.at("type").refuse(excerpt(type), "one of BPE, Unigram, WordPiece");
}

std::vector<TemplateItem> templateFrom(const TokenizerField& postProcessor) {
  std::vector<std::vector<TemplateItem>> templates;
  if (!postProcessor.isNull())
    appendTemplates(postProcessor, templates);
  if (templates.size() > 1)
    postProcessor.refuse("several templates, one after the other", "at most one");
  return templates.empty() ? std::vector<TemplateItem>{{true, {}}} : templates.front();
}

} // namespace attention
