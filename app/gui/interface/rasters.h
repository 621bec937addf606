// Pictures on request. In each frame that it needs one, a view asks for the raster of a lattice
// under its own slot name ("mask 0", "row", "minimap"). What is quick is there at once and the rest
// comes from a job; meanwhile the slot's last good raster is given with the key that it was made
// for. A slot that is not asked for in a frame is dropped, with its job.
#pragma once

#include "app/gui/interface/results.h"
#include "core/attention/weights.h"
#include "core/plot/layout.h"

#include <string_view>

namespace attention::gui {

struct CoverageKey {
  std::shared_ptr<const Prepared> prepared;
  Lattice lattice;
};
bool operator==(const CoverageKey& a, const CoverageKey& b);

struct CoverageRaster {
  CoverageKey key;
  Coverage coverage;
};

struct WeightsKey {
  std::shared_ptr<const HeadAttention> attention;
  Lattice lattice;
  Reduction reduction = Reduction::Maximum;
};
bool operator==(const WeightsKey& a, const WeightsKey& b);

struct WeightsRaster {
  WeightsKey key;
  Matrix<float> weights; // lattice rows × lattice columns
  float largest = 0;     // of all pixels
};

// A plot laid out, and what makes the pixels of its pictures.
struct PlotLayout {
  std::shared_ptr<const void> of; // the result that the plot belongs to
  std::size_t kind = 0;           // of its mark
  PlacedPlot placed;
  std::vector<MakeImage> pictures; // in the order of the list's pictures without an image
};

struct PlotImages {
  std::shared_ptr<const PlotLayout> layout; // that they were made for
  std::vector<std::shared_ptr<const Image>> images;
};

class Rasters {
public:
  virtual ~Rasters() = default;
  virtual Latest<CoverageRaster> coverage(std::string_view slot, const CoverageKey& key) = 0;
  virtual Latest<WeightsRaster> weights(std::string_view slot, const WeightsKey& key) = 0;
  virtual Latest<PlotImages> images(std::string_view slot,
                                    const std::shared_ptr<const PlotLayout>& layout) = 0;
};

} // namespace attention::gui
