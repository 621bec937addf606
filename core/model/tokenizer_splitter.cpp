#include "core/model/tokenizer_splitter.h"

#include "core/model/tokenizer_pieces.h"
#include "core/model/tokenizer_text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace attention {
namespace {

using Parts = std::vector<TokenPart>;

void inverted(std::vector<TextRange>& ranges) {
  for (TextRange& range : ranges)
    range.matched = !range.matched;
}

void apply(const ByteLevelSplit& step, TokenPart part, Parts& to) {
  if (step.prefixSpace && !part.text.starts_with(' '))
    part.prepend(" ");
  const std::size_t before = to.size();
  if (step.pattern)
    splitPart(part, step.pattern->ranges(part.text), SplitBehaviour::Isolated, to);
  else
    to.push_back(std::move(part));
  for (std::size_t i = before; i < to.size(); ++i) {
    to[i].firstBytes = byteLetters(to[i].text.substr(0, to[i].firstBytes)).size();
    to[i].text = byteLetters(to[i].text);
  }
}

void apply(const PatternSplit& step, const TokenPart& part, Parts& to) {
  std::vector<TextRange> ranges = step.pattern.ranges(part.text);
  if (step.inverted)
    inverted(ranges);
  splitPart(part, ranges, step.behaviour, to);
}

void apply(const DigitSplit& step, const TokenPart& part, Parts& to) {
  splitPart(part, rangesOfCharacters(part.text, isNumeric),
            step.each ? SplitBehaviour::Isolated : SplitBehaviour::Contiguous, to);
}

// Spaces as the replacement; what stands for the first character is counted along.
void replaceSpaces(const std::string& replacement, TokenPart& part) {
  std::string text;
  text.reserve(part.text.size() + part.text.size() / 2);
  std::size_t firstBytes = 0;
  for (std::size_t i = 0; i < part.text.size(); ++i) {
    if (part.text[i] == ' ')
      text += replacement;
    else
      text += part.text[i];
    if (i + 1 == part.firstBytes)
      firstBytes = text.size();
  }
  part.text = std::move(text);
  part.firstBytes = firstBytes;
}

void apply(const MetaspaceSplit& step, TokenPart part, Parts& to) {
  replaceSpaces(step.replacement, part);
  const bool wanted =
      step.scheme == PrependScheme::Always || (step.scheme == PrependScheme::First && part.first);
  if (wanted && !part.text.starts_with(step.replacement))
    part.prepend(step.replacement);
  if (!step.split) {
    to.push_back(std::move(part));
    return;
  }
  std::size_t at = 0;
  const char32_t replacement = nextCharacter(step.replacement, at);
  splitPart(part, rangesOfCharacters(part.text, [&](char32_t c) { return c == replacement; }),
            SplitBehaviour::MergedWithNext, to);
}

void apply(const WhiteSpaceSplit&, const TokenPart& part, Parts& to) {
  splitPart(part, rangesOfCharacters(part.text, isWhiteSpace), SplitBehaviour::Removed, to);
}

void apply(const PunctuationSplit& step, const TokenPart& part, Parts& to) {
  splitPart(part, rangesOfCharacters(part.text, isPunctuation), step.behaviour, to);
}

void apply(const BertSplit&, const TokenPart& part, Parts& to) {
  Parts words;
  apply(WhiteSpaceSplit{}, part, words);
  for (const TokenPart& word : words)
    apply(PunctuationSplit{}, word, to);
}

void apply(const WordSplit&, const TokenPart& part, Parts& to) {
  enum class Kind { Space, Word, Other };
  std::size_t begin = 0;
  Kind kind = Kind::Space; // of the run from `begin`
  const auto flush = [&](std::size_t end) {
    if (kind != Kind::Space && begin < end)
      to.push_back(part.slice(begin, end));
    begin = end;
  };
  for (std::size_t at = 0; at < part.text.size();) {
    const std::size_t from = at;
    const char32_t c = nextCharacter(part.text, at);
    const Kind next = isWordCharacter(c) ? Kind::Word : isWhiteSpace(c) ? Kind::Space : Kind::Other;
    if (next != kind)
      flush(from);
    kind = next;
  }
  flush(part.text.size());
}

// As tokenizer.json calls them, in the order of Splitter.
constexpr std::array<std::string_view, std::variant_size_v<Splitter>> kSplitterNames{
    "ByteLevel",        "Split",           "Digits",     "Metaspace",
    "BertPreTokenizer", "WhitespaceSplit", "Whitespace", "Punctuation"};

std::size_t bytesOf(const Parts& parts) {
  return std::accumulate(
      parts.begin(), parts.end(), std::size_t{0},
      [](std::size_t sum, const TokenPart& part) { return sum + part.text.size(); });
}

} // namespace

TextPattern gpt2Pattern() {
  return TextPattern::expression(
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
      "ByteLevel's expression");
}

std::vector<TokenPart> splitParts(const std::vector<Splitter>& steps,
                                  std::vector<TokenPart> parts) {
  const std::size_t most = mostBytesOf(bytesOf(parts));
  for (std::size_t k = 0; k < steps.size(); ++k) {
    Parts next;
    next.reserve(parts.size());
    for (TokenPart& part : parts)
      if (part.token)
        next.push_back(std::move(part));
      else
        std::visit([&](const auto& of) { apply(of, std::move(part), next); }, steps[k]);
    parts = std::move(next);
    if (bytesOf(parts) > most)
      failGrowth("pre_tokenizer", k + 1, kSplitterNames[steps[k].index()]);
  }
  return parts;
}

} // namespace attention
