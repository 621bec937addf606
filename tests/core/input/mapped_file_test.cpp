// Files that somebody else rewrites while they are open.
#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "tests/catch.h"
#include "tests/core/input/npz_for_tests.h"

#include <atomic>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>

using namespace attention;
using namespace attention::test;

namespace {

constexpr Index kRows = 1 << 18; // of 80 columns: 80 MiB of float32, which are mapped
constexpr Index kCols = 80;

// Zeros, without taking any space on the disk.
std::filesystem::path largeFile(const TemporaryFolder& folder, const std::string& name) {
  const std::string header = npy("<f4", "(262144, 80)", "");
  const std::filesystem::path path = folder.write(name, header);
  std::filesystem::resize_file(path, header.size() + 4 * kRows * kCols);
  return path;
}

// Like numpy.save to the same name: cut to nothing, then written; here with other numbers.
void rewrite(const std::filesystem::path& path, const std::string& header, std::size_t size) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << header << std::string(size - header.size(), '\x01');
}

std::string sliceError(const Tensor& tensor) {
  return errorOf([&] { slice<float>(tensor); });
}

} // namespace

TEST_CASE("a large file that is cut while it is open is an error and not a crash") {
  const TemporaryFolder folder;
  const auto path = largeFile(folder, "q.npy");
  const ArrayFile file = readArrays(path);
  const Tensor tensor = file.get("");
  CHECK(sliceError(tensor).empty());
  const std::uintmax_t left = GENERATE(std::uintmax_t{0}, std::uintmax_t{5000000});
  std::filesystem::resize_file(path, left);
  const std::string error = sliceError(tensor);
  CHECK(error == "E_IO: cannot read " + path.string() +
                     ": it has changed since it was opened; it must be opened "
                     "again");
  CHECK(number(tensor, kRows * kCols - 1) == 0); // and no signal
  CHECK(sliceError(tensor) == error);
  CHECK(contains(errorOf([&] { readArrays(path); }), left == 0 ? "is empty" : "bytes of"));
}

TEST_CASE("a large file that is rewritten with the same length is not read half old and half new") {
  const TemporaryFolder folder;
  const auto path = largeFile(folder, "q.npy");
  const Tensor tensor = readArrays(path).get("");
  rewrite(path, npy("<f4", "(262144, 80)", ""), std::filesystem::file_size(path));
  CHECK(contains(sliceError(tensor), "it has changed since it was opened"));
  CHECK(slice<float>(readArrays(path).get(""))(kRows - 1, kCols - 1) > 0); // read again, it is new
}

TEST_CASE("a new file renamed onto the name leaves the open one unchanged") {
  const TemporaryFolder folder;
  const auto path = largeFile(folder, "q.npy");
  const Tensor tensor = readArrays(path).get("");
  std::filesystem::rename(folder.write("new.npy", "other"), path);
  CHECK(sliceError(tensor).empty());
}

TEST_CASE("many threads can read while a file is cut again and again") {
  const TemporaryFolder folder;
  const auto path = largeFile(folder, "q.npy");
  const std::uintmax_t whole = std::filesystem::file_size(path);
  std::atomic<bool> over = false;
  std::atomic<int> read = 0;
  std::vector<std::jthread> readers;
  for (int k = 0; k < 3; ++k)
    readers.emplace_back([&] {
      while (!over) {
        try {
          const Tensor tensor = readArrays(path).get("");
          for (Index at = 0; at < kRows * kCols; at += 1000)
            number(tensor, at);
          requireUnchanged(tensor.data);
        } catch (const Error&) { // cut meanwhile
        }
        ++read;
      }
    });
  for (int times = 0; times < 200 || read < 20; ++times) {
    std::filesystem::resize_file(path, times % 2 == 0 ? 0 : whole);
    std::this_thread::yield();
  }
  over = true;
  readers.clear();
  CHECK(read >= 20);
}

TEST_CASE("masks and texts of large files that are cut are errors too") {
  const TemporaryFolder folder;
  const std::string header = npy("|b1", "(8192, 9000)", "");
  const std::filesystem::path path = folder.write("mask.npy", header);
  std::filesystem::resize_file(path, header.size() + std::size_t{8192} * 9000);
  std::jthread cuts([&] { std::filesystem::resize_file(path, 100); });
  try {
    readMask(path); // whole, or refused
  } catch (const Error& error) {
    CHECK(contains(error.text(), path.string()));
  }
}

TEST_CASE("a mask in a large archive that is cut is an error, wherever the mask is in it") {
  const TemporaryFolder folder;
  const std::string cells(std::size_t{8192} * 9000, '\1');
  const std::filesystem::path path =
      folder.write("m.npz", npzOf({{"ids.npy", npy("<i8", "(1,)", std::string(8, '\0'))},
                                   {"mask.npy", npy("|b1", "(8192, 9000)", cells)}}));
  const ArrayFile file = readArrays(path);
  const Tensor mask = file.get("mask");
  CHECK(holdsMask(mask));
  std::filesystem::resize_file(path, 5000000);
  constexpr const char* kChanged = "it has changed since it was opened";
  CHECK(contains(errorOf([&] { maskOf(file); }), kChanged));
  CHECK(contains(errorOf([&] { maskOf(mask); }), kChanged));
  CHECK(contains(errorOf([&] { holdsMask(mask); }), kChanged));
}

TEST_CASE("a fault outside mapped files still ends the process") {
  const TemporaryFolder folder;
  readArrays(largeFile(folder, "q.npy")); // sets the handler
  const auto other = largeFile(folder, "other");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int file = ::open(other.c_str(), O_RDWR | O_CLOEXEC);
    void* bytes = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    if (::ftruncate(file, 0) == 0)
      ::_exit(*static_cast<volatile char*>(bytes) == 0 ? 0 : 1);
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status != 0); // the signal; under AddressSanitizer its report and an exit code
}

TEST_CASE("more large files than can be open at once are refused in words") {
  const TemporaryFolder folder;
  const auto path = largeFile(folder, "q.npy");
  std::vector<std::shared_ptr<const MappedFile>> open;
  std::string error;
  while (error.empty() && open.size() < 1000)
    error = errorOf([&] { open.push_back(MappedFile::open(path)); });
  CHECK(open.size() <= 256);
  CHECK(contains(error, "256 other files of 64 MiB and more are open already"));
  open.pop_back();
  CHECK_NOTHROW(MappedFile::open(path));
}

TEST_CASE("a small file is read at once and may be rewritten") {
  const TemporaryFolder folder;
  const auto path = folder.write("small.npy", npy("<f4", "(2, 1)", raw<float>({1, 2})));
  const Tensor tensor = readArrays(path).get("");
  std::filesystem::resize_file(path, 0);
  CHECK(slice<float>(tensor)(1, 0) == 2);
}

TEST_CASE("a stamp detects another size, another time and another file of the same name") {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "one");
  const FileStamp first = stampOf(path);
  CHECK(first.there);
  CHECK(stampOf(path) == first);
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) +
                                             std::chrono::seconds(1));
  CHECK(stampOf(path) != first);
  const FileStamp second = stampOf(path);
  std::filesystem::rename(folder.write("b", "two"), path);
  CHECK(stampOf(path) != second);
  CHECK_FALSE(stampOf(folder / "none").there);
}
