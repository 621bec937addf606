// Pictures on request. A view asks for the raster of a lattice under a slot name of its own each
// frame it wants it ("mask 0", "row", "minimap"); what is quick is there at once, the rest comes as
// a job, meanwhile the slot's last good raster is given with the key that it was made for. A slot
// that is not asked for in a frame is dropped, with its job.
#pragma once

#include "app/gui/view/results.h"
#include "core/attention/weights.h"

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

class Rasters {
public:
  virtual ~Rasters() = default;
  virtual Latest<CoverageRaster> coverage(std::string_view slot, const CoverageKey& key) = 0;
  virtual Latest<WeightsRaster> weights(std::string_view slot, const WeightsKey& key) = 0;
};

} // namespace attention::gui
