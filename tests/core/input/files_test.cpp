// Opening and replacing files.
#include "core/input/array_file.h"
#include "core/input/input_spec.h"
#include "core/input/mapped_file.h"
#include "core/input/replace_file.h"
#include "core/support/json_text.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"
#include "tests/file_size_limit.h"

#include <nlohmann/json.hpp>
#include <ostream>
#include <sys/stat.h>

using namespace attention;
using namespace attention::test;

namespace {

std::string contentOf(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string openError(const std::filesystem::path& path) {
  return errorOf([&] { MappedFile::open(path); });
}

std::ptrdiff_t filesIn(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

// Pages of this process in memory, in bytes.
std::size_t residentBytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

TEST_CASE("folders, pipes, devices and missing files are refused with one sentence") {
  const TemporaryFolder folder;
  CHECK(openError(folder / "none") ==
        "E_IO: cannot read " + (folder / "none").string() + ": No such file or directory");
  CHECK(contains(openError("/"), "it is a folder; it must be a regular file"));
  CHECK(contains(openError("/dev/null"), "it is a device"));
  CHECK(contains(openError("/dev/zero"), "it is a device"));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(contains(openError(folder / "pipe"), "it is a pipe")); // and does not wait for a writer
  CHECK(contains(errorOf([&] { readArrays(folder.write("a.dat", "x")); }), "ends in .dat"));
}

TEST_CASE("small and empty files are read whole") {
  const TemporaryFolder folder;
  CHECK(contentOf(folder.write("empty", "")).empty());
  CHECK(contentOf(folder.write("small", "abc")) == "abc");
}

TEST_CASE("a file of 2 GiB opens without 2 GiB of memory") {
  const TemporaryFolder folder;
  const std::string header = npy("<f4", "(8, 1048576, 64)", "");
  const auto path = folder.write("q.npy", header);
  std::filesystem::resize_file(path, header.size() + (std::size_t{1} << 31));
  const std::size_t before = residentBytes();
  const ArrayFile file = readArrays(path);
  const Tensor& tensor = file.get("");
  CHECK(tensor.fromEnd(1) == 1048576);
  CHECK(number(tensor, tensor.elements() - 1) == 0.0);
  CHECK(residentBytes() < before + (std::size_t{16} << 20));
}

TEST_CASE("a file is replaced by a complete new one or not at all") {
  const TemporaryFolder folder;
  const auto path = folder / "out.txt";
  replaceFile(path, [](std::ostream& out) { out << "first"; });
  CHECK(contentOf(path) == "first");
  const auto failing = [](std::ostream& out) {
    out << "second";
    throw Error(ErrorCode::Range, "x", "x is wrong");
  };
  CHECK(errorOf([&] { replaceFile(path, failing); }) == "E_RANGE: x is wrong");
  CHECK(contentOf(path) == "first");
  CHECK(filesIn(path.parent_path()) == 1);
  replaceFile(path, [](std::ostream& out) { out << "third"; });
  CHECK(contentOf(path) == "third");
}

TEST_CASE("two simultaneous writes of one file leave one of them whole") {
  const TemporaryFolder folder;
  const auto path = folder / "out.txt";
  replaceFile(path, [&](std::ostream& out) {
    out << "outer, begun first";
    replaceFile(path, [](std::ostream& inner) { inner << "inner"; });
    CHECK(contentOf(path) == "inner");
  });
  CHECK(contentOf(path) == "outer, begun first");
  CHECK(filesIn(path.parent_path()) == 1);
}

TEST_CASE("a full disk leaves the old file and nothing half written") {
  const TemporaryFolder folder;
  const auto path = folder / "out.txt";
  replaceFile(path, [](std::ostream& out) { out << "old"; });
  const std::string large(1 << 20, 'x');
  std::string error;
  {
    const FileSizeLimit limit(4096);
    error = errorOf([&] { replaceFile(path, [&](std::ostream& out) { out << large; }); });
  }
  CHECK(contains(error, "E_IO: cannot write " + path.string()));
  CHECK(contentOf(path) == "old");
  CHECK(filesIn(path.parent_path()) == 1);
}

TEST_CASE("folders, devices and missing folders are not written to") {
  const TemporaryFolder folder;
  const auto write = [](std::ostream& out) { out << "x"; };
  CHECK(contains(errorOf([&] { replaceFile(folder / "none/out.txt", write); }),
                 "No such file or directory"));
  CHECK(contains(errorOf([&] { replaceFile("/dev/null", write); }), "not a regular file"));
  CHECK(contains(errorOf([&] { replaceFile(folder / "", write); }), "E_IO"));
  CHECK(contains(errorOf([&] { replaceFile("", write); }), "E_IO"));
}

TEST_CASE(
    "whether a file can be written is known before the work starts, and the check leaves nothing") {
  const TemporaryFolder folder;
  const auto refused = [](const std::filesystem::path& path) {
    return errorOf([&] { requireWritable(path); });
  };
  CHECK(contains(refused(folder / "none/out.txt"), "none/out.txt: No such file or directory"));
  CHECK(contains(refused("/dev/null"), "not a regular file"));
  requireWritable(folder / "out.txt");
  CHECK(filesIn(folder / "") == 0);
  replaceFile(folder / "out.txt", [](std::ostream& out) { out << "old"; });
  requireWritable(folder / "out.txt");
  CHECK(contentOf(folder / "out.txt") == "old");
}

TEST_CASE("if no folder can be made the error names the folder that was asked for") {
  const std::string error = errorOf([] { replaceFilesIn("/proc/frames", [](const auto&) {}); });
  CHECK(contains(error, "cannot write /proc/frames: "));
}

TEST_CASE("links keep their targets and permissions stay when a file is replaced") {
  const TemporaryFolder folder;
  const auto target = folder / "target.txt";
  replaceFile(target, [](std::ostream& out) { out << "old"; });
  std::filesystem::permissions(target, std::filesystem::perms::owner_read |
                                           std::filesystem::perms::owner_write);
  std::filesystem::create_symlink("target.txt", folder / "link.txt");
  replaceFile(folder / "link.txt", [](std::ostream& out) { out << "new"; });
  CHECK(std::filesystem::is_symlink(folder / "link.txt"));
  CHECK(contentOf(target) == "new");
  CHECK((std::filesystem::status(target).permissions() & std::filesystem::perms::others_read) ==
        std::filesystem::perms::none);
}

TEST_CASE("writers that need a name get one with the same extension") {
  const TemporaryFolder folder;
  replaceFileByName(folder / "film.mp4", [](const std::filesystem::path& temporary) {
    CHECK(temporary.extension() == ".mp4");
    std::ofstream(temporary) << "frames";
  });
  CHECK(contentOf(folder / "film.mp4") == "frames");
}

TEST_CASE("names as long as the file system allows are written and longer ones refused at once") {
  const TemporaryFolder folder;
  constexpr std::size_t kLongest = 255; // bytes: NAME_MAX of Linux
  const auto write = [](std::ostream& out) { out << "whole"; };
  for (const std::string& ending :
       {std::string(".npy"), std::string(), "." + std::string(251, 'e')})
    for (const std::string& letter : {std::string("x"), std::string("é")}) {
      std::string name;
      while (name.size() + letter.size() + ending.size() <= kLongest)
        name += letter;
      name += ending;
      CAPTURE(name);
      requireWritable(folder / name);
      replaceFile(folder / name, write);
      CHECK(contentOf(folder / name) == "whole");
      const auto into = folder / "several";
      for (int times = 0; times < 2; ++times) // the second time in place of the first
        replaceFilesIn(into, [&](const auto& temporary) { replaceFile(temporary / name, write); });
      CHECK(contentOf(into / name) == "whole");
      CHECK(filesIn(into) == 1);
      std::filesystem::remove_all(into);
      std::filesystem::remove(folder / name);
    }
  bool asked = false;
  const std::string tooLong(kLongest + 1, 'x');
  CHECK(contains(errorOf([&] { requireWritable(folder / tooLong); }), "File name too long"));
  CHECK(contains(errorOf([&] { replaceFile(folder / tooLong, [&](auto&) { asked = true; }); }),
                 "File name too long"));
  CHECK_FALSE(asked);
  CHECK(filesIn(folder / "") == 0);
}

TEST_CASE("input specs survive JSON") {
  InputSpec spec;
  CHECK(inputSpecFromJson(toJson(spec)) == spec);
  RandomInput random;
  random.generator = "periodic";
  random.parameters["periods"] = {3.5, 8.0};
  random.parameters["noise"] = {0.0};
  random.n = 99;
  random.keys = 7;
  random.heads = 3;
  random.seed = ~std::uint64_t{0};
  spec.source = random;
  spec.head = 2;
  spec.batch = 1;
  spec.tokens = "t.txt";
  spec.contentHash = "12-ab";
  CHECK(inputSpecFromJson(parseJson(toJson(spec).dump(), "s")) == spec);
  spec.source = AssetInput{"minilm_alice"};
  CHECK(inputSpecFromJson(toJson(spec)) == spec);
  FileInput files;
  files.input = "a.npz";
  files.kName = "keys";
  files.heads = 4;
  files.layout = "bnhd";
  files.wo = "o.npy";
  spec.source = files;
  CHECK(inputSpecFromJson(toJson(spec)) == spec);
}

TEST_CASE("wrong fields of an input in JSON are named") {
  const auto error = [](const std::string& text) {
    return errorOf([&] { inputSpecFromJson(parseJson(text, "s")); });
  };
  CHECK(error(R"({"kind":"random","n":"many"})") ==
        "E_TYPE: input.n is \"many\"; it must be an integer");
  CHECK(contains(error(R"({"kind":"random","n":0})"), "E_N"));
  CHECK(contains(error(R"({"kind":"random","seed":-1})"), "input.seed"));
  CHECK(
      contains(error(R"({"kind":"random","parameters":{"sigma":"x"}})"), "input.parameters.sigma"));
  CHECK(contains(error(R"({"kind":"file"})"), "E_UNKNOWN: input.kind is \"file\"; it must be"));
  CHECK(contains(error(R"({"source":"random","n":8})"), "E_UNKNOWN: input.kind is missing"));
  CHECK_NOTHROW(inputSpecFromJson(parseJson(R"({"head":2,"batch":1})", "input")));
  CHECK(contains(error("[]"), "E_TYPE"));
  CHECK(error(R"({"kind":"files","input":"a.npz","layout":"nbhd"})") ==
        "E_RANGE: input.layout is \"nbhd\"; it must be bhnd or bnhd");
  CHECK(contains(error(R"({"kind":"random","n":18446744073709551615})"), "E_TYPE"));
}

TEST_CASE("several files take their places together or not at all") {
  const TemporaryFolder folder;
  const bool exists = GENERATE(false, true);
  const bool fails = GENERATE(false, true);
  const std::filesystem::path into = folder / "a/b";
  if (exists) {
    std::filesystem::create_directories(into);
    folder.write("a/b/old", "old");
    folder.write("a/b/one", "before");
  }
  const std::string error = errorOf([&] {
    replaceFilesIn(into, [&](const std::filesystem::path& temporary) {
      for (const char* name : {"one", "two"}) {
        replaceFile(temporary / name, [&](std::ostream& out) { out << name; });
        if (fails)
          throw Error(ErrorCode::Io, "two", "two cannot be written");
      }
    });
  });
  CHECK(error.empty() == !fails);
  if (fails && !exists) {
    CHECK(filesIn(folder / "") == 0);
    return;
  }
  CHECK(filesIn(into) == (fails ? 2 : (exists ? 3 : 2)));
  CHECK(contentOf(into / "one") == (fails ? "before" : "one"));
  if (exists)
    CHECK(contentOf(into / "old") == "old");
}

TEST_CASE("old files return where a new one cannot take its place") {
  const TemporaryFolder folder;
  const std::filesystem::path into = folder / "a";
  std::filesystem::create_directories(into / "two"); // a folder with the name of a file
  folder.write("a/one", "before");
  folder.write("elsewhere", "before");
  std::filesystem::create_symlink(folder / "elsewhere", into / "three");
  const auto place = [&] {
    return errorOf([&] {
      replaceFilesIn(into, [&](const std::filesystem::path& temporary) {
        for (const char* name : {"one", "two", "three"})
          replaceFile(temporary / name, [&](std::ostream& out) { out << name; });
      });
    });
  };
  CHECK(place().find("two: it is not a regular file") != std::string::npos);
  CHECK(contentOf(into / "one") == "before");
  CHECK(contentOf(folder / "elsewhere") == "before");
  CHECK(filesIn(into) == 3); // nothing else is there
  std::filesystem::remove(into / "two");
  CHECK(place().empty());
  CHECK(contentOf(into / "one") == "one");
  CHECK(contentOf(folder / "elsewhere") == "three"); // the link stays
  CHECK(std::filesystem::is_symlink(into / "three"));
}

TEST_CASE("files into something that is not a folder are refused before the work starts") {
  const TemporaryFolder folder;
  folder.write("file", "text");
  bool asked = false;
  const auto refused = [&](const std::filesystem::path& into) {
    return errorOf([&] { replaceFilesIn(into, [&](const auto&) { asked = true; }); });
  };
  CHECK(refused(folder / "file").find("it is not a folder") != std::string::npos);
  CHECK(refused("").find("it names no folder") != std::string::npos);
  CHECK(refused(folder / "file/sub").find("cannot write") != std::string::npos);
  CHECK_FALSE(asked);
}
