// Where the bundled assets are: samples, published figures. They are found from the executable, in
// the source tree that it was built in or the folder where it is installed, whatever the working
// folder.
#pragma once

#include <filesystem>
#include <string>

namespace attention {

// The folder of assets/: one of share/attention-explorer, ../share/attention-explorer, assets and
// ../assets, relative to the executable's folder. E_IO where there is none.
std::filesystem::path assetFolder();

// The bundled sample of that name, with or without its ending. E_UNKNOWN lists the known ones.
std::filesystem::path samplePath(const std::string& name);

} // namespace attention
