#include "app/gui/files/opening.h"

#include "app/gui/parameters/parameter_controls.h"
#include "core/export/embedded_scene.h"
#include "core/input/array_file.h"
#include "core/input/file_kind.h"
#include "core/input/input.h"
#include "core/input/input_files.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/input/tokens.h"
#include "core/input/weight_rows.h"
#include "core/model/model.h"
#include "core/model/model_input.h"
#include "core/scene/own_mask.h"
#include "core/scene/pattern_files.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/reach/scene_models.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLabels = 16384; // of a Scene without an input

bool isModelFolder(const fs::path& path) {
  std::error_code code;
  return fs::is_directory(path, code) && fs::exists(path / "config.json", code);
}

void requireFile(const fs::path& file) {
  std::error_code code;
  if (!fs::exists(file, code))
    throw Error(ErrorCode::Io, file.string(), file.string() + " does not exist");
  if (fs::is_directory(file, code) && !isModelFolder(file))
    throw Error(ErrorCode::Io, file.string(),
                file.string() +
                    " is a folder without config.json; it must be a file or a model's folder");
}

// A real model is opened in the Model view.
Opened openModelAt(const fs::path& path) {
  openModel(path); // says what is wrong with it
  Opened opened;
  opened.edit = [name = absolutePath(path)](Scene& scene) {
    scene.view = View::Model;
    scene.model.model = name;
    InputSpec next;
    next.source = modelInput(scene.model);
    takeInput(scene, next);
    scene.length = LengthSpec(); // the text's
  };
  return opened;
}

// The spec is read once, so that errors appear before the document changes.
Opened openInput(const FileInput& files, const Run& run) {
  InputSpec spec;
  spec.source = files;
  Opened opened;
  opened.read = readInput(spec, run);
  opened.edit = [spec, input = opened.read.input](Scene& scene) {
    InputSpec next = spec;
    // From file to file layer and head stay; those of a sample mean nothing here.
    if (std::holds_alternative<FileInput>(scene.input.source)) {
      next.head = std::min(scene.input.head, input->heads - 1);
      next.batch = std::min(scene.input.batch, input->batches - 1);
    }
    takeInput(scene, next);
    scene.length = LengthSpec(); // the new input's
    if (const auto own = beginningPattern(*input, next)) {
      scene.pattern = *own;
      scene.mask.panels.clear(); // panels of a figure, which would hide it
    }
  };
  return opened;
}

Opened openedBy(std::function<void(Scene&)> edit, std::optional<InputSpec> suits = {}) {
  Opened opened;
  opened.edit = std::move(edit);
  opened.suits = std::move(suits);
  return opened;
}

// Without an input the words name the Scene's tokens, which are cut to their number.
std::function<void(Scene&)> labelsEdit(const fs::path& file) {
  std::vector<std::string> labels = readTokens(file);
  if (labels.size() > 1 && labels.back().empty())
    labels.pop_back();             // a blank last line
  if (labels.size() > kMostLabels) // a saved Scene holds them
    throwRange(file.string(), countText(labels.size(), "label") + " without an input",
               "at most " + std::to_string(kMostLabels));
  return [labels = SharedList(std::move(labels))](Scene& scene) {
    const auto n = static_cast<Index>(labels.size());
    if (scene.length.n.value_or(kDefaultLength) > n)
      scene.length.n = n;
    scene.labels = labels;
  };
}

// The present input, where it can be read.
std::shared_ptr<const Input> inputBeside(const InputSpec& present) {
  try {
    return attention::openInput(present, {}, Labels::Wanted);
  } catch (const Error&) {
    return nullptr; // which the window says elsewhere
  }
}

// Labels are tried on the current input, so that wrong ones leave it unchanged.
Opened openTokens(const fs::path& file, const InputSpec& present, const Run& run) {
  if (std::holds_alternative<NoInput>(present.source))
    return openedBy(labelsEdit(file), present);
  InputSpec named = present;
  named.tokens = absolutePath(file);
  attention::openInput(named, run);
  return openedBy([path = named.tokens](Scene& scene) { scene.input.tokens = path; }, present);
}

// The first line, and its part that is not blank.
std::string firstLineOf(const fs::path& file) {
  const auto mapped = MappedFile::open(file);
  const std::span<const std::byte> bytes = mapped->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

Opened asOpened(ReadScene read) {
  Opened opened;
  opened.scene = std::move(read.scene);
  opened.warnings = std::move(read.warnings);
  return opened;
}

Opened openPicture(const fs::path& file) {
  return asOpened(sceneOfPicture(file));
}

// A transformers configuration, by what only that holds, or by its name.
bool isConfig(const fs::path& file, const nlohmann::json& json) {
  if (!json.is_object() || json.contains("type"))
    return false;
  return file.filename() == "config.json" || json.contains("model_type") ||
         json.contains("num_hidden_layers");
}

// The layers of a model become the stack.
Opened openConfig(const fs::path& file, const std::string& text) {
  const StackedModel model = modelOfConfig(text, file.string());
  Scene tried;
  stackModel(tried, model); // says what is wrong with it
  return openedBy([model](Scene& scene) { stackModel(scene, model); });
}

Opened openJson(const fs::path& file, const InputSpec& present, const Run& run) {
  if (firstLineOf(file).substr(0, 1) == "[")
    return openTokens(file, present, run);
  const std::string text = textOfFile(file);
  if (isConfig(file, parseJson(text, file.string())))
    return openConfig(file, text);
  Opened opened = asOpened(readScene(file));
  opened.sceneFile = file;
  return opened;
}

Opened asOpened(OpenedMask mask) {
  Opened opened = openedBy(std::move(mask.edit));
  opened.said = std::move(mask.said);
  return opened;
}

// One array without a name that is no mask: attention weights, or Q = K = V, which a note on the
// input says.
Opened openArray(const Tensor& array, const fs::path& file, const Run& run) {
  FileInput files;
  const bool weights = readsAsWeights(array, run);
  if (weights)
    files.attention = absolutePath(file);
  else
    files.qk = files.v = absolutePath(file);
  Opened opened = openInput(files, run);
  if (weights)
    opened.said = file.filename().string() +
                  " was read as attention weights: it is square, nothing in it is "
                  "negative, and no row sums to more than 1.";
  return opened;
}

// A file of arrays, in whichever format.
Opened openArrays(const fs::path& file, const InputSpec& present, const Run& run) {
  if (isMaskText(file, run))
    return asOpened(openMask(file, "", present));
  const ArrayFile arrays = readArrays(file, run);
  if (isMask(arrays, run))
    return asOpened(openMask(file, "", present));
  const auto siblings = withSiblings(file);
  if (siblings && arrays.arrays.size() == 1)
    return openInput(*siblings, run);
  if (arrays.arrays.size() == 1 && arrays.arrays.front().name().empty())
    return openArray(arrays.get(""), file, run);
  FileInput files;
  files.input = absolutePath(file);
  return openInput(files, run);
}

Opened openOne(const fs::path& file, const InputSpec& present, const Run& run) {
  const std::string ending = endingOf(file);
  if (ending == ".gguf" || isModelFolder(file))
    return openModelAt(file);
  if (ending == ".json")
    return openJson(file, present, run);
  if (mayCarryScene(file))
    return openPicture(file);
  if (ending == ".txt")
    return openTokens(file, present, run);
  for (const char* arrays : {".npy", ".npz", ".safetensors", ".csv", ".mtx"})
    if (ending == arrays)
      return openArrays(file, present, run);
  requireData(MappedFile::open(file)->bytes(), file.string()); // .pt and the like
  throw Error(ErrorCode::Unsupported, file.string(),
              file.filename().string() + " has the ending \"" + ending +
                  "\"; it must be one of .json .png .svg .pdf .html .npy .npz .safetensors .csv "
                  ".mtx .txt .gguf");
}

} // namespace

std::vector<std::string> openEndings() {
  return {".json", ".npz", ".safetensors", ".npy", ".csv",  ".mtx",
          ".txt",  ".png", ".svg",         ".pdf", ".html", ".gguf"};
}

Opened openFiles(std::span<const fs::path> files, const InputSpec& present, const Run& run) {
  for (const fs::path& file : files)
    requireFile(file);
  Opened opened;
  if (const auto roles = asRoles(files); files.size() > 1 && roles)
    opened = openInput(*roles, run);
  else if (files.size() == 1)
    opened = openOne(files.front(), present, run);
  else
    throw Error(ErrorCode::Unsupported, "files",
                countText(files.size(), "file") +
                    " are opened at once; they must be one file, or q.npy, k.npy and v.npy");
  opened.label = "open " + files.front().filename().string();
  return opened;
}

namespace {

// A list of pairs is as square as it needs to be.
LengthSpec lengthsOf(const MaskFile& mask) {
  LengthSpec lengths;
  lengths.n = mask.sized ? mask.cols : std::max(mask.rows, mask.cols);
  if (mask.sized && mask.rows != mask.cols)
    lengths.queries = mask.rows;
  return lengths;
}

// Whether the mask is of that many tokens.
bool suits(const MaskFile& mask, Index keys) {
  return lengthsOf(mask).n == keys;
}

} // namespace

OpenedMask openMask(const fs::path& file, const std::string& operandPath,
                    const InputSpec& present) {
  const MaskFile mask = readMask(file); // says what is wrong with it
  const bool isSample = std::holds_alternative<AssetInput>(present.source);
  const bool several = mask.axes.masks() > 1;
  auto input = isSample || several ? inputBeside(present) : nullptr;
  OpenedMask opened;
  const LengthSpec lengths = lengthsOf(mask);
  const bool alone = operandPath.empty();
  const bool closes = isSample && input && !suits(mask, input->keys);
  const auto say = [&opened](const std::string& sentence) {
    opened.said += (opened.said.empty() ? "" : " ") + sentence;
  };
  if (closes)
    say("The sample was closed: it has " + groupedDigits(input->keys) +
        " tokens, and the mask is of " + groupedDigits(*lengths.n) + ".");
  if (closes)
    input = nullptr;
  if (!mask.sized && (closes || (alone && std::holds_alternative<NoInput>(present.source))))
    say(file.filename().string() + " lists pairs, which do not say how many tokens there are: n "
                                   "comes from their largest index.");
  if (const std::string doubt = mask.sized ? "" : doubtOfPairs(file, mask.runs); !doubt.empty())
    say("In " + file.filename().string() + ' ' + doubt + '.');
  if (const std::string doubt = doubtOfName(file); !doubt.empty())
    say("In " + file.filename().string() + ' ' + doubt + '.');
  MaskReference reference{absolutePath(file), {}};
  if (several)
    reference.plane = planeAtOpening(mask.axes, present, input.get());
  MaskSource source;
  source.file = textOf(reference);
  opened.edit = [=, plane = reference.plane, sized = mask.sized](Scene& scene) {
    Pattern edited = editedPattern(scene);
    Pattern* at = operandAt(edited, operandPath);
    Pattern given = patternNamed("given");
    set(given, "mask", Value{source});
    (at ? *at : edited) = given;
    replaceEditedPattern(scene, edited);
    scene.mask.check.shown = scene.mask.check.shown || operandPath.empty();
    const bool tooShort = scene.length.n.value_or(0) < *lengths.n; // beside other operands
    const bool free = std::holds_alternative<NoInput>(scene.input.source);
    if (sized || closes || (free && (alone || tooShort)))
      scene.length = lengths;
    if (closes) {
      InputSpec none;
      none.batch = plane.batch.value_or(0);
      none.head = plane.head.value_or(0);
      takeInput(scene, none);
    }
  };
  return opened;
}

} // namespace attention::gui
