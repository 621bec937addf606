#include "core/input/input_files.h"

#include "core/input/array_file.h"
#include "core/input/input_shapes.h"
#include "core/input/text_lines.h"
#include "core/input/tokens.h"

#include <set>

namespace attention {
namespace {

// The only array of a file, or the one called `name`.
Tensor pick(const std::string& path, const std::string& name) {
  const ArrayFile file = readArrays(path);
  if (file.arrays.size() == 1 && !file.arrays.front().problem)
    return file.arrays.front().tensor;
  return file.get(name);
}

// "layer.3.q" and "layers.3.q" for array q.
std::optional<Index> layerOf(const std::string& name, const std::string& array) {
  for (const std::string_view prefix : {"layer.", "layers."}) {
    const std::string_view text(name);
    if (text.substr(0, prefix.size()) != prefix || text.size() <= prefix.size())
      continue;
    const std::size_t dot = text.find('.', prefix.size());
    if (dot != std::string_view::npos && text.substr(dot + 1) == array)
      return integerOf(text.substr(prefix.size(), dot - prefix.size()));
  }
  return std::nullopt;
}

std::vector<Tensor> layersOf(const ArrayFile& file, const std::string& array,
                             const std::set<Index>& layers) {
  std::vector<Tensor> tensors;
  for (const Index layer : layers) {
    const std::string name = "layer." + std::to_string(layer) + "." + array;
    const Tensor* found = file.find(name);
    tensors.push_back(found != nullptr ? *found
                                       : file.get("layers." + std::to_string(layer) + "." + array));
  }
  return tensors;
}

// One array a layer, by name.
bool takeLayers(Input& input, const ArrayFile& file, const FileInput& names) {
  std::set<Index> layers;
  for (const NamedArray& array : file.arrays)
    if (const auto layer = layerOf(array.tensor.name, names.qName))
      layers.insert(*layer);
  if (layers.empty())
    return false;
  for (const Index layer : layers)
    input.batchLabels.push_back("layer " + std::to_string(layer));
  input.batchName = "layer";
  setStored(input, {layersOf(file, names.qName, layers), layersOf(file, names.kName, layers),
                    layersOf(file, names.vName, layers)});
  return true;
}

bool takeEmbeddings(Input& input, const ArrayFile& file, Index heads, Index batch) {
  if (file.find("x") == nullptr || file.find("wq") == nullptr)
    return false;
  const Tensor* wo = file.find("wo");
  setProjected(input, file.get("x"), {file.get("wq"), file.get("wk"), file.get("wv")}, wo, heads,
               batch);
  return true;
}

bool isSingle(const ArrayFile& file) {
  return file.arrays.size() == 1 && file.arrays.front().tensor.name.empty();
}

// q, k, v in one file in whichever way it has them.
void takeArrays(Input& input, const ArrayFile& file, const FileInput& names, Index batch) {
  const Tensor* shared = isSingle(file) ? file.find("") : file.find("qk");
  if (isSingle(file)) { // embeddings as they are: Q = K = V
    input.sharedQk = true;
    setStored(input, {{*shared}, {*shared}, {*shared}});
  } else if (file.find(names.qName) != nullptr) {
    setStored(input, {{file.get(names.qName)}, {file.get(names.kName)}, {file.get(names.vName)}});
  } else if (shared != nullptr) {
    input.sharedQk = true;
    setStored(input, {{*shared}, {*shared}, {file.get(names.vName)}});
  } else if (!takeLayers(input, file, names) && !takeEmbeddings(input, file, names.heads, batch) &&
             !input.hasAttention()) {
    file.get(names.qName);
  }
}

void takeMetadata(Input& input, const ArrayFile& file) {
  input.metadata = file.metadata;
  const auto text = [&](const char* key) -> const std::string* {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? nullptr : &found->second;
  };
  if (const std::string* scale = text("scale")) {
    input.scale = realOf(*scale);
    if (!input.scale || !(std::abs(*input.scale) <= 1e300))
      throw Error(ErrorCode::Type, file.file,
                  file.file + ": metadata scale is " + excerpt(*scale) +
                      "; allowed is a finite number");
  }
  if (const std::string* axis = text("axis0"))
    input.batchName = printableLabel(*axis);
  if (const std::string* tokens = text("tokens"))
    input.tokens = parseTokens(std::as_bytes(std::span(*tokens)), file.file + ": metadata tokens");
}

// "0,1,5" as labels of the leading axis, where there is one for each.
void takeBatchLabels(Input& input) {
  const auto found = input.metadata.find(input.batchName + "s");
  if (found == input.metadata.end() || !input.batchLabels.empty())
    return;
  std::vector<std::string_view> numbers;
  splitFields(found->second, ',', numbers);
  if (static_cast<Index>(numbers.size()) != input.batches)
    return;
  for (const std::string_view number : numbers)
    input.batchLabels.push_back(input.batchName + " " + printableLabel(number));
}

void takeOneFile(Input& input, const FileInput& files, Index batch) {
  const ArrayFile file = readArrays(files.input);
  takeMetadata(input, file);
  if (const Tensor* weights = isSingle(file) ? nullptr : file.find(files.attentionName))
    input.weights = *weights;
  takeArrays(input, file, files, batch);
  takeBatchLabels(input);
}

void takeSeparateFiles(Input& input, const FileInput& files) {
  input.sharedQk = !files.qk.empty();
  const std::string& q = input.sharedQk ? files.qk : files.q;
  const std::string& k = input.sharedQk ? files.qk : files.k;
  for (const auto& [name, path] :
       {std::pair{"q", &q}, std::pair{"k", &k}, std::pair{"v", &files.v}})
    if (path->empty())
      throw Error(ErrorCode::Type, name, std::string(name) + " is missing; allowed is a file");
  setStored(input, {{pick(q, input.sharedQk ? "qk" : files.qName)},
                    {pick(k, input.sharedQk ? "qk" : files.kName)},
                    {pick(files.v, files.vName)}});
}

void takeWeightFiles(Input& input, const FileInput& files, Index batch) {
  for (const auto& [name, path] :
       {std::pair{"wq", &files.wq}, std::pair{"wk", &files.wk}, std::pair{"wv", &files.wv}})
    if (path->empty())
      throw Error(ErrorCode::Type, name, std::string(name) + " is missing; allowed is a file");
  std::optional<Tensor> wo;
  if (!files.wo.empty())
    wo = pick(files.wo, "wo");
  setProjected(input, pick(files.x, "x"),
               {pick(files.wq, "wq"), pick(files.wk, "wk"), pick(files.wv, "wv")},
               wo ? &*wo : nullptr, files.heads, batch);
}

} // namespace

Input inputOfFiles(const FileInput& files, Index batch) {
  Input input;
  if (!files.attention.empty())
    input.weights = pick(files.attention, files.attentionName);
  if (!files.input.empty())
    takeOneFile(input, files, batch);
  else if (!files.q.empty() || !files.k.empty() || !files.v.empty() || !files.qk.empty())
    takeSeparateFiles(input, files);
  else if (!files.x.empty())
    takeWeightFiles(input, files, batch);
  else if (!input.weights)
    throw Error(ErrorCode::Type, "input",
                "the input names no file; allowed are input, q with k "
                "and v, x with wq, wk and wv, or attention");
  setWeightShapes(input);
  return input;
}

} // namespace attention
