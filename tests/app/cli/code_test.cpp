#include "tests/app/cli/run_cli.h"

#include "core/pattern/presets.h"

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

TEST_CASE("code of an input with several heads holds the cells of one of them", "[cli]") {
  const auto code = [](const std::string& more) {
    return attnx("code topk --p.k 3 --random gaussian --n 24 --d 4 --seed 5" + more);
  };
  const Said first = code(" --heads 3 --to flex");
  REQUIRE(first.code == 0);
  CHECK(first.err ==
        "attnx: note: only head 0 is read, of 3 heads; --head-index chooses another\n");
  CHECK(first.out == code(" --heads 3 --head-index 0 --to flex").out);
  CHECK(code(" --heads 3 --head-index 2 --to flex").out != first.out);
  CHECK(code(" --heads 3 --to numpy").code == 0);
  CHECK(code(" --heads 3 --to bsr --block 8").json().contains("indptr"));
  CHECK(attnx("code topk --sample minilm_alice --heads 3 --to flex").err ==
        "attnx: E_TYPE: heads is given, which an input from --sample does not read\n");
}

TEST_CASE("code says why there is no source", "[cli]") {
  const auto err = [](const std::string& line) {
    const Said said = attnx(line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(err("code full --n 4") == "attnx: E_TYPE: to is missing; it must be one of flex, numpy, "
                                  "jax, deepspeed, xformers, transformers, tikz, blockmask, bsr, "
                                  "flashmask, magi, cu_seqlens\n");
  CHECK(err("code topk --n 64 --to numpy").find("E_TYPE: ") != std::string::npos); // no input
  CHECK(err("code topk --random gaussian --n 64 --d 4 --to deepspeed")
            .rfind("attnx: E_UNSUPPORTED: topk has no DeepSpeed SparsityConfig: ", 0) == 0);
  CHECK(err("code strided --n 64 --to deepspeed")
            .rfind("attnx: E_UNSUPPORTED: strided has no DeepSpeed SparsityConfig: ", 0) == 0);
}

TEST_CASE("code prints the arrays that kernels take, or writes them", "[cli]") {
  const auto json = [](const std::string& line) { return attnx("code " + line).json(); };
  // The numbers of the reference cases.
  CHECK(json("local --window 3 --causal --n 9 --to blockmask --block 2x4")["kv_num_blocks"] ==
        nlohmann::json{1, 1, 2, 1, 2});
  CHECK(json("sinks --sinks 1 --window 2 --n 8 --to bsr --block 3x2")["indptr"] ==
        nlohmann::json{0, 2, 5, 8});
  CHECK(json("document --lengths 3,5,4 --n 12 --to cu-seqlens")["max_seqlen"] == 5);
  CHECK(json("sliding_window --left 3 --right 2 --n 12 --to magi")["slices"].size() == 3);
  CHECK(json("full --n 256 --to blockmask")["full_kv_num_blocks"] == nlohmann::json{2, 2});
  const TemporaryFolder folder;
  for (const char* name : {"a.json", "a.npz"}) {
    const Said said = attnx("code causal --n 9 --to flashmask -o " + folder.file(name));
    INFO(said.err);
    CHECK(said.code == 0);
    CHECK(said.out.empty());
    CHECK(std::filesystem::file_size(folder.file(name)) > 50);
  }
  CHECK(attnx("code causal --n 9 --to transformers")
            .out.find("def mask_function(batch_idx, head_idx, q_idx, kv_idx):\n") !=
        std::string::npos);
}

TEST_CASE("flags and masks that a target does not take are refused", "[cli]") {
  const auto err = [](const std::string& line) {
    const Said said = attnx("code " + line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(err("causal --n 9 --to flex --block 2").find("--block is given for flex") !=
        std::string::npos);
  for (const char* target : {"numpy", "bsr"})
    CHECK(err("causal --n 9 --heads 2 --to " + std::string(target)) ==
          "attnx: E_TYPE: --heads is given for " + std::string(target) +
              " without an input; there it belongs to flex\n");
  CHECK(err("causal --n 9 --to numpy -o a.json").find("--output is given for numpy") !=
        std::string::npos);
  CHECK(err("causal --n 9 --to magi --block 2").find("--block is given for magi") !=
        std::string::npos);
  CHECK(err("causal --n 9 --to bsr -o a.txt").find("E_UNSUPPORTED") != std::string::npos);
  CHECK(err("causal --n 9 --to bsr --block 4x2").find("E_RANGE: block is 2 in keys") !=
        std::string::npos);
  CHECK(err("causal --n 9 --to bsr --scale 2").find("its arrays are the mask only") !=
        std::string::npos);
  CHECK(err("strided --stride 2 --head 2 --n 9 --to flashmask").find("E_RANGE: mask is one") !=
        std::string::npos);
  CHECK(err("local --window 3 --causal --n 9 --to cu_seqlens").find("E_RANGE: mask is not one") !=
        std::string::npos);
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
  CHECK(diff("causal --with --pattern-json {\"mechanism\":\"full\"} --n 12 --json")["both"] == 78);
  CHECK(diff("causal --with --pattern-json={\"mechanism\":\"full\"} --n 12 --json")["both"] == 78);
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
  CHECK(json["presets"].size() == attention::allPresets().size());
  CHECK(json["presets"][0]["name"] == "child-paper");
  CHECK(attnx("patterns --presets").out.find("--preset xformers-local --window 17\n") !=
        std::string::npos);
  CHECK(attnx("info --preset mistrl-paper --n 4").err ==
        "attnx: E_UNKNOWN: preset \"mistrl-paper\" is unknown; the nearest is mistral-paper\n");
  CHECK(attnx("info --preset xformers-local --window 4 --n 9").err ==
        "attnx: E_RANGE: window is 4; it must be an odd integer of at least 1\n");
  CHECK(attnx("verify --preset causal-top-left").code == 2);
}

TEST_CASE("code for scores with a sink asks for the log sum as torch has it since 2.9", "[cli]") {
  const std::string out = attnx("code causal --n 8 --to flex --sink-logit 0.5").out;
  CHECK(out.find("block_mask=block_mask, return_aux=AuxRequest(lse=True))\n"
                 "# out = out * torch.sigmoid(aux.lse - SINK)[..., None]  # the sink\n") !=
        std::string::npos);
  CHECK(out.find("# before torch 2.9: return_lse=True") != std::string::npos);
  CHECK(attnx("code causal --n 8 --to flex").out.find("AuxRequest") == std::string::npos);
}
