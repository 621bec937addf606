// The mask that the model of an input itself has, as the input's file says (core/input): what
// patterns are measured against where nothing else is asked for, and what the window begins with.
#pragma once

#include "core/analysis/base.h"
#include "core/input/input.h"
#include "core/scene/attention_spec.h"

#include <optional>

namespace attention {

// Of item `batch` (a layer), for the queries and keys of `lengths`, whose query 0 is row `firstRow`
// of the input: what belongs to all tokens, as a mask array or the lengths of documents, is cut to
// them. Nothing where the file names none, or the lengths are not within the input.
std::optional<Pattern> ownPattern(const Input& input, Index batch, const Lengths& lengths,
                                  Index firstRow = 0, const Run& run = {});

// What a window that opens the input begins with: the model's own mask, where it is a pattern that
// a Scene can hold.
std::optional<Pattern> beginningPattern(const Input& input, const InputSpec& spec);

// The same as a base; nothing also for a mask that depends on the data. O(n) where the mask has no
// closed form.
std::optional<Base> ownBase(const Input& input, Index batch, const Lengths& lengths,
                            Index firstRow = 0, const Run& run = {});

// What a Scene's choice means: the one that is named, else the input's own, else nothing, for what
// fits the pattern.
std::optional<Base> baseFor(AttentionBase choice, const Input& input, Index batch,
                            const Lengths& lengths, Index firstRow = 0, const Run& run = {});

} // namespace attention
