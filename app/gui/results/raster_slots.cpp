#include "app/gui/results/raster_slots.h"

#include "app/gui/results/ready_weights.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace attention::gui {
namespace {

bool sameLattice(const Lattice& a, const Lattice& b) {
  return a.rowEdges == b.rowEdges && a.keyEdges == b.keyEdges;
}

template <class Map>
auto& slotOf(Map& map, std::string_view name) {
  auto found = map.find(name);
  if (found == map.end())
    found = map.try_emplace(std::string(name)).first;
  found->second.used = true;
  return found->second.slot;
}

template <class Map>
void dropUnused(Map& map) {
  for (auto it = map.begin(); it != map.end();) {
    if (std::exchange(it->second.used, false)) {
      ++it;
      continue;
    }
    it->second.slot.drop();
    it = map.erase(it);
  }
}

std::shared_ptr<const WeightsRaster> makeWeights(const WeightsKey& key, const Run& run) {
  WeightsRaster raster{key, {}, 0};
  const HeadAttention& a = *key.attention;
  if (a.ready) {
    raster.weights = readyPicture(*a.prepared, *a.ready, key.lattice, key.reduction, run);
  } else {
    raster.weights =
        weightsPicture(weightSource(a), std::span<const Index>(key.lattice.rowEdges),
                       std::span<const Index>(key.lattice.keyEdges), key.reduction, 0, run);
  }
  for (const float w : raster.weights.values())
    raster.largest = std::max(raster.largest, w);
  return std::make_shared<const WeightsRaster>(std::move(raster));
}

} // namespace

bool operator==(const CoverageKey& a, const CoverageKey& b) {
  return a.prepared == b.prepared && sameLattice(a.lattice, b.lattice);
}

bool operator==(const WeightsKey& a, const WeightsKey& b) {
  return a.attention == b.attention && a.reduction == b.reduction &&
         sameLattice(a.lattice, b.lattice);
}

Latest<CoverageRaster> RasterSlots::coverage(std::string_view slot, const CoverageKey& key) {
  const auto make = [key](const Run& run) {
    return std::make_shared<const CoverageRaster>(
        CoverageRaster{key, computeCoverage(*key.prepared, key.lattice, run)});
  };
  return slotOf(coverages_, slot).ask(pool_, "picture", key, make, patience_);
}

Latest<WeightsRaster> RasterSlots::weights(std::string_view slot, const WeightsKey& key) {
  const auto make = [key](const Run& run) { return makeWeights(key, run); };
  return slotOf(weights_, slot).ask(pool_, "attention weights", key, make, patience_);
}

Latest<PlotImages> RasterSlots::images(std::string_view slot,
                                       const std::shared_ptr<const PlotLayout>& layout) {
  const auto make = [layout](const Run& run) {
    PlotImages made{layout, {}};
    made.images.resize(layout->pictures.size());
    parallelFor(std::ssize(made.images), 0, run, [&](Index k) {
      const auto at = static_cast<std::size_t>(k);
      made.images[at] = std::make_shared<const Image>(layout->pictures[at](run.quiet()));
    });
    return std::make_shared<const PlotImages>(std::move(made));
  };
  return slotOf(images_, slot).ask(pool_, "picture", layout, make, patience_);
}

void RasterSlots::endFrame() {
  dropUnused(coverages_);
  dropUnused(weights_);
  dropUnused(images_);
}

void RasterSlots::retry() {
  for (auto& [name, used] : coverages_)
    used.slot.retry();
  for (auto& [name, used] : weights_)
    used.slot.retry();
  for (auto& [name, used] : images_)
    used.slot.retry();
}

std::optional<StoppedPart> RasterSlots::stoppedImages() const {
  for (const auto& [name, used] : images_) {
    const Latest<PlotImages> made = used.slot.latest();
    if (isStopped(made.problem))
      return StoppedPart{made.value != nullptr, made.stale};
  }
  return std::nullopt;
}

bool RasterSlots::pending() const {
  const auto waits = [](const auto& entry) { return entry.second.slot.pending(); };
  return std::any_of(coverages_.begin(), coverages_.end(), waits) ||
         std::any_of(weights_.begin(), weights_.end(), waits) ||
         std::any_of(images_.begin(), images_.end(), waits);
}

} // namespace attention::gui
