// What is shown as a file, by the ending of its name, through core/figure.
#pragma once

#include "app/gui/view/results.h"
#include "core/figure/scene_figure.h"

#include <filesystem>

namespace attention::gui {

// Pictures are the figure of the Scene and carry it; numbers are its view's (scene_data.h). `input`
// may be null. The signs of words that no font of this system has. E_UNSUPPORTED, E_RANGE, E_IO.
std::string exportShown(const Scene& scene, const std::shared_ptr<const Input>& input,
                        const std::filesystem::path& file, const Run& run = {});
// The same with what is measured already, as it is shown.
std::string exportShown(const Scene& scene, const SceneFigureOptions& shown,
                        const std::filesystem::path& file, const Run& run = {});
// What the present results say of it.
SceneFigureOptions shownOptions(const Results& results);

// "strided-144.png".
std::string exportName(const Scene& scene, const Lengths& lengths, const std::string& ending);

} // namespace attention::gui
