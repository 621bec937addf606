#include "core/scene/token_labels.h"

namespace attention {

std::vector<std::string> tokenLabels(const Scene& scene, const Input* input, Index n) {
  const bool named = input && !input->tokens.empty();
  const std::vector<std::string>& words = named ? input->tokens : scene.labels;
  if (static_cast<Index>(words.size()) < n)
    return {};
  return {words.begin(), words.begin() + n};
}

} // namespace attention
