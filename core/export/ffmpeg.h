// GIF and MP4 by the program ffmpeg, where it is installed.
#pragma once

#include "core/support/run.h"

#include <filesystem>
#include <optional>

namespace attention {

// Where the folders of PATH have it; nothing where they do not.
std::optional<std::filesystem::path> findFfmpeg();
// The same, else E_UNSUPPORTED in words about `path`.
std::filesystem::path requireFfmpeg(const std::filesystem::path& path);

// The pictures frame-00001.png … in `folder` as `path`, whose ending is .gif or .mp4, `perSecond`
// of them a second; the last one stays for `still` seconds longer. Replaces `path` only by a
// complete file. E_UNSUPPORTED as requireFfmpeg; E_IO: it failed, with what it said; Stopped.
void encodeFrames(const std::filesystem::path& folder, const std::filesystem::path& path,
                  double perSecond, double still, const Run& run = {});

} // namespace attention
