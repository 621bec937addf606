#include "core/views/reach/scene_reach.h"

#include "core/analysis/metrics.h"
#include "core/analysis/reach/reach_forms.h"
#include "core/analysis/reach/token_reach.h"
#include "core/pattern/mechanism/all.h"
#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/views/reach/scene_models.h"

#include <algorithm>

namespace attention {
namespace {

// Layers beside those of the Scene: of one pattern, or of a model.
struct FollowedLayers {
  std::string title;          // empty: that of its pattern
  std::vector<Pattern> stack; // in turn, lowest first; never empty
  Index layers = 1;
  std::size_t hue = 0;
  bool isModel = false;
};

// Nothing where it cannot be read, which is told with the models.
std::optional<Stack> readableStack(const StackedModel& model) {
  try {
    return stackOfModel(model);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// A model that is the Scene's stack gives it its name; the others are followed beside it.
std::vector<FollowedLayers> followedBeside(ReachQuestion& question, ReachAnswer& answer) {
  std::vector<FollowedLayers> followed;
  for (const Panel& panel : question.beside)
    followed.push_back({panel.title, {panel.pattern}, question.layers, followed.size() + 1});
  ModelHues hues(question.beside.size());
  for (const StackedModel& model : question.models) {
    const std::optional<Stack> stack = readableStack(model);
    if (!stack)
      continue;
    FollowedLayers layers{stack->title, {}, std::ssize(stack->layers), 0, true};
    if (allMasked(*stack))
      for (const Panel& layer : panelsOfStack(*stack))
        layers.stack.push_back(layer.pattern);
    const bool stacked = isStacked(question.layers, question.stack, *stack);
    layers.hue = hues.take(stacked);
    if (stacked)
      question.title = stack->title;
    else if (layers.stack.empty())
      answer.leftOut.push_back(stack->title + " has no curve: some of its layers have no mask.");
    else if (std::any_of(layers.stack.begin(), layers.stack.end(), needsData))
      answer.leftOut.push_back(stack->title + " has no curve: its masks depend on the data.");
    else
      followed.push_back(std::move(layers));
  }
  return followed;
}

// The names of the curves: the stack's, then those beside it.
std::vector<std::string> labelsOf(const ReachQuestion& question,
                                  const std::vector<FollowedLayers>& beside) {
  const auto& stack = question.stack;
  std::vector<Panel> panels{{question.title, stack.front()}};
  for (const FollowedLayers& other : beside)
    panels.push_back({other.title, other.stack.front()});
  const bool same =
      std::all_of(stack.begin(), stack.end(), [&](const Pattern& p) { return p == stack.front(); });
  if (!same && question.title.empty())
    panels.front().title = "the layers in turn";
  return titlesOf(panels);
}

// The pattern of each layer.
std::vector<Pattern> inTurn(const std::vector<Pattern>& stack, Index layers) {
  std::vector<Pattern> all;
  for (Index t = 0; t < layers; ++t)
    all.push_back(stack[static_cast<std::size_t>(t) % stack.size()]);
  return all;
}

// With the masks and matrices from the files that patterns name.
ReachQuestion withFiles(ReachQuestion question, const Run& run) {
  for (Pattern& pattern : question.stack)
    pattern = resolveFiles(std::move(pattern), {}, run);
  for (Panel& panel : question.beside)
    panel.pattern = resolveFiles(std::move(panel.pattern), {}, run);
  return question;
}

// A curve of growth, and the pairs at its end where the layers were followed bit by bit. In layers
// with closed forms every token sees itself, so that their reach only grows.
struct Grown {
  ReachGrowth growth;
  std::optional<BitMatrix> reach;
};

class Follower {
public:
  // `question` has its files read.
  Follower(const ReachQuestion& question, const PatternData& data, int threads)
      : question_(question), data_(data), threads_(threads) {}

  LayerStack prepared(const std::vector<Pattern>& patterns, const Run& run) const {
    LayerStack stack{{}, question_.residual};
    for (const Pattern& pattern : patterns)
      stack.patterns.push_back(prepare(pattern, question_.lengths, data_, run));
    checkStack(stack);
    return stack;
  }

  Grown growthOf(const std::string& label, const FollowedLayers& of, const LayerStack& stack,
                 const Run& run) const {
    ReachGrowth growth{label, of.hue, stack.n(), true, {}};
    for (const auto& pattern : stack.patterns)
      growth.causal = growth.causal && meaningfulBase(pattern, run) == Base::Causal;
    const std::vector<Pattern> layers = inTurn(of.stack, of.layers);
    if (auto forms = layersByForms(layers, stack.n(), data_, question_.residual, threads_, run)) {
      growth.layers = std::move(*forms);
      return {std::move(growth), {}};
    }
    ReceptiveField field = receptiveField(stack, of.layers, threads_, run);
    growth.layers = std::move(field.layers);
    return {std::move(growth), std::move(field.reach)};
  }

private:
  const ReachQuestion& question_;
  const PatternData& data_;
  int threads_;
};

std::vector<ReachVariant> variantsOf(const ReachQuestion& question, const ReachAnswer& answer,
                                     int threads, const Run& run) {
  std::vector<ReachVariant> variants;
  const auto add = [&](bool residual, bool reversed, const Run& part) {
    LayerStack stack{{}, residual};
    for (Index layer = 1; layer <= answer.layers; ++layer) {
      const Index from = reversed ? answer.layers + 1 - layer : layer;
      const auto at = static_cast<std::size_t>(from - 1) % answer.stack.patterns.size();
      stack.patterns.push_back(answer.stack.patterns[at]);
    }
    variants.push_back(
        {residual, reversed, receptiveField(stack, answer.layers, threads, part).layers.back()});
  };
  add(!question.residual, false, partOf(run, 0, 0.5));
  const std::vector<Pattern> layers = inTurn(question.stack, question.layers);
  if (!std::equal(layers.begin(), layers.end(), layers.rbegin()))
    add(question.residual, true, partOf(run, 0.5, 1));
  return variants;
}

// The longest path between two tokens, where it follows without the matrix of hops. With the
// residual connection the reach only grows, until every token reaches every one that a causal, or a
// full, mask allows, or until one more layer of the same pattern adds nothing.
std::optional<Index> knownLongest(const ReachQuestion& question, const ReachGrowth& growth) {
  const bool same = question.stack.size() == 1;
  if (same)
    if (const auto form = maximumPathForm(question.stack.front(), growth.n, question.residual))
      return form;
  if (!question.residual)
    return std::nullopt;
  const LayerReach* below = nullptr;
  for (const LayerReach& layer : growth.layers) {
    const bool adds = !same || !below || layer.pairs != below->pairs;
    const LayerReach& last = adds ? layer : *below;
    if (!adds || (growth.causal ? layer.ofCausal : layer.ofFull) >= 1)
      return last.pairs == growth.n ? 0 : last.layer;
    below = &layer;
  }
  return std::nullopt;
}

} // namespace

ReachQuestion reachQuestion(const Scene& scene, const Lengths& lengths) {
  const ReachSpec& spec = scene.reach;
  check(spec);
  ReachQuestion question{{}, {}, spec.beside, spec.models, lengths, spec.layers, spec.residual};
  for (const Panel& layer : spec.stack)
    question.stack.push_back(layer.pattern);
  if (question.stack.empty())
    question.stack.push_back(scene.pattern);
  if (spec.stack.size() == 1)
    question.title = spec.stack.front().title;
  return question;
}

std::optional<Pattern> reachForm(const ReachQuestion& question) {
  return reachForm(inTurn(question.stack, question.layers), question.lengths.keys,
                   question.residual);
}

std::optional<BitMatrix> followStack(ReachAnswer& answer, const ReachQuestion& question,
                                     const PatternData& data, int threads, const Run& run) {
  answer.layers = question.layers;
  answer.form = reachForm(question);
  Grown grown = Follower(question, data, threads)
                    .growthOf(labelsOf(question, {}).front(), {"", question.stack, question.layers},
                              answer.stack, run);
  answer.longest = knownLongest(question, grown.growth);
  answer.growth.push_back(std::move(grown.growth));
  return std::move(grown.reach);
}

ReachAnswer reachAnswer(const ReachQuestion& asked, const PatternData& data, int threads,
                        const std::function<void(const ReachAnswer&)>& onPart, const Run& run) {
  ReachQuestion question = withFiles(asked, partOf(run, 0, 0.02));
  ReachAnswer answer;
  const std::vector<FollowedLayers> beside = followedBeside(question, answer);
  const Follower follower(question, data, threads);
  answer.stack = follower.prepared(question.stack, partOf(run, 0.02, 0.05));
  const Index n = answer.stack.n();
  const std::vector<std::string> labels = labelsOf(question, beside);
  const auto curves = std::ssize(beside) + 1;
  const Run growing = partOf(run, 0.05, 0.7);
  question.title = labels.front();
  const auto reach = followStack(answer, question, data, threads, stepOf(growing, 0, curves));
  const auto publish = [&] {
    if (onPart)
      onPart(answer);
  };
  publish();
  for (std::size_t k = 0; k < beside.size(); ++k) {
    const FollowedLayers& other = beside[k];
    const Run part = stepOf(growing, static_cast<Index>(k + 1), curves);
    try {
      const LayerStack stack = follower.prepared(other.stack, {part.stop, {}});
      answer.growth.push_back(follower.growthOf(labels[k + 1], other, stack, part).growth);
      publish();
    } catch (const Error& error) {
      if (!other.isModel)
        throw;
      answer.leftOut.push_back(other.title + " has no curve: " + error.what() + ".");
    }
  }
  if (n <= kMostHopTokens) {
    answer.variants = variantsOf(question, answer, threads, partOf(run, 0.7, 0.8));
    auto hops = std::make_shared<HopMatrix>(hopMatrix(answer.stack, threads, partOf(run, 0.8, 1)));
    answer.longest = longestOf(*hops, run.quiet());
    if (!question.residual && reach)
      if (auto lost = lostPairs(*hops, *reach, question.layers, run.quiet()))
        answer.lost = std::make_shared<const LostPairs>(std::move(*lost));
    answer.hops = std::move(hops);
  }
  return answer;
}

ReachAnswer reachOfScene(const Scene& scene, const Input* input, int threads, const Run& run) {
  const Lengths lengths = currentLengths(scene.length, input);
  const ReachQuestion question = reachQuestion(scene, lengths);
  PatternData data;
  if (input && readsData(question))
    data = inputData(*input, scene.input.batch, scene.input.head, lengths.keys, run);
  return reachAnswer(question, data, threads, {}, run);
}

bool readsData(const ReachQuestion& question) {
  return std::any_of(question.stack.begin(), question.stack.end(),
                     [](const Pattern& p) { return needsData(p); }) ||
         std::any_of(question.beside.begin(), question.beside.end(),
                     [](const Panel& p) { return needsData(p.pattern); });
}

bool fitsGraph(const ReachAnswer& answer) {
  return answer.stack.n() <= kMostGraphTokens && answer.layers <= kMostGraphLayers;
}

std::string layersText(const ReachAnswer& answer) {
  return counted(answer.layers, "layer") + (answer.stack.patterns.size() == 1
                                                ? " of " + answer.growth.front().label
                                                : " with alternating patterns");
}

std::string titleOfReach(const ReachAnswer& answer, Index token, std::optional<Index> shown) {
  const std::string part =
      shown && *shown < answer.layers ? std::to_string(*shown) + " of " : std::string();
  return "What token " + groupedDigits(token) + " sees through " + part + layersText(answer);
}

std::string titleOfGrowth(const ReachAnswer& answer) {
  return "What " + layersText(answer) + (answer.layers == 1 ? " reaches" : " reach");
}

Plot growthOf(const ReachAnswer& answer, std::optional<Index> shown) {
  Plot growth = growthPlot(answer.growth);
  if (shown && answer.stack.patterns.size() == 1)
    std::get<CurvesMark>(growth.mark).uprights = {{static_cast<double>(*shown), "followed"}};
  return growth;
}

ReachOfToken reachOfToken(const ReachAnswer& answer, const Pins& pins, const Run& run) {
  const Index n = answer.stack.n();
  ReachOfToken of;
  of.token = std::clamp<Index>(pins.query.value_or(n - 1), 0, n - 1);
  of.seen.assign(static_cast<std::size_t>(answer.layers) + 1, 1);
  if (of.token == 0 && answer.stack.residual) // which carries a token through no layer at all
    of.neededFor0 = 0;
  eachInfluencing(
      answer.stack, of.token, answer.layers,
      [&](Index layers, const TokenSet& set) {
        of.seen[static_cast<std::size_t>(layers)] = countBits(set, 0, n);
        if (bitAt(set, 0))
          of.neededFor0 = std::min(of.neededFor0.value_or(layers), layers);
      },
      run);
  if (pins.key && *pins.key >= 0 && *pins.key < n) {
    of.other = pins.key;
    if (const auto path = influencePath(answer.stack, of.token, *pins.key, answer.layers, 0, run))
      of.path = *path;
  }
  return of;
}

LayerGraph graphOf(const ReachAnswer& answer, const ReachOfToken& of, std::optional<Index> shown,
                   std::vector<std::string> names) {
  LayerGraph graph;
  try {
    graph.plot =
        layerGraph(answer.stack, {answer.layers, of.token, shown, of.path, std::move(names)});
    const Index row = answer.layers - shown.value_or(answer.layers);
    const auto& lit = std::get<LayersMark>(graph.plot->mark).lit[static_cast<std::size_t>(row)];
    graph.seen = std::count(lit.begin(), lit.end(), true);
  } catch (const Error& error) {
    graph.whyNot = error.what();
  }
  return graph;
}

} // namespace attention
