#include "app/gui/results/result_engine.h"

#include "app/gui/interface/window_view.h"
#include "core/model/model_input.h"
#include "core/scene/input_data.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>

namespace attention::gui {
namespace {

// The masks of another Scene must not pass for the current one's, which come after its input.
void waitForInput(Latest<Masks>& masks) {
  masks.stale = masks.value != nullptr;
  masks.pending = true;
  masks.problem.reset();
}

// Whether one of the masks depends on the data.
bool readsData(const Scene& masks) {
  const std::vector<Panel> panels = drawnPatterns(masks);
  return std::any_of(panels.begin(), panels.end(),
                     [](const Panel& panel) { return needsData(panel.pattern); });
}

// A view that gives the pattern to something else has the length of that, the wanted one until it
// is known.
LengthSpec lengthIn(const Scene& scene, const ViewStages& stages) {
  const ViewUnit& unit = unitOf(scene.view);
  if (!unit.givesPattern)
    return scene.length;
  return {stages.length().value_or(unit.length(scene)), {}, {}};
}

} // namespace

ResultEngine::ResultEngine(JobPool& pool, AssetPath assetPath)
    : pool_(pool), assetPath_(std::move(assetPath)) {
  std::transform(windowViews().begin(), windowViews().end(), views_.begin(),
                 [&](const WindowView& view) { return view.stages(results_); });
}

ResultEngine::~ResultEngine() = default;

void ResultEngine::edited() {
  for (const auto& view : views_)
    view->edited();
}

void ResultEngine::measureAgain() {
  for (const auto& view : views_)
    view->repeat();
}

EditOfScene ResultEngine::amendment(const Scene& scene, Deadline patience) {
  view_ = static_cast<std::size_t>(scene.view);
  return views_[view_]->amendment({pool_, scene, {}, true, patience, gate_});
}

const Results& ResultEngine::update(const Scene& scene, const Hover& hover, Deadline patience) {
  Asking asking{pool_, scene, hover, true, patience, gate_};
  updateInput(asking);
  asking.lengthsKnown =
      updateLengths(lengthIn(scene, *views_[static_cast<std::size_t>(scene.view)]));
  if (asking.lengthsKnown) {
    updateMasks(asking);
    updateCounts(asking);
    updateAttention(asking);
  } else {
    takeEndedOfMasks();
  }
  updateCell(asking);
  updateTokens(asking);
  view_ = static_cast<std::size_t>(scene.view);
  for (std::size_t k = 0; k < views_.size(); ++k)
    if (k != view_)
      views_[k]->leave();
  views_[view_]->update(asking);
  // What the view gives the pattern to may have another length from the next frame on.
  lengthsLag_ = unitOf(scene.view).givesPattern &&
                views_[view_]->length().value_or(results_.lengths.keys) != results_.lengths.keys;
  tellShown();
  return results_;
}

void ResultEngine::tellShown() {
  const ViewStages& view = *views_[view_];
  results_.shown = view.shown();
  results_.title = view.title();
  std::vector<AnyStage*> parts(view.told().begin(), view.told().end());
  if (unitOf(static_cast<View>(view_)).masks)
    parts.insert(parts.begin(), &masks_);
  results_.stopped = stoppedPart(results_.shown, parts);
}

void ResultEngine::retry() {
  // An input that failed, or its labels, may be there by now.
  if (results_.input.problem || (results_.input && !results_.input->tokensProblem.empty()))
    input_.renew();
  forEachStage([](AnyStage& stage) { stage.retry(); });
}

// Results made only from the input have it in their keys; patterns may have masks and matrices from
// files, which keys cannot tell apart.
void ResultEngine::reload() {
  read_ = {};
  input_.renew();
  masks_.renew();
  for (const auto& view : views_)
    view->reload();
}

bool ResultEngine::pending() const {
  bool works = false;
  forEachStage([&](const AnyStage& stage) { works = works || stage.works(); });
  return works || lengthsLag_ || views_[view_]->amends();
}

template <class Each>
void ResultEngine::forEachStage(const Each& each) const {
  for (AnyStage* stage : shared_)
    each(*stage);
  for (const auto& view : views_)
    for (AnyStage* stage : view->stages())
      each(*stage);
}

void ResultEngine::updateInput(const Asking& asking) {
  const InputSpec& spec = asking.scene.input;
  if (std::holds_alternative<NoInput>(spec.source)) {
    lastRead_.reset();
    return input_.drop();
  }
  const InputSpec key = asRead(spec);
  const auto make = [assetPath = assetPath_, read = read_.spec == key ? read_.input : nullptr](
                        const InputSpec& of, const Run& run) {
    return read ? read : openInput(of, run, Labels::Wanted, assetPath); // better than not at all
  };
  input_.ask(asking, "reading the input", make, key);
  if (read_.spec != key || !results_.input.pending)
    read_ = {};
  if (results_.input && !results_.input.stale)
    lastRead_ = key;
  // What was read of the same files stays where these are read again, also when they cannot be:
  // somebody may be writing them. Never a silent replacement: else nothing stays of the last input.
  if (lastRead_ == key)
    results_.input.stale = false;
  else if (results_.input.stale)
    results_.input.value = nullptr;
}

bool ResultEngine::updateLengths(const LengthSpec& spec) {
  const Input* input = results_.input.value.get();
  // While the input is being read its length is not known; the last one stays.
  if (!input && results_.input.pending && !spec.n) {
    masks_.slot().takeEnded();
    waitForInput(results_.masks);
    return false;
  }
  const auto made = madeOrProblem([&] { return currentLengths(spec, input); });
  results_.masks.problem = made.problem;
  if (!made.value) {
    masks_.takeEnded();
    results_.masks.stale = results_.masks.value != nullptr;
    return false;
  }
  results_.lengths = *made.value;
  results_.inputCovers = input && covers(*input, results_.lengths, spec.align);
  return true;
}

void ResultEngine::updateMasks(const Asking& asking) {
  const Scene scene = masksOnly(asking.scene);
  const bool reads = readsData(scene);
  if (reads && !results_.input && results_.input.pending)
    return waitForInput(results_.masks);
  masks_.ask(asking, "preparing the pattern", makeMasks, scene, results_.lengths,
             reads ? modelHead(asking.scene, results_.input.value) : ModelHead());
}

void ResultEngine::takeEndedOfMasks() {
  counts_.takeEnded();
  attention_.takeEnded();
  metrics_.takeEnded();
}

void ResultEngine::updateCounts(const Asking& asking) {
  const Latest<Masks>& masks = results_.masks;
  if (!masks || masks.stale) {
    takeEndedOfMasks();
    results_.counts.stale = results_.counts.value != nullptr;
    return;
  }
  const Input* input = results_.input.value.get();
  counts_.ask(asking, "counting pairs", makeCounts, masks, input ? input->d : 0,
              input ? input->dv : 0);
}

void ResultEngine::updateAttention(const Asking& asking) {
  if (!results_.inputCovers) {
    attention_.drop();
    metrics_.drop();
    return;
  }
  if (!results_.masks || results_.masks.stale) {
    results_.attention.stale = results_.attention.value != nullptr;
    results_.metrics.stale = results_.metrics.value != nullptr;
    return;
  }
  const Scene& scene = asking.scene;
  const Index first = firstQueryRow(*results_.input, results_.masks->lengths, scene.length.align);
  attention_.ask(asking, "attention", makeAttention, results_.masks,
                 modelHead(scene, results_.input.value), first);
  results_.metrics.stale = results_.metrics.value != nullptr;
  if (!results_.attention || results_.attention.stale)
    return metrics_.takeEnded();
  metrics_.ask(asking, "metrics", makeMetrics, results_.attention);
}

void ResultEngine::updateCell(const Asking& asking) {
  results_.cell.reset();
  const Masks* masks = results_.masks.value.get();
  if (!masks)
    return;
  const bool known = results_.attention.value && !results_.attention.stale;
  results_.cell = pointedCell(*masks, std::min(asking.hover.mask, masks->tiles.size() - 1),
                              asking.scene.pins, asking.hover, results_.input.value.get(),
                              known ? results_.attention.value.get() : nullptr);
}

void ResultEngine::updateTokens(const Asking& asking) {
  const auto& masks = results_.masks.value;
  std::optional<Index> query;
  std::optional<Index> key;
  if (masks) {
    query = shownQuery(asking.scene.pins, asking.hover, masks->lengths);
    key = shownKey(asking.scene.pins, masks->lengths);
  }
  if (query || key)
    tokens_.ask(asking, "counting keys", makeTokenCounts, masks, query, key);
  else
    tokens_.drop();
}

} // namespace attention::gui
