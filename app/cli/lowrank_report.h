// The question and answer of lowrank, as JSON, as files and as lines.
#pragma once

#include "app/cli/report.h"
#include "core/analysis/low_rank.h"
#include "core/analysis/metrics.h"
#include "core/input/input.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace attention::cli {

struct LowRankQuestion {
  LowRankObject object = LowRankObject::Softmax;
  bool causal = false;
  bool exact = true;
  Scoring scoring;
  std::vector<Index> ranks;
  RandomizedOptions sketch;
  bool linformer = true;
  std::uint64_t linformerSeed = 0;
};

// One line of the answer. For a randomised spectrum the error lies between `least` and `most`.
struct RankLine {
  Index rank = 0;
  double least = 0; // |A − A_m|_F
  double most = 0;
  std::optional<double> spectral;
  std::optional<OutputError> linformer; // k = rank
};

struct LowRankAnswer {
  Index n = 0;
  double norm = 0; // |A|_F
  std::optional<double> residual;
  std::vector<double> values;
  std::vector<RankLine> lines;
  std::optional<OutputError> given; // of --e and --f
};

Json answerJson(const LowRankAnswer& answer, const LowRankQuestion& asked, const Input& input);

// .csv, .npy of the singular values, or `json` as .json. E_IO.
void write(const std::string& path, const LowRankAnswer& answer, const Json& json);

void printAnswer(std::ostream& out, const LowRankAnswer& answer, const Json& json);

} // namespace attention::cli
