#include "tests/app/cli/run_cli.h"

using namespace attention::cli;

TEST_CASE("code prints a source that ends in one block mask", "[cli]") {
  const Said said = attnx("code fixed --stride 8 --c 2 --n 32 --to flex");
  REQUIRE(said.code == 0);
  CHECK(said.out.find("def mask_mod(b, h, q_idx, kv_idx):\n") != std::string::npos);
  CHECK(said.out.find("a2 = (6 <= j % 8) & (j <= i)\n") != std::string::npos);
  CHECK(said.out.find("\nblock_mask = create_block_mask(mask_mod, B=None, H=None, Q_LEN=32, "
                      "KV_LEN=32)\n") != std::string::npos);
  for (const char* target : {"numpy", "jax", "xformers", "tikz"})
    CHECK(attnx(std::string("code full --n 4 --to ") + target).code == 0);
}

TEST_CASE("code of a data-dependent pattern holds the cells that an input chose", "[cli]") {
  const std::string input = " --random gaussian --d 4 --n 24 --seed 5";
  const Said said = attnx("code cluster --p.k 3" + input + " --to numpy");
  REQUIRE(said.err.empty());
  CHECK(said.out.find("# The queries and keys of one input chose these cells") !=
        std::string::npos);
  CHECK(said.out.find("listed[row:row_end, key:key_end] = True") != std::string::npos);
  CHECK(attnx("code cluster --p.k 3" + input + "6 --to numpy").out != said.out);
  CHECK(attnx("code topk" + input + " --to flex").out.find("def mask_mod(b, h, q_idx, kv_idx)") !=
        std::string::npos);
}

TEST_CASE("code says why there is no source", "[cli]") {
  const auto err = [](const std::string& line) {
    const Said said = attnx(line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(err("code full --n 4") == "attnx: E_TYPE: to is missing; it must be one of flex, numpy, "
                                  "jax, deepspeed, xformers, tikz\n");
  CHECK(err("code topk --n 64 --to numpy").find("E_TYPE: ") != std::string::npos); // no input
  CHECK(err("code topk --random gaussian --n 64 --d 4 --to deepspeed")
            .rfind("attnx: E_UNSUPPORTED: topk has no DeepSpeed SparsityConfig: ", 0) == 0);
  CHECK(err("code strided --n 64 --to deepspeed")
            .rfind("attnx: E_UNSUPPORTED: strided has no DeepSpeed SparsityConfig: ", 0) == 0);
}

TEST_CASE("Presets can stand wherever a pattern can", "[cli]") {
  const auto diff = [](const std::string& line) { return attnx("diff " + line).json(); };
  const auto json = diff("--preset mistral-paper --window 4 --with --preset mistral-figure "
                         "--window 4 --n 12 --json");
  CHECK(json["only_first"] == 8);
  CHECK(json["only_second"] == 0);
  CHECK(diff("mistral-paper --window 4 --with flash-attention --left 4 --n 12 --json")["iou"] == 1);
  CHECK(diff("transformers --window 4 --with local --window 4 --causal true --n 12 --json")
            ["first_row"]
                .is_null());
  CHECK(attnx("count --preset causal-bottom-right --queries 5 --keys 8 --n-q 5 --n-k 8 --align "
              "top-left --rect 0,5,0,8 --json")
            .json()["count"] == 30);
  CHECK(attnx("count --preset=longformer-dilated --window 3 --dilation 2 --n 24 --rect 0,24,0,24 "
              "--json")
            .json()["count"] == 144);
  // Apart from its own arguments it is the pattern that it stands for.
  CHECK(attnx("count longformer-allenai --window 0 --globals 3 --n 9 --rect 0,9,0,9 --json")
            .json()["count"] == 51);
}

TEST_CASE("Presets are listed and unknown ones named", "[cli]") {
  const auto json = attnx("patterns --presets --json").json();
  CHECK(json["presets"].size() == 18);
  CHECK(json["presets"][0]["name"] == "child-paper");
  CHECK(attnx("patterns --presets").out.find("--preset xformers-local --window 17\n") !=
        std::string::npos);
  CHECK(attnx("info --preset mistrl-paper --n 4").err ==
        "attnx: E_UNKNOWN: preset \"mistrl-paper\" is unknown; the nearest is mistral-paper\n");
  CHECK(attnx("info --preset xformers-local --window 4 --n 9").err ==
        "attnx: E_RANGE: window is 4; it must be an odd integer of at least 1\n");
  CHECK(attnx("verify --preset causal-top-left").code == 2);
}
