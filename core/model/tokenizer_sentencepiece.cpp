#include "core/model/tokenizer_sentencepiece.h"

#include "core/support/error.h"

#include <sentencepiece_processor.h>

namespace attention {

SentencePieceModel::SentencePieceModel(std::string_view bytes, const std::string& file) {
  const auto processor = std::make_shared<sentencepiece::SentencePieceProcessor>();
  const auto status = processor->LoadFromSerializedProto(bytes);
  if (!status.ok())
    throwInFile(ErrorCode::Type, file,
                "SentencePiece's library cannot read it; it must be a model of that library");
  processor_ = processor;
}

void SentencePieceModel::append(std::string_view text, Encoding& to) const {
  const auto encoded = processor_->EncodeAsImmutableProto(text);
  for (const auto& piece : encoded.pieces())
    to.add(static_cast<Index>(piece.id()), piece.piece());
}

std::optional<Index> SentencePieceModel::find(std::string_view piece) const {
  const int id = processor_->PieceToId(piece);
  if (id < 0 || id >= processor_->GetPieceSize() || processor_->IdToPiece(id) != piece)
    return std::nullopt;
  return id;
}

std::string SentencePieceModel::piece(Index id) const {
  return id >= 0 && id < size() ? processor_->IdToPiece(static_cast<int>(id)) : std::string();
}

Index SentencePieceModel::size() const {
  return processor_->GetPieceSize();
}

Index SentencePieceModel::begin() const {
  return processor_->bos_id();
}

} // namespace attention
