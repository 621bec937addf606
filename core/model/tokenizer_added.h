// Added tokens: texts that are one token wherever they stand, before the model sees the text.
#pragma once

#include "core/model/tokenizer_normaliser.h"
#include "core/model/tokenizer_part.h"
#include "core/model/tokenizer_pieces.h"
#include "core/model/tokenizer_trie.h"

#include <string>
#include <vector>

namespace attention {

struct AddedToken {
  std::string content;
  Index id = 0;
  bool singleWord = false; // only where no word's character stands beside it
  bool stripLeft = false;  // takes the white space before it
  bool stripRight = false;
  bool normalised = false; // looked for in the normalised text, itself normalised
};

class AddedTokens {
public:
  AddedTokens() = default;
  // Of equal ids the last counts. E_TYPE: two tokens are looked for by one text; as normalise().
  AddedTokens(std::vector<AddedToken> tokens, const std::vector<Normaliser>& steps);

  // `text` in parts: added tokens and what lies between them, normalised. Of the tokens at one
  // place the longest is taken, from the left on. E_RANGE: as normalise(). O(length · longest
  // token).
  std::vector<TokenPart> parts(std::string_view text, const std::vector<Normaliser>& steps) const;

  // Ordered by id.
  const std::vector<AddedToken>& all() const { return tokens_; }

private:
  void cut(const TokenPart& part, const TokenTrie& trie, std::vector<TokenPart>& to) const;

  std::vector<AddedToken> tokens_;
  TokenTrie plain_; // numbers are places in tokens_
  TokenTrie normalised_;
};

} // namespace attention
