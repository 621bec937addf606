#include "core/model/tokenizer_pipeline.h"

namespace attention {
namespace {

const TokenPieces& piecesOf(const BpeModel& model) {
  return model.pieces;
}

const TokenPieces& piecesOf(const UnigramModel& model) {
  return model.pieces();
}

const TokenPieces& piecesOf(const WordPieceModel& model) {
  return model.pieces;
}

template <class Model>
std::string pieceIn(const Model& model, Index id) {
  return piecesOf(model).piece(id);
}

std::string pieceIn(const SentencePieceModel& model, Index id) {
  return model.piece(id);
}

template <class Model>
std::optional<Index> idIn(const Model& model, std::string_view piece) {
  return piecesOf(model).find(piece);
}

std::optional<Index> idIn(const SentencePieceModel& model, std::string_view piece) {
  return model.find(piece);
}

template <class Model>
Index countIn(const Model& model) {
  return piecesOf(model).size();
}

Index countIn(const SentencePieceModel& model) {
  return model.size();
}

template <class Model>
Index endIn(const Model& model) {
  return piecesOf(model).idsEnd();
}

Index endIn(const SentencePieceModel& model) {
  return model.size();
}

} // namespace

std::string pieceOf(const TokenModel& model, Index id) {
  return std::visit([&](const auto& of) { return pieceIn(of, id); }, model);
}

std::optional<Index> idOf(const TokenModel& model, std::string_view piece) {
  return std::visit([&](const auto& of) { return idIn(of, piece); }, model);
}

Index pieceCount(const TokenModel& model) {
  return std::visit([](const auto& of) { return countIn(of); }, model);
}

Index idsEnd(const TokenModel& model) {
  return std::visit([](const auto& of) { return endIn(of); }, model);
}

} // namespace attention
