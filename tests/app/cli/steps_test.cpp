// attnx steps: one query's numbers as JSON, tables, pictures and lines.
#include "core/export/embedded_scene.h"
#include "core/input/array_file.h"
#include "tests/app/cli/run_cli.h"

#include <cmath>
#include <fstream>

namespace attention::cli {
namespace {

using nlohmann::json;

const std::string kCat = R"({"words": ["the", "cat", "sat"], "q": [[1, 0], [0, 2], [1, 2]],)"
                         R"( "k": [[2, 1], [0, 1], [-1, 0]], "v": [[3, 0], [5, 1], [7, -1]]})";

// `attnx steps` of the example; words of the line separated by spaces.
Said stepsOfCat(const std::string& line) {
  std::vector<std::string> words{"steps"};
  std::istringstream stream(line);
  for (std::string word; stream >> word;)
    words.push_back(word);
  words.insert(words.end(), {"--typed", kCat});
  return attnx(words);
}

json jsonOfCat(const std::string& line) {
  const Said said = stepsOfCat(line + " --json");
  INFO(line << ": " << said.err);
  REQUIRE(said.code == 0);
  return said.json();
}

std::string textOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("steps of softmax give the numbers of the definition", "[cli]") {
  const json steps = jsonOfCat("local --window 2 --query 2 --scale 0.5");
  CHECK(steps["query"] == 2);
  CHECK(steps["by"] == "softmax");
  CHECK(steps["visible"] == json{1, 2});
  CHECK(steps["dot"] == json{4, 2, -1});
  CHECK(steps["scaled"] == json{2, 1, -0.5});
  CHECK(steps["masked"] == json{nullptr, 1, -0.5});
  CHECK(steps["rules"] == json{"2 − 0 = 2 > 1", nullptr, nullptr});
  CHECK(steps["max"] == 1);
  CHECK(steps["exp"] == json{0, 1, std::exp(-1.5)});
  CHECK(steps["sum"] == 1 + std::exp(-1.5));
  CHECK(steps["p"][0] == 0);
  CHECK(steps["p"][1].get<double>() == Approx(1 / (1 + std::exp(-1.5))));
  CHECK(steps["output"][0].get<double>() ==
        Approx((5 + 7 * std::exp(-1.5)) / (1 + std::exp(-1.5))));
}

TEST_CASE("steps apply the scale and the cap of the scores", "[cli]") {
  const json usual = jsonOfCat("full --query 2");
  CHECK(usual["scaled"][0].get<double>() == Approx(4 / std::sqrt(2.0)));
  CHECK(usual["softcap"].is_null());
  const json capped = jsonOfCat("full --query 2 --softcap 1.5 --scale 1");
  CHECK(capped["scaled"][0].get<double>() == Approx(1.5 * std::tanh(4 / 1.5)));
  CHECK(capped["softcap"] == 1.5);
}

TEST_CASE("steps of online softmax go tile by tile", "[cli]") {
  const json steps = jsonOfCat("full --query 2 --scale 1 --by online --key-tile 2");
  REQUIRE(steps["tiles"].size() == 2);
  const json& first = steps["tiles"][0];
  CHECK(first["keys"] == json{0, 2});
  CHECK(first["max"] == 4);
  CHECK(first["correction"] == 0);
  CHECK(first["sum"] == 1 + std::exp(-2.0));
  CHECK(first["output"][0].get<double>() == Approx(3 + 5 * std::exp(-2.0)));
  const json& second = steps["tiles"][1];
  CHECK(second["keys"] == json{2, 3});
  CHECK(second["correction"] == 1);
  for (std::size_t c = 0; c < 2; ++c)
    CHECK(steps["output"][c].get<double>() ==
          Approx(second["output"][c].get<double>() / second["sum"].get<double>()));
  CHECK(jsonOfCat("full --query 2 --scale 1 --by online")["tiles"].size() == 1);
}

TEST_CASE("lines of online softmax say where tiles are left out, and what they leave", "[cli]") {
  const std::string asked =
      "steps full --random gaussian --n 100 --d 4 --query 50 --by online --key-tile 4";
  const json tiles = attnx(asked + " --json").json()["tiles"];
  const Said said = attnx(asked);
  REQUIRE(tiles.size() == 25);
  std::istringstream lines(said.out);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("20 … 23"))
    ;
  REQUIRE(std::getline(lines, line));
  CHECK(line.starts_with("… 14 more"));
  std::istringstream sum(line.substr(line.find_last_of(' ') + 1));
  double number = 0;
  sum >> number;
  CHECK(number == Approx(tiles[19]["sum"].get<double>()).epsilon(0.005));
  REQUIRE(std::getline(lines, line));
  CHECK(line.starts_with("80 … 83"));
}

TEST_CASE("steps of linear attention and of features give sums and their quotient", "[cli]") {
  const json linear = jsonOfCat("causal --query 1 --by linear");
  CHECK(linear["phi_q"] == json{1, 3});
  CHECK(linear["denominator"] == (3 + 3 * 2) + (1 + 3 * 2));
  CHECK(linear["numerator"] == json{9 * 3 + 7 * 5, 7});
  CHECK(linear["output"][0].get<double>() == Approx(62.0 / 16));
  CHECK(linear["exact"] == jsonOfCat("causal --query 1")["output"]);
  const json sums = jsonOfCat("causal --query 1 --by linear --normalized false");
  CHECK(sums["output"] == linear["numerator"]);

  const json features = jsonOfCat("causal --query 1 --by features --m 8 --seed 3");
  CHECK(features["phi_q"].size() == 8);
  CHECK(features["output"][0].get<double>() ==
        Approx(features["numerator"][0].get<double>() / features["denominator"].get<double>()));
  CHECK(jsonOfCat("causal --query 1 --by features --m 8 --projection-seed 3") == features);
  CHECK(jsonOfCat("causal --query 1 --by features")["phi_q"].size() == 64);
  CHECK(jsonOfCat("causal --query 1 --by features --seed 1") !=
        jsonOfCat("causal --query 1 --by features"));
}

TEST_CASE("steps are those of the chosen head and its pattern", "[cli]") {
  const TemporaryFolder folder;
  const std::string input = " --random gaussian --n 20 --d 4 --heads 3 --seed 5 ";
  const std::string out = folder.file("o.npy");
  REQUIRE(attnx("attend topk --p.k 4 --dtype float64 -o " + out + input).code == 0);
  const Tensor outputs = readArrays(out).get("");
  for (const Index head : {0, 2}) {
    const Said said = attnx("steps topk --p.k 4 --query 17 --json" + input + "--head-index " +
                            std::to_string(head));
    INFO(said.err);
    REQUIRE(said.code == 0);
    const json steps = said.json();
    CHECK(steps["visible"].size() == 4);
    for (Index c = 0; c < 4; ++c)
      CHECK(steps["output"][static_cast<std::size_t>(c)].get<double>() ==
            Approx(number(outputs, (head * 20 + 17) * 4 + c)).margin(1e-12));
  }
}

TEST_CASE("steps are written to files that show them", "[cli]") {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& name, const std::string& line) {
    const Said said = stepsOfCat(line + " -o " + folder.file(name));
    INFO(line << ": " << said.err);
    REQUIRE(said.code == 0);
    CHECK(said.err.empty());
    return folder.file(name);
  };
  CHECK(json::parse(textOf(written("s.json", "causal --query 1"))) ==
        jsonOfCat("causal --query 1"));
  const std::string table = textOf(written("s.csv", "causal --query 1 --scale 1"));
  CHECK(table.starts_with("key,token,dot,scaled,masked,exp,p\n0,the,2,2,2,1,"));
  CHECK(table.find("\n2,sat,0,0,,0,0\n") != std::string::npos);
  CHECK(textOf(written("t.csv", "full --query 1 --by online --key-tile 2"))
            .starts_with("begin,end,visible,max,sum,correction,output_0,output_1\n0,2,2,"));
  CHECK(textOf(written("f.csv", "full --query 1 --by linear"))
            .starts_with("key,token,kernel,share,p\n0,the,9,"));
  const Tensor output = readArrays(written("o.npy", "causal --query 1")).get("");
  CHECK(output.shape == std::vector<Index>{2});
  CHECK(number(output, 0) == jsonOfCat("causal --query 1")["output"][0]);
  for (const char* by : {"softmax", "online", "linear", "features"})
    for (const char* ending : {".svg", ".png", ".pdf", ".tex"}) {
      const std::string path =
          written(std::string(by) + ending, "causal --query 1 --by " + std::string(by));
      CHECK(std::filesystem::file_size(path) > 1000);
    }
  const std::string words =
      textOf(written("w.svg", "causal --query 1 --text text --size 900x500 --theme dark"));
  for (const char* word : {"Query 1 “cat”: softmax attention over 2 of 3 keys", "exp", "−∞", "sum"})
    CHECK(words.find(word) != std::string::npos);
}

TEST_CASE("lines of steps name the rule that hides a key", "[cli]") {
  const Said few = stepsOfCat("causal --query 1");
  REQUIRE(few.code == 0);
  std::istringstream lines(few.out);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("2 “sat”"))
    ;
  CHECK(line.ends_with("1 − 2 = −1 < 0"));
  CHECK(few.out.find("; key 2 “sat” gets −∞, since 1 − 2 = −1 < 0\n") != std::string::npos);
  const Said longer = attnx("steps strided --random gaussian --n 8 --d 4 --query 5");
  CHECK(longer.out.find("  5 − 0 = 5 > 3 (A¹); (5 − 0) mod 3 = 2 (A²)\n") != std::string::npos);
  CHECK(longer.out.find("  5 − 7 = −2 < 0") != std::string::npos);
  const Said many = attnx("steps causal --random gaussian --n 100 --d 4 --query 96");
  CHECK(many.out.find("\nkey 97 gets −∞, since 96 − 97 = −1 < 0\n") != std::string::npos);
}

TEST_CASE("lines of steps have the whole rule of every hidden key, whatever the pattern", "[cli]") {
  std::size_t hidden = 0;
  for (const char* pattern :
       {"strided", "fixed", "longformer --window 2", "sinks", "vertical_slash", "topk --k 3"}) {
    const std::string asked =
        std::string("steps ") + pattern + " --random gaussian --n 10 --d 4 --query 8";
    CAPTURE(asked);
    const Said said = attnx(asked);
    REQUIRE(said.code == 0);
    const json rules = attnx(asked + " --json").json()["rules"];
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line) && !line.starts_with("sum");) {
      if (line.find("−∞") == std::string::npos)
        continue;
      CHECK(line.ends_with("  " + rules[std::stoul(line)].get<std::string>()));
      ++hidden;
    }
  }
  CHECK(hidden > 20);
}

TEST_CASE("lines of steps keep sums correct for many keys", "[cli]") {
  const Said said = attnx("steps causal --random gaussian --n 100 --d 4 --query 96");
  REQUIRE(said.code == 0);
  CHECK(said.out.starts_with("Query 96: softmax attention over 97 of 100 keys\n"));
  CHECK(said.out.find("… 85 more") != std::string::npos);
  CHECK(said.out.find("\noutput: ") != std::string::npos);
  std::istringstream lines(said.out);
  std::string line;
  double p = 0; // of the keys and of the others
  while (std::getline(lines, line)) {
    if (line.starts_with("s = "))
      break;
    if (!line.starts_with("sum") && !line.starts_with("Query") && !line.starts_with("key "))
      p += std::stod(line.substr(line.find_last_of(' ') + 1));
  }
  CHECK(p == Approx(1).margin(0.01));
}

TEST_CASE("steps refuse what is missing, out of range or not read", "[cli]") {
  const auto error = [](const std::string& line) {
    const Said said = stepsOfCat(line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(error("causal") ==
        "attnx: E_TYPE: query is missing; it must be given by --query, an integer "
        "from 0 to 2\n");
  CHECK(error("causal --query 3") ==
        "attnx: E_RANGE: query is 3; it must be an integer from 0 to 2\n");
  CHECK(error("causal --query 0 --by flash") ==
        "attnx: E_RANGE: by is flash; it must be softmax, online, linear or features\n");
  CHECK(error("causal --query 0 --key-tile 4") ==
        "attnx: E_TYPE: --key-tile is given with --by softmax; it belongs to --by online\n");
  CHECK(error("causal --query 0 --by online --key-tile 0") ==
        "attnx: E_RANGE: key-tile is 0; it must be an integer of at least 1\n");
  CHECK(error("causal --query 0 --by linear --m 4").starts_with("attnx: E_TYPE: --m is given"));
  CHECK(error("causal --query 0 --by online --normalized false")
            .starts_with("attnx: E_TYPE: --normalized is given"));
  CHECK(error("causal --query 0 --seed 1").starts_with("attnx: E_TYPE: --seed is given"));
  CHECK(error("causal --query 0 --by features --m 0") ==
        "attnx: E_RANGE: m is 0; it must be an integer from 1 to 65536\n");
  CHECK(error("causal --query 0 --by features --softcap 30")
            .starts_with("attnx: E_UNSUPPORTED: softcap is 30 with random features"));
  CHECK(error("causal --query 0 --by linear --softcap 30") ==
        "attnx: E_UNSUPPORTED: softcap is 30 with linear attention, which has no scores; it must "
        "be left out, or --by must be softmax or online\n");
  CHECK(error("causal --query 0 --by linear --sink-logit 1")
            .starts_with("attnx: E_UNSUPPORTED: sink-logit is 1 with linear attention"));
  CHECK(error("causal --query 0 --by linear --alibi 0.5")
            .starts_with("attnx: E_UNSUPPORTED: a bias is given with linear attention"));
  CHECK(error("causal --query 0 -o s.txt").starts_with("attnx: E_UNSUPPORTED"));
  CHECK(error("--query 0").starts_with("attnx: E_TYPE: the pattern is missing"));
  CHECK(error("causal --query 0 --size 900x500 -o s.csv").starts_with("attnx: E_UNSUPPORTED"));
}

TEST_CASE("steps with unequal numbers of queries and keys need an alignment", "[cli]") {
  const TemporaryFolder folder;
  const auto matrix = [&](const std::string& name, Index rows) {
    std::ofstream file(folder.file(name));
    for (Index i = 0; i < rows; ++i)
      file << i << ',' << 1 - i << '\n';
    return folder.file(name);
  };
  const std::string line = "steps causal --query 1 --json --q " + matrix("q.csv", 2) + " --k " +
                           matrix("k.csv", 5) + " --v " + matrix("v.csv", 5);
  CHECK(attnx(line).err ==
        "attnx: E_SHAPE: the input has 2 queries and 5 keys; different lengths need --align "
        "top-left or bottom-right\n");
  CHECK(attnx(line + " --align bottom-right").json()["visible"] == json{0, 1, 2, 3, 4});
  CHECK(attnx(line + " --align top-left").json()["visible"] == json{0, 1});
}

} // namespace attention::cli
