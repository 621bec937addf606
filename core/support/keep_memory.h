// What the process does with memory that is freed.
#pragma once

namespace attention {

// Keeps up to 64 MiB of freed memory for the next computation, in one heap for all threads.
// Pictures and matrices of megabytes come and go with every step of a drag; the C library would
// return their pages to the system and request them again, which takes longer than filling them.
// For programs, before they start threads; a library leaves its host's memory alone.
void keepFreedMemory();

// Returns it to the system, for when nothing will be computed for a while. Takes some milliseconds.
void giveFreedMemoryBack();

} // namespace attention
