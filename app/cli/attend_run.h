// Attention of all heads and batches of an input over patterns, and the metrics of S13 against
// dense attention.
#pragma once

#include "app/cli/head_selection.h"
#include "core/analysis/metrics.h"
#include "core/attention/multihead.h"

#include <optional>
#include <string>
#include <vector>

namespace attention::cli {

template <class T>
struct AttendJob {
  const Input& input;
  HeadSelection heads; // which of them, and the axes of the outputs
  // One for all heads, one for each head, or one for each batch and head (a mask file may have as
  // many; null if that head is not attended); none where `fromData`.
  PreparedHeads patterns;
  int threads = 0;
  Run run;
  std::optional<Base> base = {}; // nothing: the default of each layer (core/scene/own_mask.h)
  std::optional<Pattern> fromData = {}; // prepared from the queries and keys of every head
  Lengths lengths = {};                 // of that pattern's masks
  Align align = Align::TopLeft;
  bool metrics = true;      // compare with dense attention, O(n² d)
  std::string weights = {}; // the .npy to which the weights are written, head by head; empty: none
};

// Means over rows, heads and batches; the error is over all outputs together.
struct AttendMetrics {
  double capturedMass = 0;
  Base base = Base::Full;           // of all heads; where layers have several, their own
  std::optional<OutputError> error; // none if there are no values
  double entropy = 0;               // nats
  // The captured mass as a share of all mass, that of sinks included; only with sinks.
  std::optional<double> massOfAll = {};
};

struct AttendReport {
  std::optional<AttendMetrics> metrics; // where the job wants them
  std::vector<Index> emptyRows; // of the first head: rows are empty by the pattern, not the input
  double seconds = 0;           // of the attention over the pattern only
};

template <class T>
struct AttendResult {
  std::vector<T> out;
  std::vector<Index> outShape; // the input's shape with dv last; empty if there are no values
  std::vector<T> lse;          // of scores: none if weights are ready
  std::vector<Index> lseShape;
  AttendReport report;
};

// The prepared pattern of a head; not null if the head is attended.
template <class T>
const std::shared_ptr<const Prepared>& preparedOf(const AttendJob<T>& job, Index batch,
                                                  Index head) {
  const auto count = static_cast<Index>(job.patterns.size());
  const Index plane = count == 1                 ? 0
                      : count == job.input.heads ? head
                                                 : batch * job.input.heads + head;
  return job.patterns[static_cast<std::size_t>(plane)];
}

// Throws as attend does; E_RANGE where ready weights are below 0, E_IO where the weights cannot be
// written. Ready weights are cut to the pattern and normalised again. Each head's pattern is
// prepared once, except where the data make the first heads' patterns causal and a later one not:
// then the first ones are prepared again for the metrics.
template <class T>
AttendResult<T> runAttend(const AttendJob<T>& job);

// runAttend for an input that has only ready weights, with or without values.
template <class T>
AttendResult<T> attendByWeights(const AttendJob<T>& job);

// Shape of the weights of every head: the input's leading axes, then n_q × n_k. E_RANGE: more than
// 2^32 of them, as many cells as a mask may have in a .npy file.
template <class T>
std::vector<Index> weightsShape(const AttendJob<T>& job);
} // namespace attention::cli
