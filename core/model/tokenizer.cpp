#include "core/model/tokenizer.h"

#include "core/model/tokenizer_pipeline.h"
#include "core/model/tokenizer_text.h"
#include "core/support/error.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

constexpr std::size_t kLongestText = std::size_t{1} << 30; // bytes

template <class Model>
void cut(const Model& model, std::string_view word, Encoding& to) {
  appendPieces(model, word, to);
}

void cut(const UnigramModel& model, std::string_view word, Encoding& to) {
  model.append(word, to);
}

void cut(const SentencePieceModel& model, std::string_view word, Encoding& to) {
  model.append(word, to);
}

Encoding encodePlain(const TokenizerPipeline& pipeline, std::string_view text) {
  std::vector<TokenPart> parts =
      splitParts(pipeline.splitters, pipeline.added.parts(text, pipeline.normalisers));
  Encoding encoding;
  for (TokenPart& part : parts)
    if (part.token)
      encoding.add(*part.token, std::move(part.text));
    else
      std::visit([&](const auto& model) { cut(model, part.text, encoding); }, pipeline.model);
  return encoding;
}

Encoding surrounded(const std::vector<TemplateItem>& items, const Encoding& text, bool special) {
  Encoding all;
  for (const TemplateItem& item : items) {
    if (!item.text && !special)
      continue;
    const Encoding& added = item.text ? text : item.special;
    all.ids.insert(all.ids.end(), added.ids.begin(), added.ids.end());
    all.pieces.insert(all.pieces.end(), added.pieces.begin(), added.pieces.end());
  }
  return all;
}

} // namespace

Tokenizer::Tokenizer(TokenizerPipeline pipeline)
    : pipeline_(std::make_shared<const TokenizerPipeline>(std::move(pipeline))) {}

Encoding Tokenizer::encode(std::string_view text, bool special) const {
  if (text.size() > kLongestText)
    throwRange("text", std::to_string(text.size()) + " bytes long", "at most 2^30 bytes long");
  requireUtf8(text, "text");
  return surrounded(pipeline_->around, encodePlain(*pipeline_, text), special);
}

std::string Tokenizer::piece(Index id) const {
  const std::vector<AddedToken>& added = pipeline_->added.all();
  const auto at =
      std::lower_bound(added.begin(), added.end(), id,
                       [](const AddedToken& token, Index wanted) { return token.id < wanted; });
  return at != added.end() && at->id == id ? at->content : pieceOf(pipeline_->model, id);
}

Index Tokenizer::vocabulary() const {
  Index end = idsEnd(pipeline_->model);
  for (const AddedToken& token : pipeline_->added.all())
    end = std::max(end, token.id + 1);
  return end;
}

} // namespace attention
