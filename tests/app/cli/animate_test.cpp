// attnx animate: sweeps, files and errors.
#include "tests/app/cli/run_cli.h"
#include "tests/catch.h"

#include <filesystem>
#include <fstream>

using namespace attention::cli;

TEST_CASE("animate writes an animated PNG of a published figure", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("reach.png");
  const auto ran = attnx("animate wavenet-2016-fig3 -o " + out + " --size 640x480");
  CHECK(ran.code == 0);
  CHECK(ran.out == "5 frames of layers from 0 to 4 in " + out + "\n");
  CHECK(std::filesystem::file_size(out) > 1000);
}

TEST_CASE("a folder keeps no frames of a longer animation after the new last one", "[cli]") {
  const TemporaryFolder folder;
  const std::string animate = "animate wavenet-2016-fig3 --size 640x480 -o " + folder.file("f");
  CHECK(attnx(animate).err == "");
  std::ofstream(folder.file("f/frame-5.png")) << "another name";
  std::ofstream(folder.file("f/frame-00009.txt")) << "another name";
  CHECK(attnx(animate + " --to 1").err == "attnx: note: 3 older frames after frame 2 were removed "
                                          "from " +
                                              folder.file("f") + "\n");
  for (const char* kept : {"frame-00001.png", "frame-00002.png", "frame-5.png", "frame-00009.txt"})
    CHECK(std::filesystem::exists(folder.file(std::string("f/") + kept)));
  CHECK_FALSE(std::filesystem::exists(folder.file("f/frame-00003.png")));
}

TEST_CASE("animate lists what may move", "[cli]") {
  const auto ran = attnx("animate child-2019-fixed --list");
  CHECK(ran.code == 0);
  CHECK(ran.out.find("query\nn\n") == 0);
  // Even if the requested sweep does not exist: the list says what does.
  const auto unknown = attnx("animate child-2019-fixed --list --sweep hops");
  CHECK(unknown.code == 0);
  CHECK(unknown.out == ran.out);
  const TemporaryFolder folder;
  const std::string timings = folder.file("timings.json");
  std::ofstream(timings)
      << R"({"type": "attention-explorer scene", "version": 1, "view": "timings"})";
  const auto none = attnx("animate " + timings + " --list");
  CHECK(none.code == 2);
  CHECK(none.err.find("measured, not swept") != std::string::npos);
}

TEST_CASE("animate refuses what it cannot draw in one sentence", "[cli]") {
  const TemporaryFolder folder;
  CHECK(attnx("animate").code == 2);
  CHECK(attnx("animate child-2019-fixed").err.find("-o is missing") != std::string::npos);
  const auto unknown = attnx("animate wavenet-2016-fig3 --sweep hops -o " + folder.file("a.png"));
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("sweep is \"hops\"; it must be one of layers, query, n") !=
        std::string::npos);
  CHECK(attnx("animate wavenet-2016-fig3 -o " + folder.file("a.svg")).code == 2);
  const auto refused = [&](const std::string& flags) {
    return attnx("animate wavenet-2016-fig3 " + flags + " -o " + folder.file("a.png")).err;
  };
  for (const char* flag : {"from", "to", "step"})
    CHECK(refused("--" + std::string(flag) + " 0.5") ==
          "attnx: E_RANGE: " + std::string(flag) +
              " is 0.5; it must be a whole number, since it moves layers\n");
  CHECK(refused("--size 640x99999") ==
        "attnx: E_RANGE: height is 99999 pixels; it must be an integer in 1 … 16384\n");
  // Of a page, the parts are those of one flag.
  CHECK(attnx("mask strided --n 8 --sweep stride=2..4.5 -o " + folder.file("a.html")).err ==
        "attnx: E_RANGE: sweep: to is 4.5; it must be a whole number, since it moves stride\n");
  CHECK(folder.empty());
}
