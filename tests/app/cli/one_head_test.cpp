// Commands that take one head of many, and lists of numbers at both ends of their ranges.
#include "tests/app/cli/run_cli.h"

#include "core/attention/reference.h"
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "tests/core/attention/random_matrix.h"

#include <array>

using namespace attention;
using namespace attention::cli;

namespace {

constexpr Index kBatches = 2;
constexpr Index kHeads = 3;
constexpr Index kTokens = 10;
constexpr Index kWidth = 4;

// q, k and v of two layers and three heads, and each head in files of its own.
class Heads {
public:
  Heads() {
    for (const char* name : {"q", "k", "v"}) {
      std::vector<double> all;
      for (Index plane = 0; plane < kBatches * kHeads; ++plane) {
        const auto one = randomMatrix<double>(kTokens, kWidth, static_cast<std::uint64_t>(plane),
                                              static_cast<std::uint32_t>(name[0]));
        write(name + std::to_string(plane), std::array{kTokens, kWidth}, one.values());
        all.insert(all.end(), one.values().begin(), one.values().end());
      }
      write(name, std::array{kBatches, kHeads, kTokens, kWidth}, all);
    }
  }

  std::string of(const std::string& suffix) const {
    std::string flags;
    for (const char* name : {"q", "k", "v"})
      flags += std::string(" --") + name + " " + folder_.file(name + suffix + ".npy");
    return flags;
  }
  std::string all(Index batch, Index head) const {
    return of("") + " --batch " + std::to_string(batch) + " --head-index " + std::to_string(head);
  }
  std::string alone(Index batch, Index head) const {
    return of(std::to_string(batch * kHeads + head));
  }

private:
  template <class Shape>
  void write(const std::string& name, const Shape& shape, const std::vector<double>& values) {
    writeNpy<double>(folder_.file(name + ".npy"), shape, std::span<const double>(values));
  }
  TemporaryFolder folder_;
};

// The fields that differ from run to run.
void eraseTimes(nlohmann::json& json) {
  for (const char* time : {"seconds", "prepare_seconds"})
    json.erase(time);
  if (json.contains("rows"))
    for (nlohmann::json& row : json["rows"])
      eraseTimes(row);
}

} // namespace

TEST_CASE("Commands give for one head what they give for a file with only that head", "[cli]") {
  const Heads heads;
  const std::string command =
      GENERATE(as<std::string>(), "attend strided --stride 3 --dtype float64", "info topk --p.k 3",
               "kernel --features positive --m 8 --dtype float64", "lowrank --ranks 1,3",
               "compare causal --with topk --p.k 2", "count cluster --p.k 3",
               "why topk --p.k 4 --at 5,3", "diff topk --p.k 3 --with causal");
  for (Index batch = 0; batch < kBatches; ++batch)
    for (Index head = 0; head < kHeads; ++head) {
      const Said of = attnx(command + heads.all(batch, head) + " --json");
      const Said alone = attnx(command + heads.alone(batch, head) + " --json");
      INFO(command << ", batch " << batch << ", head " << head << "\n" << of.err << alone.err);
      REQUIRE(of.code == 0);
      REQUIRE(alone.code == 0);
      auto first = of.json();
      auto second = alone.json();
      for (auto* json : {&first, &second})
        eraseTimes(*json);
      CHECK(first == second);
    }
}

TEST_CASE("Commands that read one of several heads say which, unless it is chosen", "[cli]") {
  const Heads heads;
  const std::string command = GENERATE(
      as<std::string>(), "info causal --measure", "info topk --p.k 3 --measure",
      "lowrank --ranks 1", "lsh --n-buckets 2 --chunk 5", "steps causal --query 2",
      "kernel-error --m 2 --repeats 1", "count topk --p.k 3", "why topk --p.k 3 --at 2,1",
      "diff causal --with topk --p.k 3", "code topk --p.k 3 --to numpy", "tiles topk --p.k 3",
      "info topk --p.k 3", "reach topk --p.k 3 --layers 1", "check topk --p.k 3",
      "mask topk --p.k 3 -o mask.npy", "mask topk --p.k 3 -o mask.html");
  const TemporaryFolder folder; // of the masks
  const auto where = command.find("mask.");
  INFO(command);
  const auto notes = [&](const std::string& chosen) {
    const std::string line = where == command.npos
                                 ? command
                                 : command.substr(0, where) + folder.file(command.substr(where));
    const Said said = attnx(line + heads.of("") + chosen);
    CHECK(said.code == 0);
    return said.err;
  };
  CHECK(notes("") == "attnx: note: only batch 0, head 0 is read, of 2 batches and 3 heads; --batch "
                     "and --head-index choose another\n");
  CHECK(notes(" --batch 1") ==
        "attnx: note: only batch 1, head 0 is read, of 3 heads; --head-index chooses another\n");
  CHECK(notes(" --batch 1 --head-index 2") == "");
}

TEST_CASE("A weighted reach of any one head is that of its own layers", "[cli]") {
  const Heads heads;
  const TemporaryFolder folder;
  for (Index head = 0; head < kHeads; ++head)
    for (Index layers = 1; layers <= kBatches; ++layers) {
      const std::string file = folder.file("rollout.npy");
      const Said said =
          attnx("reach causal --rollout --residual-share 0.25 --layers " + std::to_string(layers) +
                heads.of("") + " --head-index " + std::to_string(head) + " -o " + file);
      REQUIRE(said.err.empty());
      Matrix<double> expected(kTokens, kTokens); // S10, with a share of the token itself
      for (Index i = 0; i < kTokens; ++i)
        expected(i, i) = 1;
      for (Index layer = 0; layer < layers; ++layer) {
        const std::string weights = folder.file("w.npy");
        REQUIRE(attnx("attend causal --dtype float64" + heads.alone(layer, head) + " -o " +
                      folder.file("o.npy") + " --weights " + weights)
                    .err.empty());
        const auto w = slice<double>(readArrays(weights).get(""));
        Matrix<double> next(kTokens, kTokens);
        for (Index i = 0; i < kTokens; ++i)
          for (Index j = 0; j < kTokens; ++j) {
            next(i, j) = 0.25 * expected(i, j);
            for (Index a = 0; a < kTokens; ++a)
              next(i, j) += 0.75 * w(i, a) * expected(a, j);
          }
        expected = next;
      }
      const auto written = slice<double>(readArrays(file).get(""));
      for (Index x = 0; x < kTokens * kTokens; ++x)
        REQUIRE(written.values()[static_cast<std::size_t>(x)] ==
                Approx(expected.values()[static_cast<std::size_t>(x)]).margin(1e-12));
    }
}

TEST_CASE("Numbers and lists of numbers are taken at their minimum and refused below it", "[cli]") {
  struct Case {
    std::string command; // before the flag
    std::string flag;
    Index least;
  };
  const std::string drawn = " --random gaussian --n 8 --d 4 ";
  const Case one = GENERATE_COPY(values<Case>({{"compare full --features positive" + drawn, "m", 1},
                                               {"compare full" + drawn, "linformer", 1},
                                               {"kernel --features positive" + drawn, "m", 1},
                                               {"kernel-error --repeats 1" + drawn, "m", 1},
                                               {"kernel-error --m 2" + drawn, "repeats", 1},
                                               {"lowrank" + drawn, "ranks", 0},
                                               {"lsh" + drawn, "recall-keys", 1},
                                               {"info causal --n 8", "d", 1},
                                               {"info causal --n 8", "dv", 1},
                                               {"info causal --n 8", "heads", 1},
                                               {"info causal", "n", 1},
                                               {"time full --samples 1 --d 4", "n", 1},
                                               {"reach causal --n 8", "layers", 0}}));
  const auto run = [&](const std::string& value) {
    return attnx(one.command + " --" + one.flag + " " + value + " --json");
  };
  INFO(one.command << " --" << one.flag);
  const Said least = run(std::to_string(one.least));
  CHECK(least.err == "");
  CHECK(least.code == 0);
  const Said below = run(std::to_string(one.least - 1));
  INFO(below.err);
  CHECK(below.code == 2);
  CHECK(below.err.find(one.flag) != std::string::npos);
  if (one.flag == "m" || one.flag == "ranks" || one.flag == "linformer") {
    const Said later = run("2," + std::to_string(one.least - 1)); // the second one counts too
    CHECK((later.code == 2 || one.command.starts_with("kernel ")));
    CHECK((run("2," + std::to_string(one.least)).code == 0 || one.command.starts_with("kernel ")));
  }
}

TEST_CASE("Cells and rectangles may reach the first and the last token and no further", "[cli]") {
  const std::string causal = "why causal --n 8 --json --at ";
  CHECK(attnx(causal + "0,0").json()["attends"] == true);
  CHECK(attnx(causal + "7,7").json()["attends"] == true);
  CHECK(attnx(causal + "0,7").json()["attends"] == false);
  CHECK(attnx(causal + "8,0").code == 2);
  CHECK(attnx(causal + "0,8").code == 2);
  CHECK(attnx(causal + "-1,0").code == 2);
  const std::string count = "count causal --n 8 --json --rect ";
  CHECK(attnx(count + "0,0,0,0").json()["count"] == 0);
  CHECK(attnx(count + "0,8,0,8").json()["count"] == 36);
  CHECK(attnx(count + "7,8,7,8").json()["count"] == 1);
  CHECK(attnx(count + "6,7,7,8").json()["count"] == 0);
}
