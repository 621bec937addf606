#include "tests/app/cli/run_cli.h"

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sys/stat.h>

using namespace attention::cli;

namespace {

constexpr const char* kInputs =
    "; give one of --random NAME, --sample NAME, --input FILE, "
    "--q --k --v, --qk --v, --x with weights, --attention FILE, --typed JSON, --input-model MODEL";
const std::string kSeveralInputs = std::string("E_TYPE: several inputs are given") + kInputs;
const std::string kNoInput = std::string("E_TYPE: the input is missing") + kInputs;

struct WrongUse {
  std::string line;
  std::string err;
};

void checkRefusal(const WrongUse& wrong) {
  const Said said = attnx(wrong.line);
  INFO(wrong.line);
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK(said.err == "attnx: " + wrong.err + "\n");
}

} // namespace

TEST_CASE("Wrong use is one sentence with the code and nothing on standard output", "[cli]") {
  const auto wrong = GENERATE(
      WrongUse{"info strided --n 64 --stride 0",
               "E_RANGE: stride is 0; it must be an integer of at least 1"},
      WrongUse{"info full --n 0", "E_N: n is 0; it must be an integer of at least 1"},
      WrongUse{"info full --n 2.5", "E_N: n is \"2.5\"; it must be an integer of at least 1"},
      WrongUse{"info full", "E_N: n is missing; it must be given by --n, an integer of at least 1"},
      WrongUse{"info graph --kind random --n 8 --p nan",
               "E_NONFINITE: p is not finite; it must be a number from 0 to 1"},
      WrongUse{"info compose --n 4", "E_TYPE: op is missing; compose requires it"},
      WrongUse{"completion", "E_TYPE: shell is missing; it must be bash, zsh or fish"},
      WrongUse{"diff --with strided --n 8",
               "E_TYPE: diff has 1 pattern; give two: PATTERN --with PATTERN"},
      WrongUse{"info expr --expr --i==j --n 4", "E_TYPE: --expr is given without a value"},
      WrongUse{"completion tcsh", "E_RANGE: shell is \"tcsh\"; it must be bash, zsh or fish"},
      WrongUse{"info stridde --n 4",
               "E_UNKNOWN: mechanism \"stridde\" is unknown; the nearest is strided"},
      WrongUse{"info VERTICAL-SLASH --n 4",
               "E_UNKNOWN: mechanism \"VERTICAL-SLASH\" is unknown; the nearest is vertical_slash"},
      WrongUse{"time positve --n 4",
               "E_UNKNOWN: mechanism \"positve\" is unknown; the nearest is positive"},
      WrongUse{"time linformr --n 4",
               "E_UNKNOWN: mechanism \"linformr\" is unknown; the nearest is linformer"},
      WrongUse{"info strided --n 4 --qqqqqqqq 2",
               "E_UNKNOWN: flag --qqqqqqqq is unknown; --help lists them"},
      WrongUse{"info strided --n 4 --strid 2",
               "E_UNKNOWN: flag --strid is unknown; the nearest is --stride"},
      WrongUse{"info strided --n 4 --stride two",
               "E_TYPE: stride is \"two\"; it must be an integer"},
      WrongUse{"info strided --n 4 --stride", "E_TYPE: --stride is given without a value"},
      WrongUse{"info strided --n 4 --head 3", "E_RANGE: head is 3; it must be one of 1, 2, union"},
      WrongUse{"info", "E_TYPE: the pattern is missing; give a mechanism's name or "
                       "--pattern-json"},
      WrongUse{"inof full --n 4", "E_UNKNOWN: command \"inof\" is unknown; the nearest is info"},
      WrongUse{"count full --n 4 --rect 0,1,2",
               "E_TYPE: rect has 3 numbers; it must be i0,i1,j0,j1"},
      WrongUse{"why full --n 4 --at 4,0", "E_RANGE: i is 4; it must be an integer from 0 to 3"},
      WrongUse{"info fixed --n 8 --stride 4 --c 5",
               "E_RANGE: c is 5; it must be an integer from 1 to 4"},
      WrongUse{"info full --n-q 3 --n-k 4",
               "E_SHAPE: n-q is 3 and n-k is 4; different lengths need --align top-left or "
               "bottom-right"},
      WrongUse{"info full --n 1073741825",
               "E_RANGE: n is 1073741825; it must be at most 2^30 = 1073741824"},
      WrongUse{"attend full --json --random gaussian --n 2.5",
               "E_N: n is \"2.5\"; it must be an integer of at least 1"},
      WrongUse{"attend full --json --random gaussian --n 1073741825",
               "E_RANGE: n is 1073741825; it must be at most 2^30 = 1073741824"},
      WrongUse{"info full --n 99999999999999999999",
               "E_RANGE: n is 99999999999999999999; it must be an integer of at most 64 bits"},
      WrongUse{"attend full --json --random gaussian --seed abc",
               "E_TYPE: seed is \"abc\"; it must be an integer from 0 to 2^64 − 1"},
      WrongUse{"attend full --json --random gaussian --seed -1",
               "E_RANGE: seed is -1; it must be an integer from 0 to 2^64 − 1"},
      WrongUse{"info bigbird --n 64 --seed abc",
               "E_TYPE: seed is \"abc\"; it must be an integer from 0 to 2^64 − 1"},
      WrongUse{"info bigbird --n 64 --seed 18446744073709551616",
               "E_RANGE: seed is 18446744073709551616; it must be an integer from 0 to 2^64 − 1"},
      WrongUse{"info full --n 4 --threads 1025",
               "E_RANGE: threads is 1025; it must be an integer from 0 (all) to 1024"},
      WrongUse{"count full --n 4 --threads -1",
               "E_RANGE: threads is -1; it must be an integer from 0 (all) to 1024"},
      WrongUse{"mask full --n 4 --threads 99999999999 -o m.npy",
               "E_RANGE: threads is 99999999999; it must be an integer from 0 (all) to 1024"},
      WrongUse{"diff full --with full --n 4 --threads -1",
               "E_RANGE: threads is -1; it must be an integer from 0 (all) to 1024"},
      WrongUse{"attend full --json --random gaussian --n 4 --threads -1",
               "E_RANGE: threads is -1; it must be an integer from 0 (all) to 1024"});
  checkRefusal(wrong);
}

TEST_CASE("Flags that an input does not read are refused", "[cli]") {
  const auto wrong = GENERATE(
      WrongUse{"attend full --json --random gaussian --sigma nan",
               "E_NONFINITE: sigma is NaN; it must be a number from 0 to 1000"},
      WrongUse{
          "attend full --json --random gaussian --spread 9",
          "E_UNKNOWN: parameter of the gaussian generator \"spread\" is unknown; it must be one of "
          "sigma"},
      WrongUse{"attend full --json --input a.npz --q b.npy", std::string(kSeveralInputs)},
      WrongUse{"attend full --json --x a.npy --q b.npy", std::string(kSeveralInputs)},
      WrongUse{"attend full --json --input a.npz --attention b.npy", std::string(kSeveralInputs)},
      WrongUse{"attend full --json --qk a.npy --q b.npy --v c.npy",
               "E_TYPE: qk is given with q or k; give only qk, or q and k"},
      WrongUse{"attend full --json --input a.npz --n 4",
               "E_TYPE: n is given, which an input from --input does not read"},
      WrongUse{"attend full --json --q a.npy --k a.npy --v a.npy --seed 4",
               "E_TYPE: seed is given, which an input from --q does not read"},
      WrongUse{"attend full --json --sample minilm_alice --sigma 4",
               "E_TYPE: sigma is given, which an input from --sample does not read"},
      WrongUse{"gui --screenshot a.png --n 4", std::string(kNoInput)},
      WrongUse{"gui --screenshot a.png --k b.npy --v b.npy",
               "E_TYPE: q is missing; it must be a file"},
      WrongUse{"gui --screenshot a.png --tokens a.txt", std::string(kNoInput)},
      WrongUse{"gui --screenshot a.png --k b.npy --v b.npy --d 4",
               "E_TYPE: d is given, which an input from --q does not read"});
  checkRefusal(wrong);
}

TEST_CASE("Misspelt names of kernels, features and samples are answered with the nearest",
          "[cli]") {
  const auto wrong = GENERATE(
      WrongUse{"kernel --kernel gausian --json --random gaussian",
               "E_UNKNOWN: kernel \"gausian\" is unknown; the nearest is gaussian; it must be one "
               "of softmax, gaussian, elu1, relu"},
      WrongUse{"kernel-error --features positve --random gaussian",
               "E_UNKNOWN: features \"positve\" are unknown; the nearest is positive; it must be "
               "one of trig, gaussian_trig, positive, hyperbolic, relu, elu1"},
      WrongUse{"heads --sample minilm_alce",
               "E_UNKNOWN: sample \"minilm_alce\" is unknown; the nearest is minilm_alice; it must "
               "be one of minilm_alice, smollm2_pride"},
      WrongUse{"why full --n 4", "E_TYPE: at is missing; it must be given by --at I,J"});
  checkRefusal(wrong);
}

TEST_CASE("Outputs that cannot be written are refused before the work", "[cli]") {
  const auto wrong = GENERATE(
      WrongUse{"attend full --random gaussian --n 4 -o out.txt",
               "E_UNSUPPORTED: out.txt ends with .txt; it must be one of .npy"},
      WrongUse{"attend full --random gaussian --n 4 -o out.npy --lse out",
               "E_UNSUPPORTED: out has no ending; it must be one of .npy"},
      WrongUse{"attend full --random gaussian --n 4 -o out.npy --lse ./out.npy",
               "E_TYPE: lse is ./out.npy, which output is too; each output needs its own file"},
      WrongUse{"reach full --n 9 --token 3 -o x.npy",
               "E_TYPE: --output is given with --token, which follows one token instead of all "
               "pairs; give only one of the two"},
      WrongUse{"reach full --n 9 --token 3 --path 3,0",
               "E_TYPE: --path is given with --token, which follows one token instead of all "
               "pairs; give only one of the two"},
      WrongUse{"attend full --json --random gaussian --n 70000 --weights w.npy",
               "E_RANGE: weights is (70000, 70000) numbers; it must be at most 2^32 numbers in a "
               ".npy file"},
      WrongUse{"mask full --n 1000000000 -o m.gif", "E_UNSUPPORTED: m.gif ends with .gif; it must "
                                                    "be one of .npy .png .svg .pdf .tex .html .csv "
                                                    ".mtx"},
      WrongUse{"mask full --n 4 --cell 2 -o m.csv",
               "E_UNSUPPORTED: cell is given for .csv; it must be given with .png"},
      WrongUse{"mask full --n 4 --standalone -o m.svg",
               "E_UNSUPPORTED: standalone is given for .svg; it must be given with .tex"},
      WrongUse{"mask full --n 4 --size 8x8 -o m.npy",
               "E_UNSUPPORTED: size is given for .npy; it must be given with a picture"},
      WrongUse{"mask full --n 4 --cell 2 --axes -o m.png",
               "E_UNSUPPORTED: cell is given with axes; give --size WxH of the whole picture"},
      WrongUse{"axial --l1 32768 --l2 32768 --d1 4 --d2 4 -o e.npy",
               "E_RANGE: n is 1073741824; it must be at most 2^32 numbers in a .npy file"},
      WrongUse{"gui --screenshot w.jpg",
               "E_UNSUPPORTED: w.jpg ends with .jpg; it must be one of .png"},
      WrongUse{"mask strided --n 8 --heads 2 --cell 3 -o m.png",
               "E_UNSUPPORTED: cell is given for several heads; give --size WxH of the whole "
               "picture"},
      WrongUse{"mask fixed --n 8 --stride 0 --heads 2 -o m.png",
               "E_RANGE: stride is 0; it must be an integer of at least 1"});
  checkRefusal(wrong);
}

TEST_CASE("Failures of the system exit with 1", "[cli]") {
  const Said said = attnx("info --pattern-json @/nowhere/at/all.json --n 4");
  CHECK(said.code == 1);
  CHECK(said.err == "attnx: E_IO: cannot read /nowhere/at/all.json: No such file or directory\n");
  const Said closed = attnx("attend full --random gaussian --n 4 -o /nowhere/at/all/out.npy");
  CHECK(closed.code == 1);
  CHECK(closed.err ==
        "attnx: E_IO: cannot write /nowhere/at/all/out.npy: No such file or directory\n");
}

TEST_CASE("A picture of the window without its input is a failure", "[cli]") {
  const TemporaryFolder folder;
  const std::string picture = folder.file("window.png");
  const std::string line = "gui --size 300x200 --screenshot " + picture;
  CHECK(attnx(line).code == 0);
  const Said missing = attnx(line + " --input " + folder.file("none.npz"));
  CHECK(missing.code == 1);
  CHECK(missing.err ==
        "attnx: E_IO: cannot read " + folder.file("none.npz") + ": No such file or directory\n");
  CHECK(std::filesystem::exists(picture)); // in which the window says why
  std::ofstream(folder.file("x.csv")) << "1,nan\n2,3\n";
  const Said hole = attnx(line + " --input " + folder.file("x.csv"));
  CHECK(hole.code == 1);
  CHECK(hole.err.rfind("attnx: E_NONFINITE: ", 0) == 0);
  const Said none = attnx(line + " --sample none");
  CHECK(none.code == 2);
  CHECK(none.err.rfind("attnx: E_UNKNOWN: ", 0) == 0);
}

namespace {

// Without the variable, which comes back.
class Unset {
public:
  explicit Unset(const char* name) : name_(name) {
    if (const char* value = std::getenv(name))
      value_ = value;
    ::unsetenv(name);
  }
  Unset(const Unset&) = delete;
  Unset& operator=(const Unset&) = delete;
  ~Unset() {
    if (value_)
      ::setenv(name_, value_->c_str(), 1);
  }

private:
  const char* name_;
  std::optional<std::string> value_;
};

} // namespace

TEST_CASE("Without a display the window says how to go on", "[cli]") {
  const Unset x("DISPLAY");
  const Unset wayland("WAYLAND_DISPLAY");
  for (const char* line : {"", "gui", "gui --view reach", "--view choosing"}) {
    const Said said = attnx(line);
    INFO(line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    CHECK(said.err == "attnx: E_UNSUPPORTED: display is missing, since neither DISPLAY nor "
                      "WAYLAND_DISPLAY is set; connect by ssh -X, or draw without a display: attnx "
                      "gui --screenshot FILE.png, or attnx figure NAME -o FILE\n");
  }
  checkRefusal({"gui --view hashin",
                "E_RANGE: view is hashin; it must be one of mask, reach, "
                "attention, kernels, choosing, timings, encodings, compare, model"});
}

TEST_CASE("Paths that are no regular files are refused and not waited for", "[cli]") {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe.json");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& line :
       {"info --n 4 --pattern-json @" + pipe, "figure " + pipe + " -o " + folder.file("f.png"),
        "info expr --n 4 --expr @" + pipe, std::string("info --n 4 --pattern-json @/dev/zero")}) {
    const Said said = attnx(line);
    INFO(line);
    CHECK(said.code == 1);
    CHECK(said.err.find("it must be a regular file") != std::string::npos);
  }
}

TEST_CASE("NaN in a file is a failure and NaN as an argument is wrong use", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("x.csv")) << "1,nan\n2,3\n";
  const Said said = attnx("attend full --json --input " + folder.file("x.csv"));
  CHECK(said.code == 1);
  CHECK(said.err.find("E_NONFINITE") != std::string::npos);
  for (const char* line : {"attend full --json --random gaussian --n 4 --sigma nan",
                           "info graph --kind random --n 8 --p.p=nan"})
    CHECK(attnx(line).code == 2);
}

TEST_CASE("JSON patterns are checked like flags", "[cli]") {
  const auto err = [](const std::string& json) {
    return attnx({"info", "--pattern-json", json, "--n", "8"}).err;
  };
  CHECK(err(R"({"mechanism": "local", "params": {"window": 1e999}})") ==
        "attnx: E_TYPE: pattern holds a number beyond float64; every number must be at "
        "most 1.8e308 in size\n");
  for (const char* params :
       {R"({"of": [{"mechanism": "full"}]})", R"({"op": null, "of": [{"mechanism": "full"}]})"})
    CHECK(err(std::string(R"({"mechanism": "compose", "params": )") + params + "}") ==
          "attnx: E_TYPE: op is missing; compose requires it\n");
  CHECK(attnx({"info", "compose", "--of", R"([{"mechanism": "full"}])", "--n", "4"}).err ==
        "attnx: E_TYPE: op is missing; compose requires it\n");
  CHECK(err("{") == "attnx: E_TYPE: pattern is not JSON: it goes wrong at byte 2\n");
  CHECK(err(R"({"mechanism": "strided", "params": {"stride": 1.5}})") ==
        "attnx: E_TYPE: stride is 1.5; it must be an integer\n");
  CHECK(err(R"({"mechanism": "strided", "parms": {}})") ==
        "attnx: E_UNKNOWN: field \"parms\" of a pattern is unknown; it must be "
        "mechanism or params\n");
}

TEST_CASE("An unknown mechanism that resembles none is answered with all names", "[cli]") {
  const std::string info = attnx("info qqqqqqqqqq --n 4").err;
  CHECK(info.find("\"qqqqqqqqqq\" is unknown; it must be one of full, causal, local, ") !=
        info.npos);
  CHECK(info.find("positive") == info.npos);
  const std::string time = attnx("time qqqqqqqqqq --n 4").err;
  CHECK(time.find("; it must be one of full, causal, local, ") != time.npos);
  CHECK(time.find(", positive, ") != time.npos);
  CHECK(time.find(", linformer\n") != time.npos);
}
