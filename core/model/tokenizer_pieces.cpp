#include "core/model/tokenizer_pieces.h"

#include "core/support/error.h"

#include <algorithm>
#include <utility>

namespace attention {

void Encoding::add(Index id, std::string piece) {
  ids.push_back(id);
  pieces.push_back(std::move(piece));
}

void TokenPieces::add(std::string_view piece, Index id, const std::string& subject) {
  if (id < 0 || id > kMaxTokenId)
    throwRange(subject, std::to_string(id), "an integer from 0 to " + std::to_string(kMaxTokenId));
  ids_.insert_or_assign(std::string(piece), id);
  pieces_.insert_or_assign(id, std::string(piece));
  idsEnd_ = std::max(idsEnd_, id + 1);
  longest_ = std::max(longest_, piece.size());
}

std::optional<Index> TokenPieces::find(std::string_view piece) const {
  const auto at = ids_.find(piece);
  return at == ids_.end() ? std::nullopt : std::optional(at->second);
}

const std::string& TokenPieces::piece(Index id) const {
  static const std::string kNone;
  const auto at = pieces_.find(id);
  return at == pieces_.end() ? kNone : at->second;
}

} // namespace attention
