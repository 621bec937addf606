// Every seed of every fuzz target once, and every seed with a byte changed or an end missing.
#include "core/input/mapped_file.h"
#include "tests/catch.h"
#include "tests/fuzz/fuzz.h"

#include <filesystem>

using namespace attention;
using namespace attention::fuzz;

namespace {

std::vector<std::filesystem::path> seedsOf(const std::string& name) {
  std::vector<std::filesystem::path> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(ATTENTION_TEST_DATA) / "fuzz/seeds" / name))
    seeds.push_back(entry.path());
  return seeds;
}

std::vector<std::byte> bytesOf(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  return {file->bytes().begin(), file->bytes().end()};
}

} // namespace

TEST_CASE("every fuzz target accepts or refuses its seeds with one line") {
  CHECK(targets().size() >= 6);
  for (const NamedTarget& target : targets()) {
    const auto seeds = seedsOf(target.name);
    INFO(target.name);
    CHECK(seeds.size() >= 2);
    for (const auto& seed : seeds) {
      INFO(seed.string());
      CHECK(survives(target.run, bytesOf(seed)));
    }
  }
}

TEST_CASE("every fuzz target survives its seeds with small damage") {
  constexpr std::size_t kChanges = 64; // a seed
  for (const NamedTarget& target : targets())
    for (const auto& seed : seedsOf(target.name)) {
      INFO(seed.string());
      const std::vector<std::byte> whole = bytesOf(seed);
      const std::size_t step = whole.size() / kChanges + 1;
      for (std::size_t at = 0; at < whole.size(); at += step) {
        std::vector<std::byte> changed = whole;
        changed[at] ^= std::byte{0x41};
        CHECK(survives(target.run, changed));
        CHECK(survives(target.run, std::span(whole).first(at)));
      }
    }
}
