// Flags are checked whether a command comes to read them or not, and each is given once.
#include "tests/app/cli/run_cli.h"

#include "core/input/npy_writer.h"
#include "core/input/safetensors_writer.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace attention::cli {
namespace {

// A line of every command that answers at once.
std::vector<std::string> quickLines() {
  const std::string input = " --random gaussian --n 8 --d 4 --heads 2";
  return {"patterns",
          "info strided --n 8",
          "info topk --p.k 2" + input,
          "count strided --n 8",
          "tiles strided --n 8",
          "ranks strided --n 8 --ranks 2",
          "stack --list",
          "stack gemma-3-4b",
          "check strided --n 8",
          "why strided --n 8 --at 3,2",
          "diff strided --n 8 --with local",
          "code strided --n 8 --to flex",
          "code strided --n 8 --to bsr --block 4x4",
          "reach strided --n 8 --layers 2",
          "reach strided --rollout" + input,
          "axial --l1 4 --l2 4 --d1 4 --d2 4",
          "time full --n 8 --samples 1",
          "attend strided --json" + input,
          "compare strided" + input,
          "kernel --features elu1 --json" + input,
          "kernel --kernel elu1 --json" + input,
          "kernel-error --m 4 --repeats 1 --random gaussian --n 8 --d 4",
          "lowrank --ranks 1 --linformer false" + input,
          "lsh" + input,
          "heads" + input,
          "heads strided" + input,
          "steps strided --query 3" + input,
          "figure --list",
          "figure --lessons",
          "animate child-2019-fig3 --list"};
}

const Grammar& grammarOf(const std::string& command) {
  const auto all = commands();
  return std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.name == command; })
      ->grammar;
}

// animate --list says what may move to whoever asks for what does not.
bool isAnswered(const std::vector<std::string>& base, const Flag& flag) {
  return base.front() == "animate" && flag.name == "sweep";
}

// INPUT's flags are read alike: on these lines.
bool asksAll(const std::vector<std::string>& base, const Flag& flag) {
  const std::set<std::string> few{"info", "attend", "kernel-error", "lowrank"};
  return !flag.ofInput || (few.contains(base.front()) &&
                           std::find(base.begin(), base.end(), "--random") != base.end());
}

// The lines with flags that are not given in them, where any text will do for a value.
template <class Use>
void eachFlag(const Use& use) {
  for (const std::string& line : quickLines()) {
    const std::vector<std::string> base = wordsOf(line);
    const Grammar& grammar = grammarOf(base.front());
    std::set<std::string> seen(base.begin(), base.end());
    for (const auto* flags : {&grammar.flags, &grammar.dataFlags})
      for (const Flag& flag : *flags)
        if (seen.insert("--" + flag.name).second && !isAnswered(base, flag) && asksAll(base, flag))
          use(base, flag);
  }
}

// Where the flag itself refuses the value no command needs to run.
bool refuses(const Flag& flag, const std::string& text) {
  try {
    checkFlagText(flag, text);
    return false;
  } catch (const Error&) {
    return true;
  }
}

void checkRefused(std::vector<std::string> words, const Flag& flag, const std::string& text) {
  if (refuses(flag, text))
    return;
  words.push_back("--" + flag.name + "=" + text);
  std::string line;
  for (const std::string& word : words)
    line += word + " ";
  INFO(line);
  CHECK(attnx(words).code != 0);
}

} // namespace

TEST_CASE("No flag takes a value that it cannot have, read or not", "[cli]") {
  eachFlag([](const std::vector<std::string>& base, const Flag& flag) {
    checkRefused(base, flag, "no-such-value");
  });
  for (const Command& command : commands())
    for (const Flag& flag : command.grammar.flags)
      CHECK((refuses(flag, "") || flag.check == needsText));
  CHECK(attnx("patterns --json=5").code == 2); // so are they checked on every line
}

TEST_CASE("Counts, lengths and seeds below 0 are refused, read or not", "[cli]") {
  const std::set<std::string> mayBeNegative{"scale", "alibi", "sink-logit", "from", "to"};
  eachFlag([&](const std::vector<std::string>& base, const Flag& flag) {
    if (!mayBeNegative.contains(flag.name))
      checkRefused(base, flag, "-5");
  });
}

TEST_CASE("A flag that is given twice is refused", "[cli]") {
  const auto refused = [](const std::string& line, const std::string& flag) {
    const Said said = attnx(line);
    INFO(line);
    CHECK(said.code == 2);
    CHECK(said.err == "attnx: E_TYPE: --" + flag + " is given twice; it must be given once\n");
  };
  refused("info strided --n 8 --n 9", "n");
  refused("info strided --stride 4 --n 8 --stride 2", "stride");
  refused("info strided --p.stride 4 --stride 4 --n 8", "stride");
  refused("mask causal --n 8 -o a.png --output b.png", "output");
  refused("info causal --n 8 --json --json", "json");
  refused("info --preset mistral-paper --window 4 --window 5 --n 8", "window");
  // Each pattern has its own.
  CHECK(attnx("diff local --window 4 --with local --window 6 --n 8").code == 0);
}

TEST_CASE("A name of an array must be one of its file", "[cli]") {
  const TemporaryFolder folder;
  const std::string x = folder.file("x.npy");
  writeNpy(x, Matrix<double>(4, 2, std::vector<double>(8, 0.5)));
  const auto said = [&](const std::string& flags) {
    return attnx("heads --q " + x + " --k " + x + flags).err;
  };
  CHECK(said(" --q-name foo") == "attnx: E_UNKNOWN: q-name is \"foo\", but " + x +
                                     " has no such array; its array has no name\n");
  CHECK(said(" --v-name v") == "attnx: E_TYPE: v-name names an array of --v, which is not given\n");
  const std::string named = folder.file("t.safetensors");
  const std::vector<float> numbers(8, 0.5F);
  {
    std::ofstream out(named, std::ios::binary);
    SafetensorsWriter writer(
        out, {{"query", DType::Float32, {4, 2}}, {"layer.0.key", DType::Float32, {4, 2}}}, {});
    writer.write(0, 0, numbers);
    writer.write(1, 0, numbers);
  }
  const auto heads = [&](const std::string& flags) {
    return attnx("heads --input " + named + flags).err;
  };
  CHECK(heads("") == "attnx: E_UNKNOWN: " + named +
                         " has no array \"q\"; it has layer.0.key, query; --q-name NAME chooses "
                         "another\n");
  CHECK(heads(" --q-name qeury") ==
        "attnx: E_UNKNOWN: q-name is \"qeury\", but " + named +
            " has no such array; the nearest is query; it has layer.0.key, query\n");
  CHECK(heads(" --q-name query").find("no array \"k\"") != std::string::npos);
  CHECK(heads(" --q-name query").ends_with("; --k-name NAME chooses another\n"));
}

TEST_CASE("A number too large or too small for float64 is said to be one", "[cli]") {
  for (const char* text : {"1e400", "-1e400", "1e-400"}) {
    const Said said =
        attnx("attend full --json --random gaussian --n 4 --scale=" + std::string(text));
    CHECK(said.err == "attnx: E_RANGE: scale is " + std::string(text) +
                          "; it must be 0 or between 4.9e-324 and 1.8e308 in magnitude "
                          "(float64)\n");
  }
}

TEST_CASE("An error stands alone, without notes", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("p.csv")) << "i,j\n1,0\n";
  const std::string pairs = " given --mask " + folder.file("p.csv");
  CHECK(attnx("info" + pairs).err.starts_with("attnx: note: "));
  const Said wrong = attnx("why" + pairs + " --at 9,9");
  CHECK(wrong.code == 2);
  CHECK(wrong.err == "attnx: E_RANGE: i is 9; it must be an integer from 0 to 1\n");
  // A promise's sentence is the last line.
  const Said broken = attnx("check" + pairs + " --no-empty");
  CHECK(broken.code == 1);
  CHECK(broken.err.starts_with("attnx: note: "));
  CHECK(std::count(broken.err.begin(), broken.err.end(), '\n') == 2);
}

TEST_CASE("Errors name what is typed", "[cli]") {
  const std::string random = " --random gaussian --n 8 --d 4";
  const auto starts = [](const std::string& line, const std::string& error) {
    INFO(line);
    const Said said = attnx(line);
    CHECK(said.code == 2);
    CHECK(said.err.starts_with("attnx: " + error));
  };
  starts("kernel-error --m 4 --repeats 2147483647" + random, "E_RANGE: repeats is 2147483647; ");
  starts("stack gemma-3-4b --kv-policy none",
         "E_RANGE: kv-policy is none; it must be windowed, full or step");
  starts("reach full --rollout --residual-share 2" + random, "E_RANGE: residual-share is 2; ");
  starts("compare full --linformer 2147483647" + random,
         "E_RANGE: linformer is 2147483647; it must be at most 33554432 where n is 8 ");
  starts("compare full --features positive --m 2147483647" + random,
         "E_RANGE: m is 2147483647; it must be at most 67108864 where d is 4 ");
  starts("count full --n 4 --rect 3,1,0,4",
         "E_RANGE: rect has queries 3 to 1; the end must not be before the beginning");
  starts("compare topk --p.k -1 --linformer 2" + random, "E_RANGE: k is -1; ");
  starts("time routing --p.k 0 --linformer 2 --n 8 --samples 1", "E_RANGE: k is 0; ");
}

TEST_CASE("Flags without effect beside others are refused", "[cli]") {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name, Index rows, Index cols) {
    const std::string path = folder.file(name);
    writeNpy(path, Matrix<double>(rows, cols,
                                  std::vector<double>(static_cast<std::size_t>(rows * cols), 0.5)));
    return path;
  };
  const std::string random = " --random gaussian --n 6 --d 4";
  const std::string e = " --e " + file("e.npy", 2, 6);
  const std::string tables = "axial --e1 " + file("e1.npy", 4, 3) + " --e2 " + file("e2.npy", 2, 3);
  const auto refused = [](const std::string& line, const std::string& sentence) {
    const Said said = attnx(line);
    INFO(line);
    CHECK(said.code == 2);
    CHECK(said.err == "attnx: E_TYPE: " + sentence + "\n");
  };
  refused("lowrank --linformer-seed 3" + random + e,
          "--linformer-seed is given with --e, which gives Linformer's matrices");
  refused(tables + " --seed 3 -o " + folder.file("o.npy"),
          "--seed is given with --e1 and --e2, which give the tables");
  refused(tables + " --tables normal -o " + folder.file("o.npy"),
          "--tables is given with --e1 and --e2, which give the tables");
  refused("axial --seed 3", "--seed is given without -o, which writes the encodings");
  refused("axial --tables sinusoidal --seed 3 -o " + folder.file("o.npy"),
          "--seed is given with tables that are not drawn; it belongs to --tables normal");
  CHECK(attnx("ranks causal --n 8 --ranks 2 --rank-chunk 2").err ==
        "attnx: note: --rank-chunk is not used with --scheme contiguous, which deals no chunks\n");
  CHECK_FALSE(std::filesystem::exists(folder.file("o.npy")));
}

TEST_CASE("Flags that a mechanism or a length makes meaningless are noted", "[cli]") {
  const std::string random = " --random gaussian --n 6 --d 4";
  const auto noted = [](const std::string& line, const std::string& sentence) {
    const Said said = attnx(line);
    INFO(line);
    CHECK(said.code == 0);
    CHECK(said.err == (sentence.empty() ? "" : "attnx: note: " + sentence + "\n"));
  };
  const std::string strided = "info strided --stride 4 --n 8 --heads 4";
  noted(strided + " --num-subblocks 2",
        "--num-subblocks is not used with strided; it belongs to fixed");
  noted(strided + " --head-mode merged --num-subblocks 1", "");
  noted(strided + " --dilations 1,2,3,4",
        "--dilations is not used with strided; it belongs to longformer");
  noted("count strided --stride 4 --p.head 1 --n 8 --heads 2",
        "head of strided is not used, since with --heads every head has its own");
  noted("info fixed --stride 4 --n 8 --heads 2 --num-subblocks 2", "");
  const std::string segments = "info dilated_segments --segments 4,8 --dilations 1,2 --n 8";
  noted(segments + " --reading code", "reading has no effect with the other parameters of "
                                      "dilated_segments");
  noted(segments + " --reading code --heads 2", ""); // by their heads it has
  noted("attend local --window 4 --json --head-mode alternate" + random,
        "--head-mode is not used with local; it belongs to strided and fixed");
  noted("lowrank --powers 3" + random,
        "--powers is not used where all singular values are computed "
        "and nothing is drawn");
}

TEST_CASE("Parameters of a pattern that others make meaningless are noted", "[cli]") {
  const TemporaryFolder folder;
  const std::string rotations = folder.file("r.npy");
  writeNpy<double>(rotations, std::array<Index, 3>{1, 4, 1},
                   std::span<const double>(std::array{1.0, -1.0, 0.5, 2.0}));
  const std::string lsh =
      "lsh --random gaussian --n 6 --d 4 --n-buckets 2 --rotations " + rotations;
  CHECK(attnx(lsh).err == "");
  CHECK(attnx(lsh + " --p.seed 3").err ==
        "attnx: note: seed has no effect with the other parameters of lsh\n");
  const std::string local = R"({"mechanism": "local", "params": {"window": 4, "causal": true,
                               "tie": "right"}})";
  const std::string note = "attnx: note: tie has no effect with the other parameters of local\n";
  CHECK(attnx("info local --window 4 --causal --tie right --n 8").err == note);
  CHECK(attnx({"info", "drawn", "--on", local, "--n", "8"}).err == note);
}

TEST_CASE("kernel-error takes every INPUT and notes that a repeat is one head", "[cli]") {
  const std::string line = "kernel-error --m 4 --repeats 1 --random gaussian --n 8 --d 4 --json";
  const Said one = attnx(line + " --heads 3");
  CHECK(one.err == "attnx: note: every repeat draws one head; --heads is not used\n");
  CHECK(one.json() == attnx(line).json());
}

TEST_CASE("An error relative to an output of zero is null in JSON", "[cli]") {
  const TemporaryFolder folder;
  const std::string q = folder.file("q.npy");
  const std::string v = folder.file("v.npy");
  writeNpy(q, Matrix<double>(4, 1));
  writeNpy(v, Matrix<double>(4, 1, {1, -1, 1, -1})); // whose mean is 0
  const std::string input = " --base full --q " + q + " --k " + q + " --v " + v;
  for (const char* command : {"attend causal", "info causal --measure"}) {
    const Said said = attnx(command + input + " --json");
    INFO(command << said.err);
    REQUIRE(said.code == 0);
    CHECK(said.json()["output_error"]["relative_frobenius"].is_null());
    CHECK(said.json()["output_error"]["max_abs"] == 1);
  }
  CHECK(attnx("info causal --measure" + input).out.find("∞ relative, 1 largest") !=
        std::string::npos);
}

} // namespace attention::cli
