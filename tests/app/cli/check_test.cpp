// attnx check: the report, promises, short forms, and errors.
#include "core/input/npy_writer.h"
#include "tests/app/cli/run_cli.h"

#include <fstream>

namespace attention::cli {

using nlohmann::json;

TEST_CASE("check prints the report with the keys of the specification", "[cli]") {
  const Said said = attnx("check local --window 3 --causal --n 8 --against sliding_window --left 3 "
                          "--right 0 --json");
  REQUIRE(said.code == 1); // --against is a promise
  const json check = said.json();
  CHECK(check["pairs"] == 21);
  CHECK(check["first_future"].is_null());
  CHECK(check["matches"][0] == json::parse(R"({"mechanism": "local",
                                               "params": {"window": 3, "causal": true}})"));
  CHECK(check["against"]["only_there"] == 5);
  CHECK(check["against"]["first_cell"] == json{3, 0});
  CHECK(check["broken"] == json{"against"});
  CHECK(said.err ==
        "attnx: query 3 attends to key 0 in the other mask, but not in this one; against "
        "promises that they are equal\n");
  const std::string lines = attnx("check causal --n 6").out;
  CHECK(lines.find("is                                  causal\n") != std::string::npos);
  CHECK(lines.find("also                                local, window 6, causal\n") !=
        std::string::npos);
  CHECK(lines.find("cells in the future                 none\n") != std::string::npos);
}

TEST_CASE("promises that hold exit with 0, broken ones name the first cell", "[cli]") {
  CHECK(
      attnx("check causal --n 6 --no-future --no-empty --against local --window 6 --causal").code ==
      0);
  CHECK(attnx("check full --n 6").code == 0); // nothing was promised
  const auto broken = [](const std::string& line) {
    const Said said = attnx(line);
    INFO(said.err);
    CHECK(said.code == 1);
    CHECK_FALSE(said.out.empty());
    return said.err;
  };
  CHECK(broken("check full --n 6 --no-future") ==
        "attnx: query 0 attends to key 1, which lies in its future; no-future promises that no "
        "query does so\n");
  CHECK(broken("check expr --expr j<i --n 6 --no-empty") ==
        "attnx: query 0 attends to no key; no-empty promises that every query attends to one\n");
  CHECK(broken("check causal --n 6 --padding 0,1") ==
        "attnx: query 2 attends to key 0, which is padding; padding promises that no query of "
        "another token does so\n");
  CHECK(broken("check causal --n 6 --against full").find("against promises") != std::string::npos);
  const json both = attnx("check full --n 6 --no-future --padding 3 --json").json();
  CHECK(both["broken"] == json{"no-future", "padding"});
}

TEST_CASE("a mask is compared with a layer of a model", "[cli]") {
  CHECK(attnx("check local --window 1024 --causal --n 2048 --against-model gemma-3-4b --layer 4")
            .code == 0);
  CHECK(attnx("check causal --n 2048 --against-model gemma-3-4b --layer 4").code == 1);
  const TemporaryFolder folder;
  const std::string config = folder.file("config.json");
  std::ofstream(config) << R"({"model_type": "mistral", "num_hidden_layers": 2,
                              "sliding_window": 3})";
  const auto against = [](const std::string& file) {
    return attnx("check local --window 3 --causal --n 8 --layer 1 --against-model " + file);
  };
  CHECK(against(config).code == 0);
  CHECK(against(folder.file("")).code == 0);
  const std::string array = folder.file("q.npy");
  writeNpy(array, Matrix<double>(2, 2));
  CHECK(against(array).err ==
        "attnx: E_UNSUPPORTED: " + array + " is a NumPy array; it must be a model's config.json\n");
  std::ofstream(config) << "q";
  CHECK(against(config).err == "attnx: E_TYPE: " + config +
                                   " is not JSON: it goes wrong at byte 1; it must be a model's "
                                   "config.json\n");
  const std::string odd = folder.file("a;b.json");
  const auto said = [&](const std::string& text) {
    std::ofstream(odd) << text;
    return against(odd).err;
  };
  CHECK(said("") == "attnx: E_TYPE: " + odd + " is empty; it must be a model's config.json\n");
  CHECK(said("{]") == "attnx: E_TYPE: " + odd +
                          " is not JSON: it goes wrong at byte 2; it must be a model's "
                          "config.json\n");
  CHECK(said(R"({"x": 1, "x": 2})") ==
        "attnx: E_TYPE: " + odd +
            " has the key \"x\" twice in one object; each key must occur only once\n");
  CHECK(said("\xFF\xFE{") ==
        "attnx: E_UNSUPPORTED: " + odd + " is text in UTF-16; save it as UTF-8\n");
  CHECK(attnx("check causal --n 2048 --against-model gemma-3-4b --layer 5").code == 0);
}

TEST_CASE("a pasted mask_mod body and a mask's file need no pattern before them", "[cli]") {
  const json check =
      attnx({"check", "--expr", "(q_idx >= kv_idx) & ((q_idx - kv_idx <= 3) | (kv_idx < 2))", "--n",
             "9", "--json"})
          .json();
  CHECK(check["matches"][0]["mechanism"] == "sinks");
  CHECK(check["pairs"] == 39);
  const TemporaryFolder folder;
  std::ofstream(folder.file("m.csv")) << "i,j\n0,0\n1,1\n2,1\n2,2\n";
  const json given = attnx({"check", "--mask", folder.file("m.csv"), "--json"}).json();
  CHECK(given["n_k"] == 3);
  CHECK(given["pairs"] == 4);
  CHECK(attnx({"check", "given", "--mask", folder.file("m.csv"), "--json"}).json() == given);
}

TEST_CASE("check says that align does not move what it counts", "[cli]") {
  const std::string line = "check causal --n-q 3 --n-k 5 --json --align ";
  const Said moved = attnx(line + "top-left");
  CHECK(moved.json()["rows_without_self"].size() == 3);
  CHECK(moved.err == "attnx: note: align is top-left, but future keys and each query's own key are "
                     "counted as if the last query were the last key\n");
  CHECK(attnx(line + "bottom-right").err == "");
  CHECK(attnx("check causal --n 5 --align top-left").err == "");
}

TEST_CASE("padding may come from a file", "[cli]") {
  const TemporaryFolder folder;
  for (const char* text : {"0,1\n", "[0, 1]"}) {
    std::ofstream(folder.file("pad.txt")) << text;
    const Said said = attnx("check causal --n 6 --json --padding @" + folder.file("pad.txt"));
    INFO(said.err);
    CHECK(said.json() == attnx("check causal --n 6 --json --padding 0,1").json());
  }
  CHECK(attnx("check causal --n 6 --padding @" + folder.file("none.txt")).err.find("E_IO") !=
        std::string::npos);
}

TEST_CASE("checks without a mask, or with several others, are refused", "[cli]") {
  const auto refused = [](const std::string& line, const std::string& words) {
    const Said said = attnx(line);
    INFO(line << ": " << said.err);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    CHECK(said.err.find(words) != std::string::npos);
  };
  refused("check --n 6", "the pattern is missing");
  refused("check --against full --n 6", "it must stand before --against");
  refused("check causal --n 6 --against full --against causal", "it must be one");
  refused("check causal --n 6 --against-model gemma-3-4b", "layer is missing");
  refused("check causal --n 6 --layer 3", "against-model is missing");
  refused("check causal --n 6 --against-model gemma-3-4b --layer 34",
          "layer is 34; it must be from 0 to 33");
  refused("check causal --n 6 --against-model jamba-v0.1 --layer 0", "E_UNSUPPORTED: layer 0 of");
  refused("check causal --n 6 --against-model deepseek-v3.2 --layer 0",
          "chooses its keys by the data");
  refused("check causal --n 6 --padding 6", "padding is 6; it must be a list of keys from 0 to 5");
  refused("check causal --n 6 --padding x", "E_TYPE: padding");
}

} // namespace attention::cli
