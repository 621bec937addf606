#include "core/views/reach/reach_figure.h"

#include "core/export/mask_lists.h"
#include "core/input/npy_writer.h"
#include "core/input/replace_file.h"
#include "core/support/error.h"

#include <ostream>

namespace attention {
void writeHopsNpy(const HopMatrix& hops, const std::filesystem::path& path, const Run& run) {
  const Index shape[] = {hops.n(), hops.n()};
  const auto fill = [&](Index i, std::span<std::int32_t> values) {
    for (Index j = 0; j < hops.n(); ++j)
      values[static_cast<std::size_t>(j)] = static_cast<std::int32_t>(hops(i, j));
  };
  writeNpyRows<std::int32_t>(path, shape, fill, run);
}

void writeHopsCsv(const HopMatrix& hops, const std::filesystem::path& path, const Run& run) {
  Index pairs = 0;
  for (Index i = 0; i < hops.n(); ++i)
    for (Index j = 0; j < hops.n(); ++j)
      pairs += hops(i, j) >= 0 ? 1 : 0;
  if (pairs > kMaxMaskEntries)
    throwRange("hops", std::to_string(pairs) + " reached pairs",
               "at most " + std::to_string(kMaxMaskEntries) + " in a .csv file");
  replaceFile(path, [&](std::ostream& out) {
    out << "i,j,hops\n";
    for (Index i = 0; i < hops.n(); ++i) {
      run.check();
      for (Index j = 0; j < hops.n(); ++j)
        if (hops(i, j) >= 0)
          out << std::to_string(i) << ',' << std::to_string(j) << ',' << std::to_string(hops(i, j))
              << '\n';
    }
  });
}

CsvTable growthTable(const std::vector<ReachGrowth>& curves) {
  CsvTable table{{"stack", "layer", "pairs", "fraction_full", "fraction_causal"}, {}};
  for (const ReachGrowth& curve : curves)
    for (const LayerReach& layer : curve.layers)
      table.rows.push_back({csvText(curve.label), std::to_string(layer.layer),
                            std::to_string(layer.pairs), csvNumber(layer.ofFull),
                            csvNumber(layer.ofCausal)});
  return table;
}

} // namespace attention
