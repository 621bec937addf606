#include "core/model/tokenizer_normaliser.h"

#include "core/model/tokenizer_pieces.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attention {
namespace {

// The ideographs that BERT separates: CJK, its extensions A to E and the compatibility ones.
bool isIdeograph(char32_t c) {
  constexpr std::array<std::pair<char32_t, char32_t>, 8> kBlocks{{{0x4E00, 0x9FFF},
                                                                  {0x3400, 0x4DBF},
                                                                  {0x20000, 0x2A6DF},
                                                                  {0x2A700, 0x2B73F},
                                                                  {0x2B740, 0x2B81F},
                                                                  {0x2B920, 0x2CEAF},
                                                                  {0xF900, 0xFAFF},
                                                                  {0x2F800, 0x2FA1F}}};
  return std::any_of(kBlocks.begin(), kBlocks.end(),
                     [&](const auto& block) { return c >= block.first && c <= block.second; });
}

bool isLineSpace(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r';
}

std::string cleaned(std::string_view text) {
  return changed(text, [](std::string& to, char32_t c) {
    if (c == 0 || c == 0xFFFD || (isControl(c) && !isLineSpace(c)))
      return;
    appendCharacter(to, isWhiteSpace(c) ? U' ' : c);
  });
}

std::string separated(std::string_view text) {
  return changed(text, [](std::string& to, char32_t c) {
    const bool apart = isIdeograph(c);
    if (apart)
      to += ' ';
    appendCharacter(to, c);
    if (apart)
      to += ' ';
  });
}

template <class Leaves>
std::string without(std::string_view text, const Leaves& leaves) {
  return changed(text, [&](std::string& to, char32_t c) {
    if (!leaves(c))
      appendCharacter(to, c);
  });
}

std::string bertCleaned(const BertCleaning& step, std::string text) {
  if (step.clean)
    text = cleaned(text);
  if (step.separateCjk)
    text = separated(text);
  if (step.stripAccents)
    text = without(normalForm(UnicodeForm::Nfd, text), isNonspacingMark);
  return step.lower ? lowerCase(text) : text;
}

std::string stripped(const SpaceStripping& step, std::string_view text) {
  std::size_t begin = text.size(); // of what is no white space
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    if (isWhiteSpace(nextCharacter(text, at)))
      continue;
    begin = std::min(begin, from);
    end = at;
  }
  if (begin == text.size())
    return step.left || step.right ? std::string() : std::string(text);
  begin = step.left ? begin : 0;
  end = step.right ? end : text.size();
  return std::string(text.substr(begin, end - begin));
}

// The part with `change` made. What the first character becomes keeps its place.
template <class Change>
void changePart(TokenPart& part, const Change& change) {
  if (part.firstBytes > 0)
    part.firstBytes = change(part.text.substr(0, part.firstBytes)).size();
  part.text = change(std::move(part.text));
}

void apply(UnicodeForm form, TokenPart& part) {
  changePart(part, [&](const std::string& text) { return normalForm(form, text); });
}

void apply(const BertCleaning& step, TokenPart& part) {
  changePart(part, [&](const std::string& text) { return bertCleaned(step, text); });
}

void apply(const LowerCasing&, TokenPart& part) {
  changePart(part, [](const std::string& text) { return lowerCase(text); });
}

void apply(const AccentStripping&, TokenPart& part) {
  changePart(part, [](const std::string& text) { return without(text, isMark); });
}

void apply(const SpaceStripping& step, TokenPart& part) {
  changePart(part, [&](const std::string& text) { return stripped(step, text); });
}

// Stops where the text is longer than `most`, which the caller refuses.
void apply(const TextReplacing& step, TokenPart& part, std::size_t most) {
  std::string text;
  text.reserve(part.text.size());
  std::size_t firstBytes = 0;
  for (const TextRange& range : step.pattern.ranges(part.text)) {
    if (range.matched)
      text += step.by;
    else
      text.append(part.text, range.begin, range.end - range.begin);
    if (range.end <= part.firstBytes)
      firstBytes = text.size();
    else if (!range.matched && range.begin < part.firstBytes)
      firstBytes = text.size() - (range.end - part.firstBytes);
    if (text.size() > most)
      break;
  }
  part.text = std::move(text);
  part.firstBytes = firstBytes;
}

void apply(const TextPrepending& step, TokenPart& part) {
  part.prepend(step.text);
}

void apply(const ByteLettering&, TokenPart& part) {
  changePart(part, [](const std::string& text) { return byteLetters(text); });
}

// The others make few bytes of one.
template <class Step>
void apply(const Step& step, TokenPart& part, std::size_t) {
  apply(step, part);
}

// As tokenizer.json calls them, in the order of Normaliser.
constexpr std::array<std::string_view, std::variant_size_v<Normaliser>> kNormaliserNames{
    "a Unicode form", "BertNormalizer", "Lowercase", "StripAccents",
    "Strip",          "Replace",        "Prepend",   "ByteLevel"};

} // namespace

void normalise(const std::vector<Normaliser>& steps, TokenPart& part, std::size_t most) {
  for (std::size_t k = 0; k < steps.size(); ++k) {
    std::visit([&](const auto& of) { apply(of, part, most); }, steps[k]);
    if (part.text.size() > most)
      failGrowth("normalizer", k + 1, kNormaliserNames[steps[k].index()]);
  }
}

} // namespace attention
