// The table of generators and the checks made from it.
#include "core/input/generators.h"

#include "core/pattern/lengths.h"
#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <cmath>

namespace attention {
namespace {

using Kind = GeneratorParameter::Kind;

constexpr std::size_t kMaxListed = 64; // values of a list
constexpr Index kSinkWidth = 3;        // columns that the sinks generator writes

GeneratorParameter sigma(std::string_view meaning) {
  return {"sigma", "σ", meaning, Kind::Real, {1.0}, 0.0, false, 1000.0};
}

GeneratorParameter noise(double standard) {
  return {"noise",    "ε",        "standard deviation of the noise added to every entry of Q and K",
          Kind::Real, {standard}, 0.0,
          false,      1000.0};
}

std::vector<GeneratorInfo> table() {
  return {
      {"gaussian",
       "Gaussian",
       "independent normal numbers: attention without structure",
       "Q, K = σ·N(0, 1); V = N(0, 1)",
       {sigma("standard deviation of the entries of Q and K")}},
      {"unit",
       "Unit norm",
       "queries and keys on a sphere: every score lies between −norm² and norm² times the scale",
       "q = norm · g / ‖g‖, g = N(0, 1)",
       {{"norm", "r", "length of every query and key", Kind::Real, {1.0}, 0.0, true, 1000.0}}},
      {"clustered",
       "Clustered",
       "queries and keys around common centres: attention in groups",
       "q = σ·centre + s·N(0, 1)",
       {{"clusters", "c", "number of centres", Kind::Integer, {8.0}, 1.0, false, 65536.0},
        sigma("standard deviation of the centres"),
        {"spread",
         "s",
         "standard deviation of the rows around their centre",
         Kind::Real,
         {0.25},
         0.0,
         false,
         1000.0}}},
      {"lowrank",
       "Low rank",
       "queries and keys in a common subspace of few dimensions",
       "Q = σ/√r · A·B + ε·N(0, 1)",
       {{"rank", "r", "dimension of the subspace", Kind::Integer, {4.0}, 1.0, false, 1024.0},
        sigma("standard deviation of the entries before noise"),
        noise(0.0)}},
      {"periodic",
       "Periodic",
       "queries and keys that repeat: scores depend on (i − j) modulo the periods, as suits "
       "strided attention",
       "q_i = σ·√(2/P)·Σ_p cos(2π i/p + φ) + ε·N(0, 1)",
       {{"periods",
         "p",
         "periods of the sinusoids, in tokens",
         Kind::Reals,
         {16.0, 64.0},
         1.0,
         true,
         1e9},
        sigma("standard deviation of the entries before noise"),
        noise(0.1)}},
      {"sinks",
       "Sinks",
       "every query prefers the first keys and keys near itself: a look-alike of attention sinks",
       "q_i·k_j/√d = s·[j < c] + ℓ·cos(π (i − j) / 2w), before ε·N(0, 1) in Q and K",
       {{"sink",
         "s",
         "logit of the first keys: one for all heads, or a list with one per head",
         Kind::Reals,
         {4.0},
         0.0,
         false,
         1000.0},
        {"sink_keys", "c", "number of first keys", Kind::Integer, {1.0}, 0.0, false, 1e9},
        {"near",
         "ℓ",
         "logit of a query's own key: one for all heads, or a list with one per head",
         Kind::Reals,
         {1.0},
         0.0,
         false,
         1000.0},
        {"near_span",
         "w",
         "distance at which the logit of near keys has fallen to 0, in tokens",
         Kind::Real,
         {16.0},
         0.0,
         true,
         1e9},
        noise(0.1)}},
  };
}

std::string allowedText(const GeneratorParameter& parameter) {
  const std::string what = parameter.kind == Kind::Integer ? "an integer" : "a number";
  return what + (parameter.open ? " above " : " from ") + shortest(parameter.least) +
         (parameter.open ? " and at most " : " to ") + shortest(parameter.most);
}

void checkValue(const GeneratorParameter& parameter, double value) {
  const std::string subject(parameter.name);
  if (!std::isfinite(value))
    throw Error(ErrorCode::NonFinite, subject,
                subject + " is " + shortest(value) + "; it must be " + allowedText(parameter));
  const bool integral = parameter.kind != Kind::Integer || std::floor(value) == value;
  const bool above = parameter.open ? value > parameter.least : value >= parameter.least;
  if (!integral || !above || value > parameter.most)
    throwRange(subject, shortest(value), allowedText(parameter));
}

void checkValues(const GeneratorParameter& parameter, const GeneratorValues& values) {
  const std::size_t most = parameter.kind == Kind::Reals ? kMaxListed : 1;
  if (values.empty() || values.size() > most)
    throw Error(ErrorCode::Type, std::string(parameter.name),
                std::string(parameter.name) + " has " + countText(values.size(), "value") +
                    "; it must have " + (most == 1 ? "one" : "1 to 64"));
  for (const double value : values)
    checkValue(parameter, value);
}

[[noreturn]] void failUnknown(const std::string& kind, std::string_view name,
                              const std::vector<std::string>& known) {
  std::string names;
  for (const std::string& each : known)
    names += (names.empty() ? "" : ", ") + each;
  throw Error(ErrorCode::Unknown, std::string(name),
              kind + " " + excerpt(name) + " is unknown" + nearestHint(name, known) +
                  "; it must be one of " + names);
}

const GeneratorParameter& find(const GeneratorInfo& info, std::string_view name) {
  std::vector<std::string> names;
  for (const GeneratorParameter& parameter : info.parameters) {
    if (parameter.name == name)
      return parameter;
    names.emplace_back(parameter.name);
  }
  failUnknown("parameter of the " + std::string(info.name) + " generator", name, names);
}

void checkSize(const char* name, Index value, Index most) {
  if (value < 1 || value > most)
    throwRange(name, std::to_string(value), "an integer from 1 to " + std::to_string(most));
}

} // namespace

const std::vector<GeneratorInfo>& generators() {
  static const std::vector<GeneratorInfo> kTable = table();
  return kTable;
}

const GeneratorInfo& generatorInfo(std::string_view name) {
  std::vector<std::string> names;
  for (const GeneratorInfo& info : generators()) {
    if (info.name == name)
      return info;
    names.emplace_back(info.name);
  }
  failUnknown("generator", name, names);
}

GeneratorValues parameterValues(const RandomInput& input, std::string_view parameter) {
  const GeneratorParameter& known = find(generatorInfo(input.generator), parameter);
  const auto given = input.parameters.find(std::string(parameter));
  return given == input.parameters.end() ? known.standard : given->second;
}

void checkRandom(const RandomInput& input) {
  if (input.keys == 0)
    squareLengths(input.n); // throws for what is no length
  else
    alignedLengths(input.n, input.keys, Align::TopLeft);
  checkSize("d", input.d, kMaxRandomWidth);
  checkSize("heads", input.heads, kMaxRandomHeads);
  const GeneratorInfo& info = generatorInfo(input.generator);
  if (info.name == "sinks" && input.d < kSinkWidth)
    throwRange("d", std::to_string(input.d),
               "at least " + std::to_string(kSinkWidth) + " with the sinks generator");
  for (const auto& [name, values] : input.parameters)
    checkValues(find(info, name), values);
}

} // namespace attention
