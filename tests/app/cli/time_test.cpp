// attnx time: which mechanisms it takes, what it says and writes, what it refuses. Times themselves
// are the machine's: nothing here depends on them.
#include "core/analysis/cost.h"
#include "tests/app/cli/run_cli.h"

#include <cmath>
#include <fstream>

using namespace attention;
using namespace attention::cli;

namespace {

const std::string kQuick = " --n 8,16 --d 4 --samples 2 --fit-from 8 ";

std::vector<std::string> names(const nlohmann::json& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    if (names.empty() || names.back() != row["mechanism"])
      names.push_back(row["mechanism"]);
  return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("the table of time names crossovers where there are two lines to cross", "[cli]") {
  const auto tells = [](const std::string& mechanisms) {
    const std::string out = attnx("time " + mechanisms + kQuick).out;
    return out.find("crossovers: ") != std::string::npos ||
           out.find(" is faster than ") != std::string::npos;
  };
  CHECK_FALSE(tells("full"));
  CHECK(tells("full --with local --window 2 --causal true"));
}

TEST_CASE("time answers with rows, exponents, the peak and crossovers", "[cli]") {
  const Said said = attnx("time full --with local --window 2 --causal true" + kQuick + "--json");
  REQUIRE(said.err.empty());
  REQUIRE(said.code == 0);
  const auto json = said.json();
  REQUIRE(json["rows"].size() == 4);
  for (const auto& row : json["rows"]) {
    const double median = row["median"];
    CHECK(median > 0);
    CHECK(row["q1"].get<double>() <= median);
    CHECK(row["q3"].get<double>() >= median);
    CHECK(row["minimum"].get<double>() <= row["q1"].get<double>());
    CHECK(row["samples"] == 2);
    CHECK(row["gflops"].get<double>() == Approx(row["useful_flops"].get<double>() / median * 1e-9));
    CHECK(row["peak_share"].get<double>() ==
          Approx(row["gflops"].get<double>() / json["peak_gflops"].get<double>()));
    CHECK(row["choosing"].is_null());
  }
  CHECK(json["rows"][1]["n"] == 16);
  CHECK(json["rows"][1]["flops"] == sparseCost(16, 4, 4, 256).flops);
  CHECK(json["rows"][1]["pairs"] == 256);
  CHECK(json["rows"][2]["pattern"]["params"]["causal"] == true);
  REQUIRE(json["exponents"].size() == 2);
  CHECK(json["exponents"][0]["mechanism"] == "full");
  CHECK(json["exponents"][0]["predicted"].get<double>() == Approx(2).epsilon(0.05));
  CHECK(json["exponents"][0]["exponent"].get<double>() ==
        Approx(std::log2(json["rows"][1]["median"].get<double>() /
                         json["rows"][0]["median"].get<double>())));
  CHECK(json["exponents"][0]["standard_error"].is_null()); // of two sizes
  CHECK(json["crossovers"].is_array());
  CHECK(json["noise"]["noisy"].is_boolean());
  CHECK(json["peak"]["samples"] == 4);
  CHECK(json["threads"] == 1);
  CHECK(json["d"] == 4);
}

TEST_CASE("time takes several mechanisms of every kind as words", "[cli]") {
  const auto timed = [](const std::string& line) {
    const Said said = attnx("time " + line + kQuick + "--json");
    INFO(said.err);
    REQUIRE(said.code == 0);
    return names(said.json()["rows"]);
  };
  CHECK(timed("full strided --stride 4 causal") == Names{"full", "strided, stride 4", "causal"});
  CHECK(timed("full positive --m 8") == Names{"full", "positive features, m 8, orthogonal"});
  CHECK(timed("elu1") == Names{"elu1 features"});
  CHECK(timed("gaussian-trig --m 2 --projection iid") == Names{"gaussian_trig features, m 2, iid"});
  CHECK(timed("linformer") == Names{"linformer, k 64"});
  CHECK(timed("linformer --k 2,4 topk --k 3") ==
        Names{"topk, k 3", "linformer, k 2", "linformer, k 4"});
  CHECK(timed("topk --k 3 linformer --k 2") == Names{"topk, k 3", "linformer, k 2"});
  CHECK(timed("local --window 2 --causal true elu1") ==
        Names{"local, window 2, causal true", "elu1 features"});
  CHECK(timed("local --window 2 elu1 --causal") ==
        Names{"local, window 2", "elu1 features, causal"});
  CHECK(timed("full --with elu1 --with linformer --k 2") ==
        Names{"full", "elu1 features", "linformer, k 2"});
  CHECK(timed("full --features elu1,relu --m 2 --linformer 3") ==
        Names{"full", "elu1 features", "relu features, m 2, orthogonal", "linformer, k 3"});
  CHECK(timed("full --kernel gaussian,relu") == Names{"full", "gaussian kernel", "relu kernel"});
  CHECK(timed("linformer --kernel softmax --causal") ==
        Names{"linformer, k 64", "softmax kernel, causal"});
  CHECK(timed("--preset mistral-paper --window 4") == timed("mistral-paper --window 4"));
  CHECK(timed("bigbird --block-size 2 --p.seed 3 --seed 4").front().find("seed 3") !=
        std::string::npos);
}

TEST_CASE("a fit through two sizes has no R squared", "[cli]") {
  const auto two = attnx("time full" + kQuick + "--json").json();
  REQUIRE(two["exponents"].size() == 1);
  CHECK(two["exponents"][0]["sizes"] == 2);
  CHECK(two["exponents"][0]["r_squared"].is_null());
  const auto three = attnx("time full --n 8,16,32 --d 4 --samples 1 --fit-from 8 --json").json();
  CHECK(three["exponents"][0]["r_squared"].is_number());
}

TEST_CASE("times of patterns that choose keys have two parts", "[cli]") {
  const auto json = attnx("time topk --k 2" + kQuick + "--json").json();
  const auto& row = json["rows"][1];
  CHECK(row["choosing"].get<double>() > 0);
  CHECK(row["attending"].get<double>() > 0);
  CHECK(row["pairs"] == 32);
  CHECK(row["flops"] == sparseCost(16, 4, 4, 32).flops + 2 * 4 * 256);
}

TEST_CASE("the table of time gives exponents and the machine's peak", "[cli]") {
  const std::string out = attnx("time full linformer --k 2 --n 8,16 --d 4 --samples 1").out;
  CHECK(out.rfind("mechanism ", 0) == 0);
  for (const char* words : {"linformer, k 2", "of peak", "FMA peak: ", " on 1 thread, ",
                            "a fit needs two sizes of at least 256 tokens"})
    CHECK(out.find(words) != std::string::npos);
  CHECK(attnx("time full" + kQuick).out.find("time ~ n^e") != std::string::npos);
}

TEST_CASE("time writes its rows as csv or json", "[cli]") {
  const TemporaryFolder folder;
  const Said said = attnx("time topk --k 2 positive --m 4" + kQuick + "-o " + folder.file("t.csv"));
  REQUIRE(said.err.empty());
  std::ifstream file(folder.file("t.csv"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].rfind("mechanism,n,median,q1,q3,", 0) == 0);
  CHECK(lines[1].rfind("topk; k 2,8,", 0) == 0);
  CHECK(lines[4].rfind("positive features; m 4; orthogonal,16,", 0) == 0);
  for (const std::string& line : lines)
    CHECK(std::count(line.begin(), line.end(), ',') == 15);
  REQUIRE(attnx("time full" + kQuick + "--json -o " + folder.file("t.json")).err.empty());
  std::ifstream json(folder.file("t.json"));
  CHECK(nlohmann::json::parse(json)["rows"].size() == 2);
}

TEST_CASE("time draws its curves as a picture of each kind", "[cli]") {
  const TemporaryFolder folder;
  for (const char* ending : {".png", ".svg", ".pdf", ".tex"}) {
    const std::string file = folder.file(std::string("t") + ending);
    const Said said = attnx("time full elu1" + kQuick + "--theme dark -o " + file);
    INFO(said.err);
    CHECK(said.code == 0);
    CHECK(std::filesystem::file_size(file) > 1000);
  }
  std::ifstream tex(folder.file("t.tex"));
  const std::string text(std::istreambuf_iterator<char>(tex), {});
  CHECK(text.find("elu + 1 features") != std::string::npos);
  CHECK(attnx("time full" + kQuick + "--size 9 -o " + folder.file("x.png")).code == 2);
}

TEST_CASE("an interrupt ends time with code 130 and leaves nothing behind", "[cli]") {
  const TemporaryFolder folder;
  std::stop_source source;
  const std::vector<std::string> words{"time",      "full", "--n", "16",
                                       "--samples", "4",    "-o",  folder.file("t.csv")};
  std::ostringstream out;
  std::ostringstream err;
  const Run run{source.get_token(), [&](double) { source.request_stop(); }};
  CHECK(runCommandLine(words, {out, err, run}) == 130);
  CHECK(out.str().empty());
  CHECK(err.str().empty());
  CHECK(folder.empty());
}

TEST_CASE("time refuses what it cannot measure in one line", "[cli]") {
  const auto refused = [](const std::string& line) {
    const Said said = attnx("time " + line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    return said.err;
  };
  const auto refuses = [&](const std::string& line, const std::string& words) {
    const std::string said = refused(line);
    INFO(said);
    CHECK(said.find(words) != std::string::npos);
  };
  refuses("full", "E_TYPE: n is missing");
  refuses("--n 8", "E_TYPE: no mechanism is given");
  refuses("strded --n 8", "the nearest is strided");
  refuses("full --n 8,zero", "E_TYPE: n is \"zero\"");
  refuses("full --n 0", "E_N: n is 0");
  refuses("full --n 8 --samples 0", "E_RANGE: samples is 0");
  refuses("full --n 8 --seconds 0", "E_RANGE: seconds is 0");
  refuses("full --n 8 --seconds 1e-9", "E_RANGE: seconds is 1e-09; it must be enough for two runs");
  refuses("full --n 8 --d 0", "E_RANGE: d is 0");
  refuses("full --n 8 --heads 0", "E_RANGE: heads is 0");
  refuses("full --n 8 --threads -1", "E_RANGE: threads");
  refuses("full --n 8 --fit-from 0", "E_RANGE: fit-from is 0");
  refuses("full --n 8 --k 3", "E_TYPE: --k is given without linformer");
  refuses("full --n 8 --m 3", "E_TYPE: --m is given without random features");
  refuses("strided --n 8 linformer --causal",
          "E_TYPE: --causal is given without random features or a kernel");
  refuses("elu1 --n 8 --m 3", "E_TYPE: --m is given with only elu1 features");
  refuses("linformer --k 0 --n 8", "E_RANGE: k is 0");
  refuses("local --window -1 --n 8", "E_RANGE: window is -1");
  refuses("expr --n 8", "E_TYPE: expr is missing");
  refuses("compose elu1 --n 8", "E_TYPE: op is missing");
  refuses("full --n 8 -o t.txt", "E_UNSUPPORTED");
  refuses("full --n 8 --sample 3", "the nearest is --samples");
}
