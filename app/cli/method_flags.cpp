#include "app/cli/method_flags.h"

#include "app/cli/feature_flags.h"
#include "core/support/error.h"
#include "core/support/names.h"

#include <algorithm>

namespace attention::cli {
namespace {

constexpr std::string_view kLinformer = "linformer";

std::vector<Index> countsFrom(const Arguments& arguments, const char* flag, Index fallback) {
  if (!arguments.has(flag))
    return {fallback};
  needsCounts(flag, arguments.text(flag));
  return integersFromText(flag, arguments.text(flag));
}

bool isLinformer(const std::string& word) {
  return sameName(word, kLinformer);
}

// The maps of --features and of the words. E_TYPE where a flag is given that none of them reads.
std::vector<FeatureMap> mapsFrom(const Arguments& arguments) {
  std::vector<FeatureMap> maps;
  for (const std::string& word : arguments.rest())
    if (!isLinformer(word))
      maps.push_back(featureMapNamed(word));
  if (arguments.has("features"))
    for (const std::string& map : namesFromText("features", arguments.text("features")))
      maps.push_back(featureMapNamed(map));
  if (maps.empty()) {
    if (!arguments.has("kernel"))
      refuse(arguments, {"causal"}, "without random features or a kernel, which it belongs to");
    const std::string because = "without random features, which it belongs to";
    refuse(arguments, kProjectionFlags, because);
    refuse(arguments, {"eps", "stabilize"}, because);
    return maps;
  }
  refuseUnread(arguments, maps);
  return maps;
}

// Nothing if it is not given.
std::optional<bool> causalFrom(const Arguments& arguments) {
  return arguments.has("causal") ? std::optional(arguments.on("causal")) : std::nullopt;
}

// --features with every --m and --projection; elu1 takes neither.
void addFeatures(const Arguments& arguments, Index d, std::vector<ScoredMethod>& methods) {
  const std::vector<FeatureMap> maps = mapsFrom(arguments);
  const std::vector<Index> counts = countsFrom(arguments, "m", defaultProjections(d));
  std::vector<ProjectionKind> kinds;
  for (const auto& kind : namesFromText("projection", arguments.text("projection", "orthogonal")))
    kinds.push_back(projectionNamed(kind));
  refuseUnreadNorms(arguments, kinds);
  FeatureOptions options;
  readStabiliser(arguments, options);
  const std::optional<bool> causal = causalFrom(arguments);
  Projection projection{ProjectionKind::Orthogonal, drawFlags().read(arguments).norms, 1, d,
                        seedFrom(arguments, "projection-seed")};
  for (const FeatureMap map : maps) {
    options.map = map;
    FeatureMethod method{options, projection, causal};
    if (!takesStabiliser(map))
      method.features.stabilize = Stabilize::Off;
    if (!takesProjections(map)) {
      methods.emplace_back(method);
      continue;
    }
    for (const ProjectionKind kind : kinds)
      for (const Index m : counts) {
        method.projection.kind = kind;
        method.projection.rows = m;
        methods.emplace_back(method);
      }
  }
}

void addKernels(const Arguments& arguments, std::vector<ScoredMethod>& methods) {
  if (arguments.has("kernel"))
    for (const std::string& name : namesFromText("kernel", arguments.text("kernel")))
      methods.emplace_back(KernelMethod{kernelNamed(name), causalFrom(arguments)});
}

// Their numbers of projected keys: --linformer and --k, or the default for the bare word.
std::vector<Index> ranksFrom(const Arguments& arguments) {
  std::vector<Index> ranks;
  const auto& words = arguments.rest();
  if (std::any_of(words.begin(), words.end(), isLinformer))
    ranks = countsFrom(arguments, "k", LinformerMethod{}.k);
  if (arguments.has("linformer"))
    for (const Index k : countsFrom(arguments, "linformer", 1))
      ranks.push_back(k);
  return ranks;
}

void addLinformers(const Arguments& arguments, std::vector<ScoredMethod>& methods) {
  const std::vector<Index> ranks = ranksFrom(arguments);
  if (ranks.empty())
    refuse(arguments, {"linformer-seed"}, "without Linformer, which it belongs to");
  for (const Index k : ranks)
    methods.emplace_back(LinformerMethod{k, seedFrom(arguments, "linformer-seed")});
}

} // namespace

std::vector<Flag> methodFlags() {
  std::vector<Flag> flags{
      {"features", "NAME,…", "also random features: elu1 (linear), positive (FAVOR+), trig, …",
       wordsOf(featureMapNames())},
      {"m", "V,V,…", "their numbers of projections; each gives one row (⌈d ln d⌉)"},
      {"projection", "NAME,…", "iid, orthogonal (orthogonal)", {"iid", "orthogonal"}},
      {"projection-seed", "S", "seed of the projections (0)"},
      {"kernel", "NAME,…", "also attention by these kernels: gaussian, softmax, elu1, relu",
       wordsOf(kernelNames())},
      calledInCore("k",
                   {"linformer", "K,K,…", "also Linformer, with these numbers of projected keys"}),
      {"linformer-seed", "S", "seed of Linformer's E and F (0)"}};
  const std::vector<Flag>& drawn = drawFlags().flags();
  flags.insert(flags.end(), drawn.begin(), drawn.end());
  return flags;
}

std::vector<std::string> methodWords() {
  std::vector<std::string> words = wordsOf(featureMapNames());
  words.emplace_back(kLinformer);
  return words;
}

std::vector<ScoredMethod> methodsFrom(const Arguments& arguments, Index d) {
  std::vector<ScoredMethod> methods;
  for (const Pattern& pattern : arguments.patterns())
    methods.emplace_back(pattern);
  addFeatures(arguments, d, methods);
  addLinformers(arguments, methods);
  addKernels(arguments, methods);
  return methods;
}

} // namespace attention::cli
