// The normaliser and the pre-tokenizer of a tokenizer.json.
#include "core/model/tokenizer_json.h"

#include "core/model/tokenizer_text.h"
#include "core/support/text.h"

#include <array>
#include <utility>

namespace attention {
namespace {

template <class Value>
using Names = std::initializer_list<std::pair<std::string_view, Value>>;

// The value of a text that must be one of the names.
template <class Value>
Value named(const TokenizerField& field, const std::string& text, Names<Value> names) {
  std::string list;
  for (const auto& [name, value] : names) {
    if (text == name)
      return value;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  field.refuse(excerpt(text), "one of " + list);
}

SplitBehaviour behaviourFrom(const TokenizerField& field, std::string_view fallback) {
  using enum SplitBehaviour;
  return named<SplitBehaviour>(field, field.text(fallback),
                               {{"Removed", Removed},
                                {"Isolated", Isolated},
                                {"MergedWithPrevious", MergedWithPrevious},
                                {"MergedWithNext", MergedWithNext},
                                {"Contiguous", Contiguous}});
}

// ---- normalisers ----

BertCleaning bertCleaningFrom(const TokenizerField& step) {
  BertCleaning cleaning;
  cleaning.clean = step.at("clean_text").boolean(true);
  cleaning.separateCjk = step.at("handle_chinese_chars").boolean(true);
  cleaning.lower = step.at("lowercase").boolean(true);
  cleaning.stripAccents = step.at("strip_accents").boolean(cleaning.lower);
  return cleaning;
}

using NormaliserReader = Normaliser (*)(const TokenizerField& step);
constexpr std::array<std::pair<std::string_view, NormaliserReader>, 11> kNormalisers{{
    {"NFC", [](const TokenizerField&) -> Normaliser { return UnicodeForm::Nfc; }},
    {"NFD", [](const TokenizerField&) -> Normaliser { return UnicodeForm::Nfd; }},
    {"NFKC", [](const TokenizerField&) -> Normaliser { return UnicodeForm::Nfkc; }},
    {"NFKD", [](const TokenizerField&) -> Normaliser { return UnicodeForm::Nfkd; }},
    {"BertNormalizer",
     [](const TokenizerField& step) -> Normaliser { return bertCleaningFrom(step); }},
    {"Lowercase", [](const TokenizerField&) -> Normaliser { return LowerCasing{}; }},
    {"StripAccents", [](const TokenizerField&) -> Normaliser { return AccentStripping{}; }},
    {"Strip",
     [](const TokenizerField& step) -> Normaliser {
       return SpaceStripping{step.at("strip_left").boolean(), step.at("strip_right").boolean()};
     }},
    {"Replace",
     [](const TokenizerField& step) -> Normaliser {
       return TextReplacing{patternFrom(step.at("pattern")), step.at("content").text()};
     }},
    {"Prepend",
     [](const TokenizerField& step) -> Normaliser {
       return TextPrepending{step.at("prepend").text()};
     }},
    {"ByteLevel", [](const TokenizerField&) -> Normaliser { return ByteLettering{}; }},
}};

// ---- pre-tokenizers ----

ByteLevelSplit byteLevelFrom(const TokenizerField& step) {
  ByteLevelSplit split;
  split.prefixSpace = step.at("add_prefix_space").boolean();
  if (step.at("use_regex").boolean(true))
    split.pattern = gpt2Pattern();
  return split;
}

PatternSplit patternSplitFrom(const TokenizerField& step) {
  return {patternFrom(step.at("pattern")), behaviourFrom(step.at("behavior"), {}),
          step.at("invert").boolean()};
}

MetaspaceSplit metaspaceFrom(const TokenizerField& step) {
  MetaspaceSplit split;
  const TokenizerField replacement = step.at("replacement");
  split.replacement = replacement.text();
  if (split.replacement.empty() ||
      characterLength(split.replacement, 0) != split.replacement.size())
    replacement.fail("one character");
  const TokenizerField scheme = step.at("prepend_scheme");
  split.scheme = named<PrependScheme>(scheme, scheme.text("always"),
                                      {{"first", PrependScheme::First},
                                       {"never", PrependScheme::Never},
                                       {"always", PrependScheme::Always}});
  if (!step.at("add_prefix_space").boolean(true)) // of older files
    split.scheme = PrependScheme::Never;
  split.split = step.at("split").boolean(true);
  return split;
}

using SplitterReader = Splitter (*)(const TokenizerField& step);
constexpr std::array<std::pair<std::string_view, SplitterReader>, 8> kSplitters{{
    {"ByteLevel", [](const TokenizerField& step) -> Splitter { return byteLevelFrom(step); }},
    {"Split", [](const TokenizerField& step) -> Splitter { return patternSplitFrom(step); }},
    {"Digits",
     [](const TokenizerField& step) -> Splitter {
       return DigitSplit{step.at("individual_digits").boolean(false)};
     }},
    {"Metaspace", [](const TokenizerField& step) -> Splitter { return metaspaceFrom(step); }},
    {"BertPreTokenizer", [](const TokenizerField&) -> Splitter { return BertSplit{}; }},
    {"WhitespaceSplit", [](const TokenizerField&) -> Splitter { return WhiteSpaceSplit{}; }},
    {"Whitespace", [](const TokenizerField&) -> Splitter { return WordSplit{}; }},
    {"Punctuation",
     [](const TokenizerField& step) -> Splitter {
       return PunctuationSplit{behaviourFrom(step.at("behavior"), "Isolated")};
     }},
}};

// The steps of a field that is null, one step, or a Sequence of steps, whose list is `member`.
template <class Step, class Readers>
void appendSteps(const TokenizerField& field, const char* member, const Readers& readers,
                 std::vector<Step>& to) {
  if (field.isNull())
    return;
  const TokenizerField type = field.at("type");
  const std::string name = type.text();
  if (name == "Sequence") {
    for (const TokenizerField& step : field.at(member).items())
      appendSteps(step, member, readers, to);
    return;
  }
  std::string known = "Sequence";
  for (const auto& [readerName, reader] : readers) {
    if (readerName == name) {
      to.push_back(reader(field));
      return;
    }
    known += ", " + std::string(readerName);
  }
  type.refuse(excerpt(name), "one of " + known);
}

} // namespace

std::vector<Normaliser> normalisersFrom(const TokenizerField& normalizer) {
  std::vector<Normaliser> steps;
  appendSteps(normalizer, "normalizers", kNormalisers, steps);
  return steps;
}

std::vector<Splitter> splittersFrom(const TokenizerField& preTokenizer) {
  std::vector<Splitter> steps;
  appendSteps(preTokenizer, "pretokenizers", kSplitters, steps);
  return steps;
}

} // namespace attention
