// What the commands on masks share: lengths, heads, and prepared patterns from the arguments.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/input_flags.h"
#include "core/analysis/tiles/tile_counts.h"
#include "core/attention/multihead.h"
#include "core/pattern/heads.h"
#include "core/pattern/prepared.h"

#include <memory>
#include <optional>
#include <vector>

namespace attention {
struct Stack;
}

namespace attention::cli {

// --n, --n-q, --n-k, --align; --heads, --head-mode, --num-subblocks, --dilations.
std::vector<Flag> maskFlags();
// `own` after the flags above, and --json if `json`.
std::vector<Flag> withMaskFlags(std::vector<Flag> own, bool json);

// The alignment that --align asks for.
Align alignFrom(const Arguments& arguments);

// Whether the mechanism's own heads are requested, and which (S4.17).
bool hasHeadFlags(const Arguments& arguments);
HeadOptions headsFrom(const Arguments& arguments);
// The same shared out among an input's heads: nothing where no flag is given, and each has the
// pattern.
std::optional<HeadOptions> headsOver(const Arguments& arguments, const Input& input);
// --head-mode, --num-subblocks and --dilations of commands that do so.
std::vector<Flag> sharedHeadFlags();

// --n, --n-q and --n-k, or else the lengths of the masks of the patterns. Patterns made only of
// masks need no --align where n_q and n_k differ: their rows are the last tokens if there are more
// keys, else the first. Throws E_N where no length is given, E_SHAPE where masks have different
// ones or where n-q and n-k differ without --align.
Lengths lengthsFrom(const Arguments& arguments);

// The alignment of rectangular masks: --align, or what a mask file says by its shape; nothing where
// the patterns are not made only of masks.
std::optional<Align> alignOf(const Arguments& arguments, Index queries, Index keys);

// Whether masks are over an input's tokens: a pattern needs its data, or can use it and an input is
// given, or --measure asks what patterns keep of it.
bool readsInput(const Arguments& arguments);

// The input that patterns depend on. Errors as inputSpecFrom.
InputSpec maskInputSpec(const Arguments& arguments);

// What patterns are prepared for: the lengths of the arguments, and where a pattern depends on the
// data or is measured on it, the input's tokens, or the first --n of them; what is measured may be
// rectangular. E_SHAPE where it has fewer.
struct MaskSubject {
  std::vector<Pattern> patterns; // where a mask file has several masks: that of the input's head
  Lengths lengths;
  PatternData data;              // none if no pattern needs one
  std::optional<InputSpec> spec; // of the input that they come from
  std::shared_ptr<const Input> input = {};
  Index d = 0; // the input's widths of queries and values; 0 without an input
  Index dv = 0;
};
// The input's queries and keys of a mask with these lengths, for the arguments' patterns.
PatternData dataOver(const Arguments& arguments, const Input& input, const Lengths& lengths,
                     const Run& run);
MaskSubject subjectFrom(const Arguments& arguments, const Context& context);

// The patterns of the heads (S4.17): the pattern itself without --heads and similar flags. Where a
// mask file has one mask per head, `patternOfHeads` chooses the first; here each head has its own.
Pattern patternOfHeads(const Arguments& arguments);
std::vector<Pattern> patternsOfHeads(const Arguments& arguments);

// The same, prepared, their files read.
PreparedHeads preparedHeads(const Arguments& arguments, const Context& context);

// Notes on the error stream which mask files hold several masks of which the first is taken because
// nothing chooses one, and which masks let no query see a key.
void sayMasks(const Arguments& arguments, const Grammar& grammar, const Context& context);

// Notes where --head-mode alternate, --num-subblocks or --dilations is given for a mechanism that
// does not read it, or a parameter that each of the heads has for itself.
void sayUnreadHeads(const Arguments& arguments, const Grammar& grammar, std::ostream& notes);

// Notes which parameters of the patterns are given although others make them meaningless.
void sayUnreadParameters(const Arguments& arguments, std::ostream& notes);

// All patterns, prepared for the subject, their files read.
PreparedHeads preparedPatterns(const Arguments& arguments, const Context& context);
PreparedHeads preparedPatterns(const MaskSubject& subject, const Run& run);

// The only one of the heads; E_UNSUPPORTED where there are several.
std::shared_ptr<const Prepared> onlyHead(const Arguments& arguments, const Context& context);

// --block of commands that look at tiles: "128x64", or "128" for both; 128 x 128 where it is
// absent. E_TYPE; sizes are checked where they are used.
BlockSize blockFrom(const Arguments& arguments);

// A model whose layers are known. `word`: a name of attnx stack --list, a config.json, or a folder
// with one. E_UNKNOWN; E_IO; and what stackFromConfig throws, with the file's name.
Stack stackNamed(const std::string& word);

} // namespace attention::cli
