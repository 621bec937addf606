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
  if (id >= idsEnd())
    pieces_.resize(static_cast<std::size_t>(id) + 1);
  pieces_[static_cast<std::size_t>(id)] = piece;
  longest_ = std::max(longest_, piece.size());
}

std::optional<Index> TokenPieces::find(std::string_view piece) const {
  const auto at = ids_.find(piece);
  return at == ids_.end() ? std::nullopt : std::optional(at->second);
}

const std::string& TokenPieces::piece(Index id) const {
  static const std::string kNone;
  return id >= 0 && id < idsEnd() ? pieces_[static_cast<std::size_t>(id)] : kNone;
}

} // namespace attention
