#include "core/input/input_files.h"

#include "core/support/text.h"

#include <array>
#include <cctype>

namespace attention {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRoles = 3; // q, k, v
using Words = std::array<std::string_view, kRoles>;
constexpr std::array<Words, 6> kWords{{{"q", "k", "v"},
                                       {"query", "key", "value"},
                                       {"queries", "keys", "values"},
                                       {"Q", "K", "V"},
                                       {"Query", "Key", "Value"},
                                       {"Queries", "Keys", "Values"}}};

// The part of a name that states a role, and what may replace it.
struct RolePlace {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::size_t role = 0;
  const Words* words = nullptr;
};

bool isLetter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::optional<RolePlace> placeOf(const std::string& stem, std::size_t begin, std::size_t end) {
  const std::string_view word(stem.data() + begin, end - begin);
  for (const Words& words : kWords)
    for (std::size_t role = 0; role < kRoles; ++role)
      if (words[role] == word)
        return RolePlace{begin, word.size(), role, &words};
  return std::nullopt;
}

// The last word, or else the first one.
std::optional<RolePlace> wordOf(const std::string& stem) {
  std::size_t begin = stem.size();
  while (begin > 0 && isLetter(stem[begin - 1]))
    --begin;
  if (const auto last = placeOf(stem, begin, stem.size()))
    return last;
  std::size_t end = 0;
  while (end < stem.size() && isLetter(stem[end]))
    ++end;
  return placeOf(stem, 0, end);
}

std::optional<std::size_t> roleOf(const fs::path& file) {
  const std::string stem = file.stem().string();
  if (const auto word = wordOf(stem))
    return word->role;
  const auto letter = stem.empty() ? std::nullopt : placeOf(stem, stem.size() - 1, stem.size());
  return letter ? std::optional(letter->role) : std::nullopt;
}

bool mayHoldOneArray(const fs::path& file) {
  const std::string ending = endingOf(file);
  return ending == ".npy" || ending == ".npz" || ending == ".csv";
}

std::optional<FileInput> inputOf(const std::array<std::string, kRoles>& paths) {
  if (paths[0].empty() || paths[1].empty())
    return std::nullopt;
  FileInput files;
  files.q = paths[0];
  files.k = paths[1];
  files.v = paths[2];
  return files;
}

} // namespace

std::string absolutePath(const fs::path& file) {
  std::error_code code;
  const fs::path path = fs::absolute(file, code);
  return code ? file.string() : path.lexically_normal().string();
}

std::optional<FileInput> asRoles(std::span<const fs::path> files) {
  std::array<std::string, kRoles> paths;
  for (const fs::path& file : files) {
    const auto role = roleOf(file);
    if (!role || !mayHoldOneArray(file) || !paths[*role].empty())
      return std::nullopt;
    paths[*role] = absolutePath(file);
  }
  return inputOf(paths);
}

std::optional<FileInput> withSiblings(const fs::path& file) {
  const std::string stem = file.stem().string();
  const auto place = wordOf(stem);
  if (!place || !mayHoldOneArray(file))
    return std::nullopt;
  std::array<std::string, kRoles> paths;
  for (std::size_t role = 0; role < kRoles; ++role) {
    std::string name = stem;
    name.replace(place->begin, place->size, (*place->words)[role]);
    const fs::path sibling = file.parent_path() / (name + file.extension().string());
    std::error_code code;
    if (fs::is_regular_file(sibling, code))
      paths[role] = absolutePath(sibling);
  }
  return paths[place->role].empty() ? std::nullopt : inputOf(paths);
}

} // namespace attention
