// Attention of all heads and batches of an input over patterns, and the metrics of S13 against
// dense attention.
#pragma once

#include "app/cli/input_flags.h"
#include "app/cli/masks.h"
#include "core/analysis/metrics.h"
#include "core/attention/multihead.h"

#include <optional>
#include <string>
#include <vector>

namespace attention::cli {

template <class T>
struct AttendJob {
  const Input& input;
  PreparedHeads patterns; // one for all heads, or one a head; none where `fromData`
  AttendOptions options;
  Run run;
  std::optional<Index> head = {};       // one model head alone
  std::optional<Index> batch = {};      // one item of the leading axis alone
  std::optional<Pattern> fromData = {}; // prepared from the queries and keys of every head
};

// Means over rows, heads and batches; the error is over all outputs together.
struct AttendReport {
  double capturedMass = 0;
  std::string base; // "full" or "causal"
  OutputError error;
  double entropy = 0;           // nats
  std::vector<Index> emptyRows; // of the first head; patterns, not inputs, make rows empty
  double seconds = 0;           // of the attention over the pattern alone
};

template <class T>
struct AttendResult {
  std::vector<T> out;
  std::vector<Index> outShape; // the input's shape with dv last
  std::vector<T> lse;
  std::vector<Index> lseShape;
  AttendReport report;
};

// Throws as attend does; E_UNSUPPORTED where the input has no values.
template <class T>
AttendResult<T> runAttend(const AttendJob<T>& job);

// The weights of every head as one .npy of the input's leading axes, n_q × n_k last.
template <class T>
void writeWeights(const AttendJob<T>& job, const AttendResult<T>& result, const std::string& path);

} // namespace attention::cli
