#include "app/gui/overlays/search.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

constexpr std::size_t kLeastTyped = 3;
constexpr std::size_t kMostSynonyms = 4;

struct Synonyms {
  std::string_view typed;
  std::array<std::string_view, kMostSynonyms> meant;
};

// By what is typed.
constexpr std::array kSynonyms{
    Synonyms{"apng", {"animation"}},
    Synonyms{"autoregressive", {"causal"}},
    Synonyms{"benchmark", {"timings"}},
    Synonyms{"bert", {"full", "minilm", "kovaleva"}},
    Synonyms{"bidirectional", {"full"}},
    Synonyms{"bigger", {"larger"}},
    Synonyms{"bright", {"theme"}},
    Synonyms{"bucket", {"hashing", "lsh"}},
    Synonyms{"cache", {"sinks", "streamingllm", "h2o"}},
    Synonyms{"clustering", {"clusters", "hashing"}},
    Synonyms{"color", {"theme"}},
    Synonyms{"colour", {"theme"}},
    Synonyms{"convolution", {"wavenet", "dilated", "local"}},
    Synonyms{"dark", {"theme"}},
    Synonyms{"decoder", {"causal"}},
    Synonyms{"dense", {"full", "causal"}},
    Synonyms{"diff", {"compare"}},
    Synonyms{"encoder", {"full"}},
    Synonyms{"exit", {"quit"}},
    Synonyms{"favor", {"kernels", "performer"}},
    Synonyms{"film", {"animation"}},
    Synonyms{"font", {"type"}},
    Synonyms{"fullscreen", {"full screen", "present"}},
    Synonyms{"gif", {"animation"}},
    Synonyms{"gpt", {"causal", "sparse transformer"}},
    Synonyms{"heatmap", {"weights", "mask"}},
    Synonyms{"hotkeys", {"keys"}},
    Synonyms{"image", {"png", "image"}},
    Synonyms{"jpeg", {"png"}},
    Synonyms{"jpg", {"png"}},
    Synonyms{"kernel", {"kernels", "performer"}},
    Synonyms{"latex", {"tikz"}},
    Synonyms{"lecture", {"present", "lesson"}},
    Synonyms{"light", {"theme"}},
    Synonyms{"linear", {"kernels", "linformer", "katharopoulos"}},
    Synonyms{"llama", {"streamingllm", "mistral"}},
    Synonyms{"matrix", {"mask", "weights"}},
    Synonyms{"memory", {"timings"}},
    Synonyms{"movie", {"animation"}},
    Synonyms{"mp4", {"animation"}},
    Synonyms{"night", {"theme"}},
    Synonyms{"noise", {"random"}},
    Synonyms{"path", {"reach"}},
    Synonyms{"performance", {"timings"}},
    Synonyms{"position", {"encodings"}},
    Synonyms{"positional", {"encodings"}},
    Synonyms{"print", {"pdf"}},
    Synonyms{"projector", {"present"}},
    Synonyms{"receptive", {"reach"}},
    Synonyms{"restore", {"undo", "reset"}},
    Synonyms{"runtime", {"timings"}},
    Synonyms{"screenshot", {"png"}},
    Synonyms{"shortcuts", {"keys"}},
    Synonyms{"sink", {"sinks", "streamingllm"}},
    Synonyms{"sliding", {"local", "window", "longformer"}},
    Synonyms{"slides", {"present", "pdf"}},
    Synonyms{"slideshow", {"present"}},
    Synonyms{"smaller", {"smaller", "less"}},
    Synonyms{"softmax", {"attention weights"}},
    Synonyms{"speed", {"timings"}},
    Synonyms{"spectrum", {"linformer", "kernels"}},
    Synonyms{"swa", {"local", "mistral"}},
    Synonyms{"synthetic", {"random"}},
    Synonyms{"text", {"type", "labels"}},
    Synonyms{"time", {"timings"}},
    Synonyms{"tutorial", {"lesson"}},
    Synonyms{"vector", {"svg", "pdf"}},
    Synonyms{"versus", {"compare"}},
    Synonyms{"video", {"animation"}},
    Synonyms{"vit", {"swin", "image"}},
    Synonyms{"white", {"theme"}},
};

} // namespace

std::span<const std::string_view> synonymsOf(std::string_view typed) {
  if (typed.size() < kLeastTyped)
    return {};
  const auto of = std::find_if(kSynonyms.begin(), kSynonyms.end(), [&](const Synonyms& synonyms) {
    return synonyms.typed.substr(0, typed.size()) == typed;
  });
  if (of == kSynonyms.end())
    return {};
  const auto end = std::find(of->meant.begin(), of->meant.end(), std::string_view());
  return {of->meant.data(), static_cast<std::size_t>(end - of->meant.begin())};
}

} // namespace attention::gui
