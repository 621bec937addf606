// Where the bundled assets are: samples, published figures. They lie beside the executable, in the
// source tree that it was built in or in the folder where it was installed, whatever the working
// folder is.
#pragma once

#include <filesystem>
#include <string>

namespace attention {

// The folder of assets/: one of share/attention-explorer, ../share/attention-explorer, assets and
// ../assets, seen from the executable's folder. E_IO where there is none.
std::filesystem::path assetFolder();

// The bundled sample of that name, with or without its ending. E_UNKNOWN lists the known ones.
std::filesystem::path samplePath(const std::string& name);

} // namespace attention
