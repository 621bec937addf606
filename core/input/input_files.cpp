#include "core/input/input_files.h"

#include "core/input/array_file.h"
#include "core/input/further_arrays.h"
#include "core/input/model_metadata.h"
#include "core/input/unused_names.h"
#include "core/support/text.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace attention {
namespace {

// Files that each hold some arrays of an input, read once.
class SeveralFiles {
public:
  explicit SeveralFiles(const Run& run) : run_(run) {}

  // The only array of a file, or the one called `name`, which a field may say where it has a
  // `usual` one.
  Tensor pick(const std::string& path, const std::string& name, const std::string& usual = {}) {
    const auto known = std::find(paths_.begin(), paths_.end(), path);
    const auto at = static_cast<std::size_t>(known - paths_.begin());
    if (known == paths_.end()) {
      files_.push_back(readArrays(path, run_));
      paths_.push_back(path);
    }
    const ArrayFile& file = files_[at];
    if (!usual.empty())
      return onlyOrNamed(file, name, usual);
    return file.get(file.arrays.size() == 1 ? file.arrays.front().name() : name);
  }

  // In the order in which they were first requested.
  std::span<const ArrayFile> all() const { return files_; }

private:
  const Run& run_;
  std::vector<std::string> paths_;
  std::vector<ArrayFile> files_;
};

// The layer of one that is called `array`.
std::optional<Index> layerOf(const std::string& name, const std::string& array) {
  const std::optional<LayerArray> ofLayer = layerArray(name);
  return ofLayer && ofLayer->name == array ? std::optional(ofLayer->layer) : std::nullopt;
}

// One that is missing is named as the queries are.
std::vector<Tensor> layersOf(const ArrayFile& file, const std::string& array,
                             const std::set<Index>& layers, const std::string& queries) {
  std::vector<Tensor> tensors;
  for (const Index layer : layers) {
    const std::string number = std::to_string(layer) + ".";
    const std::string one = "layer." + number;
    const std::string many = "layers." + number;
    const bool isOne =
        file.has(one + array) || (!file.has(many + array) && file.has(one + queries));
    tensors.push_back(file.get((isOne ? one : many) + array));
  }
  return tensors;
}

// With heads before tokens, whatever the files have.
Tensor headsFirst(Tensor tensor, const FileInput& files) {
  return files.layout == "bnhd" && tensor.shape.size() > 2
             ? withSwappedAxes(std::move(tensor), 1, 2)
             : tensor;
}

void take(Input& input, Stored arrays, const FileInput& files) {
  input.headsAfterTokens = files.layout == "bnhd" && arrays.q.front().shape.size() > 2;
  for (auto* list : {&arrays.q, &arrays.k, &arrays.v})
    for (Tensor& tensor : *list)
      tensor = headsFirst(std::move(tensor), files);
  setStored(input, std::move(arrays));
}

// The values, which may be missing unless their name was given.
std::vector<Tensor> valuesOf(const ArrayFile& file, const FileInput& names) {
  std::vector<Tensor> found;
  if (file.has(names.vName) || names.vName != FileInput().vName)
    found.push_back(file.get(names.vName));
  return found;
}

// One array per layer, by name.
bool takeLayers(Input& input, const ArrayFile& file, const FileInput& names) {
  std::set<Index> layers;
  for (const NamedArray& array : file.arrays)
    if (const auto layer = layerOf(array.name(), names.qName))
      layers.insert(*layer);
  if (layers.empty())
    return false;
  for (const Index layer : layers)
    input.batchLabels.push_back("layer " + std::to_string(layer));
  input.batchName = "layer";
  const bool values = std::any_of(file.arrays.begin(), file.arrays.end(), [&](const auto& array) {
    return layerOf(array.name(), names.vName).has_value();
  });
  const auto of = [&](const std::string& array) {
    return layersOf(file, array, layers, names.qName);
  };
  take(input, {of(names.qName), of(names.kName), values ? of(names.vName) : std::vector<Tensor>{}},
       names);
  return true;
}

bool hasEmbeddings(const ArrayFile& file) {
  return file.has("x") && file.has("wq");
}

bool takeEmbeddings(Input& input, const ArrayFile& file, Index heads, Index batch, const Run& run) {
  if (!hasEmbeddings(file))
    return false;
  const std::optional<Tensor> wo = file.find("wo");
  setProjected(input, file.get("x"), {file.get("wq"), file.get("wk"), file.get("wv")},
               wo ? &*wo : nullptr, heads, batch, run);
  return true;
}

bool isSingle(const ArrayFile& file) {
  return file.arrays.size() == 1 && file.arrays.front().name().empty();
}

// q, k, v in one file in whichever way it has them.
void takeArrays(Input& input, const ArrayFile& file, const FileInput& names, Index batch,
                const Run& run) {
  if (isSingle(file)) { // plain embeddings: Q = K = V
    const Tensor shared = file.get("");
    input.sharedQk = true;
    input.oneArray = true;
    take(input, {{shared}, {shared}, {shared}}, names);
  } else if (file.has(names.qName)) {
    take(input,
         {{file.get(names.qName)}, {namedArray(file, names.kName, "k")}, valuesOf(file, names)},
         names);
  } else if (file.has("qk")) {
    const Tensor shared = file.get("qk");
    input.sharedQk = true;
    take(input, {{shared}, {shared}, valuesOf(file, names)}, names);
  } else if (!takeLayers(input, file, names) &&
             !takeEmbeddings(input, file, names.heads, batch, run) && !input.hasAttention()) {
    namedArray(file, names.qName, "q");
  }
}

// What mechanisms may choose by besides.
void takeFurther(Input& input, const ArrayFile& file, const FileInput& names) {
  std::set<Index> layers;
  for (const NamedArray& array : file.arrays)
    if (const auto layer = layerOf(array.name(), names.qName))
      layers.insert(*layer);
  input.furtherOfLayers = !file.has(names.qName) && !layers.empty();
  const auto taken = [](const Tensor& tensor) { return isFloat(tensor.dtype); };
  for (const std::string& name : furtherNames()) {
    std::vector<Tensor> found;
    const bool layered = std::any_of(file.arrays.begin(), file.arrays.end(), [&](const auto& a) {
      return layerOf(a.name(), name).has_value();
    });
    if (input.furtherOfLayers && layered)
      found = layersOf(file, name, layers, names.qName);
    else if (!input.furtherOfLayers && file.has(name) && taken(file.getShape(name)))
      found.push_back(file.get(name));
    if (!found.empty() && std::all_of(found.begin(), found.end(), taken))
      input.further[name] = std::move(found);
  }
}

// Values beside ready weights in one file: where nobody names them, they may be anything.
void takeValuesBeside(Input& input, const ArrayFile& file, const FileInput& files) {
  const bool named = files.vName != FileInput().vName;
  if (input.hasQkv() || files.vName == files.attentionName || !(named || file.has(files.vName)))
    return;
  try {
    setWeightValues(input, headsFirst(file.get(files.vName), files));
  } catch (const Error& error) {
    const bool unfit = error.code() == ErrorCode::Shape || error.code() == ErrorCode::Type;
    if (named || !unfit)
      throw;
    input.valuesProblem = error;
  }
}

void takeOneFile(Input& input, const FileInput& files, Index batch, const Run& run) {
  const ArrayFile file = readArrays(files.input, run);
  requireNamed(file, files.qName, "q");
  requireNamed(file, files.kName, "k");
  requireNamed(file, files.vName, "v");
  requireNamed(file, files.attentionName, "attention");
  takeMetadata(input, file);
  if (files.attentionName != FileInput().attentionName)
    input.weights = file.get(files.attentionName);
  else if (!isSingle(file))
    input.weights = file.find(files.attentionName);
  takeArrays(input, file, files, batch, run);
  if (input.hasQkv() && files.attentionName != FileInput().attentionName)
    throw Error(
        ErrorCode::Type, "attention-name",
        "attention-name is " + excerpt(files.attentionName) + ", but " + file.file +
            " has queries and keys, from which the weights are computed; it must be left out");
  takeFurther(input, file, files);
  setWeightShapes(input);
  takeValuesBeside(input, file, files);
  takeOwnMasks(input, file, files, run);
}

// Collects what each file states about the model: score modifiers and masks, on which all files
// that state them must agree; tokens and ids from the first file that has one for each key; the
// rest where no two files differ.
class Agreement {
public:
  Agreement(Input& input, const FileInput& names)
      : input_(input), names_(names), unsaid_(shapeOf(input)) {}

  void take(const ArrayFile& file, const Run& run) {
    Input said = unsaid_;
    takeMetadata(said, file);
    takeLabels(said, std::exchange(first_, false));
    takeOwnMasks(said, file, names_, run);
    agreeOnScores(said.modifiers, file);
    agree("mask", input_.ownMasks, said.ownMasks, !said.ownMasks.empty(), file);
    if (said.attends != Attends::Unknown)
      input_.attends = said.attends;
    if (!said.maskProblem.empty())
      input_.maskProblem = said.maskProblem;
    input_.notes.insert(input_.notes.end(), said.notes.begin(), said.notes.end());
    if (input_.batchLabels.empty())
      input_.batchLabels = said.batchLabels;
    if (input_.batchName == unsaid_.batchName)
      input_.batchName = said.batchName;
    takeTexts(said);
  }

  void end() {
    if (!input_.ownMasks.empty())
      input_.maskProblem.clear();
    for (const std::string& key : differing_)
      input_.metadata.erase(key);
  }

private:
  // What metadata are read against: the lengths, without the arrays.
  static Input shapeOf(const Input& input) {
    Input shape;
    shape.queries = input.queries;
    shape.keys = input.keys;
    shape.d = input.d;
    shape.dv = input.dv;
    shape.heads = input.heads;
    shape.kvHeads = input.kvHeads;
    shape.batches = input.batches;
    shape.batchName = input.batchName;
    shape.batchLabels = input.batchLabels;
    if (input.hasQkv())
      shape.source = Stored{}; // says that there are some
    return shape;
  }

  template <class T>
  void agree(const std::string& what, T& into, const T& said, bool states, const ArrayFile& file) {
    if (!states)
      return;
    const auto [first, isFirst] = saidBy_.try_emplace(what, file.file);
    if (isFirst)
      into = said;
    else if (into != said)
      throw Error(ErrorCode::Range, file.file,
                  file.file + " states a different " + what + " from " + first->second +
                      "; files of one input must agree");
  }

  // One by one, so that files may state some of them.
  void agreeOnScores(const ScoreModifiers& said, const ArrayFile& file) {
    ScoreModifiers& all = input_.modifiers;
    agree("scale", all.scale, said.scale, said.scale.has_value(), file);
    agree("softcap", all.softcap, said.softcap, said.softcap.has_value(), file);
    agree("bias", all.bias, said.bias, said.hasBias(), file);
    agree("temperature", all.temperature, said.temperature, said.temperature != 1, file);
    agree("sink", all.sink, said.sink, said.sink.has_value(), file);
    agree("order", all.biasFirst, said.biasFirst, said.biasFirst, file);
  }

  // Labels belong to keys: those of the keys' file, which comes first, must fit; files of queries
  // may have others.
  void takeLabels(Input& said, bool ofKeys) {
    if (!ofKeys && static_cast<Index>(said.ids.size()) != input_.keys)
      said.ids.clear();
    if (input_.ids.empty())
      input_.ids = said.ids;
    if (!said.tokens.empty() && !input_.tokens.empty() && said.tokens != input_.tokens)
      input_.notes.push_back(said.tokensFrom + " differ from " + input_.tokensFrom +
                             ", which the labels are from.");
    const bool fit = ofKeys || static_cast<Index>(said.tokens.size()) == input_.keys;
    if (!fit || !input_.tokens.empty())
      return;
    input_.tokens = said.tokens;
    input_.tokensFrom = said.tokensFrom;
    input_.pieces = said.pieces;
  }

  void takeTexts(const Input& said) {
    for (const auto& [key, text] : said.metadata)
      if (const auto [known, isNew] = input_.metadata.try_emplace(key, text);
          !isNew && known->second != text)
        differing_.insert(key);
  }

  Input& input_;
  const FileInput& names_;
  const Input unsaid_;
  bool first_ = true;
  std::map<std::string, std::string> saidBy_;
  std::set<std::string> differing_;
};

// Runs after the arrays are taken. E_RANGE names two files that do not agree.
void takeAgreedMetadata(Input& input, std::span<const ArrayFile> files, const FileInput& names,
                        const Run& run) {
  Agreement agreement(input, names);
  for (const ArrayFile& file : files)
    agreement.take(file, run);
  agreement.end();
}

void takeSeparateFiles(Input& input, const FileInput& files, const Run& run) {
  input.sharedQk = !files.qk.empty();
  input.oneArray = input.sharedQk && files.v == files.qk;
  SeveralFiles several(run);
  Stored arrays;
  if (input.sharedQk) {
    arrays.q.push_back(several.pick(files.qk, "qk"));
    arrays.k = arrays.q;
  } else {
    arrays.k.push_back(several.pick(files.k, files.kName, "k")); // first, for its labels
    arrays.q.push_back(several.pick(files.q, files.qName, "q"));
  }
  if (!files.v.empty())
    arrays.v.push_back(several.pick(files.v, files.vName, "v"));
  take(input, std::move(arrays), files);
  takeAgreedMetadata(input, several.all(), files, run);
}

void takeWeightFiles(Input& input, const FileInput& files, Index batch, const Run& run) {
  SeveralFiles several(run);
  const Tensor x = several.pick(files.x, "x");
  const std::array<Tensor, 3> weights{several.pick(files.wq, "wq"), several.pick(files.wk, "wk"),
                                      several.pick(files.wv, "wv")};
  std::optional<Tensor> wo;
  if (!files.wo.empty())
    wo = several.pick(files.wo, "wo");
  setProjected(input, x, weights, wo ? &*wo : nullptr, files.heads, batch, run);
  takeAgreedMetadata(input, several.all(), files, run);
}

void takeAttentionFile(Input& input, const FileInput& files, const Run& run) {
  SeveralFiles several(run);
  input.weights = several.pick(files.attention, files.attentionName, "attention");
  setWeightShapes(input);
  if (!files.v.empty())
    setWeightValues(input, headsFirst(several.pick(files.v, files.vName, "v"), files));
  takeAgreedMetadata(input, several.all(), files, run);
}

void requireFiles(std::initializer_list<std::pair<const char*, const std::string*>> files) {
  for (const auto& [name, path] : files)
    if (path->empty())
      throw Error(ErrorCode::Type, name, std::string(name) + " is missing; it must be a file");
}

// Names of the sets that are begun.
std::vector<std::string> begunSets(const FileInput& files) {
  std::vector<std::string> begun;
  if (!files.input.empty())
    begun.emplace_back("input");
  const bool values = !files.v.empty() && files.attention.empty(); // else they are the weights'
  if (values || !(files.q.empty() && files.k.empty() && files.qk.empty()))
    begun.emplace_back("q, k and v");
  if (!(files.x.empty() && files.wq.empty() && files.wk.empty() && files.wv.empty() &&
        files.wo.empty()))
    begun.emplace_back("x with weights");
  if (!files.attention.empty())
    begun.emplace_back("attention");
  return begun;
}

} // namespace

bool holdsQueries(const ArrayFile& file) {
  return file.has("q") || file.has("qk") || hasEmbeddings(file) ||
         std::any_of(file.arrays.begin(), file.arrays.end(),
                     [](const NamedArray& array) { return layerOf(array.name(), "q"); });
}

void checkFiles(const FileInput& files) {
  checkLayout(files.layout, "input-layout");
  const std::vector<std::string> begun = begunSets(files);
  if (begun.empty())
    throw Error(ErrorCode::Type, "input",
                "the input names no file; give input, q with k "
                "and v, x with wq, wk and wv, or attention");
  if (begun.size() > 1)
    throw Error(ErrorCode::Type, "input",
                "the input is " + begun[0] + " and " + begun[1] + "; give only one of these");
  if (!files.qk.empty() && !(files.q.empty() && files.k.empty()))
    throw Error(ErrorCode::Type, "qk", "qk is given with q or k; give only qk, or q and k");
  if (begun.front() == "q, k and v" && files.qk.empty())
    requireFiles({{"q", &files.q}, {"k", &files.k}});
  else if (begun.front() == "x with weights")
    requireFiles({{"x", &files.x}, {"wq", &files.wq}, {"wk", &files.wk}, {"wv", &files.wv}});
}

void requireHeads(const Input& input, Index heads) {
  if (heads != input.heads)
    throwRange("heads", std::to_string(heads),
               std::to_string(input.heads) + ", which the input has, or be left out");
}

Input inputOfFiles(const FileInput& files, Index batch, const Run& run) {
  checkFiles(files);
  Input input;
  if (!files.attention.empty())
    takeAttentionFile(input, files, run);
  if (!files.input.empty())
    takeOneFile(input, files, batch, run);
  else if (!files.q.empty() || !files.qk.empty())
    takeSeparateFiles(input, files, run);
  else if (!files.x.empty())
    takeWeightFiles(input, files, batch, run);
  if (files.heads != FileInput().heads)
    requireHeads(input, files.heads);
  return input;
}

} // namespace attention
