// Documents packed into one sequence: tokens see their own document (S4.15).
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Document {
  std::optional<IndexList> lengths; // of consecutive documents, summing to n
  std::optional<IndexList> ids;     // n of them; equal ids are one document
  bool causal = true;
  std::optional<Index> prefix; // tokens of each document that all of it sees
  bool operator==(const Document&) const = default;
};

const Description& describe(const Document&);
void checkLengths(const Document& document, const Lengths& lengths);
// A token ≥ n (n_q > n_k, top-left) lies in no document: its row is empty.
std::shared_ptr<const Prepared> prepared(const Document& document, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
