#include "core/input/unused_names.h"

#include "core/input/further_arrays.h"
#include "core/input/text_lines.h"
#include "core/support/names.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace attention {
namespace {

constexpr const char* kUnusedModifier =
    " is not used; whatever changes the scores must be in the metadata \"modifiers\".";
constexpr std::size_t kMostListed = 8;

// An array that a mechanism would take by its name, of numbers that none takes; else nothing.
std::optional<Tensor> furtherOfOtherType(const ArrayFile& file, const std::string& whole,
                                         const std::string& name) {
  const std::vector<std::string> taken = furtherNames();
  if (std::find(taken.begin(), taken.end(), name) == taken.end())
    return std::nullopt;
  Tensor tensor = file.getShape(whole);
  return isFloat(tensor.dtype) ? std::nullopt : std::optional(std::move(tensor));
}

// In small letters, without what joins its words.
std::string plainName(const std::string& name) {
  std::string letters;
  for (const char c : name)
    if (c != '_' && c != '-' && c != '.')
      letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return letters;
}

bool hasOneOf(const std::string& letters, std::span<const std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return letters.find(part) != std::string::npos;
  });
}

// Whether a name speaks of something that changes scores: "attn_logit_softcapping", "s_aux" (the
// sinks of gpt-oss in transformers), "q_bias".
bool namesModifier(const std::string& name) {
  static constexpr std::array<std::string_view, 12> kParts{
      "softcap", "logitcap", "temperature", "alibi",  "sink",   "saux",
      "bias",    "scale",    "scaling",     "scalar", "relpos", "multiplier"};
  return hasOneOf(plainName(name), kParts);
}

// Whether it speaks of which keys are seen: "attention_mask", "is_causal", "sliding_window".
bool namesMask(const std::string& name) {
  static constexpr std::array<std::string_view, 6> kParts{"mask",      "causal",  "window",
                                                          "cuseqlens", "segment", "blocked"};
  return hasOneOf(plainName(name), kParts);
}

// Whether an array of such a name is read, or describes the file: .npz files have texts as arrays.
bool isKnownArray(const ArrayFile& file, const std::string& name, const Input& input) {
  static constexpr std::array<std::string_view, 6> kNumbers{"scale",  "softcap", "ids",
                                                            "layers", "heads",   "mask"};
  const bool isNumbers = std::find(kNumbers.begin(), kNumbers.end(), name) != kNumbers.end();
  return file.metadata.contains(name) || (isNumbers && input.hasQkv());
}

using Names = std::vector<std::string>;

// The names of the arrays that are read, of the whole input or of each layer.
Names readNames(const Input& input, const ArrayFile& file, const FileInput& names, bool ofLayers) {
  if (!input.hasQkv())
    return {names.attentionName, names.vName};
  const bool whole = file.has(names.qName);
  Names read;
  if (!ofLayers || !(whole || file.has("qk")))
    read = {names.qName, names.kName, names.vName};
  if (!ofLayers && !whole)
    read.insert(read.end(), {"qk", "x", "wq", "wk", "wv", "wo"});
  if (ofLayers == input.furtherOfLayers)
    for (const auto& [name, arrays] : input.further)
      read.push_back(name);
  return read;
}

// "a, b and 3 more"; `last` stands before the last one where none are left out.
std::string listOf(const Names& names, const char* last = " and ") {
  std::string text;
  const std::size_t listed = names.size() > kMostListed ? kMostListed - 1 : names.size();
  for (std::size_t at = 0; at < listed; ++at)
    text += (at == 0 ? "" : at + 1 == names.size() ? last : ", ") + printableLabel(names[at]);
  return listed == names.size() ? text
                                : text + " and " + std::to_string(names.size() - listed) + " more";
}

} // namespace

std::optional<LayerArray> layerArray(const std::string& name) {
  for (const std::string_view prefix : {"layer.", "layers."}) {
    const std::string_view text(name);
    if (text.substr(0, prefix.size()) != prefix || text.size() <= prefix.size())
      continue;
    const std::size_t dot = text.find('.', prefix.size());
    if (dot == std::string_view::npos)
      continue;
    if (const auto layer = integerOf(text.substr(prefix.size(), dot - prefix.size())))
      return LayerArray{*layer, std::string(text.substr(dot + 1))};
  }
  return std::nullopt;
}

Tensor namedArray(const ArrayFile& file, const std::string& name, const std::string& usual) {
  if (file.has(name))
    return file.get(name);
  Names held;
  for (const NamedArray& array : file.arrays)
    if (!array.name().empty())
      held.push_back(array.name());
  const std::string field = usual + "-name";
  throw Error(ErrorCode::Unknown, field,
              (name == usual ? file.file + " has no array " + excerpt(name)
                             : field + " is " + excerpt(name) + ", but " + file.file +
                                   " has no such array" + nearestHint(name, held)) +
                  (held.empty() ? "; its array has no name" : "; it has " + listOf(held, ", ")));
}

Tensor onlyOrNamed(const ArrayFile& file, const std::string& name, const std::string& usual) {
  requireNamed(file, name, usual);
  return file.arrays.size() == 1 ? file.get(file.arrays.front().name())
                                 : namedArray(file, name, usual);
}

void requireNamed(const ArrayFile& file, const std::string& name, const std::string& usual) {
  const auto isNamed = [&](const NamedArray& array) {
    return array.name() == name || array.name().ends_with("." + name);
  };
  if (name != usual && std::none_of(file.arrays.begin(), file.arrays.end(), isNamed))
    namedArray(file, name, usual);
}

// PyTorch has masks of either sense and padding under such names, so that only "mask" is the
// model's own.
void noteUnused(Input& input, const ArrayFile& file, const FileInput& names) {
  const std::string shape = shapeText(std::vector<Index>{input.batches, input.queries, input.keys});
  const Names ofWhole = readNames(input, file, names, false);
  const Names ofLayers = readNames(input, file, names, true);
  Names others;
  for (const NamedArray& array : file.arrays) {
    const std::string& name = array.name();
    const std::optional<LayerArray> ofLayer = layerArray(name);
    const auto isIn = [](const Names& read, const std::string& one) {
      return std::find(read.begin(), read.end(), one) != read.end();
    };
    const bool isRead = isIn(ofWhole, name) || (ofLayer && isIn(ofLayers, ofLayer->name));
    if (isRead || file.arrays.size() == 1 || isKnownArray(file, name, input))
      continue;
    const auto other = input.hasQkv()
                           ? furtherOfOtherType(file, name, ofLayer ? ofLayer->name : name)
                           : std::nullopt;
    if (other)
      input.notes.push_back(other->label() + " is " + std::string(attention::name(other->dtype)) +
                            " and is not used; it must be one of float16, bfloat16, float32 and "
                            "float64.");
    else if (input.hasQkv() && namesMask(name))
      input.notes.push_back(array.tensor.label() +
                            " is not used; the model's own mask must be an " +
                            "array \"mask\" of shape " + shape + ", where 1 attends.");
    else if (input.hasQkv() && namesModifier(name))
      input.notes.push_back(array.tensor.label() + kUnusedModifier);
    else
      others.push_back(name);
  }
  for (const auto& [key, text] : file.metadata) {
    const std::string label = file.file + ": metadata " + printableLabel(key);
    if (isMetadataKey(key))
      continue;
    if (namesMask(key) || key == "pattern")
      input.notes.push_back(label + " is not used; a file names its own masks by \"patterns\".");
    else if (namesModifier(key))
      input.notes.push_back(label + kUnusedModifier);
    else
      others.push_back(key);
  }
  if (!others.empty())
    input.notes.push_back(file.file + " also holds " + listOf(others) + ", which " +
                          (others.size() == 1 ? "is" : "are") + " not used.");
}

} // namespace attention
