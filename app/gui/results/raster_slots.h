// The rasters that views and thumbnails request, one slot per name.
#pragma once

#include "app/gui/interface/rasters.h"
#include "app/gui/interface/results.h"
#include "app/gui/jobs/slot.h"

#include <map>
#include <string>

namespace attention::gui {

class RasterSlots final : public Rasters {
public:
  explicit RasterSlots(JobPool& pool) : pool_(pool) {}

  Latest<CoverageRaster> coverage(std::string_view slot, const CoverageKey& key) override;
  Latest<WeightsRaster> weights(std::string_view slot, const WeightsKey& key) override;
  Latest<PlotImages> images(std::string_view slot,
                            const std::shared_ptr<const PlotLayout>& layout) override;

  // The deadline until which requests of this frame may be waited for.
  void beginFrame(Deadline patience) { patience_ = patience; }
  // Drops the slots that nobody requested since beginFrame.
  void endFrame();
  void retry();
  bool pending() const;
  // The first of the plots' images that was stopped: older ones, or none, are on the screen. Masks
  // report their own.
  std::optional<StoppedPart> stoppedImages() const;

private:
  template <class Key, class T>
  struct Used {
    Slot<Key, T> slot;
    bool used = false;
  };

  JobPool& pool_;
  Deadline patience_;
  std::map<std::string, Used<CoverageKey, CoverageRaster>, std::less<>> coverages_;
  std::map<std::string, Used<WeightsKey, WeightsRaster>, std::less<>> weights_;
  std::map<std::string, Used<std::shared_ptr<const PlotLayout>, PlotImages>, std::less<>> images_;
};

} // namespace attention::gui
