#include "app/cli/input_flags.h"

#include "app/cli/report.h"
#include "app/cli/score_flags.h"

#include "core/input/array_file.h"
#include "core/input/input_files.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/input/model_metadata.h"
#include "core/model/given_text.h"
#include "core/model/model_input.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/attention/scene_attention.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace attention::cli {
namespace {

// "gaussian, unit, …"
std::string generatorNames() {
  std::string names;
  for (const GeneratorInfo& info : generators())
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

// The flags that do not come from the table of generators.
std::vector<Flag> allFixedFlags() {
  std::vector<Flag> flags{
      {"random", "NAME", "a random input: " + generatorNames()},
      {"n", "N", "length of a random input; the first tokens that a model reads (512)"},
      {"d", "D", "width of a random input"},
      {"heads", "H", "heads of a random input, or of the weights"},
      {"seed", "S", "seed of a random input"},
      {"sample", "NAME", "a bundled sample"}};
  for (const FileField& field : fileFields())
    flags.push_back({field.flag(), std::string(field.value), std::string(field.meaning)});
  const std::vector<Flag> others{
      {"typed", "JSON|@FILE",
       "a small example: {\"words\": […], \"q\": […], \"k\": […], \"v\": […]}"},
      {"input-model", "MODEL",
       "a model that reads a text: a .gguf file, a folder with config.json, or a model's name"},
      {"input-text", "FILE", "the text that it reads (the bundled text)"},
      {"input-string", "S", "the text itself"},
      {"input-ids", "I,I,…|@FILE", "token ids instead of a text"},
      {"input-layout", "bhnd|bnhd", "axes of files: [batch, heads, n, d] or [batch, n, heads, d]"},
      checkedBy(needsIndex, {"batch", "B", "which item of the leading axis: a batch or a layer"}),
      checkedBy(needsIndex, {"head-index", "H", "use only this model head"}),
      {"tokens", "FILE", "token labels: text, one per line, or JSON"}};
  flags.insert(flags.end(), others.begin(), others.end());
  return flags;
}

const std::vector<Flag>& fixedFlags() {
  static const std::vector<Flag> kFlags = allFixedFlags();
  return kFlags;
}

std::vector<std::string_view> fixedFlagNames() {
  std::vector<std::string_view> names;
  for (const Flag& flag : fixedFlags())
    names.push_back(flag.name);
  return names;
}

// Parameters of all generators, each once.
std::vector<std::string> generatorFlags() {
  std::vector<std::string> names;
  for (const GeneratorInfo& info : generators())
    for (const GeneratorParameter& parameter : info.parameters)
      if (std::find(names.begin(), names.end(), parameter.name) == names.end())
        names.emplace_back(parameter.name);
  return names;
}

// "clustered: standard deviation of the centres; lowrank, periodic: …".
std::string meaningOf(std::string_view generatorFlag) {
  std::vector<std::pair<std::string, std::string_view>> meanings; // of these generators
  for (const GeneratorInfo& info : generators())
    for (const GeneratorParameter& parameter : info.parameters) {
      if (parameter.name != generatorFlag)
        continue;
      if (meanings.empty() || meanings.back().second != parameter.meaning)
        meanings.emplace_back(info.name, parameter.meaning);
      else
        meanings.back().first += ", " + std::string(info.name);
    }
  std::string text;
  for (const auto& [names, meaning] : meanings)
    text += (text.empty() ? "" : "; ") + names + ": " + std::string(meaning);
  return text;
}

// For each way of giving an input: the flags that name it, and the others that it reads.
struct Source {
  std::vector<std::string_view> names; // any of them
  std::vector<std::string_view> also;
};

enum SourceKind {
  kRandom,
  kSample,
  kNamedArrays,
  kSeparateFiles,
  kEmbeddings,
  kReadyWeights,
  kTyped,
  kModel
};

// In the order of SourceKind. A random input also reads what its generator knows.
const std::array<Source, 8>& sources() {
  static const std::array<Source, 8> kSources{
      {{{"random"}, {"n", "d", "heads", "seed"}},
       {{"sample"}, {}},
       {{"input"}, {"q-name", "k-name", "v-name", "attention-name", "heads", "input-layout"}},
       {{"q", "k", "v", "qk"}, {"q-name", "k-name", "v-name", "input-layout"}},
       {{"x", "wq", "wk", "wv", "wo"}, {"heads"}},
       {{"attention"}, {"attention-name", "v", "v-name"}},
       {{"typed"}, {}},
       {{"input-model"}, {"input-text", "input-string", "input-ids", "n"}}}};
  return kSources;
}

constexpr std::array<std::string_view, 3> kReadByAll{"batch", "head-index", "tokens"};

bool isOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// --v beside --attention brings the values of those weights.
bool isGiven(const Arguments& arguments, const Source& source) {
  return std::any_of(source.names.begin(), source.names.end(), [&](std::string_view flag) {
    return arguments.has(flag) && !(flag == "v" && arguments.has("attention"));
  });
}

// The single way that is given.
SourceKind sourceKind(const Arguments& arguments) {
  std::vector<std::size_t> given;
  for (std::size_t k = 0; k < sources().size(); ++k)
    if (isGiven(arguments, sources()[k]))
      given.push_back(k);
  if (given.size() != 1)
    throw Error(ErrorCode::Type, "input",
                std::string(given.empty() ? "the input is missing" : "several inputs are given") +
                    "; give one of --random NAME, --sample NAME, --input FILE, --q --k --v, "
                    "--qk --v, --x with weights, " +
                    (arguments.takes("attention") ? "--attention FILE, " : "") +
                    "--typed JSON, --input-model MODEL");
  return static_cast<SourceKind>(given.front());
}

// Input flags that this one does not read are mistakes and must not be ignored.
void requireRead(const Arguments& arguments, const Source& source,
                 std::span<const std::string_view> commandReads) {
  const bool random = source.names.front() == "random";
  for (const Flag& flag : inputFlags()) {
    const bool generators = !isOneOf(flag.name, fixedFlagNames());
    const bool read = isOneOf(flag.name, source.names) || isOneOf(flag.name, source.also) ||
                      isOneOf(flag.name, kReadByAll) || isOneOf(flag.name, commandReads) ||
                      (random && generators); // the generator itself reports what it does not know
    if (!read && arguments.has(flag.name))
      throw Error(ErrorCode::Type, flag.name,
                  flag.name + " is given, which an input from --" +
                      std::string(source.names.front()) + " does not read");
  }
}

GeneratorValues numbersFrom(const std::string& name, const std::string& text) {
  GeneratorValues values;
  for (const std::string_view number : split(text, ','))
    values.push_back(realFromText(name, number));
  return values;
}

// Flags that the command reads for itself do not count as the generator's.
RandomInput randomFrom(const Arguments& arguments, std::span<const std::string_view> commandReads) {
  RandomInput random;
  random.generator = arguments.text("random");
  random.n = lengthFrom(arguments, "n").value_or(random.n);
  random.d = arguments.integer("d").value_or(random.d);
  random.heads = arguments.integer("heads").value_or(random.heads);
  random.seed = seedFrom(arguments);
  for (const std::string& name : generatorFlags())
    if (const std::string* text = arguments.find(name); text && !isOneOf(name, commandReads))
      random.parameters[name] = numbersFrom(name, *text);
  checkRandom(random);
  return random;
}

TypedInput typedFrom(const Arguments& arguments) {
  const std::string given = arguments.text("typed");
  return typedInputOf(given.starts_with('@') ? textOfFile(given.substr(1)) : given, "typed");
}

ModelInput modelFrom(const Arguments& arguments) {
  ModelInput of;
  of.model = arguments.text("input-model");
  of.text = arguments.text("input-text");
  of.typed = arguments.text("input-string");
  if (const std::string* ids = arguments.find("input-ids"))
    of.ids =
        ids->starts_with('@') ? readTokenIds(ids->substr(1)) : integersFromText("input-ids", *ids);
  const int texts = static_cast<int>(!of.text.empty()) + static_cast<int>(!of.typed.empty()) +
                    static_cast<int>(!of.ids.empty());
  if (texts > 1)
    throw Error(ErrorCode::Type, "input-model",
                "several texts are given; give one of --input-text FILE, --input-string S and "
                "--input-ids I,I,…");
  of.n = lengthFrom(arguments, "n").value_or(of.n);
  return of;
}

FileInput filesFrom(const Arguments& arguments) {
  FileInput files;
  for (const FileField& field : fileFields())
    if (const std::string* text = arguments.find(field.flag()))
      files.*field.member = *text;
  files.layout = arguments.text("input-layout");
  checkLayout(files.layout, "input-layout");
  if (files.layout == "bhnd")
    files.layout.clear();
  files.heads = arguments.integer("heads").value_or(files.heads);
  return files;
}

[[noreturn]] void failNameOfNoFile(const std::string& role) {
  const std::string flag = role + "-name";
  throw Error(ErrorCode::Type, flag,
              flag + " names an array of --" + role + ", which is not given");
}

// E_TYPE where a flag such as --q-name names an array of a file that is not given.
void requireNamedFiles(const Arguments& arguments, const FileInput& files) {
  const std::pair<std::string, const std::string*> roles[] = {
      {"q", &files.q}, {"k", &files.k}, {"v", &files.v}, {"attention", &files.attention}};
  for (const auto& [role, file] : roles)
    if (files.input.empty() && file->empty() && arguments.has(role + "-name"))
      failNameOfNoFile(role);
}

// --input q.npy with k.npy, and v.npy, beside it means the three, as in the window.
FileInput filesBeside(FileInput files) {
  if (endingOf(files.input) != ".npy")
    return files;
  if (const auto roles = withSiblings(files.input)) {
    files.input.clear();
    files.q = roles->q;
    files.k = roles->k;
    files.v = roles->v;
  }
  return files;
}

} // namespace

std::vector<Flag> inputFlags() {
  std::vector<Flag> flags = fixedFlags();
  for (const std::string& name : generatorFlags())
    flags.push_back({name, "X", meaningOf(name)});
  for (Flag& flag : flags)
    flag.ofInput = true;
  return flags;
}

std::vector<Flag> queryKeyFlags() {
  std::vector<Flag> flags = inputFlags();
  std::erase_if(flags, [](const Flag& flag) { return flag.name.starts_with("attention"); });
  return flags;
}

bool namesInput(const Arguments& arguments, std::span<const std::string_view> commandReads) {
  const auto flags = inputFlags();
  return std::any_of(flags.begin(), flags.end(), [&](const Flag& flag) {
    return arguments.has(flag.name) &&
           std::find(commandReads.begin(), commandReads.end(), flag.name) == commandReads.end();
  });
}

InputSpec inputSpecFrom(const Arguments& arguments,
                        std::span<const std::string_view> commandReads) {
  const SourceKind kind = sourceKind(arguments);
  requireRead(arguments, sources()[kind], commandReads);
  InputSpec spec;
  if (kind == kRandom)
    spec.source = randomFrom(arguments, commandReads);
  else if (kind == kTyped)
    spec.source = typedFrom(arguments);
  else if (kind == kModel)
    spec.source = modelFrom(arguments);
  else if (kind == kSample)
    spec.source = AssetInput{arguments.text("sample")};
  else {
    FileInput files = filesBeside(filesFrom(arguments));
    requireNamedFiles(arguments, files);
    checkFiles(files);
    spec.source = files;
  }
  spec.tokens = arguments.text("tokens");
  spec.batch = arguments.integer("batch").value_or(0);
  spec.head = arguments.integer("head-index").value_or(0);
  return spec;
}

namespace {

// E_SHAPE where x has several items and --batch does not choose one.
void requireOneItem(const Arguments& arguments, const InputSpec& spec, const Input& input) {
  if (!input.isEmbedded() || arguments.has("batch"))
    return;
  const auto* files = std::get_if<FileInput>(&spec.source);
  if (!files)
    return;
  const ArrayFile file = readArrays(files->x.empty() ? files->input : files->x);
  const Tensor x = file.getShape(file.arrays.size() == 1 ? file.arrays.front().name() : "x");
  if (x.fromEnd(2) > 1)
    throw Error(ErrorCode::Shape, "x",
                x.label() + " has shape " + shapeText(x.shape) +
                    "; it must be [n, d_model], or --batch B must choose one of its " +
                    countText(x.fromEnd(2), "item"));
}

// E_UNSUPPORTED where --base own asks for masks of the file that ready weights do not use.
void requireUsedBase(const Arguments& arguments, const Input& input) {
  if (!input.hasQkv() && input.hasAttention() && input.metadata.contains("patterns") &&
      arguments.text("base") == "own")
    throw Error(ErrorCode::Unsupported, "base",
                "base is own with ready attention weights, whose file's patterns are not used; it "
                "must be full or causal");
}

} // namespace

std::shared_ptr<const Input> loadedInput(const InputSpec& spec, const Arguments& arguments,
                                         const Run& run) {
  try {
    std::shared_ptr<const Input> input = openInput(spec, run);
    requireOneItem(arguments, spec, *input);
    requireUsedBase(arguments, *input);
    if (arguments.has("heads") && std::holds_alternative<FileInput>(spec.source))
      requireHeads(*input, *arguments.integer("heads"));
    return withScoreFlags(arguments, std::move(input));
  } catch (const Error& error) {
    const std::string& flag = error.subject();
    if (error.code() != ErrorCode::Unknown || !flag.ends_with("-name") || arguments.has(flag))
      throw;
    throw Error(error.code(), flag,
                std::string(error.what()) + "; --" + flag + " NAME chooses another");
  }
}

std::shared_ptr<const Input> inputFrom(const Arguments& arguments, const Context& context,
                                       std::span<const std::string_view> commandReads) {
  auto input = loadedInput(inputSpecFrom(arguments, commandReads), arguments, context.run);
  sayNotes(arguments, *input, context.notes);
  sayMaskAxis(arguments, *input, context.notes);
  return input;
}

void sayMaskAxis(const Arguments& arguments, const Input& input, std::ostream& err) {
  if (input.heads == 1 || input.heads != input.batches)
    return;
  for (const Pattern& pattern : arguments.patterns())
    for (const MaskSource& mask : masksOf(pattern)) {
      if (mask.file.empty() || maskReference(mask.file).plane != MaskPlane{})
        continue;
      const MaskAxes axes = maskAxes(mask.file);
      if (axes.oneAxis && axes.heads == input.heads)
        err << "attnx: note: " << mask.file << " has " << axes.heads
            << " masks, and the input as many layers as heads; there is one mask per head. An "
               "array of shape ["
            << axes.heads << ", 1, n, n] has one per layer\n";
    }
}

namespace {

void sayPlaces(const Arguments& arguments, const Input& input, std::ostream& err) {
  const auto batch = static_cast<std::size_t>(input.batch);
  if (arguments.has("batch") && batch < input.batchLabels.size())
    if (const std::string& label = input.batchLabels[batch];
        label != input.batchName + " " + std::to_string(batch))
      err << "attnx: note: --batch " << batch << " is " << label << " of the file\n";
  if (const Index number = headNumber(input, input.head);
      arguments.has("head-index") && number != input.head)
    err << "attnx: note: --head-index " << input.head << " is head " << number << " of the model\n";
}

} // namespace

void sayNotes(const Arguments& arguments, const Input& input, std::ostream& err, bool cut) {
  sayPlaces(arguments, input, err);
  for (const std::string& note : notesOf(input, cut))
    err << "attnx: note: " << note << '\n';
  if (const std::string note = layoutNote(input, "the layout bhnd (--input-layout bhnd) reads",
                                          "the layout bnhd (--input-layout bnhd) reads");
      !note.empty())
    err << "attnx: note: " << note << '\n';
  if (!input.maskProblem.empty())
    err << "attnx: note: " << input.maskProblem << '\n';
}

void sayOneHead(const Arguments& arguments, const Input& input, std::ostream& err) {
  const bool anyBatch = input.batches > 1 && !arguments.has("batch");
  const bool anyHead = input.heads > 1 && !arguments.has("head-index");
  if (!anyBatch && !anyHead)
    return;
  const bool both = anyBatch && anyHead;
  err << "attnx: note: only " << headWords(input, input.batch, input.head) << " is read, of "
      << (anyBatch ? countText(input.batches, input.batchName) : "") << (both ? " and " : "")
      << (anyHead ? countText(input.heads, "head") : "") << "; " << (anyBatch ? "--batch" : "")
      << (both ? " and " : "") << (anyHead ? "--head-index" : "") << (both ? " choose" : " chooses")
      << " another\n";
}

Tensor onlyArray(const std::string& flag, const std::string& path, const char* of) {
  const ArrayFile file = readArrays(path);
  if (file.arrays.size() != 1)
    throw Error(ErrorCode::Unsupported, flag,
                flag + " is " + file.file + ", which holds " +
                    countText(file.arrays.size(), "array") + "; it must hold one" + of);
  return file.get(file.arrays.front().name());
}

Matrix<double> onlyMatrix(const std::string& flag, const std::string& path, const char* shape) {
  Tensor tensor = onlyArray(flag, path, (std::string(", of ") + shape).c_str());
  const std::string found = shapeText(tensor.shape);
  const auto leaveOut = [&](std::size_t axis) {
    const auto at = static_cast<std::ptrdiff_t>(axis);
    tensor.shape.erase(tensor.shape.begin() + at);
    if (!tensor.strides.empty())
      tensor.strides.erase(tensor.strides.begin() + at);
  };
  for (std::size_t axis = 0; axis < tensor.shape.size() && tensor.shape.size() > 2;)
    if (tensor.shape[axis] == 1)
      leaveOut(axis);
    else
      ++axis;
  if (tensor.shape.size() != 2)
    throw Error(ErrorCode::Shape, flag,
                flag + " is " + tensor.label() + " of shape " + found + "; it must be " + shape);
  return slice<double>(tensor);
}

} // namespace attention::cli
