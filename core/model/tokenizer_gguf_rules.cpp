// The rules are those of the models' own tokenizer.json files.
#include "core/model/tokenizer_gguf.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr std::string_view kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kGpt4o =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|)"
    R"(\s*[\r\n]+|\s+(?!\S)|\s+)";

enum class Rules { Gpt2, Digits, Llama3, Dbrx, Qwen2, Gpt4o };

struct Name {
  std::string_view name;
  Rules rules;
};
constexpr std::array kNames{
    Name{"gpt-2", Rules::Gpt2},       Name{"default", Rules::Gpt2},
    Name{"phi-2", Rules::Gpt2},       Name{"mpt", Rules::Gpt2},
    Name{"olmo", Rules::Gpt2},        Name{"smollm", Rules::Digits},
    Name{"starcoder", Rules::Digits}, Name{"refact", Rules::Digits},
    Name{"command-r", Rules::Digits}, Name{"llama-bpe", Rules::Llama3},
    Name{"llama3", Rules::Llama3},    Name{"llama-v3", Rules::Llama3},
    Name{"dbrx", Rules::Dbrx},        Name{"smaug-bpe", Rules::Dbrx},
    Name{"qwen2", Rules::Qwen2},      Name{"deepseek-r1-qwen", Rules::Qwen2},
    Name{"stablelm2", Rules::Qwen2},  Name{"gpt-4o", Rules::Gpt4o},
};

std::vector<Splitter> cutBy(std::string_view expression, const std::string& subject) {
  return {
      PatternSplit{TextPattern::expression(expression, subject), SplitBehaviour::Isolated, false},
      ByteLevelSplit{}};
}

GgufWordRules rulesOf(Rules rules, const std::string& subject) {
  switch (rules) {
  case Rules::Gpt2:
    return {{}, {ByteLevelSplit{false, gpt2Pattern()}}};
  case Rules::Digits:
    return {{}, {DigitSplit{true}, ByteLevelSplit{false, gpt2Pattern()}}};
  case Rules::Llama3:
    return {{}, cutBy(kLlama3, subject), true, true};
  case Rules::Dbrx:
    return {{}, cutBy(kLlama3, subject)};
  case Rules::Qwen2:
    return {{UnicodeForm::Nfc}, cutBy(kQwen2, subject)};
  case Rules::Gpt4o:
    return {{}, cutBy(kGpt4o, subject)};
  }
  return {};
}

} // namespace

GgufWordRules ggufWordRules(const std::string& name, const std::string& subject) {
  const auto at = std::find_if(kNames.begin(), kNames.end(),
                               [&](const Name& known) { return known.name == name; });
  if (at != kNames.end())
    return rulesOf(at->rules, subject);
  std::string known;
  for (const Name& row : kNames)
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw Error(ErrorCode::Unsupported, subject,
              subject + " is " + excerpt(name) +
                  ", which this program does not know; it must be one of " + known);
}

} // namespace attention
