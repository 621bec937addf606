#include "core/input/input.h"

#include "core/input/file_stamp.h"
#include "core/input/input_files.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/input/text_lines.h"
#include "core/input/tokens.h"
#include "core/input/weight_rows.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <type_traits>

namespace attention {
namespace {

void requireBelow(const char* name, Index value, Index count) {
  if (value < 0 || value >= count)
    throwRange(name, std::to_string(value), count == 1 ? "0" : "0 to " + std::to_string(count - 1));
}

// Names the batches where they have numbers of their own: layers 5 and 11 are 0 and 1.
void requireBatch(const Input& input, Index value) {
  if (input.batchLabels.empty() || (value >= 0 && value < input.batches))
    return requireBelow("batch", value, input.batches);
  std::string labels;
  for (const std::string& label : input.batchLabels)
    labels += (labels.empty() ? "" : ", ") + label;
  throwRange("batch", std::to_string(value),
             "0 to " + std::to_string(input.batches - 1) + ", which are " + shortened(labels, 80));
}

[[noreturn]] void failNone(const std::string& what) {
  throw Error(ErrorCode::Unsupported, "input", "the input has no " + what);
}

const std::vector<Tensor>& listOf(const Stored& stored, Role role) {
  return role == Role::Query ? stored.q : role == Role::Key ? stored.k : stored.v;
}

const Matrix<double>& matrixOf(const Projected& projected, Role role) {
  return role == Role::Query ? projected.q : role == Role::Key ? projected.k : projected.v;
}

template <class T>
Matrix<T> valuesAs(Matrix<float> values) {
  if constexpr (std::is_same_v<T, float>)
    return values;
  else
    return {values.rows(), values.cols(), {values.values().begin(), values.values().end()}};
}

Input randomInput(const RandomInput& random) {
  checkRandom(random);
  Input input;
  input.queries = random.n;
  input.keys = random.keyCount();
  input.d = input.dv = random.d;
  input.heads = input.kvHeads = random.heads;
  input.headAxis = random.heads > 1;
  input.source = random;
  const GeneratorInfo& info = generatorInfo(random.generator);
  input.description = std::string(info.label);
  for (const GeneratorParameter& parameter : info.parameters) {
    input.description += " · " + std::string(parameter.name);
    for (const double value : parameterValues(random, parameter.name))
      input.description += " " + shortest(value);
  }
  input.description += " · seed " + std::to_string(random.seed);
  return input;
}

Input fileInput(const FileInput& files, Index batch, const Run& run) {
  Input input = inputOfFiles(files, batch, run);
  for (const std::string& path : filesOf(files)) {
    run.check();
    const std::string name = std::filesystem::path(path).filename().string();
    input.description += (input.description.empty() ? "" : ", ") + name;
    const auto bytes = MappedFile::open(path);
    input.contentHash += (input.contentHash.empty() ? "" : " ") + contentHash(bytes->bytes());
    bytes->requireUnchanged();
  }
  return input;
}

Input assetInput(const AssetInput& asset, Index batch, const AssetPath& assetPath, const Run& run) {
  if (!assetPath)
    throw Error(ErrorCode::Unknown, "input", "there is no sample " + excerpt(asset.name));
  FileInput files;
  files.input = assetPath(asset.name).string();
  Input input = fileInput(files, batch, run);
  input.description = asset.name;
  return input;
}

// What else the array may be.
std::string otherThanQkv(const Tensor& array, const Run& run) {
  if (holdsMask(array, run))
    return " It looks like a mask, which the pattern \"given\" reads.";
  return readsAsWeights(array, run)
             ? " No row sums to more than 1: if these are attention weights, give --attention."
             : "";
}

void addNotes(Input& input, const Run& run) {
  if (input.weights && !input.hasQkv())
    if (const auto row = firstOddRow(*input.weights, run))
      input.oddRow = textOf(*row, *input.weights, input.batchName);
  if (input.oneArray)
    input.notes.push_back("One array is used for all three of Q, K and V." +
                          otherThanQkv(std::get<Stored>(input.source).q.front(), run));
}

// Blank lines at the end of a file of labels may be tokens, or an editor's.
void noteBlankEnd(Input& input, const std::string& from) {
  const auto& labels = input.tokens;
  const auto filled = std::find_if(labels.rbegin(), labels.rend(),
                                   [](const std::string& label) { return !label.empty(); });
  if (const Index blank = filled - labels.rbegin(); blank > 0)
    input.notes.push_back(from + " ends with " + countText(blank, "blank label") + ", taken as " +
                          (blank == 1 ? "that of the last token." : "those of the last tokens."));
}

// Labels from a separate file take precedence over the input's own.
void takeTokens(Input& input, const InputSpec& spec) {
  std::string from = spec.tokens;
  if (!from.empty())
    input.tokens = readTokens(from);
  else
    from = input.tokensFrom;
  if (static_cast<Index>(input.tokens.size()) == input.keys + 1 && input.tokens.back().empty())
    input.tokens.pop_back(); // a blank last line
  if (static_cast<Index>(input.pieces.size()) != input.keys)
    input.pieces.clear(); // of other tokens than these
  if (!input.tokens.empty() && static_cast<Index>(input.tokens.size()) != input.keys)
    throw Error(ErrorCode::Shape, from,
                from + " has " + countText(input.tokens.size(), "label") +
                    "; it must have one for each token, " + std::to_string(input.keys));
  if (!spec.tokens.empty())
    noteBlankEnd(input, from);
}

void takeTokensWherePossible(Input& input, const InputSpec& spec) {
  try {
    takeTokens(input, spec);
  } catch (const Error& error) {
    input.tokens.clear();
    input.tokensProblem = error.what();
  }
}

Input inputOfWords(const TypedInput& typed) {
  checkTyped(typed, "input");
  Input input;
  const auto stored = [](const Matrix<double>& rows, const char* name) {
    return std::vector<Tensor>{tensorOf(rows, "typed", name)};
  };
  setStored(input, {stored(typed.q, "q"), stored(typed.k, "k"), stored(typed.v, "v")});
  for (const std::string& word : typed.words)
    input.tokens.push_back(printableLabel(word));
  input.description = "typed";
  return input;
}

void takeModifiers(Input& input, const ScoreModifiers& modifiers) {
  if (!input.hasQkv())
    throw Error(ErrorCode::Unsupported, "input.modifiers",
                "input.modifiers is given with ready attention weights; it must be left out, since "
                "these have no scores");
  checkModifiers(modifiers, input.heads, "input.modifiers");
  input.modifiers = modifiers;
}

Input sourceOf(const InputSpec& spec, const AssetPath& assetPath, const Run& run) {
  if (const auto* random = std::get_if<RandomInput>(&spec.source))
    return randomInput(*random);
  if (const auto* asset = std::get_if<AssetInput>(&spec.source))
    return assetInput(*asset, spec.batch, assetPath, run);
  if (const auto* typed = std::get_if<TypedInput>(&spec.source))
    return inputOfWords(*typed);
  if (std::holds_alternative<ModelInput>(spec.source))
    throw Error(ErrorCode::Unsupported, "input",
                "the input is a model; it must be given as numbers here");
  return fileInput(std::get<FileInput>(spec.source), spec.batch, run);
}

} // namespace

template <class T>
Matrix<T> Input::matrix(Role role, Index ofHead, std::optional<Index> ofBatch,
                        const Run& run) const {
  const Index chosen = ofBatch.value_or(batch);
  requireBelow("head-index", ofHead, heads);
  requireBelow("batch", chosen, batches);
  const Index groupHead = role == Role::Query ? ofHead : ofHead / (heads / kvHeads);
  if (const auto* random = std::get_if<RandomInput>(&source))
    return randomMatrix<T>(*random, role, ofHead, 0, run);
  if (const auto* stored = std::get_if<Stored>(&source)) {
    const std::vector<Tensor>& list = listOf(*stored, role);
    if (list.empty())
      throw Error(ErrorCode::Type, "v",
                  "v is missing; the input must have values beside its queries and keys");
    return list.size() > 1 ? slice<T>(list[static_cast<std::size_t>(chosen)], 0, groupHead, run)
                           : slice<T>(list.front(), chosen, groupHead, run);
  }
  if (const auto* projected = std::get_if<Projected>(&source))
    return columnsOf<T>(matrixOf(*projected, role), groupHead, role == Role::Value ? dv : d);
  if (const auto* computed = std::get_if<Computed>(&source))
    return valuesAs<T>(computed->matrix(role, chosen, groupHead, run));
  if (role == Role::Value && weightValues)
    return slice<T>(*weightValues, chosen, groupHead, run);
  failNone(std::string(weightValues ? "queries and keys" : "queries, keys and values") +
           ", only attention weights" + (weightValues ? " with values" : ""));
}

template <class T>
Matrix<T> Input::attention(Index ofHead, std::optional<Index> ofBatch, const Run& run) const {
  Matrix<T> plane = attentionOfAnySign<T>(ofHead, ofBatch, run);
  requireNoneNegative(*weights, plane, ofBatch.value_or(batch), ofHead);
  return plane;
}

template <class T>
Matrix<T> Input::attentionOfAnySign(Index ofHead, std::optional<Index> ofBatch,
                                    const Run& run) const {
  if (!weights)
    failNone("attention weights");
  requireBelow("head-index", ofHead, heads);
  requireBelow("batch", ofBatch.value_or(batch), batches);
  return slice<T>(*weights, ofBatch.value_or(batch), ofHead, run);
}

template Matrix<float> Input::matrix<float>(Role, Index, std::optional<Index>, const Run&) const;
template Matrix<double> Input::matrix<double>(Role, Index, std::optional<Index>, const Run&) const;
template Matrix<float> Input::attention<float>(Index, std::optional<Index>, const Run&) const;
template Matrix<double> Input::attention<double>(Index, std::optional<Index>, const Run&) const;
template Matrix<double> Input::attentionOfAnySign(Index, std::optional<Index>, const Run&) const;

std::vector<std::string> notesOf(const Input& input, bool cut) {
  std::vector<std::string> notes = input.notes;
  if (input.valuesProblem)
    notes.push_back(std::string(input.valuesProblem->what()) + "; these values are not used.");
  if (!input.oddRow.empty())
    notes.push_back(input.oddRow +
                    (cut ? "; each row is divided by the sum of the weights that the pattern keeps."
                         : "; the weights are used as they are."));
  return notes;
}

std::string layoutNote(const Input& input, std::string_view bhnd, std::string_view bnhd) {
  if (!std::holds_alternative<Stored>(input.source) || input.heads <= input.queries)
    return {};
  return countText(input.heads, "head") + " of " + countText(input.queries, "token") +
         " were read; " + std::string(input.headsAfterTokens ? bhnd : bnhd) + " " +
         countText(input.queries, "head") + " of " + countText(input.heads, "token") + ".";
}

void Input::requireSquare() const {
  if (queries == keys)
    return;
  if (const auto* stored = std::get_if<Stored>(&source))
    throwShapes(stored->k.front(), stored->q.front(), "the lengths must agree");
  throw Error(ErrorCode::Shape, "n",
              "the input has " + countText(queries, "query") + " and " + countText(keys, "key") +
                  "; without an alignment the lengths must agree");
}

bool Input::isEmbedded() const {
  return std::holds_alternative<Projected>(source);
}

const Matrix<double>* Input::outputProjection() const {
  const auto* projected = std::get_if<Projected>(&source);
  return projected != nullptr && projected->wo ? &*projected->wo : nullptr;
}

std::string Input::shapeDescription() const {
  std::string text;
  if (batches > 1)
    text += " · " + counted(batches, batchName);
  text += " · " + counted(heads, "head");
  if (kvHeads != heads)
    text += " (" + counted(kvHeads, "key/value head") + ")";
  text += " · n " + groupedDigits(queries);
  if (keys != queries)
    text += " × " + groupedDigits(keys);
  if (d > 0)
    text += " · d " + groupedDigits(d);
  return text;
}

std::shared_ptr<const Input> loadInput(const InputSpec& spec, const AssetPath& assetPath,
                                       const Run& run, Labels labels) {
  if (std::holds_alternative<NoInput>(spec.source))
    return nullptr;
  run.check();
  return completed(sourceOf(spec, assetPath, run), spec, run, labels);
}

std::shared_ptr<const Input> completed(Input input, const InputSpec& spec, const Run& run,
                                       Labels labels) {
  if (!std::holds_alternative<Projected>(input.source)) { // those have taken their item already
    requireBatch(input, spec.batch);
    input.batch = spec.batch;
  }
  requireBelow("head-index", spec.head, input.heads);
  input.head = spec.head;
  if (spec.modifiers)
    takeModifiers(input, *spec.modifiers);
  if (labels == Labels::Required)
    takeTokens(input, spec);
  else
    takeTokensWherePossible(input, spec);
  input.description += input.shapeDescription();
  addNotes(input, run);
  return std::make_shared<const Input>(std::move(input));
}

} // namespace attention
