// attnx stack: the layers of a real model, their masks, and what they keep in the KV cache.
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"

#include "core/analysis/stack/models.h"
#include "core/pattern/value.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <ostream>
#include <sstream>

namespace attention::cli {
namespace {

// Layers that are alike, wherever they are.
struct LayerGroup {
  const StackLayer* layer = nullptr;
  std::vector<IndexPair> runs; // first and last layer
  Index count = 0;
};

bool alike(const StackLayer& a, const StackLayer& b) {
  return a.kind == b.kind && a.pattern == b.pattern && toJson(a.cache) == toJson(b.cache);
}

std::vector<LayerGroup> groupsOf(const Stack& stack) {
  std::vector<LayerGroup> groups;
  for (Index at = 0; at < std::ssize(stack.layers); ++at) {
    const StackLayer& layer = stack.layers[static_cast<std::size_t>(at)];
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const LayerGroup& g) { return alike(*g.layer, layer); });
    if (group == groups.end())
      group = groups.insert(group, LayerGroup{&layer, {}, 0});
    ++group->count;
    if (!group->runs.empty() && group->runs.back().second == at - 1)
      group->runs.back().second = at;
    else
      group->runs.emplace_back(at, at);
  }
  return groups;
}

std::string runText(const IndexPair& run) {
  const std::string first = std::to_string(run.first);
  return run.first == run.second ? first : first + "–" + std::to_string(run.second);
}

// "0–4, 6–10, 12–16, … 30–33".
std::string runsText(const std::vector<IndexPair>& runs) {
  constexpr std::size_t kMost = 5;
  std::string text;
  const std::size_t shown = runs.size() <= kMost ? runs.size() : kMost - 2;
  for (std::size_t k = 0; k < shown; ++k)
    text += (k == 0 ? "" : ", ") + runText(runs[k]);
  return shown == runs.size() ? text : text + ", … " + runText(runs.back());
}

std::string kindText(const StackLayer& layer) {
  std::string text = layer.kind;
  std::replace(text.begin(), text.end(), '_', ' ');
  return layer.cache.shared ? text + ", shared keys" : text;
}

std::string maskText(const StackLayer& layer) {
  if (!layer.pattern.is_null())
    return mechanismText(layer.pattern);
  return keepsKeys(layer.kind) ? "not published as a mask" : "none";
}

bool hasWidths(const StackLayer& layer) {
  return layer.cache.latent || (layer.cache.kvHeads && layer.cache.headDim);
}

// Bytes of the whole group.
std::string groupBytes(const LayerGroup& group, const KvQuestion& question) {
  const KvLayer& cache = group.layer->cache;
  if (keptTokens(cache, question) == 0)
    return "–";
  if (!hasWidths(*group.layer))
    return "not known";
  const std::vector<KvLayer> layers(static_cast<std::size_t>(group.count), cache);
  return bytesText(kvBytes(layers, question));
}

std::string widthsText(const Stack& stack) {
  std::string text = countText(stack.layers.size(), "layer");
  if (stack.heads)
    text += ", " + countText(*stack.heads, "query head");
  const auto widths = std::find_if(stack.layers.begin(), stack.layers.end(), hasWidths);
  if (widths != stack.layers.end()) {
    const KvLayer& cache = widths->cache;
    text += cache.latent ? ", latent attention of width " + std::to_string(*cache.latent)
                         : ", " + countText(*cache.kvHeads, "head") +
                               " of keys and values, width " + std::to_string(*cache.headDim);
  }
  return text + (stack.context ? ", context " + std::to_string(*stack.context) : "");
}

// What one more token costs while every layer still keeps all of them.
std::optional<Index> bytesOfToken(const Stack& stack, Index bytes) {
  return kvBytes(stack, {1, bytes, KvPolicy::Full});
}

std::string cacheText(const Stack& stack, const KvQuestion& question) {
  if (stack.encoder)
    return "an encoder keeps no KV cache\n";
  const std::optional<Index> total = kvBytes(stack, question);
  if (!total)
    return "KV cache: not known, since the widths of keys and values are missing\n";
  const auto exact = [](Index bytes) {
    return bytes < 1024 ? bytesText(bytes)
                        : bytesText(bytes) + " (" + std::to_string(bytes) + " bytes)";
  };
  std::ostringstream text;
  print(text, Lines{{"KV cache per token", exact(*bytesOfToken(stack, question.bytes))},
                    {"KV cache at n = " + std::to_string(question.n), exact(*total)}});
  return std::move(text).str();
}

// "SSSSSF", "LLLF, last F".
std::string patternWord(const ModelRow& row) {
  std::string word(row.period);
  if (row.extras.lastFull > 0)
    word += ", last " +
            (row.extras.lastFull == 1 ? std::string() : std::to_string(row.extras.lastFull) + " ") +
            "F";
  return word;
}

Json textOrNull(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

// The layers in the form of the reference cases; the cache with the widths of every layer, and
// without bytes where they are not known.
Json stackJson(const Stack& stack, const KvQuestion& question) {
  Json types = Json::array();
  Json layers = Json::array();
  Json caches = Json::array();
  for (const StackLayer& layer : stack.layers) {
    types.push_back(layer.kind);
    layers.push_back(Json{{"kind", layer.kind}, {"pattern", layer.pattern}});
    caches.push_back(toJson(layer.cache));
  }
  return {{"name", textOrNull(stack.name)},
          {"title", stack.title},
          {"source", stack.source},
          {"note", textOrNull(stack.note)},
          {"context", orNull(stack.context)},
          {"layer_types", std::move(types)},
          {"layers", std::move(layers)},
          {"kv_cache",
           {{"n", question.n},
            {"policy", name(question.policy)},
            {"bytes", orNull(kvBytes(stack, question))},
            {"bytes_per_token", orNull(bytesOfToken(stack, question.bytes))},
            {"bytes_per_number", question.bytes},
            {"layers", std::move(caches)}}}};
}

// One line for each kind of layer, with the runs that it has.
void printStack(std::ostream& out, const Stack& stack, const KvQuestion& question) {
  std::vector<Cells> lines{{"layers", "count", "attention", "mask", "keys kept", "KV cache"}};
  for (const LayerGroup& group : groupsOf(stack)) {
    const Index kept = stack.encoder ? 0 : keptTokens(group.layer->cache, question);
    lines.push_back({runsText(group.runs), std::to_string(group.count), kindText(*group.layer),
                     maskText(*group.layer), kept == 0 ? "–" : std::to_string(kept),
                     stack.encoder ? "–" : groupBytes(group, question)});
  }
  const std::string cache = cacheText(stack, question); // nothing is printed before it may fail
  out << stack.title << ": " << widthsText(stack) << "\nfrom " << stack.source;
  if (!stack.note.empty())
    out << "; " << stack.note;
  out << "\n\n";
  printAligned(out, lines);
  out << '\n' << cache;
}

// All models of the table.
Json modelsJson() {
  Json models = Json::array();
  for (const ModelRow& row : modelTable())
    models.push_back({{"name", row.name},
                      {"title", row.title},
                      {"layers", row.layers},
                      {"context", row.context > 0 ? Json(row.context) : Json(nullptr)},
                      {"source", row.source},
                      {"note", textOrNull(row.extras.note)}});
  return {{"models", std::move(models)}};
}

void printModels(std::ostream& out) {
  std::vector<Cells> lines{{"name", "layers", "pattern", "window", "context"}};
  for (const ModelRow& row : modelTable())
    lines.push_back({std::string(row.name), std::to_string(row.layers), patternWord(row),
                     row.window > 0 ? std::to_string(row.window) : "–",
                     row.context > 0 ? std::to_string(row.context) : "–"});
  printAligned(out, lines);
  out << "S sliding, F full, L linear, C chunked, R recurrent, X the model's own\n";
}

constexpr Index kUsualLength = 8192; // of a model whose context is not known

KvQuestion questionFrom(const Arguments& arguments, const Stack& stack) {
  KvQuestion question;
  question.n = lengthFrom(arguments, "n").value_or(stack.context.value_or(kUsualLength));
  question.bytes = arguments.integer("kv-bytes").value_or(2);
  question.policy = kvPolicyNamed(arguments.text("kv-policy", "windowed"));
  return question;
}

int listModels(const Arguments& arguments, const Context& context) {
  if (!arguments.rest().empty())
    throw Error(ErrorCode::Type, "list", "a model is given with --list; leave one of them out");
  if (arguments.on("json"))
    print(context.out, modelsJson());
  else
    printModels(context.out);
  return 0;
}

int runStack(const Arguments& arguments, const Context& context) {
  if (arguments.on("list"))
    return listModels(arguments, context);
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "NAME",
                "stack takes one model: a name of attnx stack --list, or a config.json");
  const std::string& word = arguments.rest().front();
  const Stack stack = stackNamed(word);
  const KvQuestion question = questionFrom(arguments, stack);
  if (arguments.on("json"))
    print(context.out, stackJson(stack, question));
  else
    printStack(context.out, stack, question);
  return 0;
}

} // namespace

Command stackCommand() {
  Grammar grammar;
  grammar.rest = "NAME|FILE";
  for (const ModelRow& row : modelTable())
    grammar.others.emplace_back(row.name);
  grammar.flags = {
      checkedBy(needsLength, {"n", "N", "tokens that the KV cache holds (the model's context)"}),
      {"kv-policy", "windowed|full|step",
       "tokens that a layer with a window keeps: at most W, all, or W - 1"},
      checkedBy(needsCount, {"kv-bytes", "B", "bytes of a number in the cache (2)"}),
      {"list", "", "the models that are known, instead"},
      {"json", "", "one JSON object instead of lines"}};
  return {"stack", "NAME|FILE [--n N], or --list",
          "the layers of a model or of its config.json: their masks and the KV cache", grammar,
          runStack};
}

} // namespace attention::cli
