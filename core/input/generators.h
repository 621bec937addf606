// Random inputs: queries, keys and values drawn from a named distribution, the same bits from the
// same seed at any number of threads. Every number is a function of (seed, head, role, row, column)
// through the generator of S9, purpose 1 (data).
//
// Streams. Head h draws Q, K, V from sub 3h, 3h + 1, 3h + 2; entry (r, c) of the normal matrix N is
// normal number r·d + c. With one head these are the golden data's sub 0, 1, 2, and heads
// correspond to S7.6's repeats. Centres, factors and phases, which Q and K share, come from sub
// 2^30 + h.
//
//   gaussian   Q, K = sigma N
//   unit       Q, K = norm · N with each row divided by its length
//   clustered  Q, K = centre of the row's cluster (sigma N, clusters × d) + spread N;
//              the cluster of row r is below(u64a of draw 2^40 + r, clusters) for Q, u64b for K
//   lowrank    Q, K = sigma / √rank · A B + noise N', A: n × rank from the role's stream,
//              B: rank × d shared, N' from normal number 2^48 on
//   periodic   entry (r, c) = sigma √(2/P) Σ_p cos(2π r / p + φ_pc) + noise N, over the P periods,
//              phases φ_pc = 2π unit(u64a of draw p·d + c): q_r·k_s repeats with the periods in r −
//              s
//   sinks      q_r·k_s/√d = sink [s < sink_keys] + near cos(π (r − s) / 2 near_span) without noise:
//              √(sink √d) stands in column 0 of all queries and of the first keys,
//              √(near √d) (cos, sin)(π r / 2 near_span) in columns 1 and 2 of both (d ≥ 3);
//              noise N is added to every entry; where sink and near are lists, head h has entry h
//              of them, or the last one
// V = N(0, 1) in all of them.
#pragma once

#include "core/support/matrix.h"
#include "core/support/run.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

enum class Role { Query, Key, Value };

// Values of one parameter: a single number, or a list of them.
using GeneratorValues = std::vector<double>;

struct GeneratorParameter {
  enum class Kind { Integer, Real, Reals };
  std::string_view name;    // as spelt in flags and JSON
  std::string_view symbol;  // in formulas
  std::string_view meaning; // a tooltip: one sentence
  Kind kind = Kind::Real;
  GeneratorValues standard; // the default
  double least = 0.0;       // limit of each value
  bool open = false;        // whether `least` itself is not allowed
  double most = 0.0;
};

struct GeneratorInfo {
  std::string_view name;    // "gaussian"
  std::string_view label;   // "Gaussian"
  std::string_view meaning; // one sentence
  std::string_view formula;
  std::vector<GeneratorParameter> parameters;
};

// What to draw. Absent parameters have their defaults.
struct RandomInput {
  std::string generator = "gaussian";
  std::map<std::string, GeneratorValues> parameters;
  Index n = 128;  // queries
  Index keys = 0; // n_k; 0: as many as queries
  Index d = 64;   // of queries, keys and values
  Index heads = 1;
  std::uint64_t seed = 0;
  bool operator==(const RandomInput&) const = default;

  Index keyCount() const { return keys == 0 ? n : keys; }
};

constexpr Index kMaxRandomHeads = 65536;
constexpr Index kMaxRandomWidth = 65536; // d

// All generators, gaussian first; menus, flags and checks are made from this table.
const std::vector<GeneratorInfo>& generators();

// E_UNKNOWN where no generator has that name.
const GeneratorInfo& generatorInfo(std::string_view name);

// The values of a parameter: given or default. E_UNKNOWN where the generator has no such parameter.
GeneratorValues parameterValues(const RandomInput& input, std::string_view parameter);

// Throws if something is wrong with `input`: E_N (n), E_RANGE, E_UNKNOWN (generator or parameter
// name), E_TYPE (a list where one number belongs), E_NONFINITE.
void checkRandom(const RandomInput& input);

// Q (n × d), K or V (n_k × d) of head `head`; T is float or double, floats are rounded doubles.
// `input` must have passed checkRandom. E_RANGE where the matrix does not fit into memory. O(n d)
// times the rank or the number of periods.
template <class T>
Matrix<T> randomMatrix(const RandomInput& input, Role role, Index head, int threads = 0,
                       const Run& run = {});

extern template Matrix<float> randomMatrix<float>(const RandomInput&, Role, Index, int, const Run&);
extern template Matrix<double> randomMatrix<double>(const RandomInput&, Role, Index, int,
                                                    const Run&);

} // namespace attention
