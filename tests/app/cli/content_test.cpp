// Patterns that depend on the data on the command line: INPUT in every command, and lsh.
#include "tests/app/cli/run_cli.h"

#include "core/export/embedded_scene.h"
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"

#include <algorithm>
#include <array>
#include <filesystem>

using namespace attention;
using namespace attention::cli;

namespace {

constexpr const char* kInput = " --random gaussian --n 24 --d 4 --heads 2 --seed 3";

Tensor readNpy(const std::string& path) {
  return readArrays(path).arrays.front().tensor;
}

} // namespace

TEST_CASE("Commands on masks take an input where a pattern depends on it", "[cli]") {
  const std::string input = kInput + std::string(" --head-index 0");
  const Said info = attnx("info topk --p.k 5 --json" + input);
  REQUIRE(info.err.empty());
  CHECK(info.json()["pairs"] == 24 * 5);
  CHECK(info.json()["n"] == 24);
  CHECK(attnx("count topk --p.k 5 --json" + input).json()["count"] == 24 * 5);
  const auto why = attnx("why topk --p.k 24 --at 3,5 --json" + input).json();
  CHECK(why["attends"] == true);
  CHECK(why["text"].get<std::string>().rfind("q·k = ", 0) == 0);
  const auto diff = attnx("diff topk --p.k 4 --with full --json" + input).json();
  CHECK(diff["both"] == 24 * 4);
  CHECK(diff["only_second"] == 24 * 20);
}

TEST_CASE("A data-dependent mask is that of the model head that is asked for", "[cli]") {
  const TemporaryFolder folder;
  const std::string input = kInput;
  const auto maskOf = [&](const std::string& flags) {
    const std::string file = folder.file("m.npy");
    const Said said = attnx("mask topk --p.k 3" + flags + input + " -o " + file);
    REQUIRE(said.code == 0);
    const Tensor tensor = readNpy(file);
    std::vector<double> cells;
    for (Index at = 0; at < tensor.elements(); ++at)
      cells.push_back(number(tensor, at));
    return cells;
  };
  CHECK(maskOf("") == maskOf(" --head-index 0"));
  CHECK(maskOf("") != maskOf(" --head-index 1"));
}

TEST_CASE("An integer after a flag that names a file is the pattern's", "[cli]") {
  const std::string input = kInput;
  CHECK(attnx("info topk --k 7 --json" + input).json()["pairs"] == 24 * 7);
  CHECK(attnx("attend topk --k 7 --json" + input).code == 0);
}

TEST_CASE("attend prepares a data-dependent pattern for every head", "[cli]") {
  const TemporaryFolder folder;
  const std::string weights = folder.file("w.npy");
  for (const char* pattern : {"topk --p.k 4", "cluster --p.k 3", "routing --p.k 3",
                              "lsh --n-rounds 2 --combine mean", "vertical_slash_estimated"}) {
    const Said said = attnx(std::string("attend ") + pattern + kInput + " --dtype float64 --json" +
                            " --weights " + weights);
    INFO(pattern);
    REQUIRE(said.err.empty());
    const auto json = said.json();
    CHECK(json["captured_mass"].get<double>() > 0);
    CHECK(json["captured_mass"].get<double>() <= 1);
    const Tensor w = readNpy(weights);
    REQUIRE(w.shape == std::vector<Index>{2, 24, 24});
    for (Index row = 0; row < 48; ++row) {
      double sum = 0;
      for (Index j = 0; j < 24; ++j)
        sum += number(w, row * 24 + j);
      CHECK((sum == Approx(1) || sum == 0));
    }
  }
}

TEST_CASE("lsh reports buckets, order, margins and what rounds keep", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  const std::string report = folder.file("report.json");
  const std::string line =
      std::string("lsh") + kInput + " --head-index 0 --n-buckets 4 --n-rounds 2 --chunk 6";
  const Said said = attnx(line + " --json -o " + out);
  REQUIRE(said.err.empty());
  const auto json = said.json();
  CHECK(json["n_buckets"] == 4);
  REQUIRE(json["buckets"].size() == 2);
  REQUIRE(json["order"][1].size() == 24);
  std::vector<int> order = json["order"][1];
  std::sort(order.begin(), order.end());
  for (int i = 0; i < 24; ++i)
    CHECK(order[static_cast<std::size_t>(i)] == i);
  for (std::size_t r = 0; r < 2; ++r) {
    CHECK(json["rounds"][r]["captured_mass"] <= json["captured_mass"]);
    CHECK(json["rounds"][r]["pairs"] <= json["pairs"]);
    CHECK(json["margins"][r].size() == 24);
  }
  CHECK(readNpy(out).shape == std::vector<Index>{24, 4});
  CHECK(attnx(line + " -o " + report).code == 0);
  CHECK(attnx(line).out.find("round 1") != std::string::npos);
}

TEST_CASE("Rotations and centroids come from files and from nested lists", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("c.npy");
  writeNpy<double>(file, Matrix<double>(2, 4, {1, 0, 0, 0, -1, 0, 0, 0}));
  const std::string input = kInput;
  const auto pairs = [&](const std::string& centroids) {
    return attnx({"info", "cluster", "--iterations", "0", "--centroids", centroids, "--random",
                  "gaussian", "--n", "24", "--d", "4", "--json"})
        .json()["pairs"];
  };
  CHECK(pairs(file) == pairs("[[1,0,0,0],[-1,0,0,0]]"));
  CHECK(pairs("@" + file) == pairs(file));
  const Said wrong = attnx("info cluster --centroids [[1,2]]" + input);
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("E_SHAPE: centroids") != std::string::npos);
}

TEST_CASE("Errors about inputs of patterns name what is missing", "[cli]") {
  const Said missing = attnx("info topk --n 8");
  CHECK(missing.code == 2);
  CHECK(missing.out.empty());
  CHECK(missing.err.find("E_TYPE: the input is missing") != std::string::npos);
  const Said needless = attnx("info strided --n 8 --q x.npy");
  CHECK(needless.code == 2);
  CHECK(needless.err.find("strided does not read an input") != std::string::npos);
  const Said aligned = attnx(std::string("info topk --align top-left") + kInput);
  CHECK(aligned.err.find("E_UNSUPPORTED") != std::string::npos);
  const Said ready = attnx("lsh --n 8");
  CHECK(ready.code == 2);
}

TEST_CASE("A given input is cut to its first tokens and refuses the flags of other inputs",
          "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.npy");
  writeNpy<double>(file, Matrix<double>(4, 1, {1, 2, 3, 4}));
  const std::string given = " --qk " + file + " --v " + file;
  const Said cut = attnx("info topk --p.k 2 --n 3 --d 8 --json" + given);
  REQUIRE(cut.code == 0);
  CHECK(cut.err == "attnx: note: One array is used for all three of Q, K and V.\n"
                   "attnx: note: only the first 3 of the input's 4 tokens are used\n");
  CHECK(cut.json()["n"] == 3);
  CHECK(cut.json()["pairs"] == 6);
  CHECK(attnx("info topk --p.k 2 --n 2.5" + given).err.find("E_N: n is \"2.5\"") !=
        std::string::npos);
  for (const char* flag : {"--seed 3", "--sigma 2", "--heads 2"}) {
    const Said said = attnx(std::string("info topk --p.k 2 ") + flag + given);
    INFO(flag);
    CHECK(said.code == 2);
    CHECK(said.err.find("which an input from --q does not read") != std::string::npos);
  }
}

TEST_CASE("lsh checks its output file before it starts to work", "[cli]") {
  const Said said = attnx(std::string("lsh") + kInput + " -o o.txt");
  CHECK(said.code == 2);
  CHECK(said.err == "attnx: E_UNSUPPORTED: o.txt ends with .txt; it must be one of .npy .json\n");
}

TEST_CASE("A picture carries file names that are valid wherever it is saved", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = std::filesystem::relative(folder.file("x.npy")).string();
  writeNpy<double>(file, Matrix<double>(4, 1, {1, 2, 3, 4}));
  const std::string picture = folder.file("m.png");
  REQUIRE(attnx("mask topk --p.k 2 --qk " + file + " --v " + file + " -o " + picture).code == 0);
  const auto read = sceneInFile(picture);
  REQUIRE(read);
  const Scene* scene = &read->scene;
  const std::string& name = std::get<FileInput>(scene->input.source).qk;
  CHECK(std::filesystem::path(name).is_absolute());
  CHECK(std::filesystem::equivalent(name, file));
}

TEST_CASE("Clusters of given labels take their length from an input that is named", "[cli]") {
  const TemporaryFolder folder;
  writeNpy(folder.file("q.npy"), Matrix<double>(4, 1, {1, 2, 3, 4}));
  const std::string q = folder.file("q.npy");
  const std::string cluster = "cluster --labels 0,0,1,0";
  const Said from = attnx("info " + cluster + " --json --q " + q + " --k " + q + " --v " + q);
  REQUIRE(from.err.empty());
  CHECK(from.json()["n"] == 4);
  CHECK(from.json()["pairs"] == 10);
  CHECK(attnx("info " + cluster + " --n 4 --d 1 --json").json() == from.json()); // q's width
  CHECK(attnx("info " + cluster + " --n 4 --json").json()["flops"] > from.json()["flops"]);
  CHECK(attnx("info " + cluster + " --n 4 --sigma 2")
            .err.rfind("attnx: E_TYPE: the input is missing", 0) == 0);
}

TEST_CASE("The presets of lsh are its own", "[cli]") {
  const auto info = [](const std::string& flags) {
    return attnx("info lsh " + flags + " --n-rounds 2 --random gaussian --n 128 --d 3 --json");
  };
  const Said hf = info("--preset hf");
  REQUIRE(hf.err.empty());
  CHECK(hf.json() == info("--p.preset hf").json());
  CHECK(hf.json() != info("").json());
  CHECK(info("--preset hff").err == "attnx: E_RANGE: preset is hff; it must be one of paper, hf\n");
}

TEST_CASE("Mechanisms that choose say what choosing costs, and which arrays they take", "[cli]") {
  const std::string input = kInput;
  const auto moba = attnx("info moba --block-size 4 --top-k 2 --json" + input).json();
  CHECK(moba["choose_flops"] == 24 * 4 + 2 * 4 * 4 * (1 + 2 + 3 + 4 + 5));
  const auto topk = attnx("info topk --k 7 --json" + input).json();
  CHECK(topk["choose_flops"] == 2 * 4 * 24 * 24); // all scores
  CHECK(!attnx("info causal --n 24 --json").json().contains("choose_flops"));
  const auto patterns = attnx("patterns --json").json()["patterns"];
  const auto dsa = std::find_if(patterns.begin(), patterns.end(),
                                [](const auto& pattern) { return pattern["name"] == "dsa"; });
  REQUIRE(dsa != patterns.end());
  CHECK((*dsa)["arrays"].size() == 3);
}

TEST_CASE("Some choose for fewer queries than keys where an alignment is given", "[cli]") {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, Index rows) {
    const std::vector<double> numbers(static_cast<std::size_t>(rows * 2), 1.0);
    const std::array<Index, 2> shape{rows, 2};
    writeNpy<double>(folder.file(name), shape, std::span<const double>(numbers));
    return folder.file(name);
  };
  const std::string input =
      " --q " + write("q.npy", 3) + " --k " + write("k.npy", 8) + " --v " + write("v.npy", 8);
  const auto info = attnx("info dsa --p.k 4 --json --align bottom-right" + input).json();
  CHECK(info["n"] == 8);
  CHECK(info["pairs"] == 12);
  CHECK(attnx("info dsa --p.k 4 --json" + input).err.find("E_SHAPE: ") != std::string::npos);
  for (const char* flags : {"", " --align bottom-right"}) {
    CHECK(attnx(std::string("info moba --json") + flags + input).err.find("E_SHAPE: ") !=
          std::string::npos);
    CHECK(attnx(std::string("info topk --json") + flags + input).err.find("E_UNSUPPORTED: ") !=
          std::string::npos);
  }
  CHECK(attnx("info sparge --block-q 2 --block-k 2 --json" + input).code == 0);
  const auto attend = attnx("attend dsa --p.k 4 --json --align bottom-right" + input).json();
  CHECK(attend["empty_rows"].empty());
}

TEST_CASE("Parameters of another policy are unknown, in whichever order they are given", "[cli]") {
  const std::string input = kInput;
  for (const char* flags : {"--heavy 3 --policy tova", "--policy tova --heavy 3"})
    CHECK(attnx(std::string("info cache ") + flags + input).err.find("E_UNKNOWN: heavy is given") !=
          std::string::npos);
}

TEST_CASE("why says where NSA reads a key only within a compressed one", "[cli]") {
  const std::string nsa =
      "why nsa --compress-block 4 --compress-stride 4 --select-block 4 --select-count 2 "
      "--local-blocks 1 --window 2 --json" +
      std::string(kInput);
  bool within = false;
  for (int j = 0; j < 24; ++j) {
    const auto why = attnx(nsa + " --at 23," + std::to_string(j)).json();
    const bool only = !why["within"].empty();
    CHECK((!only || why["attends"] == false));
    CHECK((!only || why["within"][0] == "compressed"));
    within = within || only;
  }
  CHECK(within);
  CHECK_FALSE(attnx("why causal --n 4 --at 1,1 --json").json().contains("within"));
}

TEST_CASE("steps of NSA have every branch, its gate, and their sum", "[cli]") {
  const TemporaryFolder folder;
  const std::string nsa = "steps nsa --compress-block 4 --compress-stride 2 --select-block 4 "
                          "--select-count 3 --local-blocks 1 --window 5 --gates 0.5,0.25,1 "
                          "--query 19 --head-index 0 --json" +
                          std::string(kInput);
  const std::string out = folder.file("o.npy");
  REQUIRE(attnx("attend nsa --compress-block 4 --compress-stride 2 --select-block 4 "
                "--select-count 3 --local-blocks 1 --window 5 --gates 0.5,0.25,1 --dtype float64 "
                "-o " +
                out + kInput)
              .err.empty());
  const Tensor whole = readNpy(out); // 2 heads × 24 × 4
  for (const char* by : {"softmax", "online"}) {
    const Said said = attnx(nsa + " --by " + by);
    REQUIRE(said.err.empty());
    const auto json = said.json();
    REQUIRE(json["branches"].size() == 3);
    for (std::size_t c = 0; c < 4; ++c) {
      double sum = 0;
      for (const auto& branch : json["branches"])
        sum += branch["gate"].get<double>() * branch["output"][c].get<double>();
      CHECK(json["output"][c].get<double>() == Approx(sum));
      CHECK(json["output"][c].get<double>() ==
            Approx(number(whole, 19 * 4 + static_cast<Index>(c))));
    }
    CHECK(json["branches"][0]["name"] == "compressed");
    CHECK(json["branches"][0]["block"] == 4);
    CHECK(json["branches"][1]["block"].is_null());
  }
  CHECK(attnx(nsa + " --by linear").err.starts_with("attnx: E_UNSUPPORTED: by is linear"));
}

TEST_CASE("attend writes the weights of NSA that the reference has", "[cli]") {
  const TemporaryFolder folder;
  const std::string golden = std::string(ATTENTION_TEST_DATA) + "/golden/content/nsa-overlap-n40.";
  const std::string weights = folder.file("weights.npy");
  const std::string out = folder.file("out.npy");
  const Said said =
      attnx("attend nsa --compress-block 4 --compress-stride 2 --select-block 8 --select-count 4 "
            "--window 5 --gates 0.2,0.5,0.4 --dtype float64 --q " +
            golden + "Q.npy --k " + golden + "K.npy --v " + golden + "V.npy --weights " + weights +
            " -o " + out);
  REQUIRE(said.err.empty());
  for (const auto& [file, reference] :
       {std::pair{weights, "effective.npy"}, std::pair{out, "out.npy"}}) {
    const Tensor made = readNpy(file);
    const Tensor expected = readNpy(golden + reference);
    REQUIRE(made.elements() == expected.elements());
    for (Index at = 0; at < made.elements(); ++at)
      CHECK(number(made, at) == Approx(number(expected, at)).margin(1e-12));
  }
}

TEST_CASE("compare has the columns of choosing where a pattern chooses", "[cli]") {
  const TemporaryFolder folder;
  const std::string line =
      "compare moba --block-size 4 --top-k 3 --with causal" + std::string(kInput);
  const auto rows = attnx(line + " --json").json()["rows"];
  REQUIRE(rows[0]["choice"].is_object());
  CHECK(rows[0]["choice"]["recall"] <= rows[0]["choice"]["oracle_blocks_recall"]);
  CHECK(rows[0]["choice"]["oracle_blocks_recall"] <= rows[0]["choice"]["oracle_keys_recall"]);
  CHECK(rows[0]["choice"]["choose_flops"] > 0);
  CHECK(rows[1]["choice"]["recall"].get<double>() == Approx(1));
  CHECK(attnx(line).out.find("oracle blocks recall") != std::string::npos);
  CHECK(attnx("compare causal --with local" + std::string(kInput) + " --json")
            .json()["rows"][0]["choice"]
            .is_null());
}

TEST_CASE("with a sink every command has the mass of all weight", "[cli]") {
  const std::string sink = " --sink-logit 1 --dtype float64 --json" + std::string(kInput);
  const std::string pattern = "local --window 7";
  const auto attend = attnx("attend " + pattern + sink).json();
  REQUIRE(attend.contains("mass"));
  const double mass = attend["mass"].get<double>();
  CHECK(mass < attend["captured_mass"].get<double>());
  CHECK(attnx("compare " + pattern + sink).json()["rows"][0]["mass"].get<double>() == Approx(mass));
  const std::string plain = " --sink-logit 1 --json" + std::string(kInput);
  double sum = 0;
  const auto heads = attnx("heads " + pattern + plain).json()["rows"];
  for (const auto& head : heads)
    sum += head["mass"].get<double>();
  CHECK(sum / static_cast<double>(heads.size()) == Approx(mass));
  const auto info = attnx("info " + pattern + plain + " --measure --head-index 0").json();
  CHECK(info["mass"].get<double>() == Approx(heads[0]["mass"].get<double>()).epsilon(1e-5));
  const auto lsh = attnx("lsh --n-buckets 4" + plain).json();
  CHECK(lsh["mass"].get<double>() < lsh["captured_mass"].get<double>());
  CHECK_FALSE(attnx("attend " + pattern + " --json" + kInput).json().contains("mass"));
  CHECK_FALSE(attnx("heads " + pattern + " --json" + kInput).json()["rows"][0].contains("mass"));
}
