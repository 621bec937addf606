#include "app/gui/panels/thumbnails.h"

#include "app/gui/widgets/drawing.h"
#include "core/pattern/coverage.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attention::gui {
namespace {

constexpr Index kSide = 48;       // texels
constexpr Index kLargeSide = 192; // of pictures with more than two points per texel
constexpr Index kMostDataTokens = 256;
constexpr double kLeastShade = 0.3;

// Clusters of trained queries and keys lie apart, so that hardly any query finds a key in its own:
// their picture uses Q = K, and so few tokens that each is a texel.
PatternData dataOf(const Pattern& pattern, const Input& input, Index batch, Index head, Index n,
                   const Run& run) {
  PatternData data = inputData(input, batch, head, n, run);
  if (pattern.is<Cluster>())
    data.k = data.q;
  return data;
}

} // namespace

std::shared_ptr<const Thumbnails::Shares> Thumbnails::make(const Key& key, const Run& run) {
  PatternData data;
  if (key.input)
    data = dataOf(key.pattern, *key.input, key.batch, key.head, key.lengths.keys, run);
  const auto prepared = prepare(resolveFiles(key.pattern, {}, run), key.lengths, data, run);
  const Index rows = std::min(key.side, key.lengths.queries);
  const Index cols = std::min(key.side, key.lengths.keys);
  const Lattice lattice = latticeOver(prepared->bounds(), rows, cols);
  const Coverage coverage = computeCoverage(*prepared, lattice, run);
  auto shares = std::make_shared<Shares>();
  shares->side = key.side;
  for (Index y = 0; y < key.side; ++y)
    for (Index x = 0; x < key.side; ++x) {
      const Index a = y * rows / key.side;
      const Index b = x * cols / key.side;
      const auto edge = [](const std::vector<Index>& edges, Index at) {
        return edges[static_cast<std::size_t>(at)];
      };
      const Index cells = (edge(lattice.rowEdges, a + 1) - edge(lattice.rowEdges, a)) *
                          (edge(lattice.keyEdges, b + 1) - edge(lattice.keyEdges, b));
      const double share = static_cast<double>(coverage.total(a, b)) /
                           static_cast<double>(std::max<Index>(1, cells));
      // The square root and a minimum shade keep thin combs and windows visible at this size.
      const double shade = share > 0 ? std::max(std::sqrt(share), kLeastShade) : 0;
      shares->alpha.push_back(static_cast<std::uint8_t>(std::lround(255 * shade)));
    }
  return shares;
}

void Thumbnails::upload(Entry& entry, const std::shared_ptr<const Shares>& shares) {
  std::vector<std::byte> texels;
  texels.reserve(shares->alpha.size() * 4);
  for (const std::uint8_t alpha : shares->alpha)
    for (const std::uint8_t value :
         {std::uint8_t{255}, std::uint8_t{255}, std::uint8_t{255}, alpha})
      texels.push_back(static_cast<std::byte>(value));
  const int side = static_cast<int>(shares->side);
  if (!entry.texture || entry.texture->width() != side)
    entry.texture.emplace(side, side, gl::TexelFormat::Rgba8, gl::TexelFilter::Linear);
  entry.texture->upload(texels);
  entry.uploaded = shares;
}

// The first tokens stand for all where preparing takes n².
Thumbnails::Key Thumbnails::keyOf(const Pattern& pattern, const Lengths& lengths,
                                  Index side) const {
  if (!input_ || !needsData(pattern))
    return {pattern, lengths, side, nullptr, 0, 0};
  const Index most = pattern.is<Cluster>() ? kSide : kMostDataTokens;
  const Index n = std::min({lengths.keys, input_->keys, most});
  return {pattern, {n, n, 0}, side, input_, batch_, head_};
}

void Thumbnails::draw(const Ui& ui, const std::string& slot, const Pattern& pattern,
                      const Lengths& lengths, const Rect& area, const ImVec4& hue) {
  Entry& entry = entries_[slot];
  entry.seen = true;
  const bool large = area.x1 - area.x0 > ui.px(2 * static_cast<float>(kSide));
  const Key key = keyOf(pattern, lengths, large ? kLargeSide : kSide);
  entry.ofInput = key.input != nullptr;
  const Latest<Shares> latest = entry.slot.ask(
      pool_, "thumbnail", key, [key](const Run& run) { return make(key, run); }, patience_);
  if (latest.value && latest.value != entry.uploaded)
    upload(entry, latest.value);
  const float inset = ui.px(3);
  const ImVec2 from(area.x0 + inset, area.y0 + inset);
  const ImVec2 to(area.x1 - inset, area.y1 - inset);
  if (entry.texture && !latest.problem) {
    ImGui::GetWindowDrawList()->AddImage(textureHandle(*entry.texture), from, to, ImVec2(0, 0),
                                         ImVec2(1, 1), color(hue));
    return;
  }
  // Parameters without a default (a formula, a mask file) have no picture yet.
  const bool inputMissing = needsData(pattern) && !input_;
  std::string sign = inputMissing ? "no input" : latest.problem ? "?" : "…";
  ImFont* font = ui.fonts.text;
  if (textSize(font, sign).x > to.x - from.x) {
    sign = inLines(ui.fonts.small, sign, 0); // one word per line
    font = ui.fonts.small;
  }
  const ImVec2 size = textSize(font, sign);
  drawText(font, ImVec2((from.x + to.x - size.x) / 2, (from.y + to.y - size.y) / 2),
           ui.colors().dim, sign);
}

void Thumbnails::clear() {
  for (auto& [name, entry] : entries_)
    entry.slot.drop();
  entries_.clear();
}

void Thumbnails::endFrame() {
  for (auto& [name, entry] : entries_)
    if (!std::exchange(entry.seen, false)) {
      if (std::exchange(entry.ofInput, false))
        entry.slot.drop();
      else
        entry.slot.stop();
    }
}

bool Thumbnails::pending() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const auto& entry) { return entry.second.slot.pending(); });
}

} // namespace attention::gui
