#include "app/gui/views/mask/mask_pictures.h"
#include "core/views/shown_patterns.h"

namespace attention::gui {

MaskPictures::MaskPictures(const gl::ShaderSources& shaders, bool byShader) {
  if (byShader)
    shader_.emplace(shaders);
}

Standing MaskPictures::ask(const MaskScreen& screen, std::size_t tile) {
  Standing standing = show(screen, tile);
  if (const auto& problem = screen.context.results.masks.problem)
    standing.problem = "showing the last good picture: " + problem->text;
  return standing;
}

Standing MaskPictures::show(const MaskScreen& screen, std::size_t tile) {
  const ViewContext& context = screen.context;
  const auto& prepared = screen.masks.tiles[tile].prepared;
  const FigureTheme theme = figureTheme(context.ui.theme);
  const TexelAxes axes = axesOf(screen.frames[tile], screen.lengths(), screen.density);
  Standing standing;
  standing.late = context.results.masks.stale;
  if (showWeights(screen, tile, axes, standing))
    return standing;
  if (shader_ && axes.keys.kind == TexelKind::Pixels &&
      MaskShader::serves(*prepared, axes.lattice())) {
    pictures_[tile].show(*shader_, prepared, axes, theme);
    return standing;
  }
  const auto raster =
      context.rasters.coverage("mask " + std::to_string(tile), {prepared, axes.lattice()});
  pictures_[tile].show(raster, axes, theme);
  standing.late |= raster.stale || raster.pending;
  standing.progress = raster.progress;
  standing.sampled = raster && !raster->coverage.exact;
  standing.problem = raster.problem ? raster.problem->text : "";
  return standing;
}

bool MaskPictures::showWeights(const MaskScreen& screen, std::size_t tile, const TexelAxes& axes,
                               Standing& standing) {
  const ViewContext& context = screen.context;
  const auto& attention = context.results.attention;
  if (tile != 0 || !showsWeights(context))
    return false;
  const bool sum = currentWeights(context.scene) == WeightsShown::Sum;
  const Reduction reduction = sum ? Reduction::Sum : Reduction::Maximum;
  const auto raster =
      context.rasters.weights("weights 0", {attention.value, axes.lattice(), reduction});
  standing.late |= attention.stale || raster.stale || raster.pending;
  standing.progress = raster.progress;
  standing.problem = raster.problem ? raster.problem->text : "";
  if (!raster)
    return false;
  standing.largestWeight = raster->largest;
  pictures_[tile].show(raster, axes, figureTheme(context.ui.theme));
  return true;
}

} // namespace attention::gui
