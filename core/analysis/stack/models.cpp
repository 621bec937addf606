#include "core/analysis/stack/models.h"

#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

char letterOf(const ModelRow& row, Index layer) {
  if (layer >= row.layers - row.extras.lastFull)
    return 'F';
  return row.period[static_cast<std::size_t>(layer) % row.period.size()];
}

const char* kindOf(char letter) {
  switch (letter) {
  case 'S':
    return "sliding_attention";
  case 'F':
    return "full_attention";
  case 'C':
    return "chunked_attention";
  case 'R':
    return "recurrent";
  default:
    return "linear_attention";
  }
}

nlohmann::ordered_json patternOf(const ModelRow& row, char letter) {
  switch (letter) {
  case 'S':
    return row.extras.encoder ? bothSides(row.window) : causalWindow(row.window);
  case 'F':
    return {{"mechanism", row.extras.encoder ? "full" : "causal"},
            {"params", nlohmann::ordered_json::object()}};
  case 'C':
    return causalChunks(row.window);
  case 'X':
    return row.extras.own.empty() ? nullptr : nlohmann::ordered_json::parse(row.extras.own);
  default:
    return nullptr;
  }
}

std::optional<Index> known(Index value) {
  return value > 0 ? std::optional<Index>(value) : std::nullopt;
}

StackLayer layerOf(const ModelRow& row, Index at) {
  const char letter = letterOf(row, at);
  const std::string kind = letter == 'X' ? std::string(row.extras.ownKind) : kindOf(letter);
  StackLayer layer{kind, patternOf(row, letter), KvLayer{kind}};
  KvLayer& cache = layer.cache;
  if ((letter == 'S' || letter == 'C') && !row.extras.encoder)
    cache.window = row.window;
  cache.shared = at >= row.layers - row.extras.lastShared;
  if (!keepsKeys(kind))
    return layer;
  cache.latent = known(row.extras.latent);
  if (cache.latent)
    return layer;
  const bool full = letter == 'F';
  cache.kvHeads =
      known(full && row.extras.fullKvHeads > 0 ? row.extras.fullKvHeads : row.widths.kvHeads);
  cache.headDim =
      known(full && row.extras.fullHeadDim > 0 ? row.extras.fullHeadDim : row.widths.headDim);
  return layer;
}

std::string withoutJoints(std::string_view name) {
  std::string text(name);
  std::erase(text, '-');
  return text;
}

// "Gemma_3 4B" is "gemma-3-4b".
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name)
    text += c == '_' || c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

} // namespace

Stack stackOf(const ModelRow& row) {
  Stack stack;
  stack.name = row.name;
  stack.title = row.title;
  stack.source = row.source;
  stack.note = row.extras.note;
  stack.heads = known(row.widths.heads);
  stack.context = known(row.context);
  stack.encoder = row.extras.encoder;
  for (Index at = 0; at < row.layers; ++at)
    stack.layers.push_back(layerOf(row, at));
  return stack;
}

Stack modelNamed(std::string_view name) {
  std::vector<std::string> names;
  std::vector<std::string> joined; // "gemma3" is as near to "gemma-3-1b" as "gemma-3" is
  for (const ModelRow& row : modelTable()) {
    if (row.name == plain(name))
      return stackOf(row);
    names.emplace_back(row.name);
    joined.push_back(withoutJoints(row.name));
  }
  const auto near =
      std::find(joined.begin(), joined.end(), nearest(withoutJoints(plain(name)), joined));
  const std::string hint =
      near == joined.end()
          ? std::string()
          : "; the nearest is " + names[static_cast<std::size_t>(near - joined.begin())];
  throw Error(ErrorCode::Unknown, std::string(name),
              "model " + excerpt(name) + " is unknown" +
                  (hint.empty() ? "; attnx stack --list names them" : hint));
}

} // namespace attention
