#include "core/model/layer_masks.h"

#include "core/pattern/pattern_data.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

// For every key the last query that reads it. Queries come in descending order, so that the first
// one that meets a key is its last reader; next_ leaps over keys that have one.
class LastReaders {
public:
  explicit LastReaders(Index keys)
      : next_(static_cast<std::size_t>(keys) + 1), reader_(static_cast<std::size_t>(keys), -1) {
    std::iota(next_.begin(), next_.end(), Index{0});
  }

  void read(Index query, const KeyRanges& ranges) {
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index key = unread(begin); key < end; key = unread(key)) {
          reader_[static_cast<std::size_t>(key)] = query;
          next_[static_cast<std::size_t>(key)] = key + 1;
        }
      });
  }

  // The most keys j ≤ t with a reader at t or later, over all steps t.
  Index mostKept() const {
    const auto n = static_cast<Index>(reader_.size());
    std::vector<Index> change(static_cast<std::size_t>(n) + 1);
    for (Index key = 0; key < n; ++key)
      if (const Index last = reader_[static_cast<std::size_t>(key)]; last >= key) {
        ++change[static_cast<std::size_t>(key)];
        --change[static_cast<std::size_t>(last) + 1];
      }
    Index kept = 0;
    Index most = 0;
    for (const Index by : change)
      most = std::max(most, kept += by);
    return most;
  }

private:
  // The first key from `key` on without a reader.
  Index unread(Index key) {
    Index root = key;
    while (next_[static_cast<std::size_t>(root)] != root)
      root = next_[static_cast<std::size_t>(root)];
    while (next_[static_cast<std::size_t>(key)] != key)
      key = std::exchange(next_[static_cast<std::size_t>(key)], root);
    return root;
  }

  std::vector<Index> next_;
  std::vector<Index> reader_;
};

HeadMasks differentOnes(HeadMasks masks) {
  std::sort(masks.begin(), masks.end());
  masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
  return masks;
}

} // namespace

std::shared_ptr<const Prepared> MaskPreparer::withoutData(const Pattern& pattern, const Run& run) {
  const auto found = std::find_if(known_.begin(), known_.end(),
                                  [&](const auto& known) { return known.first == pattern; });
  if (found != known_.end())
    return found->second;
  return known_.emplace_back(pattern, attention::prepare(pattern, squareLengths(n_), run)).second;
}

HeadMasks MaskPreparer::prepare(const ModelVariant& variant, Index layer,
                                const ProjectedLayer& projected, const Run& run) {
  const Index d = model_.headWidth;
  const ModelLayer& of = model_.layers[static_cast<std::size_t>(layer)];
  HeadMasks masks;
  for (Index head = 0; head < model_.heads; ++head) {
    const Pattern& pattern = patternOf(model_, variant, layer, head);
    if (!needsData(pattern)) {
      masks.push_back(withoutData(pattern, run));
      continue;
    }
    PatternData data = patternData(headOf(projected.q, head, d),
                                   headOf(projected.k, head * model_.kvHeads / model_.heads, d));
    data.valueColumns = d;
    data.scale = of.modifiers.scale;
    masks.push_back(attention::prepare(pattern, squareLengths(n_), data, run));
  }
  return masks;
}

LayerCost costOf(const HeadMasks& masks, const Run& run) {
  LayerCost cost;
  const HeadMasks different = differentOnes(masks);
  for (const auto& mask : different)
    cost.pairs += mask->pairs(run.quiet(), run.threads) *
                  static_cast<Index>(std::count(masks.begin(), masks.end(), mask));
  LastReaders readers(masks.front()->lengths().keys);
  KeyRanges ranges;
  for (Index query = masks.front()->lengths().queries; query-- > 0;) {
    run.check();
    for (const auto& mask : different) {
      mask->row(query, ranges);
      readers.read(query, ranges);
    }
  }
  cost.keptKeys = readers.mostKept();
  return cost;
}

} // namespace attention
