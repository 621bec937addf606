// What a text is while a tokenizer takes it apart: parts, each a text that still has to be cut
// into pieces, or an added token that was found.
#pragma once

#include "core/model/tokenizer_pattern.h"
#include "core/model/tokenizer_text.h"
#include "core/support/integers.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct TokenPart {
  std::string text;
  // Whether it begins with the first character of the whole text, and how many of its bytes stand
  // for that character. Metaspace's scheme `first` asks; steps that remove characters move it.
  bool first = false;
  std::size_t firstBytes = 0;
  std::optional<Index> token; // the id, of an added token

  TokenPart slice(std::size_t begin, std::size_t end) const;
  void prepend(const std::string& before); // nothing before an empty text
};

// What becomes of the matches between parts.
enum class SplitBehaviour { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

// How many bytes a tokenizer's steps may make of a text of `bytes`, far more than those of real
// models do: NFKD makes 33 of 3, and letters for bytes 2 of 1.
std::size_t mostBytesOf(std::size_t bytes);
// E_RANGE: "step 2 of the normalizer, Replace, …", counted from 1.
[[noreturn]] void failGrowth(const std::string& list, std::size_t step, std::string_view name);

// The part's ranges as parts of their own, without empty ones. `ranges` covers its text.
void splitPart(const TokenPart& part, const std::vector<TextRange>& ranges,
               SplitBehaviour behaviour, std::vector<TokenPart>& to);

// The ranges of `text` where each character for which `matches` holds is a match.
template <class Matches>
std::vector<TextRange> rangesOfCharacters(std::string_view text, const Matches& matches) {
  std::vector<TextRange> ranges;
  std::size_t end = 0; // of the last match
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (!matches(nextCharacter(text, at)))
      continue;
    if (begin > end)
      ranges.push_back({end, begin, false});
    ranges.push_back({begin, at, true});
    end = at;
  }
  if (end < text.size())
    ranges.push_back({end, text.size(), false});
  return ranges;
}

} // namespace attention
