#include "core/scene/token_labels.h"

namespace attention {

std::span<const std::string> tokenLabels(const Scene& scene, const Input* input, Index n) {
  const bool named = input && !input->tokens.empty();
  const std::vector<std::string>& words = named ? input->tokens : scene.labels.get();
  if (static_cast<Index>(words.size()) < n)
    return {};
  return std::span(words).first(static_cast<std::size_t>(n));
}

std::vector<std::string> keptTokenLabels(const Scene& scene, const Input* input, Index n) {
  const auto labels = tokenLabels(scene, input, n);
  return {labels.begin(), labels.end()};
}

} // namespace attention
