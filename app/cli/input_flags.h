// INPUT on the command line: random draws, files, embeddings with weights, ready weights, words
// with typed numbers.
#pragma once

#include "app/cli/command.h"
#include "core/input/input.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace attention::cli {

std::vector<Flag> inputFlags();
// The same without --attention, for commands that need more than ready weights.
std::vector<Flag> queryKeyFlags();

// Whether any of these flags is given, other than `commandReads`.
bool namesInput(const Arguments& arguments, std::span<const std::string_view> commandReads = {});

// E_TYPE where no input, or several, are given, or a flag of inputs that the given one does not
// read; `commandReads` are flags (n, seed) that the command itself reads beside a generator.
InputSpec inputSpecFrom(const Arguments& arguments,
                        std::span<const std::string_view> commandReads = {});

// Loads it, with its scores made as the command's flags say (score_flags.h); bundled samples are
// found beside the executable.
std::shared_ptr<const Input> loadedInput(const InputSpec& spec, const Arguments& arguments,
                                         const Run& run);

// The same of the one that the flags name, and says its notes.
std::shared_ptr<const Input> inputFrom(const Arguments& arguments, const Context& context,
                                       std::span<const std::string_view> commandReads = {});

// A note on standard error of masks of which there could be one per head or one per layer.
void sayMaskAxis(const Arguments& arguments, const Input& input, std::ostream& err);

// A line on standard error for each of notesOf(input, cut), for the layout of the axes, and for a
// layer or head that has another number in the model than --batch or --head-index says.
void sayNotes(const Arguments& arguments, const Input& input, std::ostream& err, bool cut = true);

// A note where the input has several layers or heads and no flag says which one a command that
// takes one of them reads.
void sayOneHead(const Arguments& arguments, const Input& input, std::ostream& err);

// The only array of the file that `flag` gives. E_UNSUPPORTED: it holds several, where "it must
// hold one" is followed by `of`: ", of k × n"; errors as readArrays.
Tensor onlyArray(const std::string& flag, const std::string& path, const char* of = "");

// The same as a matrix of `shape`, "k × n"; further axes of length 1 are left out. E_SHAPE: others.
Matrix<double> onlyMatrix(const std::string& flag, const std::string& path, const char* shape);

} // namespace attention::cli
