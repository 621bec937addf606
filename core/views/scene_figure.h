// The figure of a Scene, and the numbers behind it: the one path for published figures, the command
// line and the window's export.
#pragma once

#include "core/input/input.h"
#include "core/plot/figure.h"
#include "core/scene/input_data.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <filesystem>
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>

namespace attention {

// Answers of views that already exist, each by its type.
class ReadyAnswers {
public:
  template <class Answer>
  void give(std::shared_ptr<const Answer> answer) {
    answers_[typeid(Answer)] = std::move(answer);
  }
  // Null if it must be computed.
  template <class Answer>
  const Answer* find() const {
    const auto at = answers_.find(typeid(Answer));
    return at == answers_.end() ? nullptr : static_cast<const Answer*>(at->second.get());
  }

private:
  std::unordered_map<std::type_index, std::shared_ptr<const void>> answers_;
};

struct SceneFigureOptions {
  std::shared_ptr<const Input> input; // the Scene's input, loaded; null if it has none
  FigureTheme theme = FigureTheme::Light;
  int threads = 0;
  ReadyAnswers ready = {}; // for this Scene and input
};

// The Scene's lengths with that input, and which of its heads the Scene reads.
Lengths lengthsIn(const Scene& scene, const SceneFigureOptions& options);
ModelHead headIn(const Scene& scene, const SceneFigureOptions& options);
// The run on as many threads as the options say.
Run threaded(Run run, const SceneFigureOptions& options);

// Panels, heads or only the pattern; above each, in image mode, the picture of the pinned query
// (else of the middle of the image) and what it attends to; attention weights instead of cells
// where the Scene shows them and the input has queries and keys for these lengths; the part that
// the camera shows. Prepares the patterns; throws as prepare, lengthsOf, imageShape, shownPatterns
// and resolveFiles do.
Figure figureOfScene(const Scene& scene, const SceneFigureOptions& options = {},
                     const Run& run = {});

// The cells that a square view with this camera shows, cut to the mask; all of them without a
// camera.
Rect cellsOf(const std::optional<Camera>& camera, const Lengths& lengths);

// ---- the numbers, for drawing or counting elsewhere ----

// Replaces `path` only by a complete file. E_UNSUPPORTED: an ending that the Scene's view does not
// have; E_RANGE, E_IO; and what figureOfScene throws.
void writeSceneData(const Scene& scene, const SceneFigureOptions& options,
                    const std::filesystem::path& path, const Run& run = {});

// The same as text for a clipboard, as .csv would hold it. E_RANGE above 10^6 lines.
std::string sceneDataText(const Scene& scene, const SceneFigureOptions& options,
                          const Run& run = {});

} // namespace attention
