#include "app/gui/frame/workbench.h"
#include "app/gui/view/view_list.h"
#include "core/figure/scene_hashing.h"
#include "core/scene/differing_heads.h"
#include "core/scene/kernels_reads.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kScaleStep = 1.1F;

// Of the window; in a presentation of what the presentation has chosen.
void setScale(Workbench& bench, float scale) {
  if (bench.present)
    bench.present->zoom = std::clamp(scale, 0.7F, 1.4F);
  else
    bench.ui.scale = std::clamp(scale, 0.5F, 4.0F);
}
float scaleOf(const Workbench& bench) {
  return bench.present ? bench.present->zoom : bench.ui.scale;
}

// A presentation has a theme of its own.
ThemeKind& themeOf(Workbench& bench) {
  return bench.present ? bench.ui.presentTheme : bench.ui.theme;
}
bool isLight(const Workbench& bench) {
  return (bench.present ? bench.ui.presentTheme : bench.ui.theme) == ThemeKind::Light;
}

void editMask(Workbench& bench, const char* label, const std::function<void(MaskSpec&)>& edit) {
  bench.document.apply({label, [&](Scene& s) { edit(s.mask); }});
}

// Heads are shown to see how they differ: where they would all be the same, their options are
// changed so that they differ, if they can; of a file that has a mask for each head all are shown.
void toggleHeads(Workbench& bench) {
  const Pattern& pattern = bench.document.scene().pattern;
  const auto& masks = bench.engine.results().masks;
  editMask(bench, "heads", [&](MaskSpec& mask) {
    HeadsSpec& spec = mask.heads;
    const bool show = spec.shown == HeadsShown::One;
    spec.shown = show ? HeadsShown::SideBySide : HeadsShown::One;
    if (show)
      spec = withDifferingHeads(spec, pattern, masks ? masks->headsInFile : 0);
  });
}

void toggleImage(Workbench& bench) {
  editMask(bench, "image", [](MaskSpec& mask) { mask.image.shown = !mask.image.shown; });
}

void toggleWeights(Workbench& bench) {
  editMask(bench, "weights", [](MaskSpec& mask) {
    mask.weights = mask.weights == WeightsShown::Off ? WeightsShown::Maximum : WeightsShown::Off;
  });
}

Chord functionKey(int number) {
  return {static_cast<Key>(static_cast<int>(Key::F1) + number - 1)};
}

struct ActionNames {
  const char* id;
  const char* label;
  const char* tooltip;
};

void chooseTab(Workbench& bench, SidebarTab tab) {
  bench.ui.tab = tab;
  showSidebar(bench, true);
}

void foldBoth(Workbench& bench) {
  const bool open = !(sidebarShown(bench) || inspectorShown(bench));
  showInspector(bench, open && !bench.narrow);
  showSidebar(bench, open);
}

// Computes again what was stopped or could not be read.
void retry(Workbench& bench) {
  bench.engine.retry();
  bench.rasters.retry();
}

void stopJobs(Workbench& bench) {
  for (const auto& job : bench.pool.active())
    job->stop();
}

std::function<bool(const Workbench&)> shows(View view) {
  return [view](const Workbench& b) { return b.document.scene().view == view; };
}

// Hashing opens on something to see: where the pattern groups no tokens, on the circle, which needs
// none.
void openView(Workbench& bench, View view) {
  bench.playing = false;
  bench.document.apply({"view", [view](Scene& s) {
                          s.view = view;
                          if (view == View::Hashing && !hasGroups(s))
                            s.hashing.picture = HashingPicture::Circle;
                        }});
}

// The views by their numbers.
void addViews(ActionTable& table) {
  for (const ViewEntry& entry : kViews)
    table.add({entry.action,
               "View",
               entry.label,
               entry.tooltip,
               {{entry.key}},
               [view = entry.view](Workbench& b) { openView(b, view); },
               {},
               shows(entry.view)});
}

// Arrows and Space belong to the control that the keyboard is on.
ActionEntry yielding(ActionEntry entry) {
  entry.afterFocus = true;
  return entry;
}

// A play begins again where all layers are lit.
void togglePlay(Workbench& bench) {
  bench.playing = !bench.playing;
  if (bench.playing && !bench.document.scene().reach.shown)
    bench.document.apply({"layers followed", [](Scene& s) { s.reach.shown = 0; }, kPlayed});
}

void addReachActions(ActionTable& table) {
  const auto steps = shows(View::Reach);
  table.add(yielding({"reach.play",
                      "View",
                      "Play",
                      "Light the layers one by one, from the top",
                      {{Key::Space}},
                      togglePlay,
                      steps,
                      [](const Workbench& b) { return b.playing; },
                      true}));
  table.add(yielding({"reach.back",
                      "View",
                      "Previous layer",
                      "One fewer layer is lit",
                      {{Key::Left}},
                      [](Workbench& b) { stepReach(b, -1); },
                      steps}));
  table.add(yielding({"reach.forward",
                      "View",
                      "Next layer",
                      "One more layer is lit",
                      {{Key::Right}},
                      [](Workbench& b) { stepReach(b, 1); },
                      steps}));
}

void addKernelsActions(ActionTable& table) {
  const auto steps = shows(View::Kernels);
  const auto drawn = [](const Workbench& b) {
    const Scene& scene = b.document.scene();
    return scene.view == View::Kernels && KernelsReads(scene.kernels).drawn;
  };
  table.add({"kernels.redraw",
             "View",
             "Redraw projections",
             "New random projections: the next seed",
             {{static_cast<Key>('R')}},
             [](Workbench& b) { redrawKernels(b); },
             drawn,
             {},
             true});
  table.add(yielding({"kernels.play",
                      "View",
                      "Redraw every 2 s",
                      "New random projections every two seconds",
                      {{Key::Space}},
                      [](Workbench& b) { b.playing = !b.playing; },
                      drawn,
                      [](const Workbench& b) { return b.playing; }}));
  table.add(yielding({"kernels.less",
                      "View",
                      "Fewer projections",
                      "The previous number of projections on the curves",
                      {{Key::Left}},
                      [](Workbench& b) { stepProjections(b, -1); },
                      steps}));
  table.add(yielding({"kernels.more",
                      "View",
                      "More projections",
                      "The next number of projections on the curves",
                      {{Key::Right}},
                      [](Workbench& b) { stepProjections(b, 1); },
                      steps}));
}

bool showsCircle(const Workbench& b) {
  return b.document.scene().hashing.picture == HashingPicture::Circle;
}

// A play begins again where all tokens are sorted.
void toggleSorting(Workbench& bench) {
  bench.playing = !bench.playing;
  if (bench.playing && !showsCircle(bench) && bench.document.scene().hashing.moment >= 1)
    bench.document.apply({"sorting", [](Scene& s) { s.hashing.moment = 0; }, kPlayed});
}

void addHashingActions(ActionTable& table) {
  const auto sorts = [](const Workbench& b) {
    const Scene& scene = b.document.scene();
    return scene.view == View::Hashing && scene.hashing.picture == HashingPicture::Sorting;
  };
  const auto plays = [sorts](const Workbench& b) {
    return sorts(b) || (b.document.scene().view == View::Hashing && showsCircle(b));
  };
  const auto redraws = [](const Workbench& b) {
    const Scene& scene = b.document.scene();
    return scene.view == View::Hashing && (showsCircle(b) || groupsBySeed(scene.pattern));
  };
  table.add({"hashing.redraw",
             "View",
             "Rehash",
             "Use the next seed for the hash, the starting centroids or the circle",
             {{static_cast<Key>('R')}},
             [](Workbench& b) { showsCircle(b) ? redrawCircle(b) : redrawGroups(b); },
             redraws,
             {},
             true});
  table.add(yielding(
      {"hashing.play",
       "View",
       "Play the sorting",
       "Sort the tokens, one group after another; on the circle, draw new rounds every two seconds",
       {{Key::Space}},
       toggleSorting,
       plays,
       [](const Workbench& b) { return b.playing; }}));
  table.add(yielding({"hashing.back",
                      "View",
                      "Previous group",
                      "One fewer group of tokens is sorted",
                      {{Key::Left}},
                      [](Workbench& b) { stepSorting(b, -1); },
                      sorts}));
  table.add(yielding({"hashing.forward",
                      "View",
                      "Next group",
                      "One more group of tokens is sorted",
                      {{Key::Right}},
                      [](Workbench& b) { stepSorting(b, 1); },
                      sorts}));
}

void addTimingsActions(ActionTable& table) {
  table.add({"timings.again",
             "View",
             "Measure again",
             "Measure all times again",
             {{static_cast<Key>('M')}},
             [](Workbench& b) { b.engine.measureAgain(); },
             shows(View::Timings)});
}

void showPicture(Workbench& bench, AttentionPicture picture) {
  bench.document.apply({"picture", [picture](Scene& s) { s.attention.picture = picture; }});
}

void addAttentionPicture(ActionTable& table, const ActionNames& names, char key,
                         AttentionPicture picture) {
  table.add(
      {names.id,
       "View",
       names.label,
       names.tooltip,
       {{static_cast<Key>(key)}},
       [picture](Workbench& b) { showPicture(b, picture); },
       shows(View::Attention),
       [picture](const Workbench& b) { return b.document.scene().attention.picture == picture; }});
}

void addAttentionActions(ActionTable& table) {
  addAttentionPicture(table,
                      {"attention.maps", "Maps of weights",
                       "Full attention, the pattern and their difference as matrices"},
                      'M', AttentionPicture::Maps);
  addAttentionPicture(table,
                      {"attention.heads", "All heads", "Every layer and head of the input, small"},
                      'H', AttentionPicture::Heads);
  addAttentionPicture(
      table, {"attention.lines", "Lines between tokens", "Weights as lines from queries to keys"},
      'T', AttentionPicture::Lines);
  table.add({"attention.next",
             "View",
             "Next model head",
             "The next head, then the next layer",
             {{static_cast<Key>('N')}},
             [](Workbench& b) { stepHead(b, 1); },
             shows(View::Attention),
             {},
             true});
  table.add({"attention.previous",
             "View",
             "Previous model head",
             "The previous head, then the previous layer",
             {{static_cast<Key>('P')}},
             [](Workbench& b) { stepHead(b, -1); },
             shows(View::Attention)});
}

void addZoomActions(ActionTable& table) {
  table.add({"view.fit",
             "View",
             "Fit",
             "Show the whole mask",
             {{static_cast<Key>('F')}},
             [](Workbench& b) {
               // Of a comparison no camera is its first difference.
               b.document.setCamera(shows(View::Compare)(b)
                                        ? std::optional(wholeCamera(b.engine.results().lengths))
                                        : std::nullopt);
             },
             [](const Workbench& b) {
               const View view = b.document.scene().view;
               return view == View::Mask || view == View::Attention || view == View::Compare;
             },
             {},
             true});
  table.add({"view.larger",
             "View",
             "Larger type",
             "Everything larger",
             {{Key::Equal, true}, {Key::Equal, true, true}, {Key::KeypadAdd, true}},
             [](Workbench& b) { setScale(b, scaleOf(b) * kScaleStep); }});
  table.add({"view.smaller",
             "View",
             "Smaller type",
             "Everything smaller",
             {{Key::Minus, true}, {Key::KeypadSubtract, true}},
             [](Workbench& b) { setScale(b, scaleOf(b) / kScaleStep); }});
  table.add({"view.normal",
             "View",
             "Normal type",
             "Type at its usual size",
             {{Key::Digit0, true}},
             [](Workbench& b) { setScale(b, 1); }});
  table.add({"view.fullScreen",
             "View",
             "Full screen",
             "Full screen, and back",
             {functionKey(11)},
             [](Workbench& b) {
               bool& full = b.present ? b.present->fullScreen : b.fullScreen;
               full = !full;
             }});
  table.add({"view.present",
             "View",
             "Present",
             "Full screen in large type, for a lecture: → and ← step, . blackens the screen, S is "
             "a spotlight, Esc goes back",
             {functionKey(5)},
             startPresenting});
}

void addMaskActions(ActionTable& table) {
  const auto mask = [](const Workbench& b) -> const MaskSpec& { return b.document.scene().mask; };
  table.add({"view.heads",
             "View",
             "Heads",
             "A mask for each head of the mechanism",
             {},
             toggleHeads,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).heads.shown != HeadsShown::One; },
             true});
  table.add({"view.image",
             "View",
             "Image",
             "The tokens as the pixels of an image",
             {},
             toggleImage,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).image.shown; }});
  table.add({"view.weights",
             "View",
             "Weights",
             "Attention weights over the mask",
             {{static_cast<Key>('W')}},
             toggleWeights,
             shows(View::Mask),
             [mask](const Workbench& b) { return mask(b).weights != WeightsShown::Off; }});
  table.add({"view.retry",
             "View",
             "Run again",
             "Compute again what was stopped",
             {{static_cast<Key>('R'), true}},
             retry});
  table.add({"jobs.stop",
             "View",
             "Stop computing",
             "Stop what is running; the last good picture stays",
             {{Key::Escape}},
             stopJobs});
}

// What is read in the inspector is often longer than a small window.
void addReading(ActionTable& table) {
  const auto turn = [](float pages) {
    return [pages](Workbench& b) { b.memory.pagesDown += pages; };
  };
  const auto seen = [](const Workbench& b) { return inspectorShown(b); };
  table.add({"view.inspectorDown",
             "View",
             "Read on in the inspector",
             "Scroll the inspector down",
             {{Key::PageDown}},
             turn(1),
             seen});
  table.add({"view.inspectorUp",
             "View",
             "Back in the inspector",
             "Scroll the inspector up",
             {{Key::PageUp}},
             turn(-1),
             seen});
}

} // namespace

void addViewActions(ActionTable& table) {
  addViews(table);
  table.add({"view.gallery",
             "View",
             "All patterns…",
             "Every pattern with a live picture",
             {{static_cast<Key>('G')}},
             [](Workbench& b) { b.overlay = GalleryState{}; }});
  table.add({"view.patterns",
             "View",
             "Patterns",
             "The sidebar's patterns",
             {},
             [](Workbench& b) { chooseTab(b, SidebarTab::Patterns); },
             {},
             [](const Workbench& b) { return b.ui.tab == SidebarTab::Patterns; }});
  table.add({"view.figures",
             "View",
             "Figures",
             "The sidebar's published figures",
             {},
             [](Workbench& b) { chooseTab(b, SidebarTab::Figures); },
             {},
             [](const Workbench& b) { return b.ui.tab == SidebarTab::Figures; }});
  table.add({"view.sidebars",
             "View",
             "Fold both sidebars",
             "Fold or unfold both sidebars",
             {{Key::Backslash}},
             foldBoth,
             {},
             [](const Workbench& b) { return !sidebarShown(b) && !inspectorShown(b); },
             true});
  table.add({"view.sidebar",
             "View",
             "Sidebar",
             "Fold or unfold the left sidebar",
             {{Key::LeftBracket}},
             [](Workbench& b) { showSidebar(b, !sidebarShown(b)); },
             {},
             [](const Workbench& b) { return sidebarShown(b); }});
  table.add({"view.inspector",
             "View",
             "Inspector",
             "Fold or unfold the inspector",
             {{Key::RightBracket}},
             [](Workbench& b) { showInspector(b, !inspectorShown(b)); },
             {},
             [](const Workbench& b) { return inspectorShown(b); }});
  addReading(table);
  table.add({"view.theme",
             "View",
             "Light theme",
             "For projectors and print",
             {{static_cast<Key>('L'), true}},
             [](Workbench& b) { themeOf(b) = isLight(b) ? ThemeKind::Dark : ThemeKind::Light; },
             {},
             isLight});
  addMaskActions(table);
  addReachActions(table);
  addAttentionActions(table);
  addKernelsActions(table);
  addHashingActions(table);
  addTimingsActions(table);
  addZoomActions(table);
}

} // namespace attention::gui
