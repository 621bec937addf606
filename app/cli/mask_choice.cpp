// Which of the masks of a file is meant: FILE[batch=1,head=3] names one, and without an input
// --batch and --head-index do. Both together must agree, and whatever is named must be there.
#include "app/cli/arguments.h"

#include "core/input/mask_file.h"
#include "core/pattern/sources.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"

#include <optional>
#include <string>
#include <utility>

namespace attention::cli {
namespace {

// An index along one of the axes of a file's masks, as it may be named.
struct Axis {
  std::optional<Index> MaskPlane::*index;
  const char* flag;
  const char* word;
};
constexpr Axis kAxes[] = {{&MaskPlane::batch, "batch", "layer"},
                          {&MaskPlane::head, "head-index", "head"}};

// E_RANGE where brackets choose an index that the file does not have.
void requireNamed(const std::string& named, const MaskReference& reference, const MaskAxes& axes) {
  const MaskPlane& plane = reference.plane;
  const bool onlyLayers = axes.oneAxis && plane.batch && !plane.head;
  const Index counts[] = {onlyLayers ? axes.heads : axes.batches, axes.heads};
  for (std::size_t k = 0; k < std::size(kAxes); ++k) {
    const std::optional<Index>& index = plane.*kAxes[k].index;
    if (!index || (*index >= 0 && *index < counts[k]))
      continue;
    const std::string word = kAxes[k].word;
    throw Error(ErrorCode::Range, named,
                named + " names " + word + " " + std::to_string(*index) +
                    (counts[k] == 1 ? ", but the file has only one " + word
                                    : "; it must be 0 to " + std::to_string(counts[k] - 1)));
  }
}

// The choice of one flag beside that of the brackets: what these leave open is chosen by it.
void addFlag(const Axis& axis, std::optional<Index> flag, const std::string& named,
             const MaskAxes& axes, MaskPlane& plane) {
  std::optional<Index>& index = plane.*axis.index;
  if (!flag || index == flag)
    return;
  if (index || (plane != MaskPlane{} && axes.oneAxis))
    throw Error(ErrorCode::Type, axis.flag,
                std::string(axis.flag) + " is " + std::to_string(*flag) + ", but " + named +
                    " names another mask; one of the two must be left out");
  index = flag;
}

// `several`: of several files some may hold one mask, which goes with every choice.
std::string withFlags(const std::string& named, const MaskPlane& flags, bool several,
                      const Run& run) {
  MaskReference reference = maskReference(named);
  if (reference.plane == MaskPlane{} && flags == MaskPlane{})
    return named;
  const MaskAxes axes = maskAxes(reference.file, run);
  requireNamed(named, reference, axes);
  if (axes.masks() == 1 && several)
    return named;
  const MaskPlane typed = reference.plane;
  for (const Axis& axis : kAxes) {
    const std::optional<Index>& flag = flags.*axis.index;
    if (axes.masks() == 1 && flag.value_or(0) != 0)
      throw Error(ErrorCode::Range, axis.flag,
                  std::string(axis.flag) + " is " + std::to_string(*flag) +
                      "; it must be 0, since " + reference.file + " holds one mask");
    MaskPlane beside = typed; // both flags together are no contradiction
    addFlag(axis, flag, named, axes, beside);
    reference.plane.*axis.index = beside.*axis.index;
  }
  return textOf(reference);
}

bool holdsSeveral(const std::vector<Pattern>& patterns, const Run& run) {
  for (const Pattern& pattern : patterns)
    for (const MaskSource& mask : masksOf(pattern))
      if (!mask.file.empty() && maskAxes(mask.file, run).masks() > 1)
        return true;
  return false;
}

// `source` with its mask chosen, where it is one from a file.
struct Chosen {
  const MaskPlane& flags;
  bool several;
  const Run& run;
  MatrixSource operator()(MatrixSource matrix) const { return matrix; }
  MaskSource operator()(MaskSource mask) const {
    if (!mask.file.empty())
      mask.file = withFlags(mask.file, flags, several, run);
    return mask;
  }
};

} // namespace

void Arguments::readFiles(const Run& run) {
  const MaskPlane flags =
      namesArrays() ? MaskPlane{} : MaskPlane{integer("batch"), integer("head-index")};
  const bool several = flags != MaskPlane{} && holdsSeveral(patterns_, run);
  for (Pattern& pattern : patterns_)
    pattern = resolveFiles(withSources(std::move(pattern), Chosen{flags, several, run}), {}, run);
}

} // namespace attention::cli
