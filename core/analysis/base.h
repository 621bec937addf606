// What a pattern is measured against (S13): full attention, causal attention, or the model's own
// mask.
#pragma once

#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attention {

class Pattern;

// What a pattern is measured against: all keys, those with j ≤ i, or a model's own mask that is
// neither.
struct Base {
  enum class Kind {
    Full,
    Causal,
    Own,
    Several, // layers with different masks of their own: only a name, no mask
  };
  Kind kind = Kind::Full;
  std::shared_ptr<const Pattern> own; // of Kind::Own, for the lengths that it is used with
  bool past = false;                  // whether no query sees a key after itself

  constexpr Base() noexcept = default;
  constexpr Base(Kind of, bool looksBack) noexcept : kind(of), past(looksBack) {}
  Base(std::shared_ptr<const Pattern> mask, bool looksBack)
      : kind(Kind::Own), own(std::move(mask)), past(looksBack) {}
  static const Base Full;
  static const Base Causal;
  static const Base Several;
  bool operator==(const Base& other) const;
};

inline constinit const Base Base::Full{Kind::Full, false};
inline constinit const Base Base::Causal{Kind::Causal, true};
inline constinit const Base Base::Several{Kind::Several, false};

// The mask of a model: Full or Causal where it equals one of these. It reads no data. O(n) where it
// has no closed form.
Base ownBase(const Pattern& own, const Lengths& lengths, const Run& run = {});

// The base of all heads, or Several; `none` where there are no heads.
Base commonBase(std::span<const Base> ofHeads, const Base& none);

std::string_view name(const Base& base); // "full", "causal", "own"; also for Several
// In sentences, before the word attention: "full", "causal", "the model's own".
std::string wordOf(const Base& base);
std::string wordOfBase(std::string_view name);

// The base as a pattern of these lengths. Not for Several.
std::shared_ptr<const Prepared> baseOf(const Base& base, const Lengths& lengths);
// The same with the pattern's lengths and key transform: dense attention with the same logits.
std::shared_ptr<const Prepared> baseOf(const Base& base, const Prepared& pattern);

// Causal if no query of the pattern sees a key after itself, else Full: the base to show where no
// model's mask is known. By count where there is a closed form, else O(rows).
Base meaningfulBase(const std::shared_ptr<const Prepared>& pattern, const Run& run = {});

} // namespace attention
