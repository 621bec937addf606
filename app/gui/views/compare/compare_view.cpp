#include "app/gui/views/compare/compare_view.h"
#include "app/gui/interface/jargon.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/views/compare/compare_layout.h"
#include "app/gui/views/mask/mask_screen.h"
#include "app/gui/views/mask/mask_view.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace attention::gui {
namespace {

constexpr float kBeforeName = 14; // of a dot and its gap
constexpr const char* kFrontName = "Pareto front";

struct Heading {
  const char* name; // of the canvas
  const char* words;
  const char* joint; // to what it is measured against
  const char* brief;
};
constexpr std::array kHeadings{Heading{"Mass", "captured mass", " of ", "mass"},
                               Heading{"Error", "output error", " from ", "error"}};

float rowHeight(const Ui& ui) {
  return fontSize(ui.fonts.small) + ui.px(3);
}

// The numbering of the points in both plots: the order of the Scene.
std::string numbered(const ScoresShown& scores, std::size_t line) {
  return std::to_string(line + 1) + " " + listedName(scores.lines[line]);
}

// The name with its number, shortened to the distinguishing parameters where the whole does not fit
// `room`; even that may be wider.
std::string briefName(const Ui& ui, const ScoresShown& scores, std::size_t k, float room) {
  std::string name = scores.lines[k].name;
  const std::string same = listedName(scores.lines[k]).substr(name.size()); // stays
  const std::string number = std::to_string(k + 1) + " ";
  const auto alike = [&](const std::string& part) {
    return std::count_if(scores.lines.begin(), scores.lines.end(),
                         [&](const ScoreLine& line) { return line.name.starts_with(part); });
  };
  const auto all = [&] { return number + name + same; };
  while (textSize(ui.fonts.small, all()).x > room) {
    const std::size_t comma = name.rfind(", ");
    if (comma == std::string::npos || alike(name.substr(0, comma)) > 1)
      break;
    name.erase(comma);
  }
  return all();
}

// The list of names: the mechanisms, and the front last.
NameList namesOf(const ViewContext& context) {
  const Ui& ui = context.ui;
  if (!context.results.part<CompareResults>().scores)
    return {};
  const ScoresShown& scores = *context.results.part<CompareResults>().scores;
  const float front = textSize(ui.fonts.small, kFrontName).x;
  NameList names{scores.lines.size() + 1, front, front, rowHeight(ui)};
  for (std::size_t k = 0; k < scores.lines.size(); ++k) {
    names.width = std::max(names.width, textSize(ui.fonts.small, numbered(scores, k)).x);
    names.least = std::max(names.least, textSize(ui.fonts.small, briefName(ui, scores, k, 0)).x);
  }
  for (float* width : {&names.width, &names.least})
    *width = std::ceil(*width + ui.px(kBeforeName)) + 1;
  return names;
}

void drawNote(const ViewContext& context, const Rect& area) {
  const Latest<ScoresShown>& scores = context.results.part<CompareResults>().scores;
  std::string words = scores.pending ? "scoring the mechanisms …" : "";
  if (scores.problem)
    words = "Score board: " + scores.problem->text;
  const Lines lines({area.x0, area.y0, context.area.x1 - context.ui.px(kViewMargin), area.y1});
  caption(context.ui, words);
}

// The brief name where it fits, else the whole one cut in its middle.
std::string nameIn(const Ui& ui, const ScoresShown& scores, std::size_t k, float room) {
  const std::string name = briefName(ui, scores, k, room);
  return textSize(ui.fonts.small, name).x <= room
             ? name
             : cutInMiddle(ui.fonts.small, numbered(scores, k), room);
}

// A name with its number and the colour of its dot; whole under the pointer.
void drawEntry(const ViewContext& context, const Rect& row, std::size_t k) {
  const Ui& ui = context.ui;
  const ScoresShown& scores = *context.results.part<CompareResults>().scores;
  const ScoreLine& line = scores.lines[k];
  const ImVec4& tint = line.compared
                           ? ui.colors().series[*line.compared % ui.colors().series.size()]
                           : ui.colors().series.back();
  ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(row.x0 + ui.px(4), (row.y0 + row.y1) / 2),
                                              ui.px(3), color(tint));
  const std::string words = numbered(scores, k);
  const ImVec2 at(row.x0 + ui.px(kBeforeName), row.y0);
  const std::string shown = nameIn(ui, scores, k, row.x1 - at.x);
  drawText(ui.fonts.small, at, ui.colors().text, shown);
  recordText(ui, "point " + std::to_string(k + 1), at,
             ImVec2(at.x + textSize(ui.fonts.small, shown).x, row.y1), shown);
  if (!context.blocked &&
      ImGui::IsMouseHoveringRect(ImVec2(row.x0, row.y0), ImVec2(row.x1, row.y1)))
    tooltip(ui, words);
}

void drawFrontEntry(const ViewContext& context, const Rect& row) {
  const Ui& ui = context.ui;
  const float y = (row.y0 + row.y1) / 2;
  const ImU32 tint = color(ui.colors().series.back());
  for (const float x : {0.0F, 5.0F})
    ImGui::GetWindowDrawList()->AddLine(ImVec2(row.x0 + ui.px(x), y),
                                        ImVec2(row.x0 + ui.px(x + 3), y), tint);
  const ImVec2 at(row.x0 + ui.px(kBeforeName), row.y0);
  drawText(ui.fonts.small, at, ui.colors().dim, kFrontName);
  recordText(ui, kFrontName, at, ImVec2(row.x1, row.y1));
  if (!context.blocked &&
      ImGui::IsMouseHoveringRect(ImVec2(row.x0, row.y0), ImVec2(row.x1, row.y1)))
    tooltip(ui, explained("", jargon::kPareto));
}

// In columns, one below the other; where the rows are too few, how many more names there are.
void drawList(const ViewContext& context, const NameList& names, const Rect& area) {
  const Ui& ui = context.ui;
  const ScoresShown& scores = *context.results.part<CompareResults>().scores;
  const float across = nameColumns(ui, names, widthOf(area), heightOf(area));
  const float width = widthOf(area) / across;
  const auto entries = scores.lines.size() + 1; // the front last
  const auto columns = static_cast<std::size_t>(across);
  const std::size_t wanted = (entries + columns - 1) / columns;
  const float least = fontSize(ui.fonts.small);
  const auto rows =
      std::clamp<std::size_t>(static_cast<std::size_t>((heightOf(area) + 1) / least), 1, wanted);
  const float high = std::min(rowHeight(ui), heightOf(area) / static_cast<float>(rows));
  for (std::size_t k = 0; k < std::min(entries, rows * columns); ++k) {
    const std::size_t column = k / rows;
    const float x = area.x0 + static_cast<float>(column) * width;
    const float y = area.y0 + static_cast<float>(k % rows) * high;
    const Rect row{x, y, x + width - ui.px(6), y + high};
    if (k + 1 == rows * columns && entries > rows * columns)
      drawText(ui.fonts.small, ImVec2(x, y), ui.colors().dim,
               "and " + std::to_string(entries - k) + " more");
    else if (k < scores.lines.size())
      drawEntry(context, row, k);
    else
      drawFrontEntry(context, row);
  }
}

// The same except for the Scene, which must live as long.
ViewContext withScene(const ViewContext& context, const Scene& scene) {
  return {scene,
          context.results,
          context.rasters,
          context.ui,
          context.area,
          context.actions,
          context.hover,
          context.step,
          context.playing,
          context.blocked,
          context.presented,
          context.titled,
          context.inLesson,
          context.imageRoom};
}

class ComparePane final : public ViewPane {
public:
  explicit ComparePane(const gl::ShaderSources& shaders) : masks_(maskPane(shaders)) {}

  void draw(const ViewContext& context) override;
  void follow(const ViewMotion& motion) override { masks_->follow(motion); }
  bool moves() const override { return masks_->moves(); }
  bool leave() override;

private:
  const CompareAreas& areasIn(const ViewContext& context, const NameList& names);
  void drawMasks(const ViewContext& context);
  void drawPlots(const ViewContext& context, const CompareAreas& areas);

  // What the areas were last made of: masks are laid out several times to find the best.
  struct LaidOut {
    std::shared_ptr<const Masks> masks;
    Rect area;
    NameList names;
    std::array<float, 2> words{}; // what those of the tokens want
    float scale = 1;
    bool presented = false;
    bool operator==(const LaidOut&) const = default;
  };
  std::optional<LaidOut> laidOut_;
  CompareAreas found_;

  std::unique_ptr<ViewPane> masks_;
  using Plots = std::array<PlotPane, kHeadings.size()>;
  std::unique_ptr<Plots> plots_ = std::make_unique<Plots>();
};

const CompareAreas& ComparePane::areasIn(const ViewContext& context, const NameList& names) {
  const ImVec2 words = context.results.masks ? roomForWords(context) : ImVec2(0, 0);
  LaidOut now{context.results.masks.value, context.area,     names,
              {words.x, words.y},          context.ui.scale, context.presented};
  if (laidOut_ != now) {
    found_ = compareAreas(context, names);
    laidOut_ = std::move(now);
  }
  return found_;
}

// Here, no camera means the first difference: the whole mask has a camera of its own. A click on a
// pattern makes the controls edit it.
void ComparePane::drawMasks(const ViewContext& context) {
  std::size_t place = context.hover.mask;
  bool clicked = false;
  for (Action& action : context.actions.emittedBy([&] { masks_->draw(context); })) {
    if (auto* camera = std::get_if<SetCamera>(&action); camera && !camera->camera)
      camera->camera = wholeCamera(context.results.lengths);
    if (const auto* hover = std::get_if<Hover>(&action))
      place = hover->mask;
    if (const auto* pins = std::get_if<SetPins>(&action))
      clicked = pins->gesture.empty();
    context.actions.push(std::move(action));
  }
  if (clicked && place < comparedOf(context.scene.compare).size() &&
      place != chosenPlace(context.scene.compare))
    context.actions.edit("choose",
                         [place](Scene& s) { s.compare.chosen = static_cast<Index>(place); });
}

void ComparePane::drawPlots(const ViewContext& context, const CompareAreas& areas) {
  const Ui& ui = context.ui;
  const Latest<ScoresShown>& scores = context.results.part<CompareResults>().scores;
  const std::array<const Plot*, kHeadings.size()> shown{&scores->mass, &scores->error};
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const Rect& area = areas.plots[k];
    const Heading& of = kHeadings[k];
    const std::string heading =
        std::string(of.words) + of.joint + baseText(scores->lines) + " against cost";
    const std::string less = std::string(of.words) + " against cost";
    const std::string least = std::string(of.brief) + " against cost";
    drawLine(ui, ImVec2(area.x0, area.y0 - ui.px(kPlotHeading)), {area.x0, area.x1},
             ui.colors().dim,
             firstFitting(ui, widthOf(area), {heading.c_str(), less.c_str(), least.c_str()}));
    ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
    const CanvasInput input = canvas(ui, of.name, ImVec2(widthOf(area), heightOf(area)),
                                     countText(scores->lines.size(), "mechanism"));
    const auto box = (*plots_)[k].draw(
        {.plot = *shown[k], .version = scores.value, .slot = of.name, .named = false}, area,
        context);
    if (box && input.hovered && !context.blocked)
      tooltip(ui, wordsAt(std::get<CurvesMark>(shown[k]->mark), *box,
                          ImVec2(input.mouseX, input.mouseY), ui.px(kPointReach)));
  }
}

bool ComparePane::leave() {
  laidOut_.reset();
  plots_ = std::make_unique<Plots>();
  return masks_->leave();
}

void ComparePane::draw(const ViewContext& seen) {
  Scene scene = seen.scene;
  const Difference* difference = seen.results.part<CompareResults>().difference.value.get();
  scene.pins = comparedPins(scene, seen.results.lengths, difference);
  scene.camera = comparedCamera(scene, seen.results.lengths, difference);
  const ViewContext context = withScene(seen, scene);
  const NameList names = namesOf(context);
  const CompareAreas& areas = areasIn(context, names);
  ViewContext masks = context;
  masks.area = areas.masks;
  drawMasks(masks);
  if (heightOf(areas.plots.front()) <= 0)
    return;
  if (context.results.part<CompareResults>().scores &&
      !context.results.part<CompareResults>().scores.stale) {
    drawPlots(context, areas);
    drawList(context, names, areas.list);
  } else {
    drawNote(context, areas.plots.front());
  }
}

} // namespace

std::unique_ptr<ViewPane> comparePane(const std::filesystem::path& shaders) {
  return std::make_unique<ComparePane>(gl::ShaderSources(shaders));
}

} // namespace attention::gui
