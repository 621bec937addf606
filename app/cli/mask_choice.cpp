// Which of the masks of a file is meant: FILE[batch=1,head=3] names one, and without an input
// --batch and --head-index choose along what the name leaves open. Whatever is named must be there,
// and of several masks one must take each flag.
#include "app/cli/arguments.h"

#include "core/input/mask_file.h"
#include "core/pattern/sources.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace attention::cli {
namespace {

// An index along one of the axes of a file's masks, as it may be named.
struct Axis {
  std::optional<Index> MaskPlane::*index;
  Index MaskAxes::*length;
  std::string flag;
  std::string word;
};
const std::array<Axis, 2> kAxes{{{&MaskPlane::head, &MaskAxes::heads, "head-index", "head"},
                                 {&MaskPlane::batch, &MaskAxes::batches, "batch", "layer"}}};

// A single axis counts as that of heads, whichever of its two words names it. Beside another head a
// layer stays the index along an axis of length 1.
MaskPlane onAxes(const MaskPlane& plane, const MaskAxes& axes) {
  const bool same = !plane.head || plane.head == plane.batch;
  return axes.oneAxis && plane.batch && same ? MaskPlane{{}, plane.batch} : plane;
}

[[noreturn]] void failIndex(const std::string& named, const std::string& word, Index index,
                            Index length) {
  throw Error(ErrorCode::Range, named,
              named + " names " + word + " " + std::to_string(index) +
                  (length == 1 ? ", but the file has only one " + word
                               : "; it must be 0 to " + std::to_string(length - 1)));
}

// E_RANGE where brackets choose an index that the file does not have.
void requireNamed(const std::string& named, const MaskPlane& plane, const MaskAxes& axes) {
  for (const Axis& axis : kAxes) {
    const Index index = (onAxes(plane, axes).*axis.index).value_or(0);
    const Index length = axes.*axis.length;
    if (index < 0 || index >= length)
      failIndex(named, (plane.*axis.index ? axis : kAxes.back()).word, index, length);
  }
}

// A flag, and why each mask does not take it.
struct MaskFlag {
  const Axis& axis;
  Index index = 0;
  std::vector<std::optional<Error>> refusals = {};
};

Error refusal(const MaskFlag& flag, ErrorCode code, const std::string& why) {
  return {code, flag.axis.flag, flag.axis.flag + " is " + std::to_string(flag.index) + why};
}

// Lets the flag choose what `mask` leaves open, or says why it does not take it.
std::optional<Error> addFlag(const MaskFlag& flag, const std::string& named, const MaskAxes& axes,
                             MaskReference& mask) {
  MaskPlane both = mask.plane;
  both.*flag.axis.index = flag.index;
  const MaskPlane before = onAxes(mask.plane, axes);
  const MaskPlane after = onAxes(both, axes);
  const std::string another =
      ", but " + named + " names another mask; one of the two must be left out";
  const std::string only = "; it must be 0, since " + mask.file + " has only one " + flag.axis.word;
  for (const Axis& axis : kAxes) {
    const std::optional<Index>& known = before.*axis.index;
    if (known && after.*axis.index != known)
      return refusal(flag, ErrorCode::Type, another);
    if (!known && axes.*axis.length == 1 && (after.*axis.index).value_or(0) != 0)
      return refusal(flag, ErrorCode::Range, only);
  }
  mask.plane = both;
  return std::nullopt;
}

std::string withFlags(const std::string& named, std::vector<MaskFlag>& flags, const Run& run) {
  MaskReference mask = maskReference(named);
  if (mask.plane == MaskPlane{} && flags.empty())
    return named;
  const MaskAxes axes = maskAxes(mask.file, run);
  requireNamed(named, mask.plane, axes);
  for (MaskFlag& flag : flags)
    flag.refusals.push_back(addFlag(flag, named, axes, mask));
  return textOf(mask);
}

} // namespace

void Arguments::readFiles(const Run& run) {
  std::vector<MaskFlag> flags;
  for (const Axis& axis : kAxes)
    if (const auto index = integer(axis.flag); index && !namesArrays())
      flags.push_back({axis, *index});
  const auto chosen = [&](auto source) {
    if constexpr (std::is_same_v<decltype(source), MaskSource>)
      if (!source.file.empty())
        source.file = withFlags(source.file, flags, run);
    return source;
  };
  for (Pattern& pattern : patterns_)
    pattern = withSources(std::move(pattern), chosen);
  for (const auto& [axis, index, why] : flags)
    if (!why.empty() && std::count(why.begin(), why.end(), std::nullopt) == 0)
      throw *why.front();
  for (Pattern& pattern : patterns_)
    pattern = resolveFiles(std::move(pattern), {}, run);
}

} // namespace attention::cli
