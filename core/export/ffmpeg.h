// MP4 through the program ffmpeg, where it is installed.
#pragma once

#include "core/support/run.h"

#include <filesystem>
#include <optional>

namespace attention {

// Its path in the folders of PATH; nothing if it is not found.
std::optional<std::filesystem::path> findFfmpeg();
// The same, or else E_UNSUPPORTED in words about `path`.
std::filesystem::path requireFfmpeg(const std::filesystem::path& path);

// Writes the pictures frame-00001.png … in `folder` as `path`, an .mp4, `perSecond` of them
// per second; the last one stays for `still` seconds longer. Replaces `path` only by a complete
// file. E_UNSUPPORTED as requireFfmpeg; E_IO: it failed, with its message; Stopped.
void encodeFrames(const std::filesystem::path& folder, const std::filesystem::path& path,
                  double perSecond, double still, const Run& run = {});

} // namespace attention
