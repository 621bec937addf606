// Files that cannot be written: standard output stays empty and nothing half-written stays.
#include "core/pattern/mechanism/expr.h"
#include "tests/app/cli/run_cli.h"

#include "core/scene/scene_json.h"
#include "tests/file_size_limit.h"

using namespace attention;
using namespace attention::cli;

namespace {

const std::string kInput = " --random gaussian --n 12 --d 4 ";

// Every command that writes a file, with each of its extensions; the file's name is added.
const std::vector<std::string>& writingCommands() {
  static const std::vector<std::string> kLines{
      "mask strided --n 12 -o o.npy",
      "mask strided --n 12 -o o.csv",
      "mask strided --n 12 -o o.mtx",
      "mask strided --n 12 -o o.png",
      "mask strided --n 12 --axes -o o.png",
      "mask strided --n 12 -o o.svg",
      "mask strided --n 12 -o o.pdf",
      "mask strided --n 12 -o o.tex",
      "mask strided --n 12 --heads 2 -o o.npy",
      "mask strided --n 12 --heads 2 -o o.png",
      "attend strided" + kInput + "-o o.npy",
      "attend strided" + kInput + "--json --lse o.npy",
      "attend strided" + kInput + "--json --weights o.npy",
      "kernel --features positive" + kInput + "-o o.npy",
      "kernel --kernel relu" + kInput + "--json --weights o.npy",
      "kernel-error" + kInput + "--m 4 --repeats 2 -o o.csv",
      "kernel-error" + kInput + "--m 4 --repeats 2 -o o.json",
      "kernel-error" + kInput + "--m 4 --repeats 2 -o o.npy",
      "lowrank" + kInput + "-o o.csv",
      "lowrank" + kInput + "-o o.json",
      "lowrank" + kInput + "-o o.npy",
      "axial --l1 3 --l2 4 --d1 2 --d2 2 -o o.npy",
      "axial --l1 3 --l2 4 --d1 2 --d2 2 -o o.csv",
      "lsh" + kInput + "--n-buckets 4 -o o.npy",
      "lsh" + kInput + "--n-buckets 4 -o o.json",
      "steps strided" + kInput + "--query 3 -o o.csv",
      "steps strided" + kInput + "--query 3 --by online -o o.json",
      "steps strided" + kInput + "--query 3 --by linear -o o.npy",
      "steps strided" + kInput + "--query 3 -o o.png",
      "steps strided" + kInput + "--query 3 --by features -o o.pdf",
      "heads" + kInput + "-o o.csv",
      "heads strided" + kInput + "-o o.json",
      "heads" + kInput + "-o o.npy",
      "compare strided" + kInput + "-o o.csv",
      "compare strided" + kInput + "-o o.json",
      "reach strided --n 12 -o o.npy",
      "reach strided --n 12 -o o.csv",
      "reach strided --n 12 -o o.mtx",
      "reach strided --n 12 -o o.svg",
      "reach strided --n 12 --what hops -o o.npy",
      "reach strided --n 12 --what hops -o o.csv",
      "reach strided --n 12 --what hops -o o.png",
      "reach full --rollout" + kInput + "-o o.npy",
      "reach full --rollout" + kInput + "-o o.csv",
      "figure child-2019-fig3 -o o.png",
      "figure child-2019-fig3 -o o.tex",
      "figure --all -o o"};
  return kLines;
}

std::string endingOfLine(const std::string& line) {
  return line.substr(line.rfind(" o") + 2);
}

// The command line with its file in the folder.
std::string inside(const std::string& line, const TemporaryFolder& folder) {
  return line.substr(0, line.rfind(" o") + 1) + folder.file("o" + endingOfLine(line));
}

} // namespace

TEST_CASE("A file that does not fit on the disk leaves nothing behind and nothing printed",
          "[cli]") {
  const std::string line = GENERATE(from_range(writingCommands()));
  INFO(line);
  const TemporaryFolder folder;
  const Said said = [&] {
    const FileSizeLimit full(16);
    return attnx(inside(line, folder));
  }();
  CHECK(said.code == 1);
  CHECK(said.out.empty());
  CHECK(said.err.rfind("attnx: E_IO: cannot write ", 0) == 0);
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
  CHECK(folder.empty());
  CHECK(attnx(inside(line, folder)).err.empty()); // and there only the disk is at fault
}

TEST_CASE("A link to a device or a missing folder is refused before the work starts", "[cli]") {
  const std::string line = GENERATE(from_range(writingCommands()));
  if (line.rfind("figure --all", 0) == 0)
    return; // writes into a folder
  INFO(line);
  const TemporaryFolder folder;
  const bool gone = GENERATE(false, true);
  if (gone)
    std::filesystem::remove(folder.file(""));
  else
    std::filesystem::create_symlink("/dev/null", folder.file("o" + endingOfLine(line)));
  bool worked = false;
  const Run run{{}, [&](double) { worked = true; }};
  std::ostringstream out;
  std::ostringstream err;
  std::vector<std::string> words;
  std::istringstream stream(inside(line, folder));
  for (std::string word; stream >> word;)
    words.push_back(word);
  CHECK(runCommandLine(words, {out, err, run}) == 1);
  CHECK(out.str().empty());
  CHECK(err.str().find(gone ? "No such file" : "it is not a regular file") != std::string::npos);
  CHECK_FALSE(worked);
}

TEST_CASE("Published figures that fail leave no folder", "[cli]") {
  const TemporaryFolder folder;
  const std::string all = "figure --all -o " + folder.file("deep/er");
  const Said small = attnx(all + " --size 9x9");
  CHECK(small.code == 2);
  CHECK(small.err.find("E_RANGE: size is 9x9") != std::string::npos);
  CHECK(folder.empty());
  std::ostringstream out;
  std::ostringstream err;
  const Run watched{{}, [](double) {}};
  const std::vector<std::string> words{"figure", "--all", "-o", folder.file("deep/er")};
  CHECK(runCommandLine(words, {out, err, watched}) == 0);
  for (const char* ending : {".png", ".svg", ".pdf", ".tex"})
    CHECK(std::filesystem::exists(folder.file("deep/er/child-2019-fig3") + ending));
  CHECK(err.str().find("1 of ") == 0);
  CHECK(err.str().find(": child-2019-fig3\n") != std::string::npos);
}

TEST_CASE("Every picture of sampled rows says so on standard error in the same words", "[cli]") {
  const TemporaryFolder folder;
  const std::string words =
      " is sampled: it has too many rows without a closed form to count them all\n";
  const std::string tall = "mask expr --expr (i*j)%7==0 --n-q 16400 --n-k 256 --align top-left ";
  const auto said = [&](const std::string& line) { return attnx(line).err; };
  const std::string png = folder.file("m.png");
  CHECK(said(tall + "--size 8x8 -o " + png) == "attnx: " + png + words);
  CHECK(said(tall + "--heads 2 --size 900x1800 -o " + png) == "attnx: " + png + words);
  CHECK(said(tall + "--size 900x1800 --axes -o " + png) == "attnx: " + png + words);
  Scene scene;
  Expr formula;
  formula.expr = "(i * j) % 7 == 0";
  scene.pattern = formula;
  scene.length.n = 256;
  scene.length.queries = 16400;
  writeScene(scene, folder.file("s.json"));
  const std::string pdf = folder.file("s.pdf");
  CHECK(said("figure " + folder.file("s.json") + " --size 900x1800 -o " + pdf) ==
        "attnx: " + pdf + words);
  CHECK(said("mask strided --n 16400 --heads 2 --size 900x1800 -o " + png).empty());
}
