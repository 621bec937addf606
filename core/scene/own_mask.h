// The input's model's own mask, as stated in the input's file (core/input): patterns are measured
// against it by default, and the window begins with it.
#pragma once

#include "core/analysis/base.h"
#include "core/input/input.h"
#include "core/scene/attention_spec.h"

#include <optional>

namespace attention {

// The mask of item `batch` (a layer), for the queries and keys of `lengths`, with query 0 at row
// `firstRow` of the input: whatever covers all tokens, such as a mask array or the lengths of
// documents, is cut to them. Nothing if the file names none, or the lengths exceed the input.
std::optional<Pattern> ownPattern(const Input& input, Index batch, const Lengths& lengths,
                                  Index firstRow = 0, const Run& run = {});

// What a window that opens the input begins with: the model's own mask, where it is a pattern that
// a Scene can hold.
std::optional<Pattern> beginningPattern(const Input& input, const InputSpec& spec);

// The same as a base; nothing also for a mask that depends on the data. O(n) where the mask has no
// closed form.
std::optional<Base> ownBase(const Input& input, Index batch, const Lengths& lengths,
                            Index firstRow = 0, const Run& run = {});

// The meaning of a Scene's choice: the named base, else the input's own, else nothing (whatever
// fits the pattern).
std::optional<Base> baseFor(AttentionBase choice, const Input& input, Index batch,
                            const Lengths& lengths, Index firstRow = 0, const Run& run = {});

} // namespace attention
