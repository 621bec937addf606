// What the process does with memory that is freed.
#pragma once

namespace attention {

// Keeps up to 64 MiB of freed memory for what is computed next, in one heap of all threads.
// Pictures and matrices of megabytes come and go with every step of a drag; the C library would
// give their pages back to the system and take them again, which takes longer than filling them.
// For programs, before they start threads; a library leaves its host's memory alone.
void keepFreedMemory();

// Gives it to the system, for when nothing is computed for a while. Some milliseconds.
void giveFreedMemoryBack();

} // namespace attention
