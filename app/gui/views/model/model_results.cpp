#include "app/gui/views/model/model_results.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

template <class T>
void noteWork(const Latest<T>& part, const char* what, std::string& words) {
  if (part.pending && words.empty())
    words = std::string(what) + " … " +
            std::to_string(std::lround(100 * std::clamp(part.progress, 0.0, 1.0))) + " %";
}

bool readsCosts(ModelPicture picture) {
  return picture == ModelPicture::Costs || picture == ModelPicture::Text;
}

} // namespace

ModelPictureShown shownOf(const ModelResults& results, ModelPicture picture) {
  const auto of = [](const auto& part, std::vector<std::string> reading) {
    return ModelPictureShown{true, part.stale, part->title, part->caption, std::move(reading)};
  };
  switch (picture) {
  case ModelPicture::Costs:
    return results.costs ? of(results.costs, results.costs->reading) : ModelPictureShown{};
  case ModelPicture::Text:
    return results.hurt ? of(results.hurt, results.hurt->reading) : ModelPictureShown{};
  case ModelPicture::Sweep:
    return results.sweep ? of(results.sweep, results.sweep->reading) : ModelPictureShown{};
  case ModelPicture::Layers:
    return results.layers ? of(results.layers, results.layers->reading) : ModelPictureShown{};
  }
  return {};
}

std::optional<Problem> problemOf(const ModelResults& results, ModelPicture picture) {
  const auto where = [](bool reads, const std::optional<Problem>& problem) {
    return reads ? problem : std::nullopt;
  };
  for (const std::optional<Problem>& problem :
       {results.model.problem, results.tokens.problem,
        where(picture != ModelPicture::Layers, results.asItIs.problem),
        where(readsCosts(picture), results.costs.problem),
        where(picture == ModelPicture::Text, results.hurt.problem),
        where(picture == ModelPicture::Sweep, results.sweep.problem),
        where(picture == ModelPicture::Layers, results.layers.problem)})
    if (problem)
      return problem;
  return std::nullopt;
}

std::string workOf(const ModelResults& results, ModelPicture picture) {
  std::string words;
  noteWork(results.model, "opening the model", words);
  noteWork(results.tokens, "reading the text", words);
  if (picture == ModelPicture::Layers) {
    noteWork(results.layers, "preparing the masks", words);
    return words;
  }
  noteWork(results.asItIs, "computing the model as it is", words);
  if (picture == ModelPicture::Sweep)
    noteWork(results.sweep, "computing the sweep", words);
  else {
    noteWork(results.costs, "computing the variants", words);
    if (!words.empty() && results.costs && !results.costs.stale && !results.costs->begun.empty())
      words += " · " + results.costs->begun;
  }
  return words;
}

} // namespace attention::gui
