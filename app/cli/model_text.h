// The text that a model runs on: --text, --string or --ids, and --n.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "core/model/model.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attention::cli {

std::vector<Flag> modelTextFlags();

struct ModelText {
  std::vector<Index> ids;
  std::vector<std::string> pieces; // raw, one for each id; none of ids that were given
  Index given = 0;                 // tokens of the whole text
};

// The text of --text or --string, its bytes as they are: a mark of the byte order is part of it.
// E_TYPE: none, or several of the flags; E_IO.
std::string givenText(const Arguments& arguments);

// The first --n tokens of the text, by the model's own tokenizer, or ids as they are given; with a
// note where there are fewer. E_TYPE: none or several of the flags, no token, a file that is no
// list of ids; E_N, E_IO, E_RANGE; what openTokenizer throws where a text needs it.
ModelText modelTextFrom(const Arguments& arguments, const Model& model, const Context& context);

// The pieces of ids, an empty one where an id has none; none at all where the model has no
// tokenizer. What openTokenizer throws where it has one that cannot be read.
std::vector<std::string> piecesOf(const std::vector<Index>& ids,
                                  const std::filesystem::path& model);

} // namespace attention::cli
