// Writing a file so that the old one is replaced only by a complete new one: written beside it,
// then renamed. If anything fails on the way, the new file is removed and the old one stays.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace attention {

// Calls write(stream) on a binary stream that becomes `path` when write returns and everything
// reached the disk. Throws Error E_IO that names the file: folder missing or unwritable, disk full,
// `path` is a folder, a device or another special file.
void replaceFile(const std::filesystem::path& path,
                 const std::function<void(std::ostream&)>& write);

// The same for writers that open files by name: calls write(temporary), a name beside `path` with
// the same ending, then renames. A link keeps pointing where it did, permissions stay as they were.
void replaceFileByName(const std::filesystem::path& path,
                       const std::function<void(const std::filesystem::path&)>& write);

// Before long work: throws what the two above would where no file can be written there.
void requireWritable(const std::filesystem::path& path);

// Several files together: calls write(temporary) on a new folder beside `folder`. What it then
// holds takes its place in `folder`, which is made, parents too, where it is missing; links and
// permissions there stay. If anything fails on the way, neither new files nor new folders stay, and
// the old files do. E_IO names the file, or the folder where that is at fault.
void replaceFilesIn(const std::filesystem::path& folder,
                    const std::function<void(const std::filesystem::path&)>& write);

} // namespace attention
