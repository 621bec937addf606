#include "app/cli/arguments.h"

#include "core/input/mapped_file.h"
#include "core/pattern/pattern_json.h"
#include "core/pattern/presets.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace attention::cli {
namespace {

// A formula may also begin with two minus signs, "--i == j".
bool isFlag(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  return word.size() > 2 && word.substr(0, 2) == "--" && name.find(' ') == name.npos;
}
bool isBooleanText(std::string_view word) {
  return word == "true" || word == "false";
}

[[noreturn]] void throwTwice(const std::string& name) {
  throw Error(ErrorCode::Type, name, "--" + name + " is given twice; it must be given once");
}

// "-o" is the only short form.
std::string normal(const std::string& word) {
  return word == "-o" ? "--output" : word;
}

Pattern patternFromText(const std::string& given) {
  const bool fromFile = !given.empty() && given.front() == '@';
  const std::string what = fromFile ? given.substr(1) : "pattern";
  const std::string text = fromFile ? textOfFile(given.substr(1)) : given;
  return patternFromJson(parseJson(text, what));
}

// Masks from files have layers and heads too.
bool readsMaskFile(const Pattern& pattern) {
  const std::vector<MaskSource> masks = masksOf(pattern);
  return std::any_of(masks.begin(), masks.end(),
                     [](const MaskSource& mask) { return !mask.file.empty(); });
}

bool choosesPlane(std::string_view flag) {
  return flag == "batch" || flag == "head-index";
}

bool looksLikeJson(const std::string& word) {
  return !word.empty() && (word.front() == '{' || word.front() == '@');
}

} // namespace

// Walks over the words once.
class Arguments::Reader {
public:
  Reader(const Grammar& grammar, std::span<const std::string> words, Arguments& into)
      : grammar_(grammar), words_(words), into_(into) {}

  void readAll() {
    if (!grammar_.mechanism.empty())
      begin(patternNamed(grammar_.mechanism));
    while (at_ < words_.size()) {
      const std::string word = normal(words_[at_++]);
      if (isFlag(word))
        readFlag(word.substr(2));
      else
        readPlain(word);
    }
    requireChoices();
    requireDataFlagsToMatter();
  }

private:
  void readPlain(const std::string& word) {
    if (isOther(word)) {
      requireChoices();
      afterOther_ = true;
      into_.rest_.push_back(word);
      return;
    }
    const bool first = static_cast<int>(into_.patterns_.size()) < grammar_.patterns;
    if (first || grammar_.manyPatterns) {
      addPattern(word);
      return;
    }
    if (grammar_.rest.empty())
      throw Error(ErrorCode::Unknown, word, "\"" + word + "\" is not understood here");
    into_.rest_.push_back(word);
  }

  bool isOther(const std::string& word) const {
    return std::any_of(grammar_.others.begin(), grammar_.others.end(),
                       [&](const std::string& other) { return sameName(other, word); });
  }

  void addPattern(const std::string& word) {
    if (isOther(word)) // --with positive
      return readPlain(word);
    if (const Preset* preset = findPreset(word))
      return addPreset(*preset);
    if (looksLikeJson(word))
      return addJson(word);
    begin(patternNamed(word, grammar_.others));
    for (const Parameter& parameter : description(into_.patterns_.back()).parameters)
      if (parameter.required && parameter.type == ParameterType::Choice)
        missing_.insert(parameter.name);
  }

  // It has already said what it lacks.
  void addJson(const std::string& text) { begin(patternFromText(text)); }

  // From here on flags belong to this pattern.
  void begin(Pattern pattern) {
    requireChoices();
    preset_ = nullptr;
    set_.clear();
    presetSet_.clear();
    afterOther_ = false;
    into_.patterns_.push_back(std::move(pattern));
  }

  // A choice always has a value, so the pattern cannot tell whether it was given.
  void requireChoices() const {
    if (!missing_.empty())
      throw Error(ErrorCode::Type, *missing_.begin(),
                  *missing_.begin() + " is missing; " + description(into_.patterns_.back()).name +
                      " requires it");
  }

  // A library's convention: first its own arguments, then the flags of the pattern that it stands
  // for.
  void addPreset(const Preset& preset) {
    begin(preset.pattern());
    preset_ = &preset;
    presetValues_.clear();
    for (const PresetArgument& argument : preset.arguments)
      presetValues_.push_back(argument.fallback);
  }

  bool presetKnows(std::string_view name) const { return preset_ && preset_->argument(name) >= 0; }

  void readPresetArgument(const std::string& name) {
    const auto k = static_cast<std::size_t>(preset_->argument(name));
    if (!presetSet_.insert(k).second)
      throwTwice(preset_->arguments[k].name);
    presetValues_[k] = integerFromText(name, value(name));
    into_.patterns_.back() = preset_->pattern(presetValues_);
  }

  void readFlag(const std::string& whole) {
    const auto equals = whole.find('=');
    const std::string name = whole.substr(0, equals);
    if (equals != std::string::npos)
      inline_ = whole.substr(equals + 1);
    else
      inline_.reset();
    if (grammar_.takesPatterns() && sameName(name, "pattern-json")) {
      addJson(value(name));
    } else if (name == "preset" && namesLibrarysPreset()) {
      addPreset(presetNamed(value(name)));
    } else if (!grammar_.morePatterns.empty() && sameName(name, grammar_.morePatterns)) {
      into_.flags_[grammar_.morePatterns]; // that it was given
      if (!nextBeginsPattern())            // --with --preset NAME, --with --pattern-json JSON
        addPattern(value(name));
    } else if (takesParameters() && name.rfind("p.", 0) == 0) {
      readParameter(name.substr(2));
    } else {
      readShared(name);
    }
  }

  // Begins the pattern that a flag stands for where none stands before it.
  void beginBy(const std::string& flag) {
    if (!into_.patterns_.empty())
      return;
    for (const std::string& mechanism : grammar_.beginners) {
      const Parameter* parameter = description(patternNamed(mechanism)).find(flag);
      if (parameter && parameter->required)
        return begin(patternNamed(mechanism));
    }
  }

  void readShared(const std::string& name) {
    beginBy(name);
    const Flag* own = flagIn(grammar_.flags, name);
    const Flag* data = own ? nullptr : flagIn(grammar_.dataFlags, name);
    const bool pattern =
        !afterOther_ && (presetKnows(name) || (patternKnows(name) &&
                                               !patternYields(data ? data : own, data != nullptr)));
    if (pattern)
      readParameter(name);
    else if (own || data)
      readOwn(own ? *own : *data);
    else
      throwUnknown(name);
  }

  // Whether a flag that the pattern also knows belongs to the command.
  bool patternYields(const Flag* flag, bool isData) const {
    if (!flag || flag->patternFirst)
      return false;
    const std::string next = nextValue();
    const bool integer = !next.empty() && next.find_first_not_of("0123456789") == next.npos;
    if (flag->value == "FILE" && integer)
      return false;
    if (!isData)
      return !grammar_.patternFirst;
    const Pattern& pattern = into_.patterns_.back();
    return flag->value == "FILE" ? mayNeedData(pattern) : needsData(pattern);
  }

  void requireDataFlagsToMatter() const {
    const auto& patterns = into_.patterns_;
    if (patterns.empty() || std::any_of(patterns.begin(), patterns.end(), mayNeedData) ||
        (!grammar_.dataSwitch.empty() && into_.has(grammar_.dataSwitch)))
      return;
    const bool masks = std::any_of(patterns.begin(), patterns.end(), readsMaskFile);
    for (const Flag& flag : grammar_.dataFlags)
      if (into_.has(flag.name) && !flagIn(grammar_.flags, flag.name) &&
          !(masks && choosesPlane(flag.name)))
        throw Error(ErrorCode::Unknown, flag.name,
                    flag.name + " is given, but " + description(patterns.front()).name +
                        " does not read an input; leave it out" +
                        (grammar_.dataSwitch.empty() ? "" : ", or add --" + grammar_.dataSwitch));
  }

  void readOwn(const Flag& flag) {
    std::string text;
    if (!flag.value.empty())
      text = value(flag.name);
    else if (inline_)
      text = *inline_;
    else
      text = nextIsBoolean() ? words_[at_++] : "true";
    checkFlagText(flag, text);
    if (!into_.flags_.try_emplace(flag.name, text).second)
      throwTwice(flag.name);
  }

  void readParameter(const std::string& name) {
    if (into_.patterns_.empty())
      throw Error(ErrorCode::Type, name,
                  "--" + name +
                      " is given before any pattern; it must follow the pattern it belongs to");
    if (presetKnows(name))
      return readPresetArgument(name);
    preset_ = nullptr; // from here on it is a pattern like any other
    Pattern& pattern = into_.patterns_.back();
    const Parameter& parameter = parameterNamed(pattern, name);
    if (!set_.insert(parameter.name).second)
      throwTwice(parameter.name);
    missing_.erase(parameter.name);
    const bool isTruth =
        parameter.type == ParameterType::Boolean || parameter.type == ParameterType::BooleansOrOne;
    const bool aloneIsTrue = isTruth && !inline_ && !nextIsBoolean() &&
                             (at_ == words_.size() || isFlag(normal(words_[at_])));
    parameter.set(pattern, aloneIsTrue ? Value{true} : flagValue(parameter, value(name)));
  }

  std::string value(const std::string& name) {
    if (inline_)
      return *inline_;
    if (at_ == words_.size() || isFlag(normal(words_[at_])))
      throw Error(ErrorCode::Type, name, "--" + name + " is given without a value");
    return words_[at_++];
  }

  // Without taking it.
  std::string nextValue() const {
    return inline_ ? *inline_ : at_ < words_.size() ? words_[at_] : "";
  }

  // lsh has presets of its own (S6), which go by other names.
  bool namesLibrarysPreset() const {
    return grammar_.takesPatterns() && (!patternKnows("preset") || findPreset(nextValue()));
  }

  bool takesParameters() const { return grammar_.takesPatterns() || !grammar_.mechanism.empty(); }

  bool nextIsBoolean() const { return at_ < words_.size() && isBooleanText(words_[at_]); }

  bool nextBeginsPattern() const {
    if (inline_ || at_ == words_.size())
      return false;
    const std::string name = words_[at_].substr(0, words_[at_].find('='));
    return name == "--preset" || name == "--pattern-json";
  }

  static const Flag* flagIn(const std::vector<Flag>& flags, std::string_view name) {
    const auto at = std::find_if(flags.begin(), flags.end(),
                                 [&](const Flag& flag) { return sameName(flag.name, name); });
    return at == flags.end() ? nullptr : &*at;
  }

  bool patternKnows(std::string_view name) const {
    return !into_.patterns_.empty() && description(into_.patterns_.back()).find(name) != nullptr;
  }

  [[noreturn]] void throwUnknown(const std::string& name) const {
    std::vector<std::string> known;
    const auto isQueries = [](const Flag& flag) { return flag.name == "q"; };
    if (name == "attention" &&
        (std::any_of(grammar_.flags.begin(), grammar_.flags.end(), isQueries) ||
         std::any_of(grammar_.dataFlags.begin(), grammar_.dataFlags.end(), isQueries)))
      throw Error(ErrorCode::Unknown, name,
                  "flag --attention is unknown here, where weights without queries and keys are of "
                  "no use; give --q and --k, or another input");
    for (const Flag& flag : grammar_.flags)
      known.push_back(flag.name);
    for (const Flag& flag : grammar_.dataFlags)
      known.push_back(flag.name);
    if (grammar_.takesPatterns())
      known.insert(known.end(), {"pattern-json", "preset"});
    if (!grammar_.morePatterns.empty())
      known.push_back(grammar_.morePatterns);
    if (!into_.patterns_.empty())
      for (const Parameter& p : description(into_.patterns_.back()).parameters)
        known.push_back(p.name);
    const std::string hint = nearestHint(name, known, "--");
    throw Error(ErrorCode::Unknown, name,
                "flag --" + name + " is unknown" + (hint.empty() ? "; --help lists them" : hint));
  }

  const Grammar& grammar_;
  std::span<const std::string> words_;
  Arguments& into_;
  std::size_t at_ = 0;
  std::optional<std::string> inline_;
  bool afterOther_ = false;        // the last word is not a pattern
  const Preset* preset_ = nullptr; // preset of the last pattern, while its arguments may follow
  std::vector<Index> presetValues_;
  std::set<std::string> missing_;   // choices that the last pattern requires
  std::set<std::string> set_;       // what flags have set of the last pattern
  std::set<std::size_t> presetSet_; // and of its preset
};

Arguments::Arguments(const Grammar& grammar, std::span<const std::string> words) {
  Reader(grammar, words, *this).readAll();
  for (const std::vector<Flag>* flags : {&grammar.flags, &grammar.dataFlags})
    for (const Flag& flag : *flags)
      taken_.insert(flag.name);
  if (static_cast<int>(patterns_.size()) < grammar.patterns && !grammar.optional)
    throw Error(ErrorCode::Type, "pattern",
                "the pattern is missing; give a mechanism's name or --pattern-json");
  if (grammar.morePatterns.empty() && static_cast<int>(patterns_.size()) > grammar.patterns)
    throw Error(ErrorCode::Type, "pattern", "several patterns are given; give one");
}

bool Arguments::namesArrays() const {
  constexpr std::array<std::string_view, 8> kInputs{"input",     "q",      "qk",     "x",
                                                    "attention", "sample", "random", "typed"};
  return std::any_of(kInputs.begin(), kInputs.end(),
                     [&](std::string_view flag) { return has(flag); });
}

Arguments Arguments::withPatterns(std::vector<Pattern> patterns) const {
  Arguments other = *this;
  other.patterns_ = std::move(patterns);
  return other;
}

const std::string* Arguments::find(std::string_view flag) const {
  const auto at = flags_.find(flag);
  return at == flags_.end() ? nullptr : &at->second;
}

std::string Arguments::text(std::string_view flag, std::string_view fallback) const {
  const std::string* found = find(flag);
  return found ? *found : std::string(fallback);
}

std::optional<Index> Arguments::integer(std::string_view flag) const {
  const std::string* found = find(flag);
  if (!found)
    return std::nullopt;
  return integerFromText(std::string(flag), *found);
}

std::optional<double> Arguments::real(std::string_view flag) const {
  const std::string* found = find(flag);
  if (!found)
    return std::nullopt;
  return realFromText(std::string(flag), *found);
}

bool Arguments::on(std::string_view flag, bool fallback) const {
  const std::string* found = find(flag);
  return found ? *found == "true" : fallback;
}

} // namespace attention::cli
