// What is shown as a file, by the ending of its name, through core/figure; and as text for the
// clipboard.
#pragma once

#include "app/gui/view/results.h"

#include <filesystem>

namespace attention::gui {

// Pictures are the figure of the Scene and carry it; numbers are the masks', .npy of several as
// [masks, n_q, n_k]. `input` may be
// null. E_UNSUPPORTED, E_RANGE, E_IO.
void exportShown(const Scene& scene, const Masks& masks, const std::shared_ptr<const Input>& input,
                 const std::filesystem::path& file, const Run& run = {});

// The attended pairs of the first tile, "i,j" a line; E_RANGE above 10^6 of them.
std::string pairsText(const Masks& masks, const Run& run = {});

// The attnx command line that counts what is shown: "attnx info strided --stride 8 --n 144".
std::string commandText(const Scene& scene, const Lengths& lengths);

// "strided-144.png".
std::string exportName(const Scene& scene, const Lengths& lengths, const std::string& ending);

} // namespace attention::gui
