// Writes a file so that only a complete new one replaces the old one: written beside it, then
// renamed. If anything fails, the new file is removed and the old one stays.
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
// the same ending, then renames. A link keeps pointing where it did, and permissions stay
// unchanged.
void replaceFileByName(const std::filesystem::path& path,
                       const std::function<void(const std::filesystem::path&)>& write);

// Call it before long work: throws what the two above would where no file can be written there.
void requireWritable(const std::filesystem::path& path);

// Several files together: calls write(temporary) on a new folder beside `folder`. Its contents then
// move into `folder`, which is created with its parents where missing; links and permissions there
// stay. If anything fails, no new files or folders stay, and the old files do. E_IO names the file,
// or the folder where that is at fault.
void replaceFilesIn(const std::filesystem::path& folder,
                    const std::function<void(const std::filesystem::path&)>& write);

} // namespace attention
