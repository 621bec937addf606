// What a mechanism must offer, stated once and checked for every alternative of the variant.
#pragma once

#include "core/pattern/description.h"
#include "core/pattern/lengths.h"
#include "core/pattern/pattern_data.h"
#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <concepts>
#include <memory>

namespace attention {

// A mechanism of index arithmetic: prepared(m, lengths, run).
template <class M>
concept PreparesAlone = requires(const M& m, const Lengths& lengths, const Run& run) {
  { prepared(m, lengths, run) } -> std::same_as<std::shared_ptr<const Prepared>>;
};

// One that may depend on the data: prepared(m, lengths, data, run), and readsData(m), which says
// whether it does with these parameters.
template <class M>
concept PreparesFromData = requires(const M& m, const Lengths& lengths, const PatternData& data,
                                    const Run& run) {
  { prepared(m, lengths, data, run) } -> std::same_as<std::shared_ptr<const Prepared>>;
  { readsData(m) } -> std::same_as<bool>;
};

// One that holds something for every token, or operands, or parts that must cover the tokens:
// checkLengths(m, lengths) throws where it does not fit, before anything is prepared.
template <class M>
concept ChecksLengths = requires(const M& m, const Lengths& lengths) {
  checkLengths(m, lengths);
};

// One that chooses from the data and says by takesRectangles(m) whether it does so for rectangular
// masks too; where it does not, it refuses them itself (E_SHAPE, S20.5).
template <class M>
concept TakesRectangles = requires(const M& m) {
  { takesRectangles(m) } -> std::same_as<bool>;
};

// One for which queries need not be any of the tokens: takesAnyAlignment(m).
template <class M>
concept TakesAnyAlignment = requires(const M& m) {
  { takesAnyAlignment(m) } -> std::same_as<bool>;
};

// A mechanism is a plain struct of its parameters with describe() and one kind of prepared(), which
// may assume that its parameters are within the description's bounds; lengths.keys is the n of the
// formulas, and rows of cells are tokens (prepared.h).
template <class M>
concept MechanismLike = std::equality_comparable<M> && std::copyable<M> &&
    std::default_initializable<M> && requires(const M& m) {
  { describe(m) } -> std::same_as<const Description&>;
} &&(PreparesAlone<M> != PreparesFromData<M>);

// For patterns that are a list of labelled primitive sets.
std::shared_ptr<const Prepared> fromParts(const Lengths& lengths, std::vector<Part> parts);

// ---- mechanisms whose layout fixes n (T1 – T5): frames, spans, nodes of a tree ----

// There may be fewer queries than keys, but none beyond the layout: E_SHAPE where there are more.
void requireInLayout(const char* mechanism, const Lengths& lengths);

// The text behind a canvas of so many tokens: it sees all and is seen by all.
Part textBehind(Index canvas);

} // namespace attention
