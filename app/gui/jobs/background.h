// How jobs leave room for the window: their threads run at low priority, and on all cores but one.
#pragma once

namespace attention::gui {

// Lowers the priority of the calling thread and of the threads that it starts from now on, as far
// as the system has priorities of threads.
void stepBack();

// Threads of one job: the machine's but one, at least one.
int jobThreads();

} // namespace attention::gui
