#include "app/gui/panels/layout.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/mask/mask_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/analysis/stack/models.h"
#include "core/pattern/branch_layers.h"
#include "core/pattern/heads.h"
#include "core/pattern/pattern_title.h"
#include "core/support/error.h"
#include "core/views/mask/shown_masks.h"

#include <algorithm>

namespace attention::gui {
namespace {

struct ToggleOf {
  const char* label;
  const char* action;
  const char* tooltip;
  bool on;
};

void toggleRow(const PanelContext& c, std::initializer_list<ToggleOf> all) {
  const float width = shareOfRow(static_cast<int>(all.size()));
  for (const ToggleOf& each : all) {
    if (each.label != all.begin()->label)
      ImGui::SameLine();
    bool on = each.on;
    if (toggle(c.ui, each.label, on, {each.tooltip, true, width}))
      c.actions.run(each.action);
  }
}

void toggles(const PanelContext& c) {
  const MaskSpec& mask = c.scene.mask;
  toggleRow(c,
            {{"heads", "view.heads", "The heads of the mechanism, side by side or merged into one",
              mask.heads.shown != HeadsShown::One},
             {"image", "view.image",
              "The tokens as the pixels of an image: the query's pixel and those it attends to",
              mask.image.shown},
             {"weights", "view.weights", "Attention weights of the model head over the mask",
              mask.weights != WeightsShown::Off}});
  toggleRow(c,
            {{"tiles", "view.tiles",
              "The mask cut into tiles, as block-sparse kernels work: full and partial tiles are "
              "computed, empty ones are skipped; and how much work partial tiles waste",
              mask.tiles.shown},
             {"ranks", "view.ranks",
              "The queries split over devices (context parallelism), and how many pairs each "
              "device (rank) computes",
              mask.ranks.shown},
             {"check", "view.check",
              "The mask checked: keys in the future, empty rows, the patterns and models that it "
              "equals",
              mask.check.shown}});
}

// Of layers over one square, which are drawn; the last one cannot be hidden.
void layerOptions(const PanelContext& c) {
  const auto& masks = c.results.masks;
  if (!masks || c.scene.mask.weights != WeightsShown::Off)
    return;
  const auto layered =
      std::find_if(masks->tiles.begin(), masks->tiles.end(),
                   [](const ShownMask& tile) { return tile.prepared->branches() != nullptr; });
  if (layered == masks->tiles.end())
    return;
  const std::vector<std::string>& hidden = c.scene.mask.hidden;
  std::vector<ToggleNow> layers;
  for (const Part* part : layerParts(*layered->prepared))
    layers.push_back({part->name, "Show this layer: " + part->label,
                      std::find(hidden.begin(), hidden.end(), part->name) == hidden.end()});
  const auto on = [](const ToggleNow& layer) { return layer.on; };
  const bool last = std::count_if(layers.begin(), layers.end(), on) == 1;
  for (ToggleNow& layer : layers)
    layer.enabled = !(last && layer.on);
  caption(c.ui, "layers");
  if (const auto pressed = settingToggles(c, layers))
    c.actions.edit("layers", [layer = layers[*pressed]](Scene& s) {
      if (layer.on)
        s.mask.hidden.push_back(layer.label);
      else
        std::erase(s.mask.hidden, layer.label);
    });
}

// The model and the layer that the mask is compared with.
void checkOptions(const PanelContext& c) {
  const std::string& shown = c.scene.mask.check.model;
  FieldSpec spec;
  spec.hint = "for example gemma-3-4b";
  spec.tooltip =
      "The mask is compared with a layer of this model; attnx stack --list prints the names";
  std::string name;
  const auto accept = [&](const std::string& text) {
    name = text.empty() ? text : modelNamed(text).name;
  };
  if (draftField(c.ui, c.memory, "check.model", "compare with", shown, spec, accept))
    c.actions.push(EditScene{"compare with a model",
                             [name](Scene& s) { s.mask.check.model = name; }, "check.model"});
  SettingControls<CheckSpec>(
      c, [](auto& s) -> auto& { return s.mask.check; }, maskCheckSettings())
      .draw({"layer"});
}

// The sizes of tiles, and the press that chooses them.
void tileOptions(const PanelContext& c) {
  const SettingControls<TilesSpec> controls(
      c, [](auto& s) -> auto& { return s.mask.tiles; }, tilesSettings());
  controls.draw({"queries", "keys"});
  const Latest<BlockChoice>& blocks = c.results.part<MaskFindings>().blocks;
  const bool known = blocks && !blocks.stale && !blocks.problem;
  if (button(c.ui, "best block size",
             {known ? "Use the best block size for this mask; all sizes are listed beside it"
                    : "The block sizes are being compared",
              known, availableWidth()}))
    c.actions.edit("best block size", [block = blocks->chosen().block](Scene& s) {
      s.mask.tiles.queries = block.queries;
      s.mask.tiles.keys = block.keys;
    });
  if (c.scene.mask.weights != WeightsShown::Off)
    note(c.ui, NoteKind::Info, "tiles are drawn over the mask, not over weights: turn weights off");
}

void rankOptions(const PanelContext& c) {
  SettingControls<RanksSpec>(
      c, [](auto& s) -> auto& { return s.mask.ranks; }, ranksSettings())
      .draw({"ranks", "scheme", "chunk"});
}

using Controls = SettingControls<HeadsSpec>;

// Each head keeps its dilation; new ones continue from the last.
void completeDilations(HeadsSpec& heads) {
  std::vector<Index>& all = heads.dilations;
  while (!all.empty() && static_cast<Index>(all.size()) < heads.heads)
    all.push_back(all.back() + 1);
  if (static_cast<Index>(all.size()) > heads.heads)
    all.resize(static_cast<std::size_t>(heads.heads));
}

void headCount(const PanelContext& c, const Controls& settings) {
  const auto& masks = c.results.masks;
  const Index inFile = masks ? masks->headsInFile : 0;
  settings.drawAs(
      "heads",
      [inFile](ParameterFacts& facts) {
        if (inFile == 0)
          return;
        facts.meaning = "How many heads are shown, each with its own mask from the file";
        facts.handy = static_cast<double>(std::min(inFile, kMostHeadsShown));
      },
      completeDilations);
}

// Why there is one mask for all heads.
void sameHeads(const PanelContext& c) {
  const HeadsSpec& spec = c.scene.mask.heads;
  const auto& masks = c.results.masks;
  if (spec.heads < 2 || !masks || masks.stale || masks->tiles.size() > 1 ||
      spec.shown != HeadsShown::SideBySide || !c.scene.mask.panels.empty())
    return;
  const Pattern& pattern = c.scene.pattern;
  const bool could = masks->headsInFile > 0 || !(withDifferingHeads(spec, pattern) == spec);
  const std::string title = mechanismTitle(pattern);
  note(c.ui, NoteKind::Info,
       could ? "All heads are the same with these settings."
             : "All heads are the same: " + title + " has no setting that differs by head.");
}

void headOptions(const PanelContext& c) {
  const Pattern& pattern = c.scene.pattern;
  const Controls settings(
      c, [](auto& s) -> auto& { return s.mask.heads; }, headsSettings());
  settings.drawAs("shown", [](ParameterFacts& facts) { // of several heads
    facts.choices.erase(facts.choices.begin());
  });
  headCount(c, settings);
  for (const char* option : {"alternate", "subblocks", "dilations"})
    if (headsRead(pattern, option))
      settings.draw({option});
  sameHeads(c);
}

void imageField(const PanelContext& c) {
  if (!c.results.lengths.square()) {
    note(c.ui, NoteKind::Warning,
         "The image shows each token as one pixel, query and key at once, so the mask must be "
         "square.");
    return;
  }
  const ImageSpec& image = c.scene.mask.image;
  const Index n = std::max<Index>(1, c.results.lengths.keys);
  std::string shown;
  std::string problem;
  if (image.rows || image.columns)
    shown = image.rows ? std::to_string(*image.rows) : std::to_string(*image.columns);
  ParameterFacts number = settingNamed(imageSettings(), "rows");
  number.name = number.label;
  std::optional<Index> rows;
  const auto accept = [&](const std::string& text) {
    const Value value = valueOf(number, text);
    rows =
        std::holds_alternative<Index>(value) ? std::optional(std::get<Index>(value)) : std::nullopt;
    ImageSpec changed{true, rows, {}};
    imageShape(changed, n);
  };
  const auto [r, k] = imageShape(ImageSpec{true, {}, {}}, n);
  const std::string hint = groupDigits(r) + ", as square as n allows";
  FieldSpec spec;
  spec.hint = hint;
  spec.tooltip = "Rows of the image; rows × columns = n";
  if (draftField(c.ui, c.memory, "image.rows", "image rows", shown, spec, accept))
    c.actions.push(EditScene{"image rows",
                             [rows](Scene& s) {
                               s.mask.image.rows = rows;
                               s.mask.image.columns.reset();
                             },
                             "image.rows"});
  const Index present = image.rows.value_or(r);
  if (present > 0 && n % present == 0)
    valueRow(c.ui, "image rows × columns", groupDigits(present) + " × " + groupDigits(n / present));
  else
    note(c.ui, NoteKind::Error,
         "image rows is " + groupDigits(present) +
             "; it must be a divisor of n = " + groupDigits(n));
}

void weightOptions(const PanelContext& c) {
  SettingControls(c, &Scene::mask, maskSettings())
      .drawAs("weights", [](ParameterFacts& facts) { // that are shown
        facts.choices.erase(facts.choices.begin());
      });
  if (!c.results.attention && !c.results.attention.pending)
    note(c.ui, NoteKind::Info,
         c.results.input ? "weights need a mask within the input's length"
                         : "weights need an input: open a file, or draw a random one");
}

} // namespace

void drawMaskOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "View options");
  sectionHeading(c.ui, "View");
  toggles(c);
  layerOptions(c);
  if (c.scene.mask.heads.shown != HeadsShown::One)
    headOptions(c);
  if (c.scene.mask.image.shown)
    imageField(c);
  if (c.scene.mask.weights != WeightsShown::Off)
    weightOptions(c);
  if (c.scene.mask.tiles.shown)
    tileOptions(c);
  if (c.scene.mask.ranks.shown)
    rankOptions(c);
  if (c.scene.mask.check.shown)
    checkOptions(c);
}

} // namespace attention::gui
