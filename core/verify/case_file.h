// One reference case in its folder (S15): the JSON text, the arrays that it names, and the patterns
// that it describes. Every access names what is missing or of the wrong type.
#pragma once

#include "core/pattern/pattern.h"
#include "core/support/run.h"
#include "core/verify/comparison.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace attention {

// A member of a JSON object. E_TYPE where it is missing or `json` is not an object.
const CaseJson& field(const CaseJson& json, const std::string& name);
// Whether `json` has that member and it is not null.
bool isGiven(const CaseJson& json, const std::string& name);
Index integerField(const CaseJson& json, const std::string& name);
std::string textField(const CaseJson& json, const std::string& name);
const CaseJson& listField(const CaseJson& json, const std::string& name);

// The items of a case that is a list of them. E_TYPE where there is none: nothing would be
// compared.
const CaseJson& itemsOf(const CaseJson& json);

// Calls check(name, value) for every member of `expected` that is not null. E_TYPE where there is
// none; E_UNKNOWN where check returns false: a field that nothing compares must not pass.
using Check = std::function<bool(const std::string& name, const CaseJson& value)>;
void forEachMember(const CaseJson& expected, const Check& check);

// Its n, with n_q queries or n_k keys where it has them (S32), and `align`: "top-left" or
// "bottom-right". Patterns made only of masks need none: their rows are the last tokens if there
// are more keys; nor do those whose `alignment` does not matter. E_N where a length is not an
// integer ≥ 1, E_SHAPE where they differ without `align`.
enum class Alignment { Matters, Ignored };
Lengths lengthsOf(const CaseJson& json, Alignment alignment = Alignment::Matters);
Lengths lengthsOf(const CaseJson& json, const Pattern& pattern);

// Throws E_UNKNOWN where the pattern takes no array of that name.
void requireTaken(const Pattern& pattern, const std::string& array);
// The numbers of an array as a parameter value.
MatrixSource sourceOf(const Tensor& tensor);

class CaseFile {
public:
  // Reads `folder`/`name`.json. E_IO, E_TYPE.
  CaseFile(std::filesystem::path folder, const std::string& name, Run run);

  const CaseJson& json() const { return json_; }
  const CaseJson& expected() const { return field(json_, "expected"); }
  const Run& run() const { return run_; }
  std::string id() const;
  std::string kind() const { return textField(json_, "kind"); }

  // The tolerance for "float64" or "float32"; nothing if the case has none.
  std::optional<Tolerance> tolerance(const std::string& dtype) const;

  // The pattern of an object with the members "mechanism" and perhaps "params", in which "inf",
  // "-inf" and "nan" stand for those numbers, or with `rows` of "#" (attends) and ".": a mask.
  // Files that it names are read from beside the case.
  Pattern pattern(const CaseJson& json) const;

  // The only array of the file that the member `name` of `json` names.
  Tensor array(const CaseJson& json, const std::string& name) const;
  // The same for the case's inputs, as a matrix.
  // Whether the inputs have that member.
  bool hasInput(const std::string& name) const;
  // The inputs besides Q, K and V that the pattern may take (Description::arrays). E_UNKNOWN: an
  // array that it does not take.
  std::map<std::string, MatrixSource> furtherInputs(const Pattern& pattern) const;

  template <class T>
  Matrix<T> input(const std::string& name) const {
    return slice<T>(array(field(json_, "inputs"), name));
  }

  void forEachExpected(const Check& check) const { forEachMember(expected(), check); }

private:
  std::filesystem::path folder_;
  std::string name_;
  Run run_;
  CaseJson json_;
};

} // namespace attention
