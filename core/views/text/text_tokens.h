// The tokens of an input as running text.
#pragma once

#include "core/plot/running_text.h"

#include <span>
#include <string>
#include <vector>

namespace attention {

// `pieces`: the tokenizer's own, or empty; `labels`: as many, what they are called. Words are
// joined by the signs of their tokenizer: "##" goes on a word (WordPiece), "Ġ" and "▁" begin one
// (byte-level BPE, SentencePiece); where there are none of these every token is a word. Without
// labels tokens are their numbers. A line break is shown as ¶ and ends its word. Punctuation stands
// at the end of the word before it.
std::vector<TextToken> textTokens(std::span<const std::string> pieces,
                                  std::span<const std::string> labels, Index count);

} // namespace attention
