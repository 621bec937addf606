// What is shown as a file, by the ending of its name, through core/figure; and as text for the
// clipboard.
#pragma once

#include "app/gui/view/results.h"
#include "core/figure/scene_figure.h"

#include <filesystem>

namespace attention::gui {

// Pictures are the figure of the Scene and carry it; numbers are its view's (scene_data.h). `input`
// may be null. E_UNSUPPORTED, E_RANGE, E_IO.
void exportShown(const Scene& scene, const std::shared_ptr<const Input>& input,
                 const std::filesystem::path& file, const Run& run = {});
// The same with what is measured already, as it is shown.
void exportShown(const Scene& scene, const SceneFigureOptions& shown,
                 const std::filesystem::path& file, const Run& run = {});
// What the present results say of it.
SceneFigureOptions shownOptions(const Results& results);

// The attnx command line that counts what is shown: "attnx info strided --stride 8 --n 144",
// "attnx reach local --window 4 --n 24 --layers 4".
std::string commandText(const Scene& scene, const Lengths& lengths);

// "strided-144.png".
std::string exportName(const Scene& scene, const Lengths& lengths, const std::string& ending);

} // namespace attention::gui
