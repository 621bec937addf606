// A tokenizer.model of SentencePiece, read and applied by its library.
#pragma once

#include "core/model/tokenizer_pieces.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace attention {

class SentencePieceModel {
public:
  // `bytes` are those of the file. E_TYPE names `file`: the library cannot read them.
  SentencePieceModel(std::string_view bytes, const std::string& file);

  // The pieces of a text at the end of `to`.
  void append(std::string_view text, Encoding& to) const;

  std::optional<Index> find(std::string_view piece) const;
  std::string piece(Index id) const; // empty where there is none
  Index size() const;
  Index begin() const; // the id of the token that begins a text; −1: the model has none

private:
  std::shared_ptr<const sentencepiece::SentencePieceProcessor> processor_;
};

} // namespace attention
