#include "tests/app/cli/run_cli.h"

#include "core/attention/reference.h"
#include "core/input/array_file.h"
#include "core/input/input.h"
#include "core/pattern/pattern.h"

using namespace attention;
using namespace attention::cli;

namespace {

Tensor readNpy(const std::string& path) {
  return readArrays(path).arrays.front().tensor;
}

} // namespace

TEST_CASE("attend writes the outputs of the plain twin and reports its metrics", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  const Said said = attnx("attend strided --stride 5 --random gaussian --n 40 --d 8 --seed 3 "
                          "--dtype float64 --json -o " +
                          out);
  REQUIRE(said.err.empty());
  const auto json = said.json();
  CHECK(json["base"] == "causal");
  CHECK(json["dtype"] == "float64");
  CHECK(json["captured_mass"].get<double>() > 0);
  CHECK(json["captured_mass"].get<double>() < 1);
  InputSpec spec;
  RandomInput random;
  random.n = 40;
  random.d = 8;
  random.seed = 3;
  spec.source = random;
  const auto input = loadInput(spec);
  const Matrix<double> q = input->q<double>(0);
  const Matrix<double> k = input->k<double>(0);
  const Matrix<double> v = input->v<double>(0);
  Strided strided;
  strided.stride = 5;
  const auto pattern = prepare(strided, squareLengths(40));
  const auto twin = attendReference(*pattern, q.view(), k.view(), v.view());
  const auto written = slice<double>(readNpy(out));
  REQUIRE(written.rows() == 40);
  for (std::size_t x = 0; x < twin.out.values().size(); ++x)
    CHECK(written.values()[x] == Approx(twin.out.values()[x]).epsilon(1e-12));
}

TEST_CASE("attend keeps the shape of inputs with heads", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  const std::string lse = folder.file("lse.npy");
  const std::string weights = folder.file("w.npy");
  const Said said = attnx("attend causal --random gaussian --n 12 --d 4 --heads 3 -o " + out +
                          " --lse " + lse + " --weights " + weights);
  REQUIRE(said.code == 0);
  CHECK(readNpy(out).shape == std::vector<Index>{3, 12, 4});
  CHECK(readNpy(lse).shape == std::vector<Index>{3, 12});
  const Tensor w = readNpy(weights);
  REQUIRE(w.shape == std::vector<Index>{3, 12, 12});
  for (Index row = 0; row < 36; ++row) {
    double sum = 0;
    for (Index j = 0; j < 12; ++j)
      sum += number(w, row * 12 + j);
    CHECK(sum == Approx(1.0).margin(1e-5));
  }
  CHECK(attnx("attend causal --random gaussian --n 12 --d 4 --heads 3 --head-index 1 -o " + out)
            .code == 0);
  CHECK(readNpy(out).shape == std::vector<Index>{12, 4});
}

TEST_CASE("attend without an input or an output says so", "[cli]") {
  CHECK(attnx("attend causal -o x.npy").err ==
        "attnx: E_TYPE: the input is missing; allowed is one of --random NAME, --sample NAME, "
        "--input FILE, --q --k --v\n");
  CHECK(attnx("attend causal --random gaussian --n 4").err ==
        "attnx: E_TYPE: -o is missing; allowed is -o out.npy (or --json)\n");
  const TemporaryFolder folder;
  const Said said = attnx("attend causal --q " + folder.file("no.npy") +
                          " --k a.npy --v b.npy -o " + folder.file("o.npy"));
  CHECK(said.code == 1);
  CHECK(folder.empty());
}
