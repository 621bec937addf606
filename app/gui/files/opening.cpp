#include "app/gui/files/opening.h"

#include "app/gui/parameters/parameter_controls.h"
#include "core/figure/embedded_scene.h"
#include "core/input/array_file.h"
#include "core/input/assets.h"
#include "core/input/input.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/input/tokens.h"
#include "core/pattern/pattern_json.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLabels = 16384; // of a Scene without an input

std::string absolutePath(const fs::path& file) {
  std::error_code code;
  const fs::path path = fs::absolute(file, code);
  return code ? file.string() : path.lexically_normal().string();
}

void requireFile(const fs::path& file) {
  std::error_code code;
  if (!fs::exists(file, code))
    throw Error(ErrorCode::Io, file.string(), file.string() + " does not exist");
  if (fs::is_directory(file, code))
    throw Error(ErrorCode::Io, file.string(), file.string() + " is a folder; allowed is a file");
}

// The spec is read once, so that what is wrong is said before the document changes.
std::function<void(Scene&)> inputEdit(const FileInput& files, const Run& run) {
  InputSpec spec;
  spec.source = files;
  const auto input = loadInput(spec, {}, run);
  return [spec, heads = input->heads, batches = input->batches](Scene& scene) {
    InputSpec next = spec;
    next.head = std::min(scene.input.head, heads - 1);
    next.batch = std::min(scene.input.batch, batches - 1);
    scene.input = next;
    scene.length = LengthSpec(); // the new input's
  };
}

// Without an input the words name the Scene's tokens, which become as many where they were more.
std::function<void(Scene&)> labelsEdit(const fs::path& file) {
  std::vector<std::string> labels = readTokens(file);
  if (labels.size() > 1 && labels.back().empty())
    labels.pop_back();             // a blank last line
  if (labels.size() > kMostLabels) // a saved Scene holds them
    throwRange(file.string(), std::to_string(labels.size()) + " labels without an input",
               "at most " + std::to_string(kMostLabels));
  return [labels = SharedList(std::move(labels))](Scene& scene) {
    const auto n = static_cast<Index>(labels.size());
    if (scene.length.n.value_or(kDefaultLength) > n)
      scene.length.n = n;
    scene.labels = labels;
  };
}

// Labels are tried on the present input, so that wrong ones leave it as it is.
Opened openTokens(const fs::path& file, const InputSpec& present, const Run& run) {
  if (std::holds_alternative<NoInput>(present.source))
    return {"", {}, {}, labelsEdit(file), present, {}};
  InputSpec named = present;
  named.tokens = absolutePath(file);
  loadInput(named, samplePath, run);
  const auto edit = [path = named.tokens](Scene& scene) { scene.input.tokens = path; };
  return {"", {}, {}, edit, present, {}};
}

// The first line, and what of it is not blank.
std::string firstLineOf(const fs::path& file) {
  const auto mapped = MappedFile::open(file);
  const std::span<const std::byte> bytes = mapped->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

// Two columns are a list of pairs; an input has named arrays.
bool isPairList(const fs::path& file) {
  const std::string line = firstLineOf(file);
  return std::count(line.begin(), line.end(), ',') == 1 &&
         line.find_first_not_of("0123456789ij, \r\t") == std::string::npos;
}

Opened openPicture(const fs::path& file) {
  return {"", sceneOfPicture(file), {}, {}, {}, {}};
}

Opened openJson(const fs::path& file, const InputSpec& present, const Run& run) {
  if (firstLineOf(file).substr(0, 1) == "[")
    return openTokens(file, present, run);
  ReadScene read = readScene(file);
  return {"", std::move(read.scene), file, {}, {}, std::move(read.warnings)};
}

// One array: a mask of cells, attention weights where it is square, or Q = K = V.
std::function<void(Scene&)> openNpy(const fs::path& file, const Run& run) {
  const ArrayFile arrays = readArrays(file);
  const Tensor& tensor = arrays.get("");
  if (tensor.dtype == DType::Bool || tensor.dtype == DType::UInt8)
    return openMask(file, "");
  const std::string path = absolutePath(file);
  FileInput files;
  const auto& shape = tensor.shape;
  if (shape.size() >= 2 && shape[shape.size() - 1] == shape[shape.size() - 2])
    files.attention = path;
  else
    files.qk = files.v = path;
  return inputEdit(files, run);
}

Opened openOne(const fs::path& file, const InputSpec& present, const Run& run) {
  const std::string ending = endingOf(file);
  if (ending == ".json")
    return openJson(file, present, run);
  if (mayCarryScene(file))
    return openPicture(file);
  if (ending == ".txt")
    return openTokens(file, present, run);
  if (ending == ".mtx" || (ending == ".csv" && isPairList(file)))
    return {"", {}, {}, openMask(file, ""), {}, {}};
  if (ending == ".npy")
    return {"", {}, {}, openNpy(file, run), {}, {}};
  if (ending == ".npz" || ending == ".safetensors" || ending == ".csv") {
    FileInput files;
    files.input = absolutePath(file);
    return {"", {}, {}, inputEdit(files, run), {}, {}};
  }
  throw Error(ErrorCode::Unsupported, file.string(),
              file.filename().string() + " has the ending \"" + ending +
                  "\"; allowed are .json .png .svg .pdf .npy .npz .safetensors .csv .mtx .txt");
}

// q.npy, k.npy and v.npy: the last letter of the name before the ending says the role.
std::optional<FileInput> asRoles(std::span<const fs::path> files) {
  FileInput roles;
  for (const fs::path& file : files) {
    const std::string stem = file.stem().string();
    if (endingOf(file) != ".npy" || stem.empty())
      return {};
    switch (std::tolower(static_cast<unsigned char>(stem.back()))) {
    case 'q':
      roles.q = absolutePath(file);
      break;
    case 'k':
      roles.k = absolutePath(file);
      break;
    case 'v':
      roles.v = absolutePath(file);
      break;
    default:
      return {};
    }
  }
  return roles.q.empty() || roles.k.empty() || roles.v.empty() ? std::nullopt
                                                               : std::optional(roles);
}

} // namespace

std::vector<std::string> openEndings() {
  return {".json", ".npz", ".safetensors", ".npy", ".csv", ".mtx", ".txt", ".png", ".svg", ".pdf"};
}

Opened openFiles(std::span<const fs::path> files, const InputSpec& present, const Run& run) {
  for (const fs::path& file : files)
    requireFile(file);
  Opened opened;
  if (const auto roles = asRoles(files); files.size() == 3 && roles)
    opened.edit = inputEdit(*roles, run);
  else if (files.size() == 1)
    opened = openOne(files.front(), present, run);
  else
    throw Error(ErrorCode::Unsupported, "files",
                std::to_string(files.size()) +
                    " files were dropped at once; allowed is one, or q.npy, k.npy and v.npy");
  opened.label = "open " + files.front().filename().string();
  return opened;
}

std::function<void(Scene&)> openMask(const fs::path& file, const std::string& operandPath) {
  const MaskFile mask = readMask(file); // says what is wrong with it
  MaskSource source;
  source.file = absolutePath(file);
  LengthSpec lengths;
  lengths.n = mask.cols;
  if (mask.rows != mask.cols)
    lengths.queries = mask.rows;
  return [source, operandPath, lengths, sized = mask.sized](Scene& scene) {
    Pattern* at = operandAt(scene.pattern, operandPath);
    Pattern given = patternNamed("given");
    set(given, "mask", Value{source});
    (at ? *at : scene.pattern) = given;
    scene.mask.panels.clear();
    if (sized)
      scene.length = lengths;
  };
}

} // namespace attention::gui
