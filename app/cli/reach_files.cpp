#include "app/cli/reach_files.h"

#include "core/analysis/reach/reach_text.h"
#include "core/views/mask/export_mask.h"
#include "core/views/reach/reach_figure.h"

namespace attention::cli {

void writeReach(BitMatrix reach, const ReachWords& words, const std::string& path,
                const PictureOptions& how, const Run& run) {
  MaskExportOptions options;
  options.title = "Receptive field of " + words.of;
  for (const bool reaches : {false, true})
    options.says.push_back(
        {{}, attention::reachText("{key}", "{query}", words.layers, reaches), {}, reaches ? 1 : 0});
  options.scene = how.file.scene;
  options.size = how.file.size;
  options.standalone = how.file.standalone;
  options.svgWords = how.file.svgWords;
  options.theme = how.theme;
  options.page = how.file.page;
  options.threads = how.file.threads;
  exportMask(reachPattern(std::move(reach)), path, options, run);
}

void writeHops(const HopMatrix& hops, const LostPairs* lost, const std::string& path,
               const PictureOptions& how, const Run& run) {
  const std::string ending = endingOf(path);
  if (ending == ".npy")
    return writeHopsNpy(hops, path, run);
  if (ending == ".csv")
    return writeHopsCsv(hops, path, run);
  Plot plot = hopPlot(hops, longestOf(hops, run), lost, {}, run);
  Figure figure;
  figure.theme = how.theme;
  auto legend = hopLegend(plot, how.theme, {hops(0, 0) == 0, lost != nullptr, "layer"});
  figure.panels.push_back({kHopsTitle, {std::move(plot)}, std::move(legend)});
  writeFigure(figure, path, how.file, run);
}

void writePicture(Plot plot, const std::string& title, const std::string& path,
                  const PictureOptions& how, const Run& run) {
  Figure figure;
  figure.theme = how.theme;
  figure.title = title;
  figure.panels.push_back({"", {std::move(plot)}, {}});
  writeFigure(figure, path, how.file, run);
}

} // namespace attention::cli
