#include "core/figure/figure_words.h"

#include "core/scene/scene_words.h"

namespace attention {

Figure inWordsOf(const Scene& scene, Figure figure) {
  const SceneWords said = wordsOf(scene);
  if (!said.title.empty())
    figure.title = said.title;
  if (!said.caption.empty())
    figure.caption = said.caption;
  if (!said.source.empty())
    figure.source = "Source: " + said.source;
  return figure;
}

void addToCaption(Figure& figure, const std::string& sentence) {
  figure.caption += (figure.caption.empty() ? "" : " ") + sentence;
}

} // namespace attention
