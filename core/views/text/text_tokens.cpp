#include "core/views/text/scene_text.h"

#include <algorithm>
#include <string_view>

namespace attention {
namespace {

constexpr std::string_view kGoesOn = "##";
constexpr std::string_view kByteLevelSpace = "Ġ";
constexpr std::string_view kSentencePieceSpace = "▁";

constexpr std::string_view kLineBreak = "\\n";    // as labels write it
constexpr std::string_view kByteLevelBreak = "Ċ"; // as byte-level pieces do
constexpr std::string_view kBreakShown = "¶";

enum class Scheme { Words, GoesOn, Begins };

bool begins(std::string_view piece) {
  return piece.starts_with(kByteLevelSpace) || piece.starts_with(kSentencePieceSpace);
}

Scheme schemeOf(std::span<const std::string> pieces) {
  if (std::any_of(pieces.begin(), pieces.end(), begins))
    return Scheme::Begins;
  const auto goesOn = [](std::string_view piece) { return piece.starts_with(kGoesOn); };
  return std::any_of(pieces.begin(), pieces.end(), goesOn) ? Scheme::GoesOn : Scheme::Words;
}

bool isPunctuation(std::string_view text) {
  static constexpr std::string_view kSigns = ".,;:!?)]}%’'";
  return text.size() == 1 && kSigns.find(text.front()) != std::string_view::npos;
}

// Without the sign of its tokenizer.
std::string plain(std::string_view label) {
  for (const std::string_view sign : {kGoesOn, kByteLevelSpace, kSentencePieceSpace})
    if (label.size() > sign.size() && label.starts_with(sign))
      label.remove_prefix(sign.size());
  return std::string(label);
}

// Line breaks as the sign that stands for them.
std::string withBreaksShown(std::string text) {
  for (const std::string_view written : {kLineBreak, kByteLevelBreak})
    for (std::size_t at = 0; (at = text.find(written, at)) != std::string::npos;)
      text.replace(at, written.size(), kBreakShown);
  return text;
}

bool joins(Scheme scheme, std::string_view piece, std::string_view text) {
  switch (scheme) {
  case Scheme::Begins:
    return !begins(piece);
  case Scheme::GoesOn:
    return piece.starts_with(kGoesOn) || isPunctuation(text);
  case Scheme::Words:
    break;
  }
  return false;
}

} // namespace

std::vector<TextToken> textTokens(std::span<const std::string> pieces,
                                  std::span<const std::string> labels, Index count) {
  const auto all = static_cast<std::size_t>(count);
  const std::span<const std::string> signs = pieces.size() >= all ? pieces : labels;
  const Scheme scheme = schemeOf(signs);
  std::vector<TextToken> tokens(all);
  for (std::size_t k = 0; k < all; ++k) {
    tokens[k].text = k < labels.size() ? withBreaksShown(plain(labels[k])) : std::to_string(k);
    const bool afterBreak = k > 0 && tokens[k - 1].text.ends_with(kBreakShown) &&
                            !tokens[k].text.starts_with(kBreakShown);
    tokens[k].joined =
        k > 0 && k < signs.size() && !afterBreak && joins(scheme, signs[k], tokens[k].text);
  }
  return tokens;
}

} // namespace attention
