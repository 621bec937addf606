#include "app/cli/head_selection.h"

#include <variant>

namespace attention::cli {

HeadSelection selectionFrom(const Arguments& arguments, const Input& input) {
  HeadSelection of;
  const bool oneHead = arguments.has("head-index");
  const bool oneBatch = arguments.has("batch") || input.batches == 1;
  of.firstHead = oneHead ? input.head : 0;
  of.heads = oneHead ? 1 : input.heads;
  of.firstBatch = oneBatch ? input.batch : 0;
  of.batches = oneBatch ? 1 : input.batches;
  std::size_t axes = input.heads > 1 ? 1 : 0;
  if (const auto* stored = std::get_if<Stored>(&input.source))
    axes = stored->q.front().shape.size() - 2 + (stored->q.size() > 1 ? 1 : 0);
  if (axes >= 2 && !oneBatch)
    of.leading.push_back(input.batches);
  if (axes >= 1 && !oneHead)
    of.leading.push_back(input.heads);
  return of;
}

} // namespace attention::cli
