#include "tests/app/views/mask_window.h"

#include "app/gl/shader_sources.h"
#include "app/gui/results/make_results.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

bool sameLattice(const Lattice& a, const Lattice& b) {
  return a.rowEdges == b.rowEdges && a.keyEdges == b.keyEdges;
}

} // namespace

Latest<CoverageRaster> InstantRasters::coverage(std::string_view slot, const CoverageKey& key) {
  auto& held = coverages_[std::string(slot)];
  const bool same =
      held && held->key.prepared == key.prepared && sameLattice(held->key.lattice, key.lattice);
  if (same || (late && held))
    return {held, !same, !same, 0.4};
  ++computed;
  held = std::make_shared<const CoverageRaster>(
      CoverageRaster{key, computeCoverage(*key.prepared, key.lattice)});
  return {held};
}

Latest<WeightsRaster> InstantRasters::weights(std::string_view slot, const WeightsKey& key) {
  auto& held = weights_[std::string(slot)];
  const Lattice& lattice = key.lattice;
  // p falls with the distance, so that the picture is known without an input.
  WeightsRaster raster{key, Matrix<float>(lattice.rows(), lattice.cols()), 0};
  const Coverage coverage = computeCoverage(*key.attention->prepared, lattice);
  for (Index a = 0; a < lattice.rows(); ++a)
    for (Index b = 0; b < lattice.cols(); ++b) {
      const Index distance = std::abs(lattice.rowEdges[static_cast<std::size_t>(a)] -
                                      lattice.keyEdges[static_cast<std::size_t>(b)]);
      raster.weights(a, b) =
          coverage.total(a, b) > 0 ? 1.0F / static_cast<float>(1 + distance) : 0.0F;
      raster.largest = std::max(raster.largest, raster.weights(a, b));
    }
  if (!held || held->key.attention != key.attention || held->key.reduction != key.reduction ||
      !sameLattice(held->key.lattice, lattice))
    held = std::make_shared<const WeightsRaster>(std::move(raster));
  return {held};
}

MaskWindow::MaskWindow(int width, int height, ThemeKind kind, bool byShader, float uiScale)
    : host_(Host::headless({"", width, height, uiScale})), theme_(makeTheme(kind)),
      view_(maskPane(gl::ShaderSources(), byShader)) {
  scene.pattern = patternNamed("strided");
}

void MaskWindow::prepare() {
  auto masks = std::make_shared<Masks>();
  masks->lengths = lengthsOf(scene.length, results.input ? results.input->keys : 0);
  const std::vector<Panel>& several = scene.mask.panels;
  for (const Panel& panel : several.empty() ? std::vector<Panel>{{"", scene.pattern}} : several)
    masks->tiles.push_back(
        {panel.title, panel.pattern,
         attention::prepare(panel.pattern, masks->lengths)->withLooks(panel.parts), panel.queries,
         panel.keys});
  results.lengths = masks->lengths;
  results.masks.value = std::move(masks);
}

void MaskWindow::draw(const FrameInfo& info) {
  applyTheme(theme_, info.scale);
  log_.beginFrame();
  const Ui ui{log_, theme_, host_.fonts(), info.scale};
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImVec2(info.width, info.height));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme_.colors.view);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("view", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  const Lengths& lengths = results.lengths;
  results.tokens.value = std::make_shared<const TokenCounts>(
      makeTokenCounts(*results.masks.value, shownQuery(scene.pins, hover, lengths),
                      shownKey(scene.pins, lengths), {}));
  ActionSink sink;
  const ViewContext context{scene, results, rasters,   ui,   {0, 0, info.width, info.height},
                            sink,  hover,   info.step, false};
  view_->draw(context);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  actions = sink.take();
}

void MaskWindow::apply(const Action& action) {
  if (const auto* camera = std::get_if<SetCamera>(&action))
    scene.camera = camera->camera;
  if (const auto* pins = std::get_if<SetPins>(&action))
    scene.pins = pins->pins;
  if (const auto* over = std::get_if<Hover>(&action))
    hover = *over;
}

void MaskWindow::frame() {
  host_.frame([&](const FrameInfo& info) { draw(info); });
  for (const Action& action : actions)
    apply(action);
}

void MaskWindow::settle() {
  do
    frame();
  while (!host_.events().empty());
  frame();
}

void MaskWindow::click(float x, float y, bool shift) {
  events().push(MouseMoveEvent{x, y});
  if (shift)
    events().push(KeyEvent{Key::LeftShift, true});
  settle();
  events().push(MouseButtonEvent{0, true});
  events().push(MouseButtonEvent{0, false});
  settle();
  if (shift)
    events().push(KeyEvent{Key::LeftShift, false});
  settle();
}

void MaskWindow::scroll(float x, float y, float notches) {
  events().push(MouseMoveEvent{x, y});
  settle();
  events().push(ScrollEvent{0, notches});
  settle();
}

void MaskWindow::press(Chord chord) {
  events().pushChord(chord);
  settle();
}

Rect MaskWindow::matrix(const std::string& label) const {
  const Widget* widget = log_.find(label);
  return widget != nullptr ? widget->rect : Rect{};
}

bool MaskWindow::says(std::string_view words) const {
  const auto widgets = log_.widgets();
  return std::any_of(widgets.begin(), widgets.end(),
                     [&](const Widget& w) { return w.label.find(words) != std::string::npos; });
}

MaskWindow stridedWindow(Index n, ThemeKind kind) {
  MaskWindow window(760, 800, kind);
  window.scene.length.n = n;
  window.prepare();
  window.settle();
  return window;
}

MaskFrame frameIn(const MaskWindow& window) {
  return frameOf(window.results.lengths, window.scene.camera, window.matrix());
}

ImVec2 middle(const MaskWindow& window, Index query, Index key) {
  const MaskFrame frame = frameIn(window);
  return ImVec2(frame.x(static_cast<double>(key) + 0.5), frame.y(static_cast<double>(query) + 0.5));
}

void clickCell(MaskWindow& window, Index query, Index key, bool shift) {
  const ImVec2 at = middle(window, query, key);
  window.click(at.x, at.y, shift);
}

int marked(const MaskWindow& window, const Rect& room) {
  const gl::Pixels pixels = window.pixels();
  const std::uint8_t* ground = pixels.at(2, 2);
  int count = 0;
  for (int y = static_cast<int>(room.y0); y < static_cast<int>(room.y1); ++y)
    for (int x = static_cast<int>(room.x0); x < static_cast<int>(room.x1); ++x)
      count += std::equal(ground, ground + 3, pixels.at(x, y)) ? 0 : 1;
  return count;
}

unsigned rgb(const Color& color) {
  return static_cast<unsigned>(color.r) << 16 | static_cast<unsigned>(color.g) << 8 | color.b;
}

unsigned colorAt(const gl::Pixels& pixels, float x, float y) {
  const std::uint8_t* p = pixels.at(static_cast<int>(x), static_cast<int>(y));
  return static_cast<unsigned>(p[0]) << 16 | static_cast<unsigned>(p[1]) << 8 | p[2];
}

} // namespace attention::gui
