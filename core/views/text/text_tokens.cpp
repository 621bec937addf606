#include "core/input/model_metadata.h"
#include "core/support/text.h"
#include "core/views/text/scene_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

namespace attention {
namespace {

constexpr std::string_view kGoesOn = "##";
constexpr std::string_view kByteLevelSpace = "Ġ";
constexpr std::string_view kSentencePieceSpace = "▁";

constexpr std::string_view kByteLevelBreak = "Ċ";
constexpr std::string_view kWrittenBreak = "\\n";    // as labels write it
constexpr std::string_view kWrittenReturn = "\\r\n"; // before a break
constexpr std::string_view kBreakWithin = "¶";       // of a token
constexpr Index kWrapped = 50; // letters of a line that is taken for full: the source wraps lines

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

// ---- signs that WordPiece parts from their words ----

bool isWord(const std::string& text) {
  return !text.empty() && std::any_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
}

// Brackets that open, and every other quote of a text, stand with the word after them; hyphens and
// apostrophes between two words with both. A quote that opens stands apart from the word before.
void joinSigns(std::span<TextToken> tokens) {
  bool quoted = false; // within quotes
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::string& text = tokens[k].text;
    const bool quote = text == "\"";
    if (quote)
      tokens[k].joined = quoted && k > 0 && tokens[k - 1].breaks == 0;
    const bool opens = text == "(" || text == "[" || text == "{" || (quote && !quoted);
    quoted = quoted != quote;
    if (tokens[k].breaks > 0 || k + 1 == tokens.size())
      continue;
    const bool between = (text == "-" || text == "'" || text == "’") && k > 0 &&
                         tokens[k - 1].breaks == 0 && isWord(tokens[k - 1].text) &&
                         isWord(tokens[k + 1].text);
    tokens[k].joined = tokens[k].joined || between;
    tokens[k + 1].joined = tokens[k + 1].joined || between || opens;
  }
}

// ---- line breaks ----

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Takes the breaks at the end of a text off it; what stands between and after them is not seen.
Index takeBreaks(std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  const std::size_t end = last == std::string::npos ? 0 : last + 1;
  const auto breaks = std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
  if (breaks > 0)
    text.resize(end);
  replaceAll(text, "\n", kBreakWithin);
  return breaks;
}

// A single break behind a full line reads as a space; an empty line and the end of a short one, as
// of a heading, a verse or code, stay.
void readWraps(std::span<TextToken> tokens) {
  Index letters = 0; // of the line
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    TextToken& token = tokens[k];
    letters += static_cast<Index>(lettersOf(token.text)) + (token.joined ? 0 : 1);
    if (token.breaks == 0)
      continue;
    const bool blank =
        k + 1 < tokens.size() && tokens[k + 1].breaks > 0 && tokens[k + 1].text.empty();
    if (token.breaks == 1 && !blank && letters > kWrapped) {
      token.breaks = 0;
      token.wraps = true;
    }
    letters = 0;
  }
}

// ---- bytes as tokens ----

// Of "<0x0A>", as SentencePiece writes a byte that no other token has.
std::optional<char> byteOf(std::string_view piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>')
    return std::nullopt;
  unsigned value = 0;
  const char* const end = piece.data() + 5;
  if (std::from_chars(piece.data() + 3, end, value, 16).ptr != end)
    return std::nullopt;
  return static_cast<char>(value);
}

// Bytes of the character of UTF-8 that begins there; 0: there is none.
std::size_t characterAt(std::string_view bytes, std::size_t at) {
  const auto first = static_cast<unsigned char>(bytes[at]);
  const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  const std::string_view character = bytes.substr(at, length);
  const bool control = first < 0x20 && first != '\n';
  const bool whole = !control && character.size() == length &&
                     (length == 1 || printableLabel(character) == character);
  return whole ? length : 0;
}

// A run of such tokens from `first` on: each has the character that begins with it.
void readBytes(std::span<TextToken> tokens, std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = characterAt(bytes, at);
    if (length > 0)
      tokens[at].text = bytes.substr(at, length);
    for (std::size_t more = 1; more < length; ++more)
      tokens[at + more].text.clear();
    at += std::max<std::size_t>(length, 1);
  }
}

void joinBytes(std::vector<TextToken>& tokens) {
  std::string bytes; // of the run before `k`
  for (std::size_t k = 0; k <= tokens.size(); ++k) {
    const auto byte = k < tokens.size() ? byteOf(tokens[k].text) : std::nullopt;
    if (byte) {
      bytes += *byte;
    } else if (!bytes.empty()) {
      readBytes(std::span(tokens).subspan(k - bytes.size(), bytes.size()), bytes);
      bytes.clear();
    }
  }
}

} // namespace

std::vector<TextToken> textTokens(std::span<const std::string> pieces,
                                  std::span<const std::string> labels, Index count) {
  const auto all = static_cast<std::size_t>(count);
  const bool known = pieces.size() >= all;
  const std::span<const std::string> signs = known ? pieces : labels;
  const Scheme scheme = schemeOf(signs);
  const bool byteLevel = areByteLevel(signs);
  std::vector<TextToken> tokens(all);
  for (std::size_t k = 0; k < all; ++k) {
    std::string& text = tokens[k].text;
    text = k < labels.size() ? plain(labels[k]) : std::to_string(k);
    replaceAll(text, kByteLevelBreak, "\n");
    // Labels write breaks so, as some texts write other things.
    if (!known || !byteLevel || signs[k].find(kByteLevelBreak) != std::string::npos)
      replaceAll(text, kWrittenBreak, "\n");
    replaceAll(text, kWrittenReturn, "\n");
  }
  joinBytes(tokens);
  for (std::size_t k = 0; k < all; ++k) {
    TextToken& token = tokens[k];
    token.breaks = takeBreaks(token.text);
    const bool goesOn =
        token.text.empty() || (k < signs.size() && joins(scheme, signs[k], token.text));
    token.joined = k > 0 && tokens[k - 1].breaks == 0 && goesOn;
  }
  if (scheme == Scheme::GoesOn)
    joinSigns(tokens);
  readWraps(tokens);
  return tokens;
}

} // namespace attention
