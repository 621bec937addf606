#include "core/input/model_metadata.h"

#include "core/analysis/base.h"
#include "core/attention/modifiers_json.h"
#include "core/input/layer_masks.h"
#include "core/input/mapped_file.h"
#include "core/input/metadata_text.h"
#include "core/input/tokens.h"
#include "core/input/unused_names.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/pattern_json.h"
#include "core/pattern/prepared.h"
#include "core/pattern/sources.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace attention {
namespace {

using nlohmann::json;

// Nothing for null, which is how Python writes None.
const std::string* metadataText(const ArrayFile& file, const char* key) {
  const auto found = file.metadata.find(key);
  const bool says = found != file.metadata.end() && trimmed(found->second) != "null";
  return says ? &found->second : nullptr;
}

std::string subjectOf(const ArrayFile& file, const char* key) {
  return file.file + ": metadata " + key;
}

// Errors of `read` name the key.
template <class Read>
void naming(const ArrayFile& file, const char* key, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string subject = subjectOf(file, key);
    const std::string_view what = error.what();
    if (what.substr(0, subject.size()) == subject)
      throw;
    throw Error(error.code(), subject, subject + ": " + std::string(what));
  }
}

// The number of an array of one, in a file without text.
double onlyNumber(const ArrayFile& file, const char* key) {
  const Tensor tensor = file.get(key);
  if (tensor.dtype == DType::Bool)
    throwDType(tensor, "a number");
  if (tensor.elements() != 1)
    throw Error(ErrorCode::Shape, tensor.label(),
                tensor.label() + " has shape " + shapeText(tensor.shape) +
                    "; it must be one number");
  return readUnchanged(tensor.data, [&] { return attention::number(tensor, 0); });
}

// A JSON list.
json integersOf(const ArrayFile& file, const char* key) {
  const Tensor tensor = file.get(key);
  return readUnchanged(tensor.data, [&] {
    json list = json::array();
    for (Index at = 0; at < tensor.elements(); ++at)
      list.push_back(integer(tensor, at));
    return list;
  });
}

// What the file says by arrays, as .npz files do. Text has no place there.
void takeArrays(Input& input, const ArrayFile& file) {
  const auto stands = [&](const char* key) { return !metadataText(file, key) && file.has(key); };
  if (stands("scale"))
    input.modifiers.scale = numberFrom(json(onlyNumber(file, "scale")), subjectOf(file, "scale"));
  if (stands("softcap"))
    input.modifiers.softcap =
        positiveFrom(json(onlyNumber(file, "softcap")), subjectOf(file, "softcap"));
  for (const char* key : {"ids", "layers", "heads"})
    if (stands(key)) {
      const std::string list = integersOf(file, key).dump();
      if (std::string_view(key) == "ids")
        input.ids = idsOf(list, subjectOf(file, key));
      else
        input.metadata[key] = list;
    }
  for (const char* key : {"modifiers", "patterns"})
    if (stands(key)) {
      file.get(key); // says what it is, where that is no array of numbers
      throw Error(ErrorCode::Unsupported, file.file,
                  file.file + " has an array \"" + key + "\" of numbers; it must be one JSON text");
    }
  for (const char* key : {"tokens", "model", "revision", "axis0"})
    if (stands(key)) {
      file.get(key);
      throw Error(ErrorCode::Type, file.file,
                  file.file + " has an array \"" + key +
                      "\" that is no text; it must be of text (dtype S or U)");
    }
}

void takeScores(Input& input, const ArrayFile& file) {
  const auto number = [&](const char* key, double (*from)(const json&, const std::string&)) {
    const std::string* text = metadataText(file, key);
    const std::string subject = subjectOf(file, key);
    return text ? std::optional(from(numbersOf(*text, subject), subject)) : std::nullopt;
  };
  const std::optional<double> scale = number("scale", numberFrom);
  const std::optional<double> softcap = number("softcap", positiveFrom);
  input.modifiers.scale = scale;
  input.modifiers.softcap = softcap;
  const std::string* text = metadataText(file, "modifiers");
  if (!text)
    return;
  const std::string subject = subjectOf(file, "modifiers");
  input.modifiers = scoreModifiers(parseJson(*text, subject), subject);
  const auto agree = [&](const char* key, const std::optional<double>& stated,
                         std::optional<double>& value) {
    if (value && stated && *value != *stated)
      throw Error(ErrorCode::Range, subject,
                  subject + "." + key + " is " + shortest(*value) + ", and " + key + " is " +
                      shortest(*stated) + "; they must agree");
    if (!value)
      value = stated;
  };
  agree("scale", scale, input.modifiers.scale);
  agree("softcap", softcap, input.modifiers.softcap);
}

// Other JSON is not a list of tokens; lines may begin with [CLS], or be numbers.
void requirePieces(const std::string& text, const std::string& subject) {
  if (!json::accept(text))
    return;
  const json list = parseJson(text, subject);
  const auto isText = [](const json& piece) { return piece.is_string(); };
  if (!list.is_number() && !(list.is_array() && std::all_of(list.begin(), list.end(), isText)))
    failJsonType(subject, list, "a list of texts");
}

void takeTokens(Input& input, const ArrayFile& file) {
  if (const std::string* text = metadataText(file, "tokens")) {
    input.tokensFrom = subjectOf(file, "tokens");
    requirePieces(*text, input.tokensFrom);
    input.pieces = parseTokens(std::as_bytes(std::span(*text)), input.tokensFrom);
    input.tokens = pieceLabels(input.pieces);
  }
  if (const std::string* text = metadataText(file, "ids"))
    input.ids = idsOf(*text, subjectOf(file, "ids"));
}

// Its layers as labels of the leading axis, one for each.
void takeBatchLabels(Input& input, const ArrayFile& file) {
  const auto found = input.metadata.find("layers");
  if (found == input.metadata.end())
    return;
  const std::string subject = subjectOf(file, "layers");
  const std::vector<Index> layers = layersOf(found->second, subject);
  if (layers.empty() || input.batchName != "layer")
    return;
  if (static_cast<Index>(layers.size()) != input.batches)
    throw Error(ErrorCode::Shape, subject,
                subject + " has " + countText(layers.size(), "number") +
                    "; it must have one for each layer, " + std::to_string(input.batches));
  if (input.batchLabels.empty())
    for (const Index layer : layers)
      input.batchLabels.push_back("layer " + std::to_string(layer));
}

void checkHeads(const Input& input, const ArrayFile& file) {
  const auto text = input.metadata.find("heads");
  const std::string subject = subjectOf(file, "heads");
  const bool says = text != input.metadata.end() && trimmed(text->second) != "null";
  const auto heads = says ? std::ssize(headsOf(text->second, subject)) : 0;
  if (heads != 0 && heads != input.heads)
    throw Error(ErrorCode::Shape, subject,
                subject + " has " + countText(heads, "number") +
                    "; it must have one for each head, " + std::to_string(input.heads));
}

// The entry of "patterns" where the layer has a mask that is no pattern.
bool isMaskArray(const json& entry) {
  const auto mechanism = entry.find("mechanism");
  const auto params = entry.find("params");
  return entry.is_null() || (mechanism != entry.end() && *mechanism == "given" &&
                             (params == entry.end() || params->empty()));
}

// What can be known of a layer's pattern before it is used, for E_… of its key: also its formulas,
// and that it names no other file.
void requireUsable(const Pattern& own, const Lengths& lengths, const Run& run) {
  if (const std::string file = unreadFile(own); !file.empty())
    throw Error(ErrorCode::Unsupported, "patterns",
                "a pattern names the file " + excerpt(file) +
                    "; a layer's own mask must be an array \"mask\" beside q and k");
  check(own, lengths);
  if (!needsData(own))
    prepare(own, lengths, run);
}

// What is not used of masks and patterns.
void notePatterns(Input& input, const LayerMasks* unused, const std::string& subject) {
  if (unused)
    input.notes.push_back(unused->label() +
                          " is not used, since \"patterns\" names a pattern for each " +
                          input.batchName + "; an entry of null uses the mask instead.");
  const auto chooses = std::find_if(input.ownMasks.begin(), input.ownMasks.end(), needsData);
  if (chooses != input.ownMasks.end())
    input.notes.push_back(subject + ": " + description(*chooses).name +
                          " chooses keys by the data, so nothing is measured against it; full or "
                          "causal attention, whichever fits, stands in its place.");
}

void takePatterns(Input& input, const ArrayFile& file, const std::string& text, LayerMasks* masks,
                  const Run& run) {
  const std::string subject = subjectOf(file, "patterns");
  const json list = parseJson(text, subject);
  if (!list.is_array())
    failJsonType(subject, list, "a list of patterns");
  if (static_cast<Index>(list.size()) != input.batches)
    throw Error(ErrorCode::Shape, subject,
                subject + " has " + countText(list.size(), "pattern") +
                    "; it must have one for each " + input.batchName + ", " +
                    std::to_string(input.batches));
  const Lengths lengths = alignedLengths(input.queries, input.keys, Align::TopLeft);
  for (std::size_t layer = 0; layer < list.size(); ++layer) {
    if (!isMaskArray(list[layer])) {
      input.ownMasks.push_back(patternFromJson(list[layer]));
      requireUsable(input.ownMasks.back(), lengths, run);
    } else if (masks)
      input.ownMasks.push_back(masks->layer(input, static_cast<Index>(layer), run));
    else
      throw Error(ErrorCode::Type, subject,
                  subject + " leaves the mask of " + input.batchName + " " + std::to_string(layer) +
                      " to an array \"mask\", which is missing; the file must have one");
  }
  const bool usesMasks = std::any_of(list.begin(), list.end(), isMaskArray);
  notePatterns(input, usesMasks ? nullptr : masks, subject);
}

// Older files say in a word what all layers have.
void takeMaskWord(Input& input, const ArrayFile& file, const std::string& text) {
  const std::string word = wordsOf(text, subjectOf(file, "mask")).value_or("");
  if (word == "full" || word == "causal")
    input.ownMasks.assign(static_cast<std::size_t>(input.batches),
                          word == "full" ? Pattern(Full{}) : Pattern(Causal{}));
  else if (word == "other")
    input.maskProblem = "The file says that the model's own mask is neither full nor causal, but "
                        "does not hold that mask; export the file again to measure against it.";
  else
    throw Error(ErrorCode::Range, subjectOf(file, "mask"),
                subjectOf(file, "mask") + " is " + excerpt(word) +
                    "; it must be full, causal or other");
}

// Whether no query sees a key after itself; nothing if that depends on the data, or where too
// many rows would have to be examined.
std::optional<bool> looksBack(const Pattern& own, const Lengths& lengths, const Run& run) {
  if (needsData(own))
    return std::nullopt;
  const auto prepared = prepare(own, lengths, run);
  if (!countsSoon(*prepared) && !own.is<GivenMask>())
    return std::nullopt;
  return meaningfulBase(prepared, run) == Base::Causal;
}

} // namespace

Attends attendsBy(const Input& input, const Run& run) {
  if (input.ownMasks.empty() || input.queries != input.keys)
    return Attends::Unknown;
  const auto isFull = [](const Pattern& own) {
    const auto* full = own.as<Full>();
    return full && !full->causal;
  };
  if (std::all_of(input.ownMasks.begin(), input.ownMasks.end(), isFull))
    return Attends::BothWays;
  const Lengths lengths = squareLengths(input.keys);
  bool back = true;
  for (std::size_t layer = 0; layer < input.ownMasks.size(); ++layer) {
    if (layer > 0 && input.ownMasks[layer] == input.ownMasks[layer - 1])
      continue;
    const std::optional<bool> own = looksBack(input.ownMasks[layer], lengths, run);
    if (!own)
      return Attends::Unknown;
    back = back && *own;
  }
  return back ? Attends::Backward : Attends::Mixed;
}

std::string attendsText(Attends attends) {
  switch (attends) {
  case Attends::Unknown:
    break;
  case Attends::Backward:
    return "This model is a decoder: a token attends only to itself and to earlier tokens.";
  case Attends::BothWays:
    return "This model is an encoder: every token attends to all others, before and after it.";
  case Attends::Mixed:
    return "Some layers let a token attend to later tokens.";
  }
  return {};
}

std::vector<Index> headNumbers(const Input& input) {
  const auto found = input.metadata.find("heads");
  std::vector<Index> numbers;
  if (found != input.metadata.end())
    numbers = headsOf(found->second, "heads");
  return std::ssize(numbers) == input.heads ? numbers : std::vector<Index>();
}

Index headNumber(const Input& input, Index head) {
  const std::vector<Index> numbers = headNumbers(input);
  return numbers.empty() ? head : numbers[static_cast<std::size_t>(head)];
}

namespace {

void takeWords(Input& input, const ArrayFile& file, const char* key) {
  const auto found = input.metadata.find(key);
  if (found == input.metadata.end())
    return;
  const std::optional<std::string> words = wordsOf(found->second, subjectOf(file, key));
  if (words)
    found->second = *words;
  else
    input.metadata.erase(found);
}

} // namespace

void takeMetadata(Input& input, const ArrayFile& file) {
  input.metadata = file.metadata;
  for (const char* key : {"model", "revision", "text", "license", "axis0"})
    takeWords(input, file, key);
  takeScores(input, file);
  takeArrays(input, file);
  if (const auto axis = input.metadata.find("axis0"); axis != input.metadata.end())
    input.batchName = printableLabel(axis->second);
  else if (input.metadata.contains("layers") || metadataText(file, "patterns"))
    input.batchName = "layer";
  takeTokens(input, file);
}

void takeOwnMasks(Input& input, const ArrayFile& file, const FileInput& names, const Run& run) {
  takeBatchLabels(input, file);
  if (!input.ids.empty() && static_cast<Index>(input.ids.size()) != input.keys)
    throw Error(ErrorCode::Shape, subjectOf(file, "ids"),
                subjectOf(file, "ids") + " has " + countText(input.ids.size(), "id") +
                    "; it must have one for each token, " + std::to_string(input.keys));
  noteUnused(input, file, names);
  if (!input.hasQkv()) {
    for (const char* key : {"patterns", "mask"})
      if (metadataText(file, key))
        input.notes.push_back(subjectOf(file, key) +
                              " is not used beside ready attention weights, which are taken as "
                              "they are.");
    return;
  }
  // Not where they are read: of one file with everything the heads are known only after its arrays.
  checkModifiers(input.modifiers, input.heads, subjectOf(file, "modifiers"));
  checkHeads(input, file);
  const std::string* patterns = metadataText(file, "patterns");
  const std::string* word = metadataText(file, "mask");
  std::optional<LayerMasks> masks = LayerMasks::of(input, file);
  if (patterns)
    naming(file, "patterns",
           [&] { takePatterns(input, file, *patterns, masks ? &*masks : nullptr, run); });
  else if (masks)
    for (Index layer = 0; layer < input.batches; ++layer)
      input.ownMasks.push_back(masks->layer(input, layer, run));
  else if (word)
    takeMaskWord(input, file, *word);
  input.attends = attendsBy(input, run);
}

} // namespace attention
