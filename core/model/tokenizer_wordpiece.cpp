#include "core/model/tokenizer_pipeline.h"

#include "core/model/tokenizer_text.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <optional>

namespace attention {
namespace {

bool beginsCharacter(std::string_view text, std::size_t at) {
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
}

Index charactersOf(std::string_view text) {
  Index count = 0;
  for (std::size_t at = 0; at < text.size(); at += characterLength(text, at))
    ++count;
  return count;
}

void appendUnknown(const WordPieceModel& model, Encoding& to) {
  const auto id = model.pieces.find(model.unknown);
  if (!id)
    throw Error(ErrorCode::Unknown, "unk_token",
                "unk_token is " + excerpt(model.unknown) +
                    ", and the text needs it; it must be a piece of the vocabulary");
  to.add(*id, model.unknown);
}

// Where the longest piece from `begin` ends; adds it.
std::optional<std::size_t> appendLongest(const WordPieceModel& model, std::string_view word,
                                         std::size_t begin, Encoding& to) {
  for (std::size_t end = std::min(word.size(), begin + model.pieces.longest()); end > begin;
       --end) {
    if (!beginsCharacter(word, end))
      continue;
    std::string piece = begin > 0 ? model.continuingPrefix : std::string();
    piece += word.substr(begin, end - begin);
    if (const auto id = model.pieces.find(piece)) {
      to.add(*id, std::move(piece));
      return end;
    }
  }
  return std::nullopt;
}

} // namespace

void appendPieces(const WordPieceModel& model, std::string_view word, Encoding& to) {
  if (charactersOf(word) > model.longestWord)
    return appendUnknown(model, to);
  Encoding pieces;
  for (std::size_t at = 0; at < word.size();) {
    const auto end = appendLongest(model, word, at, pieces);
    if (!end)
      return appendUnknown(model, to);
    at = *end;
  }
  for (std::size_t i = 0; i < pieces.ids.size(); ++i)
    to.add(pieces.ids[i], std::move(pieces.pieces[i]));
}

} // namespace attention
