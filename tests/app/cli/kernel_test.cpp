// attnx kernel, kernel-error, lowrank and axial: answers, files and errors.
#include "tests/app/cli/run_cli.h"

#include "core/analysis/kernel_error.h"
#include "core/attention/features/feature_attention.h"
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "core/views/kernels/kernels_figure.h"

#include <array>
#include <cmath>
#include <fstream>
#include <span>
#include <utility>

using namespace attention;
using namespace attention::cli;

namespace {

const std::string kRandom = "--random gaussian --n 20 --d 4 --seed 3 --sigma 0.6 ";

Matrix<double> matrixIn(const std::string& path) {
  return slice<double>(readArrays(path).arrays.front().tensor);
}

std::vector<Index> shapeIn(const std::string& path) {
  return readArrays(path).arrays.front().tensor.shape;
}

std::vector<std::string> linesIn(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

} // namespace

TEST_CASE("kernel writes attention by random features and its implied matrix", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  const std::string weights = folder.file("a.npy");
  const Said said = attnx("kernel --features positive --m 12 --projection-seed 5 " + kRandom +
                          "--dtype float64 --json -o " + out + " --weights " + weights);
  REQUIRE(said.err.empty());
  const auto json = said.json();
  CHECK(json["m"] == 12);
  CHECK(json["m_features"] == 12);
  CHECK(json["projection"] == "orthogonal");
  CHECK(json["flagged"].empty());
  CHECK(json["output_error"]["relative_frobenius"].get<double>() > 0);
  const KernelErrorInput in = gaussianSource(20, 4, 0.6, 3)(0);
  const Matrix<double> w = drawProjection({ProjectionKind::Orthogonal, Norms::Chi, 12, 4, 5});
  const auto expected = featureAttention(std::as_const(in.q).view(), std::as_const(in.k).view(),
                                         std::as_const(in.v).view(), w, {}, LinearOptions{});
  const Matrix<double> written = matrixIn(out);
  const Matrix<double> a = matrixIn(weights);
  REQUIRE(written.rows() == 20);
  REQUIRE(a.cols() == 20);
  for (Index i = 0; i < 20; ++i)
    for (Index c = 0; c < 4; ++c) {
      CHECK(written(i, c) == Approx(expected.out(i, c)).epsilon(1e-12));
      double sum = 0;
      for (Index j = 0; j < 20; ++j)
        sum += a(i, j) * in.v(j, c);
      CHECK(sum == Approx(written(i, c)).margin(1e-10));
    }
}

TEST_CASE("kernel over a data-dependent pattern chooses the keys of every head", "[cli]") {
  const TemporaryFolder folder;
  const std::string kernel = folder.file("k.npy");
  const std::string weights = folder.file("w.npy");
  const std::string attend = folder.file("a.npy");
  const std::string input = "--random gaussian --n 20 --d 4 --heads 3 --seed 3 --dtype float64 ";
  const Said said = attnx("kernel --kernel softmax " + input + "-o " + kernel + " --weights " +
                          weights + " --json --over topk --p.k 4");
  REQUIRE(said.err.empty());
  CHECK(said.json()["base"] == "full");
  REQUIRE(attnx("attend topk --p.k 4 " + input + "-o " + attend).code == 0);
  const Tensor ours = readArrays(kernel).arrays.front().tensor;
  const Tensor theirs = readArrays(attend).arrays.front().tensor;
  const Tensor implied = readArrays(weights).arrays.front().tensor;
  REQUIRE(ours.shape == std::vector<Index>{3, 20, 4});
  for (Index h = 0; h < 3; ++h) {
    const Matrix<double> a = slice<double>(ours, 0, h);
    const Matrix<double> b = slice<double>(theirs, 0, h);
    const Matrix<double> p = slice<double>(implied, 0, h);
    for (Index i = 0; i < 20; ++i) {
      for (Index c = 0; c < 4; ++c)
        CHECK(a(i, c) == Approx(b(i, c)).margin(1e-12));
      Index keys = 0;
      for (Index j = 0; j < 20; ++j)
        keys += p(i, j) > 0 ? 1 : 0;
      CHECK(keys == 4);
    }
  }
}

TEST_CASE("kernel over a pattern with the softmax kernel is attend over it", "[cli]") {
  const TemporaryFolder folder;
  const std::string kernel = folder.file("k.npy");
  const std::string attend = folder.file("a.npy");
  const std::string input = "--random gaussian --n 20 --d 4 --heads 3 --seed 3 --dtype float64 ";
  const Said said = attnx("kernel --kernel softmax " + input + "-o " + kernel +
                          " --over strided --stride 5 --json");
  REQUIRE(said.err.empty());
  CHECK(said.json()["pattern"].get<std::string>().find("strided") == 0);
  CHECK(said.json()["base"] == "causal");
  REQUIRE(attnx("attend strided --stride 5 " + input + "-o " + attend).code == 0);
  CHECK(shapeIn(kernel) == std::vector<Index>{3, 20, 4});
  const Tensor one = readArrays(kernel).arrays.front().tensor;
  const Tensor two = readArrays(attend).arrays.front().tensor;
  for (Index x = 0; x < 240; ++x)
    CHECK(number(one, x) == Approx(number(two, x)).epsilon(1e-12));
}

TEST_CASE("kernel takes given projections and reports what is flagged", "[cli]") {
  const TemporaryFolder folder;
  const std::string w = folder.file("w.npy");
  const std::string q = folder.file("q.npy");
  writeNpy(w, Matrix<double>(2, 1, {1, -1}));
  writeNpy(q, Matrix<double>(2, 1, {3, -3}));
  const auto said = attnx("kernel --features relu --eps 0 --w " + w + " --q " + q + " --k " + q +
                          " --v " + q + " --json --normalized true --causal");
  REQUIRE(said.err.empty());
  CHECK(said.json()["m"] == 2);
  CHECK(said.json()["base"] == "causal");
  CHECK(said.json()["zero_normalizers"] == 0);
  const auto relu = attnx("kernel --kernel relu --q " + q + " --k " + q + " --v " + q + " --json");
  CHECK(relu.json()["zero_normalizers"] == 1);
  CHECK(relu.json()["flagged"] == nlohmann::json({1}));
  const auto raw = attnx("kernel --kernel relu --normalized false --q " + q + " --k " + q +
                         " --v " + q + " --json");
  CHECK(raw.json()["output_error"].is_null());
}

TEST_CASE("rows that overflow are a failure that names them, and nothing is written", "[cli]") {
  const TemporaryFolder folder;
  const std::string q = folder.file("q.npy");
  writeNpy(q, Matrix<double>(3, 1, {1, 30, 1})); // exp(30² / 2) is beyond float32, exp(½) is not
  const std::string line = "kernel --features trig --m 2 --causal --q " + q + " --k " + q +
                           " --v " + q + " -o " + folder.file("o.npy");
  for (const char* form : {"", " --json"}) {
    const Said said = attnx(line + form);
    CHECK(said.code == 1);
    CHECK(said.out.empty());
    // From row 1 on, every sum includes the long key.
    CHECK(said.err.find("E_NONFINITE: the output is not finite in rows 1, 2;") !=
          std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("o.npy")));
}

TEST_CASE("kernel joins the heads of embeddings and keeps axes of length one as attend does",
          "[cli]") {
  const TemporaryFolder folder;
  const std::string x = folder.file("x.npy");
  const std::string w = folder.file("w.npy");
  const std::string out = folder.file("o.npy");
  writeNpy(x, Matrix<double>(3, 4, {1, 0, 2, 0, 0, 1, 0, -1, 1, 1, 0, 0}));
  writeNpy(w, Matrix<double>(4, 4, {1, 0, 0, 2, 0, 1, 1, 0, 0, 0, 1, 0, 3, 0, 0, 1}));
  const std::string embedded = " --dtype float64 --x " + x + " --wq " + w + " --wk " + w +
                               " --wv " + w + " --heads 2 -o " + out;
  const std::vector<double> ready(24, 0.5);
  const std::string q = folder.file("q.npy");
  const std::array<Index, 4> shape{1, 1, 6, 4};
  writeNpy<double>(q, shape, std::span<const double>(ready));
  const std::string stored = " --dtype float64 --q " + q + " --k " + q + " --v " + q + " -o " + out;
  for (const std::string& input : {embedded, embedded + " --wo " + w, embedded + " --head-index 1",
                                   stored, stored + " --head-index 0", stored + " --batch 0"}) {
    INFO(input);
    REQUIRE(attnx("attend full" + input).err.empty());
    const Tensor expected = readArrays(out).arrays.front().tensor;
    REQUIRE(attnx("kernel --kernel softmax" + input).err.empty());
    const Tensor got = readArrays(out).arrays.front().tensor;
    REQUIRE(got.shape == expected.shape);
    for (Index at = 0; at < got.elements(); ++at)
      CHECK(number(got, at) == Approx(number(expected, at)).margin(1e-12));
  }
}

TEST_CASE("kernel-error draws projections again as the window does", "[cli]") {
  const auto rows = [](const std::string& flags) {
    return attnx("kernel-error " + kRandom + "--m 4,8 --repeats 2 --pairs 50 --json " + flags)
        .json()["rows"];
  };
  CHECK(rows("--redraws 0") == rows(""));
  CHECK(rows("--redraws 2") != rows(""));
}

TEST_CASE("kernel-error reports rows with theory and writes three kinds of files", "[cli]") {
  const TemporaryFolder folder;
  const std::string csv = folder.file("e.csv");
  const std::string npy = folder.file("e.npy");
  const std::string command = "kernel-error " + kRandom + "--m 4,8 --repeats 3 --pairs 50 ";
  const Said said = attnx(command + "--json -o " + csv);
  REQUIRE(said.err.empty());
  const auto json = said.json();
  REQUIRE(json["rows"].size() == 12);
  CHECK(json["rows"][0]["features"] == "trig");
  CHECK(json["rows"][0]["m_features"] == 8);
  CHECK(json["rows"][0]["errors"].size() == 3);
  CHECK(json["theory"][3]["theorem_2_bound"].is_number());
  CHECK(json["theory"][0]["theorem_2_bound"].is_null());
  CHECK(json["pairs"] == 150);
  CHECK(json["input"]["sigma"] == 0.6);
  CHECK(json["input"]["n"] == 20);
  KernelErrorOptions options;
  options.projections = {4, 8};
  options.repeats = 3;
  options.pairs = 50;
  options.seed = 3;
  const KernelErrorResult expected = kernelError(gaussianSource(20, 4, 0.6, 3), options);
  CHECK(json["baseline"].get<double>() == Approx(expected.baseline));
  for (std::size_t r = 0; r < 12; ++r) {
    CHECK(json["rows"][r]["mean"].get<double>() == Approx(expected.rows[r].output.mean));
    CHECK(json["rows"][r]["kernel"]["mse"].get<double>() == Approx(expected.rows[r].kernel.mse));
  }
  CHECK(linesIn(csv).size() == 13);
  CHECK(linesIn(csv)[0] + "\n" == textOf(errorTable({}))); // as the Kernels view writes it
  const Said plain = attnx(command + "-o " + npy);
  CHECK(shapeIn(npy) == std::vector<Index>{2, 6, 3});
  CHECK(plain.out.find("baseline") != std::string::npos);
  CHECK(plain.out.find("n 20, d 4, seed 3, sigma 0.6; 3 repeats") != std::string::npos);
  const std::string file = folder.file("e.json");
  REQUIRE(attnx(command + "--features positive --projection orthogonal -o " + file).code == 0);
  std::ifstream stream(file);
  CHECK(nlohmann::json::parse(stream)["rows"].size() == 2);
}

TEST_CASE("the table of kernel-error begins each line with what was drawn", "[cli]") {
  const std::string out = attnx("kernel-error " + kRandom +
                                "--m 4 --repeats 2 --pairs 50 --features positive --projection iid")
                              .out;
  CHECK(out.rfind("features    projection   m ", 0) == 0);
  CHECK(out.find("\npositive    iid          4 ") != std::string::npos);
}

TEST_CASE("lowrank reports the best errors, and bounds on them for a sketch", "[cli]") {
  const TemporaryFolder folder;
  const std::string npy = folder.file("s.npy");
  const std::string command = "lowrank " + kRandom + "--ranks 0,1,4,20 ";
  const auto exact = attnx(command + "--json -o " + npy).json();
  CHECK(exact["matrix"] == "softmax");
  CHECK(exact["singular_values"].size() == 20);
  CHECK(shapeIn(npy) == std::vector<Index>{20});
  CHECK(exact["rows"][0]["relative_frobenius"].get<double>() == Approx(1));
  CHECK(exact["rows"][3]["frobenius"] == 0);
  CHECK(exact["rows"][1]["spectral"] == exact["singular_values"][1]);
  CHECK(exact["rows"][2]["linformer"]["relative_frobenius"].get<double>() > 0);
  const auto sketch =
      attnx("lowrank " + kRandom + "--ranks 1,4 --method randomized --oversampling 2 --json")
          .json();
  CHECK(sketch["rows"][1]["least_frobenius"].get<double>() <=
        exact["rows"][2]["frobenius"].get<double>() * (1 + 1e-12));
  CHECK(sketch["rows"][1]["frobenius"].get<double>() >=
        exact["rows"][2]["frobenius"].get<double>() * (1 - 1e-12));
  CHECK(sketch["residual"].get<double>() > 0);
  const auto exponentials = attnx(command + "--matrix exp --causal --json").json();
  CHECK(exponentials["causal"] == true);
  CHECK(exponentials["rows"][1]["linformer"].is_null());
  CHECK(attnx(command).out.find("rank 4: best relative error") != std::string::npos);
}

TEST_CASE("lowrank takes ready weights and the matrices of Linformer", "[cli]") {
  const TemporaryFolder folder;
  Matrix<double> identity(20, 20);
  for (Index i = 0; i < 20; ++i)
    identity(i, i) = 1;
  const std::string path = folder.file("i.npy");
  writeNpy(path, identity);
  const auto given = attnx("lowrank " + kRandom + "--e " + path + " --json").json();
  CHECK(given["linformer_given"]["relative_frobenius"].get<double>() < 1e-12);
  const auto ready = attnx("lowrank --attention " + path + " --ranks 5 --json").json();
  CHECK(ready["matrix"] == "given weights");
  CHECK(ready["rows"][0]["relative_frobenius"].get<double>() == Approx(std::sqrt(0.75)));
}

TEST_CASE("lowrank takes ready weights with more rows than it reads at once", "[cli]") {
  const TemporaryFolder folder;
  const Index n = 200;
  Matrix<double> identity(n, n);
  for (Index i = 0; i < n; ++i)
    identity(i, i) = 1;
  const std::string path = folder.file("i.npy");
  writeNpy(path, identity);
  const std::string command = "lowrank --attention " + path + " --ranks 50 --json ";
  for (const char* method : {"--method exact --threads 4", "--method randomized --threads 1"}) {
    INFO(method);
    const auto json = attnx(command + method).json();
    CHECK(json["frobenius"].get<double>() == Approx(std::sqrt(200.0)));
    CHECK(json["rows"][0]["relative_frobenius"].get<double>() == Approx(std::sqrt(0.75)));
  }
}

TEST_CASE("axial writes the encodings of drawn and given tables", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("e.npy");
  const auto json =
      attnx("axial --l1 4 --l2 3 --d1 3 --d2 2 --seed 7 --at 5 --dtype float64 --json -o " + out)
          .json();
  CHECK(json["parameters"]["axial"] == 18);
  CHECK(json["parameters"]["full"] == 60);
  CHECK(json["distinct"] == true);
  CHECK(json["at"]["e1_row"] == 1);
  CHECK(json["at"]["e2_row"] == 1);
  const Matrix<double> encoding = matrixIn(out);
  REQUIRE(encoding.rows() == 12);
  REQUIRE(encoding.cols() == 5);
  CHECK(encoding(0, 0) == encoding(4, 0));
  CHECK(encoding(0, 3) == encoding(3, 3));
  const std::string e1 = folder.file("e1.npy");
  const std::string e2 = folder.file("e2.npy");
  writeNpy(e1, Matrix<double>(2, 1, {10, 20}));
  writeNpy(e2, Matrix<double>(3, 1, {1, 2, 3}));
  const std::string csv = folder.file("e.csv");
  REQUIRE(attnx("axial --e1 " + e1 + " --e2 " + e2 + " --reading code --truncate --n 5 -o " + csv)
              .code == 0);
  CHECK(linesIn(csv) == std::vector<std::string>{"10,1", "10,2", "10,3", "20,1", "20,2"});
  const auto standard = attnx("axial --json").json();
  CHECK(standard["n"] == 4096);
  CHECK(standard["d"] == 256);
}

namespace {

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

TEST_CASE("wrong use of the commands of kernels is one sentence with its code", "[cli]") {
  const auto wrong = GENERATE(
      WrongUse{"kernel " + kRandom + "--json",
               "E_TYPE: neither --features nor --kernel is given; give exactly one of them"},
      WrongUse{"kernel --features trig --kernel relu " + kRandom + "--json",
               "E_TYPE: --features and --kernel are both given; give exactly one of them"},
      WrongUse{"kernel --features trig " + kRandom,
               "E_TYPE: -o is missing; give -o out.npy, or --json"},
      WrongUse{"kernel --features trigo " + kRandom + "--json",
               "E_UNKNOWN: features \"trigo\" are unknown; the nearest is trig; it must be one of "
               "trig, gaussian_trig, positive, hyperbolic, relu, elu1"},
      WrongUse{
          "kernel --kernel cosine " + kRandom + "--json",
          "E_UNKNOWN: kernel \"cosine\" is unknown; it must be one of softmax, gaussian, elu1, "
          "relu"},
      WrongUse{"kernel --kernel relu --m 4 " + kRandom + "--json",
               "E_TYPE: --m is given with --kernel; it belongs to --features"},
      WrongUse{"kernel --features elu1 --m 4 " + kRandom + "--json",
               "E_TYPE: --m is given with only elu1 features, which take no projections"},
      WrongUse{"kernel --features trig --m 0 " + kRandom + "--json",
               "E_RANGE: m is 0; it must be an integer of at least 1"},
      WrongUse{"kernel --features trig --norms unit " + kRandom + "--json",
               "E_RANGE: norms is unit; it must be chi or sqrt_d"},
      WrongUse{"kernel --features trig --projection-seed -1 " + kRandom + "--json",
               "E_RANGE: projection-seed is -1; it must be an integer from 0 to 2^64 − 1"},
      WrongUse{"kernel --features positive --stabilize robust --normalized false " + kRandom +
                   "--json",
               "E_RANGE: stabilize is robust; it must be off where the output is not normalised"},
      WrongUse{"kernel --features positive --over strided " + kRandom + "--json",
               "E_UNSUPPORTED: a pattern is given with --features; random features attend to all "
               "keys or, with --causal, to j ≤ i; a pattern needs --kernel"},
      WrongUse{"kernel --kernel relu --causal --over strided " + kRandom + "--json",
               "E_TYPE: --causal and a pattern are given; give only one of them"},
      WrongUse{"kernel --kernel relu --threads -1 " + kRandom + "--json",
               "E_RANGE: threads is -1; it must be an integer from 0 (all) to 1024"},
      WrongUse{"kernel-error " + kRandom + "--repeats 0",
               "E_RANGE: repeats is 0; it must be an integer of at least 1"},
      WrongUse{"kernel-error " + kRandom + "--m 4,0 --repeats 1",
               "E_RANGE: m is 0; it must be an integer of at least 1"},
      WrongUse{"kernel-error " + kRandom + "--m 4,x", "E_TYPE: m is \"x\"; it must be an integer"},
      WrongUse{"kernel-error " + kRandom + "--features relu",
               "E_RANGE: features is relu; it must be trig, positive or hyperbolic"},
      WrongUse{
          "kernel-error " + kRandom + "-o error.txt",
          "E_UNSUPPORTED: error.txt ends with .txt; it must be one of .csv .json .npy .png .svg "
          ".pdf .tex .html"},
      WrongUse{"kernel-error --m 4",
               "E_TYPE: the input is missing; give one of --random NAME, --sample NAME, "
               "--input FILE, --q --k --v, --qk --v, --x with weights, --typed JSON, "
               "--input-model MODEL"},
      WrongUse{
          "kernel --kernel softmax --attention w.npy",
          "E_UNKNOWN: flag --attention is unknown here, where weights without queries and keys "
          "are of no use; give --q and --k, or another input"},
      WrongUse{"lowrank " + kRandom + "--ranks 21",
               "E_RANGE: ranks is 21; it must be an integer from 0 to 20"},
      WrongUse{"lowrank " + kRandom + "--matrix rows",
               "E_RANGE: matrix is rows; it must be softmax or exp"},
      WrongUse{"lowrank " + kRandom + "--method fast",
               "E_RANGE: method is fast; it must be exact or randomized"},
      WrongUse{"lowrank " + kRandom + "--causal --linformer true",
               "E_UNSUPPORTED: causal is true; Linformer is not defined for causal masks, since E "
               "mixes all positions"},
      WrongUse{"lowrank " + kRandom + "--f f.npy", "E_TYPE: e is missing; give --e with --f"},
      WrongUse{"axial --l1 4 --l2 3 --n 11", "E_RANGE: l1 l2 = 4 · 3 = 12 differs from n = 11; "
                                             "the product of the lengths must be n, or "
                                             "give truncate"},
      WrongUse{"axial --l1 4 --l2 3 --n 13 --truncate",
               "E_RANGE: l1 l2 = 4 · 3 = 12 is below n = 13; the product of the lengths must be "
               "at least n"},
      WrongUse{"axial --l1 0", "E_RANGE: l1 is 0; it must be an integer from 1 to 2^30"},
      WrongUse{"axial --d1 3 --d2 2 --d 6",
               "E_RANGE: d1 + d2 = 3 + 2 = 5; it must be the model's width d = 6"},
      WrongUse{"axial --n 0 --truncate", "E_N: n is 0; it must be an integer of at least 1"},
      WrongUse{"axial --reading trax", "E_RANGE: reading is trax; it must be docs or code"},
      WrongUse{"axial --e1 a.npy",
               "E_TYPE: one table is given; give both --e1 and --e2, or neither"},
      WrongUse{"axial --at 4096", "E_RANGE: at is 4096; it must be an integer from 0 to 4095"});
  checkRefusal(wrong);
}

TEST_CASE("flags that no feature of the command reads are refused", "[cli]") {
  const auto wrong = GENERATE(
      WrongUse{"kernel --features elu1 --eps 0.1 " + kRandom + "--json",
               "E_TYPE: --eps is given with features that do not read it; positive, hyperbolic and "
               "relu do"},
      WrongUse{"kernel --features elu1 --stabilize robust " + kRandom + "--json",
               "E_TYPE: --stabilize is given with features that do not read it; trig, positive and "
               "hyperbolic do"},
      WrongUse{"kernel --features relu --stabilize robust " + kRandom + "--json",
               "E_TYPE: --stabilize is given with features that do not read it; trig, positive and "
               "hyperbolic do"},
      WrongUse{"kernel --features trig --eps 0.1 " + kRandom + "--json",
               "E_TYPE: --eps is given with features that do not read it; positive, hyperbolic and "
               "relu do"},
      WrongUse{"kernel --features trig --projection iid --norms chi " + kRandom + "--json",
               "E_TYPE: --norms is given with only iid projections, which keep their own lengths"},
      WrongUse{"kernel --features elu1 --w w.npy " + kRandom + "--json",
               "E_TYPE: --w is given with only elu1 features, which take no projections"},
      WrongUse{"kernel-error " + kRandom + "--features trig --eps 0.1",
               "E_TYPE: --eps is given with features that do not read it; positive, hyperbolic and "
               "relu do"});
  checkRefusal(wrong);
}

TEST_CASE("exponentials that overflow are a failure that names their place", "[cli]") {
  const Said said = attnx("lowrank --random gaussian --n 8 --d 4 --sigma 200 --matrix exp");
  CHECK(said.code == 1);
  CHECK(said.err.find("E_NONFINITE: exp(s) overflows at row") != std::string::npos);
}
