// What the process does with memory that is freed.
#pragma once

namespace attention {

// Keeps up to 64 MiB of freed memory a heap for what is computed next. Pictures and matrices of
// megabytes come and go with every step of a drag; the C library would give their pages back to the
// system and take them anew, which takes longer than filling them. For programs, before they start
// threads; a library leaves its host's memory alone.
void keepFreedMemory();

} // namespace attention
