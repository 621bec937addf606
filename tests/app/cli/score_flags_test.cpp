// --scale, --softcap and --modifiers in commands that measure, against plain sums over q·k.
#include "tests/app/cli/run_cli.h"

#include "core/input/array_file.h"
#include "core/input/generators.h"
#include "core/input/npy_writer.h"

#include <cmath>
#include <functional>

namespace attention::cli {
namespace {

using Real = Matrix<double>;

constexpr Index kN = 14;
constexpr Index kD = 4;
constexpr Index kWindow = 5;

Real wave(double step, Index rows = kN, Index cols = kD) {
  Real x(rows, cols);
  for (Index at = 0; at < rows * cols; ++at)
    x.data()[at] = 1.5 * std::sin(step * static_cast<double>(at) + step);
  return x;
}

// Q, K and V as files, and the flags that read them.
struct Given {
  TemporaryFolder folder;
  Real q = wave(1.7);
  Real k = wave(0.9);
  Real v = wave(0.6, kN, 3);

  std::string flags() const {
    std::string text;
    for (const auto& [name, x] : {std::pair("q", &q), std::pair("k", &k), std::pair("v", &v)}) {
      writeNpy(folder.file(std::string(name) + ".npy"), *x);
      text += " --" + std::string(name) + " " + folder.file(std::string(name) + ".npy");
    }
    return text;
  }
};

double dot(const Real& a, Index i, const Real& b, Index j) {
  double sum = 0;
  for (Index c = 0; c < a.cols(); ++c)
    sum += a(i, c) * b(j, c);
  return sum;
}

using Rule = std::function<bool(Index i, Index j)>;

// What becomes of q·k, row by row over the keys that `rule` allows.
struct Plain {
  double scale = 1 / std::sqrt(static_cast<double>(kD));
  double softcap = 0; // 0: none

  double score(double product) const {
    const double u = scale * product;
    return softcap > 0 ? softcap * std::tanh(u / softcap) : u;
  }
  Real weights(const Real& q, const Real& k, const Rule& rule) const {
    Real p(q.rows(), k.rows());
    for (Index i = 0; i < q.rows(); ++i) {
      double sum = 0;
      for (Index j = 0; j < k.rows(); ++j)
        sum += rule(i, j) ? std::exp(score(dot(q, i, k, j))) : 0;
      for (Index j = 0; j < k.rows(); ++j)
        p(i, j) = rule(i, j) ? std::exp(score(dot(q, i, k, j))) / sum : 0;
    }
    return p;
  }
};

Real times(const Real& p, const Real& v) {
  Real out(p.rows(), v.cols());
  for (Index i = 0; i < p.rows(); ++i)
    for (Index c = 0; c < v.cols(); ++c)
      for (Index j = 0; j < v.rows(); ++j)
        out(i, c) += p(i, j) * v(j, c);
  return out;
}

double squares(const Real& a, const Real* b = nullptr) {
  double sum = 0;
  for (Index at = 0; at < a.rows() * a.cols(); ++at)
    sum += std::pow(a.data()[at] - (b ? b->data()[at] : 0), 2);
  return sum;
}

double entropy(const Real& p) {
  double sum = 0;
  for (const double x : p.values())
    sum -= x > 0 ? x * std::log(x) : 0;
  return sum / static_cast<double>(p.rows());
}

bool everything(Index, Index) {
  return true;
}

// The causal window of the command line below.
bool windowed(Index i, Index j) {
  return j <= i && j > i - kWindow;
}
bool causal(Index i, Index j) {
  return j <= i;
}

nlohmann::json told(const std::string& line) {
  const Said said = attnx(line + " --json");
  INFO(line << ": " << said.err);
  REQUIRE(said.code == 0);
  return said.json();
}

Real written(const std::string& path) {
  return slice<double>(readArrays(path).get(""));
}

void checkEqual(const Real& found, const Real& wanted) {
  REQUIRE(found.rows() == wanted.rows());
  for (Index at = 0; at < wanted.rows() * wanted.cols(); ++at)
    CHECK(found.data()[at] == Approx(wanted.data()[at]).margin(1e-12));
}

} // namespace

TEST_CASE("info --measure makes scores as its flags say", "[cli]") {
  const Given in;
  const auto [flags, plain] = GENERATE(
      std::pair<std::string, Plain>(" --scale 0.3", {0.3, 0}),
      std::pair<std::string, Plain>(" --softcap 0.8", {0.5, 0.8}),
      std::pair<std::string, Plain>(" --modifiers {\"scale\":2,\"softcap\":3}", {2, 3}),
      std::pair<std::string, Plain>(" --modifiers {\"scale\":2,\"softcap\":3} --scale -1", {-1, 3}),
      std::pair<std::string, Plain>("", {}));
  const Real dense = plain.weights(in.q, in.k, causal);
  const Real local = plain.weights(in.q, in.k, windowed);
  double mass = 0;
  for (Index i = 0; i < kN; ++i)
    for (Index j = 0; j < kN; ++j)
      mass += windowed(i, j) ? dense(i, j) / kN : 0;
  const auto json = told("info local --window 5 --causal true --measure" + in.flags() + flags);
  INFO(flags);
  CHECK(json["captured_mass"].get<double>() == Approx(mass).epsilon(1e-6));
  CHECK(json["entropy"].get<double>() == Approx(entropy(local)).epsilon(1e-6));
  CHECK(json["base_entropy"].get<double>() == Approx(entropy(dense)).epsilon(1e-6));
  const Real exact = times(dense, in.v);
  const Real cut = times(local, in.v);
  CHECK(json["output_error"]["relative_frobenius"].get<double>() ==
        Approx(std::sqrt(squares(cut, &exact) / squares(exact))).epsilon(1e-5));
}

TEST_CASE("kernels of exp(q·k) take the scale, and the error is against it", "[cli]") {
  const Given in;
  const std::string out = in.folder.file("o.npy");
  const std::string line = "kernel --dtype float64 -o " + out + in.flags();
  const Plain plain{0.3, 0};
  const Real exact = times(plain.weights(in.q, in.k, everything), in.v);
  const auto softmax = told(line + " --kernel softmax --scale 0.3");
  checkEqual(written(out), exact);
  CHECK(softmax["output_error"]["relative_frobenius"].get<double>() == Approx(0).margin(1e-12));
  told(line + " --kernel softmax --modifiers {\"scale\":0.3}");
  checkEqual(written(out), exact);
  const auto linear = told(line + " --kernel elu1 --scale 0.3");
  const Real found = written(out);
  CHECK(linear["output_error"]["relative_frobenius"].get<double>() ==
        Approx(std::sqrt(squares(found, &exact) / squares(exact))));
}

TEST_CASE("random features take the scale", "[cli]") {
  const Given in;
  constexpr Index kM = 6;
  const double scale = 0.3;
  const Real w = wave(2.3, kM, kD);
  writeNpy(in.folder.file("w.npy"), w);
  const auto phi = [&](const Real& x, Index i, Index r) { // positive features of √scale x
    return std::exp(std::sqrt(scale) * dot(w, r, x, i) - scale * dot(x, i, x, i) / 2);
  };
  Real p(kN, kN);
  for (Index i = 0; i < kN; ++i) {
    double sum = 0;
    for (Index j = 0; j < kN; ++j) {
      for (Index r = 0; r < kM; ++r)
        p(i, j) += phi(in.q, i, r) * phi(in.k, j, r);
      sum += p(i, j);
    }
    for (Index j = 0; j < kN; ++j)
      p(i, j) /= sum;
  }
  const std::string out = in.folder.file("o.npy");
  told("kernel --features positive --dtype float64 --scale 0.3 -o " + out + in.flags() + " --w " +
       in.folder.file("w.npy"));
  checkEqual(written(out), times(p, in.v));
}

TEST_CASE("kernel-error takes the scale of given and of drawn inputs", "[cli]") {
  Given in;
  const Plain plain{0.3, 0};
  const std::string line = "kernel-error --m 4,8 --repeats 2";
  const auto scaled = told(line + " --scale 0.3" + in.flags());
  CHECK(scaled["baseline"].get<double>() ==
        Approx(squares(times(plain.weights(in.q, in.k, everything), in.v)) / (kN * 3)));
  // The usual scale is 1/√d: the same with queries and keys that have the rest.
  for (Real* x : {&in.q, &in.k})
    for (Index at = 0; at < kN * kD; ++at)
      x->data()[at] *= std::sqrt(0.3 * 2);
  const auto multiplied = told(line + in.flags());
  REQUIRE(scaled["rows"].size() == 12);
  for (std::size_t k = 0; k < 12; ++k)
    CHECK(scaled["rows"][k]["mean"].get<double>() ==
          Approx(multiplied["rows"][k]["mean"].get<double>()).epsilon(1e-9));

  RandomInput random;
  random.n = kN;
  random.d = kD;
  random.heads = 2;
  double square = 0;
  for (Index repeat = 0; repeat < 2; ++repeat) {
    const auto draw = [&](Role role) { return randomMatrix<double>(random, role, repeat); };
    square += squares(
        times(plain.weights(draw(Role::Query), draw(Role::Key), everything), draw(Role::Value)));
  }
  const auto drawn = told(line + " --random gaussian --n 14 --d 4 --modifiers {\"scale\":0.3}");
  CHECK(drawn["baseline"].get<double>() == Approx(square / (2 * kN * kD)));
  CHECK(drawn["input"]["scale"] == 0.3);
}

TEST_CASE("flags of scores are refused where no score is computed or takes them", "[cli]") {
  const Given in;
  const std::string input = in.flags();
  const auto error = [](const std::string& line) {
    const Said said = attnx(line);
    INFO(line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(error("info topk --p.k 2 --scale 2" + input) ==
        "attnx: E_UNSUPPORTED: scale is given without --measure; it must be left out, since only "
        "--measure computes scores\n");
  CHECK(error("info full --n 4 --softcap 2") ==
        "attnx: E_UNKNOWN: softcap is given, but full does not read an input; leave it out, or add "
        "--measure\n");
  for (const char* command : {"kernel --kernel softmax --json", "kernel-error"})
    CHECK(
        error(command + (" --softcap 5" + input)) ==
        "attnx: E_UNSUPPORTED: the input has a soft cap of 5; it must have none, since kernels and "
        "random features approximate exp(q·k)\n");
  for (const char* command : {"info full --measure", "kernel --kernel softmax --json",
                              "kernel-error --m 2", "attend full --json"}) {
    CHECK(error(command + (" --scale nan" + input)) ==
          "attnx: E_NONFINITE: scale is NaN; it must be a finite number\n");
    CHECK(error(command + (" --softcap 0" + input)) ==
          "attnx: E_RANGE: softcap is 0; it must be a number above 0\n");
  }
  writeNpy(in.folder.file("w.npy"), Plain{}.weights(in.q, in.k, everything));
  for (const char* command : {"info full --measure", "reach full --rollout", "heads",
                              "compare full", "lowrank", "attend full --json"})
    CHECK(error(command + (" --scale 2 --attention " + in.folder.file("w.npy"))) ==
          "attnx: E_UNSUPPORTED: scale is given with ready attention weights; it must be left out, "
          "since these have no scores\n");
}

} // namespace attention::cli
