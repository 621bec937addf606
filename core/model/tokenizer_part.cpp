// Behaviours as in huggingface/tokenizers:tokenizers/src/tokenizer/normalizer.rs (`split`).
#include "core/model/tokenizer_part.h"

#include "core/support/error.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace attention {
namespace {

constexpr std::size_t kMostGrowth = 32;    // times
constexpr std::size_t kLeastGrowth = 4096; // bytes more, for short texts

// Matches joined to what stands before them; the second of two matches stands alone.
std::vector<TextRange> mergedWithPrevious(const std::vector<TextRange>& ranges) {
  std::vector<TextRange> merged;
  bool matched = false;
  for (const TextRange& range : ranges) {
    if (range.matched && !matched && !merged.empty())
      merged.back().end = range.end;
    else
      merged.push_back(range);
    matched = range.matched;
  }
  return merged;
}

std::vector<TextRange> mergedWithNext(const std::vector<TextRange>& ranges) {
  std::vector<TextRange> merged;
  bool matched = false;
  for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
    if (range->matched && !matched && !merged.empty())
      merged.back().begin = range->begin;
    else
      merged.push_back(*range);
    matched = range->matched;
  }
  std::reverse(merged.begin(), merged.end());
  return merged;
}

std::vector<TextRange> contiguous(const std::vector<TextRange>& ranges) {
  std::vector<TextRange> joined;
  bool matched = false;
  for (const TextRange& range : ranges) {
    if (range.matched == matched && !joined.empty())
      joined.back().end = range.end;
    else
      joined.push_back(range);
    matched = range.matched;
  }
  return joined;
}

} // namespace

std::size_t mostBytesOf(std::size_t bytes) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max(); // that ICU reads
  return bytes > (kMost - kLeastGrowth) / kMostGrowth ? kMost : kMostGrowth * bytes + kLeastGrowth;
}

void failGrowth(const std::string& list, std::size_t step, std::string_view name) {
  const std::string subject = "step " + std::to_string(step) + " of the " + list;
  throw Error(ErrorCode::Range, subject,
              subject + ", " + std::string(name) +
                  ", makes the text too long; it must stay within " + std::to_string(kMostGrowth) +
                  " times its length and " + std::to_string(kLeastGrowth) + " bytes");
}

TokenPart TokenPart::slice(std::size_t begin, std::size_t end) const {
  TokenPart part;
  part.text = text.substr(begin, end - begin);
  part.first = first && begin < firstBytes;
  part.firstBytes = part.first ? std::min(firstBytes, end) - begin : 0;
  return part;
}

void TokenPart::prepend(const std::string& before) {
  if (text.empty())
    return;
  text.insert(0, before);
  if (firstBytes > 0)
    firstBytes += before.size();
}

void splitPart(const TokenPart& part, const std::vector<TextRange>& ranges,
               SplitBehaviour behaviour, std::vector<TokenPart>& to) {
  const auto add = [&](const std::vector<TextRange>& kept) {
    for (const TextRange& range : kept)
      if (range.begin < range.end && !(behaviour == SplitBehaviour::Removed && range.matched))
        to.push_back(part.slice(range.begin, range.end));
  };
  switch (behaviour) {
  case SplitBehaviour::Removed:
  case SplitBehaviour::Isolated:
    return add(ranges);
  case SplitBehaviour::MergedWithPrevious:
    return add(mergedWithPrevious(ranges));
  case SplitBehaviour::MergedWithNext:
    return add(mergedWithNext(ranges));
  case SplitBehaviour::Contiguous:
    return add(contiguous(ranges));
  }
}

} // namespace attention
