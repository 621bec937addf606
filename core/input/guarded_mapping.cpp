#include "core/input/guarded_mapping.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace attention {
namespace {

// A mapping as seen by the signal handler; begin is 0 if there is none. `version` is odd while
// the other two change: nobody reads what is being mapped or unmapped, so the handler skips it.
struct Place {
  std::atomic<std::uint32_t> version{0};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size{0};
  std::atomic<bool> cut{false};
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

std::array<Place, GuardedMapping::kMost> places;
std::mutex placesMutex; // for taking and leaving a place, never in the handler
struct sigaction before;
std::atomic<std::size_t> pageSize{4096};

struct Extent {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
};

// By one thread at a time.
void set(Place& place, const Extent& extent) {
  ++place.version;
  place.begin = extent.begin;
  place.size = extent.size;
  ++place.version;
}

// A consistent begin and size of a mapping; none for a place that is changing.
Extent extentOf(const Place& place) {
  const std::uint32_t version = place.version;
  const Extent extent{place.begin, place.size};
  return version % 2 == 0 && place.version == version ? extent : Extent{};
}

// Maps zeros over what the file no longer holds. Returns whether `address` belongs to one of ours.
bool mend(std::uintptr_t address) {
  for (Place& place : places) {
    const auto [begin, size] = extentOf(place);
    if (begin == 0 || address < begin || address - begin >= size)
      continue;
    place.cut.store(true, std::memory_order_release);
    const std::size_t from = (address - begin) / pageSize * pageSize;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is what the signal brings
    return ::mmap(reinterpret_cast<void*>(begin + from), size - from, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return false;
}

void onBusError(int number, siginfo_t* info, void* context) {
  const int kept = errno;
  const bool mended =
      info->si_code > 0 && mend(reinterpret_cast<std::uintptr_t>(info->si_addr)); // 0: from kill()
  errno = kept;
  if (mended)
    return;
  if ((before.sa_flags & SA_SIGINFO) != 0)
    return before.sa_sigaction(number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(number);
  ::signal(number, SIG_DFL); // the read that failed is tried again, and ends the process
  if (info->si_code <= 0)
    ::raise(number);
}

void setHandler() {
  pageSize = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &before);
}

std::optional<std::size_t> freePlace() {
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k].begin.load(std::memory_order_relaxed) == 0)
      return k;
  return std::nullopt;
}

} // namespace

std::unique_ptr<GuardedMapping> GuardedMapping::map(int file, std::size_t size) {
  static std::once_flag once;
  std::call_once(once, setHandler);
  const std::scoped_lock lock(placesMutex);
  const std::optional<std::size_t> place = freePlace();
  if (!place) {
    errno = EMFILE;
    return nullptr;
  }
  void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  std::unique_ptr<GuardedMapping> mapped(new GuardedMapping);
  mapped->data_ = static_cast<std::byte*>(mapping);
  mapped->size_ = (size + pageSize - 1) / pageSize * pageSize;
  mapped->place_ = *place;
  places[*place].cut = false;
  set(places[*place], {reinterpret_cast<std::uintptr_t>(mapping), mapped->size_});
  return mapped;
}

GuardedMapping::~GuardedMapping() {
  const std::scoped_lock lock(placesMutex);
  set(places[place_], {});
  ::munmap(data_, size_);
}

bool GuardedMapping::cut() const {
  return places[place_].cut.load(std::memory_order_acquire);
}

} // namespace attention
