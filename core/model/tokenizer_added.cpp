// As in huggingface/tokenizers:tokenizers/src/tokenizer/added_vocabulary.rs.
#include "core/model/tokenizer_added.h"

#include "core/model/tokenizer_text.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace attention {
namespace {

using Texts = std::vector<std::pair<std::string, Index>>;

bool wordBegins(std::string_view text) {
  std::size_t at = 0;
  return !text.empty() && isWordCharacter(nextCharacter(text, at));
}

std::size_t lastCharacter(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U)
    --at;
  return at;
}

bool wordEnds(std::string_view text) {
  return !text.empty() && wordBegins(text.substr(lastCharacter(text)));
}

// Where white space at the end begins, and where that at the beginning ends.
std::size_t spaceAtEnd(std::string_view text) {
  while (!text.empty()) {
    const std::size_t last = lastCharacter(text);
    std::size_t at = last;
    if (!isWhiteSpace(nextCharacter(text, at)))
      break;
    text = text.substr(0, last);
  }
  return text.size();
}

std::size_t spaceAtBegin(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (!isWhiteSpace(nextCharacter(text, at)))
      return begin;
  }
  return text.size();
}

std::string normalText(const std::string& text, const std::vector<Normaliser>& steps) {
  TokenPart part;
  part.text = text;
  normalise(steps, part, mostBytesOf(text.size()));
  return part.text;
}

void requireDistinct(const Texts& texts) {
  std::set<std::string_view> seen;
  for (const auto& [text, place] : texts)
    if (!seen.insert(text).second)
      throw Error(ErrorCode::Type, "added_tokens",
                  "added_tokens has two tokens with the text " + excerpt(text) +
                      "; each must have a different text");
}

} // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const std::vector<Normaliser>& steps) {
  std::map<Index, AddedToken> byId;
  for (AddedToken& token : tokens)
    byId[token.id] = std::move(token);
  Texts plain;
  Texts normalised;
  for (auto& [id, token] : byId) {
    const auto place = static_cast<Index>(tokens_.size());
    if (token.normalised)
      normalised.emplace_back(normalText(token.content, steps), place);
    else
      plain.emplace_back(token.content, place);
    tokens_.push_back(std::move(token));
  }
  requireDistinct(plain);
  requireDistinct(normalised);
  plain_ = TokenTrie(std::move(plain));
  normalised_ = TokenTrie(std::move(normalised));
}

void AddedTokens::cut(const TokenPart& part, const TokenTrie& trie,
                      std::vector<TokenPart>& to) const {
  const std::string_view text = part.text;
  std::size_t covered = 0; // by what is in `to`
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (begin < end)
      to.push_back(part.slice(begin, end));
  };
  for (std::size_t at = 0; at < text.size() && !trie.empty();) {
    std::size_t next = at;
    Index place = 0;
    trie.each(text, at, [&](std::size_t end, Index number) {
      next = end; // the longest comes last
      place = number;
    });
    if (next == at) {
      at += characterLength(text, at);
      continue;
    }
    std::size_t begin = std::exchange(at, next);
    std::size_t end = next;
    const AddedToken& token = tokens_[static_cast<std::size_t>(place)];
    if (token.singleWord && (wordEnds(text.substr(0, begin)) || wordBegins(text.substr(end))))
      continue;
    if (token.stripLeft)
      begin = std::min(end, std::max(spaceAtEnd(text.substr(0, begin)), covered));
    if (token.stripRight)
      end += spaceAtBegin(text.substr(end));
    add(covered, begin);
    if (begin < end) { // else it lies within the white space that the token before it took
      to.push_back(part.slice(begin, end));
      to.back().token = token.id;
    }
    covered = end;
  }
  add(covered, text.size());
}

std::vector<TokenPart> AddedTokens::parts(std::string_view text,
                                          const std::vector<Normaliser>& steps) const {
  if (text.empty())
    return {};
  std::vector<TokenPart> plain;
  cut({std::string(text), true, characterLength(text, 0), std::nullopt}, plain_, plain);
  std::vector<TokenPart> parts;
  std::size_t left = mostBytesOf(text.size());
  for (TokenPart& part : plain)
    if (part.token) {
      parts.push_back(std::move(part));
    } else {
      normalise(steps, part, left);
      left -= part.text.size();
      cut(part, normalised_, parts);
    }
  return parts;
}

} // namespace attention
