// The pictures of the Attention view: each registers what files and sweeps ask of it, and nothing
// else has to ask which picture it is.
#pragma once

#include "core/views/view_unit.h"

namespace attention {

struct AttentionPictureUnit {
  Figure (*figure)(const Scene& scene, const SceneFigureOptions& options, const Run& run);
  CsvTable (*table)(const Scene& scene, const SceneFigureOptions& options, const Run& run);
  void (*writeNpy)(const Scene& scene, const SceneFigureOptions& options,
                   const std::filesystem::path& path, const Run& run);
  std::vector<std::string> (*reading)(const Scene& scene, const SceneFigureOptions& options,
                                      const Run& run);
  void (*answers)(const Scene& scene, SceneFigureOptions& options, const Run& run);
  bool showsAllHeads = false;
  std::vector<Moving> (*moving)(const Scene& scene, Index n) = nullptr; // null: nothing
  PageFigure (*plays)(const Scene& scene, const SceneFigureOptions& options,
                      const Run& run) = nullptr; // null: nothing
};

// Of the spec's picture.
const AttentionPictureUnit& attentionPicture(const Scene& scene);

AttentionPictureUnit weightsPicture(AttentionPicture picture); // maps, heads and lines
AttentionPictureUnit headListPicture();                        // all heads by what they do
AttentionPictureUnit stepsPicture();
AttentionPictureUnit textPicture();

} // namespace attention
