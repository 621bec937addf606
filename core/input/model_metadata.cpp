#include "core/input/model_metadata.h"

#include "core/analysis/base.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/input/score_modifiers.h"
#include "core/input/text_lines.h"
#include "core/input/tokens.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/given.h"
#include "core/pattern/pattern_json.h"
#include "core/pattern/sources.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attention {
namespace {

using nlohmann::json;

const std::string* metadataText(const ArrayFile& file, const char* key) {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? nullptr : &found->second;
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
  if (tensor.elements() != 1)
    throw Error(ErrorCode::Shape, tensor.label(),
                tensor.label() + " has shape " + shapeText(tensor.shape) +
                    "; it must be one number");
  return readUnchanged(tensor.data, [&] { return attention::number(tensor, 0); });
}

// What the file says by arrays, as .npz files do. Text has no place there.
void takeArrays(Input& input, const ArrayFile& file) {
  const auto stands = [&](const char* key) { return !metadataText(file, key) && file.has(key); };
  if (stands("scale"))
    input.scale = scaleFrom(json(onlyNumber(file, "scale")), subjectOf(file, "scale"));
  if (stands("softcap"))
    input.softcap = softcapFrom(json(onlyNumber(file, "softcap")), subjectOf(file, "softcap"));
  if (stands("ids")) {
    const Tensor ids = file.get("ids");
    readUnchanged(ids.data, [&] {
      for (Index at = 0; at < ids.elements(); ++at)
        input.ids.push_back(integer(ids, at));
      return true;
    });
  }
  for (const char* key : {"modifiers", "patterns"})
    if (stands(key))
      throw Error(ErrorCode::Unsupported, file.file,
                  file.file + " has an array \"" + key + "\" of numbers; it must be one JSON text");
}

void takeScores(Input& input, const ArrayFile& file) {
  const auto number = [&](const char* key, double (*from)(const json&, const std::string&)) {
    const std::string* text = metadataText(file, key);
    const std::string subject = subjectOf(file, key);
    const json value = text ? parseJson(*text, subject) : json();
    return value.is_null() ? std::nullopt : std::optional(from(value, subject));
  };
  input.scale = number("scale", scaleFrom);
  input.softcap = number("softcap", softcapFrom);
  const std::string* text = metadataText(file, "modifiers");
  if (!text)
    return;
  const std::string subject = subjectOf(file, "modifiers");
  const ScoreModifiers modifiers = scoreModifiers(parseJson(*text, subject), subject);
  const auto take = [&](const char* key, const std::optional<double>& value,
                        std::optional<double>& into) {
    if (value && into && *value != *into)
      throw Error(ErrorCode::Range, subject,
                  subject + "." + key + " is " + shortest(*value) + ", and " + key + " is " +
                      shortest(*into) + "; they must agree");
    if (value)
      into = value;
  };
  take("scale", modifiers.scale, input.scale);
  take("softcap", modifiers.softcap, input.softcap);
}

// A list of something else is no list of tokens; lines may begin with [CLS].
void requirePieces(const std::string& text, const std::string& subject) {
  const json list = json::parse(text, nullptr, false);
  const auto isText = [](const json& piece) { return piece.is_string(); };
  if (list.is_structured() && !(list.is_array() && std::all_of(list.begin(), list.end(), isText)))
    throw Error(ErrorCode::Type, subject, subject + " is not a list of strings");
}

void takeTokens(Input& input, const ArrayFile& file) {
  if (const std::string* text = metadataText(file, "tokens")) {
    requirePieces(*text, subjectOf(file, "tokens"));
    input.pieces = parseTokens(std::as_bytes(std::span(*text)), subjectOf(file, "tokens"));
    const bool byteLevel =
        std::any_of(input.pieces.begin(), input.pieces.end(), [](const std::string& piece) {
          return piece.starts_with("Ġ") || piece.starts_with("Ċ");
        });
    for (const std::string& piece : input.pieces)
      input.tokens.push_back(pieceLabel(piece, byteLevel));
  }
  const std::string* text = metadataText(file, "ids");
  if (!text)
    return;
  const std::string subject = subjectOf(file, "ids");
  const json ids = parseJson(*text, subject);
  const bool whole = ids.is_array() && std::all_of(ids.begin(), ids.end(), [](const json& id) {
                       return id.is_number_integer();
                     });
  if (!whole)
    throw Error(ErrorCode::Type, subject, subject + " is not a list of integers");
  for (const json& id : ids)
    input.ids.push_back(id.get<Index>());
}

// Plain text, or a JSON text without its quotes.
std::string plain(const std::string& text) {
  if (text.size() < 2 || text.front() != '"')
    return text;
  const json value = json::parse(text, nullptr, false);
  return value.is_string() ? value.get<std::string>() : text;
}

// "0,1,5" or [0, 1, 5] as labels of the leading axis, where there is one for each.
void takeBatchLabels(Input& input) {
  const auto found = input.metadata.find(input.batchName + "s");
  if (found == input.metadata.end() || !input.batchLabels.empty())
    return;
  std::string_view list = trimmed(found->second);
  if (list.size() >= 2 && list.front() == '[' && list.back() == ']')
    list = list.substr(1, list.size() - 2);
  std::vector<std::string_view> numbers;
  splitFields(list, ',', numbers);
  if (static_cast<Index>(numbers.size()) != input.batches)
    return;
  for (const std::string_view number : numbers)
    input.batchLabels.push_back(input.batchName + " " + printableLabel(trimmed(number)));
}

// Layer `at` of the array "mask"; all its layers together say whether it is additive.
Pattern maskOfLayer(const Tensor& masks, Index at, const Run& run) {
  const MaskFile mask = maskOf(masks, MaskPlane{at, {}}, run);
  MaskSource source;
  source.rows = mask.rows;
  source.cols = mask.cols;
  source.runs = mask.runs;
  source.read = true;
  return Given{std::move(source)};
}

Tensor withoutLeadingOnes(Tensor tensor) {
  while (tensor.shape.size() > 2 && tensor.shape.front() == 1) {
    tensor.shape.erase(tensor.shape.begin());
    if (!tensor.strides.empty())
      tensor.strides.erase(tensor.strides.begin());
  }
  return tensor;
}

// [layers, n_q, n_k], [layers, 1, n_q, n_k], or of one layer [n_q, n_k], with axes of 1 before.
std::optional<Tensor> masksOf(const Input& input, const ArrayFile& file) {
  const std::optional<Tensor> found = file.find("mask");
  if (!found)
    return std::nullopt;
  Tensor masks = withoutLeadingOnes(*found);
  const bool single = masks.shape.size() == 4 && masks.fromEnd(2) == 1;
  const bool fits = masks.shape.size() >= 2 && masks.fromEnd(1) == input.queries &&
                    masks.fromEnd(0) == input.keys &&
                    masks.fromEnd(single ? 3 : 2) == input.batches &&
                    (single || masks.shape.size() <= 3);
  if (!fits)
    throw Error(ErrorCode::Shape, found->label(),
                found->label() + " has shape " + shapeText(found->shape) + "; it must be " +
                    shapeText(std::vector<Index>{input.batches, input.queries, input.keys}) +
                    ", one mask for each " + input.batchName);
  return masks;
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

void takePatterns(Input& input, const ArrayFile& file, const std::string& text,
                  const std::optional<Tensor>& masks, const Run& run) {
  const std::string subject = subjectOf(file, "patterns");
  const json list = parseJson(text, subject);
  if (!list.is_array())
    throw Error(ErrorCode::Type, subject, subject + " is not a list of patterns");
  if (static_cast<Index>(list.size()) != input.batches)
    throw Error(ErrorCode::Shape, subject,
                subject + " has " + std::to_string(list.size()) + " patterns; it must have " +
                    std::to_string(input.batches) + ", one for each " + input.batchName);
  const Lengths lengths = alignedLengths(input.queries, input.keys, Align::TopLeft);
  for (std::size_t layer = 0; layer < list.size(); ++layer) {
    if (!isMaskArray(list[layer])) {
      input.ownMasks.push_back(patternFromJson(list[layer]));
      requireUsable(input.ownMasks.back(), lengths, run);
    } else if (masks)
      input.ownMasks.push_back(maskOfLayer(*masks, static_cast<Index>(layer), run));
    else
      throw Error(ErrorCode::Type, subject,
                  subject + " leaves the mask of " + input.batchName + " " + std::to_string(layer) +
                      " to an array \"mask\", which is missing");
  }
}

// Older files say in a word what all layers have.
void takeMaskWord(Input& input, const ArrayFile& file, const std::string& text) {
  const std::string word = plain(text);
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

// Whether no query sees a key after itself; nothing where that depends on the data, or where rows
// of so many tokens would have to be looked at that it takes long.
std::optional<bool> looksBack(const Pattern& own, const Lengths& lengths, const Run& run) {
  constexpr Index kMostLookedAt = 4096;
  if (needsData(own))
    return std::nullopt;
  const auto prepared = prepare(own, lengths, run);
  if (!prepared->closedForm() && !own.is<Given>() && lengths.queries > kMostLookedAt)
    return std::nullopt;
  return meaningfulBase(prepared, run) == Base::Causal;
}

} // namespace

std::string attendsText(const Input& input, const Run& run) {
  if (input.ownMasks.empty() || input.queries != input.keys)
    return {};
  const auto isFull = [](const Pattern& own) {
    const auto* full = own.as<Full>();
    return full && !full->causal;
  };
  if (std::all_of(input.ownMasks.begin(), input.ownMasks.end(), isFull))
    return "This model is an encoder: every token attends to all others, before and after it.";
  const Lengths lengths = squareLengths(input.keys);
  bool back = true;
  for (std::size_t layer = 0; layer < input.ownMasks.size(); ++layer) {
    if (layer > 0 && input.ownMasks[layer] == input.ownMasks[layer - 1])
      continue;
    const std::optional<bool> own = looksBack(input.ownMasks[layer], lengths, run);
    if (!own)
      return {};
    back = back && *own;
  }
  return back ? "This model is a decoder: a token attends only to itself and to earlier tokens."
              : "Some layers let a token attend to later tokens.";
}

void takeMetadata(Input& input, const ArrayFile& file) {
  input.metadata = file.metadata;
  for (const char* key : {"model", "revision", "text", "license", "axis0"})
    if (const auto found = input.metadata.find(key); found != input.metadata.end())
      found->second = plain(found->second);
  takeScores(input, file);
  takeArrays(input, file);
  if (const auto axis = input.metadata.find("axis0"); axis != input.metadata.end())
    input.batchName = printableLabel(axis->second);
  else if (metadataText(file, "layers") || metadataText(file, "patterns"))
    input.batchName = "layer";
  takeTokens(input, file);
}

void takeOwnMasks(Input& input, const ArrayFile& file, const Run& run) {
  takeBatchLabels(input);
  if (!input.ids.empty() && static_cast<Index>(input.ids.size()) != input.keys)
    throw Error(ErrorCode::Shape, subjectOf(file, "ids"),
                subjectOf(file, "ids") + " has " + std::to_string(input.ids.size()) +
                    " ids; it must have one for each of the " + std::to_string(input.keys) +
                    " tokens");
  if (!input.hasQkv())
    return;
  const std::string* patterns = metadataText(file, "patterns");
  const std::string* word = metadataText(file, "mask");
  const std::optional<Tensor> masks = masksOf(input, file);
  if (patterns)
    naming(file, "patterns", [&] { takePatterns(input, file, *patterns, masks, run); });
  else if (masks)
    for (Index layer = 0; layer < input.batches; ++layer)
      input.ownMasks.push_back(maskOfLayer(*masks, layer, run));
  else if (word)
    takeMaskWord(input, file, *word);
  input.attends = attendsText(input, run);
}

} // namespace attention
