#include "core/pattern/mask_reference.h"

#include "core/support/text.h"

#include <filesystem>
#include <optional>

namespace attention {

MaskReference maskReference(const std::string& text) {
  MaskReference reference{text, {}};
  const std::size_t open = text.rfind('[');
  if (open == text.npos || text.back() != ']')
    return reference;
  for (const std::string_view choice :
       split(std::string_view(text).substr(open + 1, text.size() - open - 2), ',')) {
    const std::size_t equals = choice.find('=');
    const auto index =
        equals == choice.npos ? std::nullopt : numberOf<Index>(choice.substr(equals + 1));
    const std::string_view axis = choice.substr(0, equals);
    const bool layer = axis == "batch" || axis == "layer";
    std::optional<Index>& place = layer ? reference.plane.batch : reference.plane.head;
    if (!index || (!layer && axis != "head") || place)
      return {text, {}}; // a name with brackets
    place = index;
  }
  reference.file = text.substr(0, open);
  return reference;
}

std::string textOf(const MaskReference& reference) {
  std::string choice;
  if (reference.plane.batch)
    choice = "batch=" + std::to_string(*reference.plane.batch);
  if (reference.plane.head)
    choice += (choice.empty() ? "head=" : ",head=") + std::to_string(*reference.plane.head);
  return choice.empty() ? reference.file : reference.file + "[" + choice + "]";
}

std::string titleOf(const MaskReference& reference) {
  constexpr std::size_t kLongestName = 24;
  const std::string name = std::filesystem::path(reference.file).filename().string();
  std::string title = printableLabel(shortened(name, kLongestName));
  if (reference.plane.batch)
    title += ", layer " + std::to_string(*reference.plane.batch);
  if (reference.plane.head)
    title += ", head " + std::to_string(*reference.plane.head);
  return title;
}

} // namespace attention
