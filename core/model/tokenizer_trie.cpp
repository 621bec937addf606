#include "core/model/tokenizer_trie.h"

#include <algorithm>

namespace attention {
namespace {

using Texts = std::vector<std::pair<std::string, Index>>;

// Sorted by bytes; of equal texts the last.
void sortTexts(Texts& texts) {
  std::stable_sort(texts.begin(), texts.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool last = i + 1 == texts.size() || texts[i + 1].first != texts[i].first;
    if (last && !texts[i].first.empty())
      std::swap(texts[kept++], texts[i]);
  }
  texts.resize(kept);
}

} // namespace

TokenTrie::TokenTrie(Texts texts) {
  sortTexts(texts);
  struct Open {
    std::size_t node;
    std::size_t begin; // the texts below it
    std::size_t end;
    std::size_t depth; // bytes that they share
  };
  nodes_.emplace_back();
  std::vector<Open> open{{0, 0, texts.size(), 0}};
  for (std::size_t next = 0; next < open.size(); ++next) { // in breadth: children are neighbours
    auto [node, begin, end, depth] = open[next];
    if (begin < end && texts[begin].first.size() == depth)
      nodes_[node].number = texts[begin++].second;
    nodes_[node].firstChild = static_cast<std::uint32_t>(nodes_.size());
    for (std::size_t i = begin; i < end;) {
      const char byte = texts[i].first[depth];
      std::size_t until = i;
      while (until < end && texts[until].first[depth] == byte)
        ++until;
      open.push_back({nodes_.size(), i, until, depth + 1});
      nodes_.push_back({0, 0, -1, byte});
      ++nodes_[node].children;
      i = until;
    }
  }
}

std::size_t TokenTrie::child(std::size_t node, char byte) const {
  const auto first = nodes_.begin() + nodes_[node].firstChild;
  const auto last = first + nodes_[node].children;
  // As std::string compares: by unsigned bytes.
  const auto at = std::lower_bound(first, last, byte, [](const Node& child, char wanted) {
    return static_cast<unsigned char>(child.byte) < static_cast<unsigned char>(wanted);
  });
  return at != last && at->byte == byte ? static_cast<std::size_t>(at - nodes_.begin()) : 0;
}

} // namespace attention
