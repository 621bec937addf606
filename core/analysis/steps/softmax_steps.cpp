#include "core/analysis/steps/softmax_steps.h"

#include "core/analysis/steps/branch_steps.h"
#include "core/analysis/steps/step_logits.h"
#include "core/pattern/parameter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

double largest(const std::vector<StepLogit>& logits) {
  double max = kMinusInfinity;
  for (const StepLogit& logit : logits)
    max = std::max(max, logit.value);
  return max;
}

double& at(std::vector<double>& values, Index key) {
  return values[static_cast<std::size_t>(key)];
}

SoftmaxPart partOf(const std::vector<StepLogit>& logits) {
  SoftmaxPart part;
  part.max = largest(logits);
  for (const StepLogit& logit : logits) {
    part.keys.push_back(logit.key);
    part.sum += std::exp(logit.value - part.max);
  }
  return part;
}

// The parts that have a key, each with its share of the output.
std::vector<SoftmaxPart> partsOf(const StepLogits& logits, double max, double sum) {
  std::vector<SoftmaxPart> parts;
  for (const auto& of : logits.parts)
    if (!of.empty())
      parts.push_back(partOf(of));
  const double equal = 1 / static_cast<double>(parts.size());
  for (SoftmaxPart& part : parts)
    part.share =
        logits.combine == Combine::Mean ? equal : std::exp(part.max - max) * part.sum / sum;
  return parts;
}

// One softmax over all logits and the sink.
void takeOne(const std::vector<StepLogit>& logits, const std::optional<double>& sink,
             SoftmaxSteps& steps) {
  steps.exp.resize(steps.dot.size());
  if (logits.empty() && !sink) {
    steps.sum = 0;
    return;
  }
  steps.max = std::max(largest(logits), sink.value_or(kMinusInfinity));
  if (sink)
    steps.sinkExp = std::exp(*sink - *steps.max);
  double sum = steps.sinkExp.value_or(0);
  for (const StepLogit& logit : logits) {
    const double e = std::exp(logit.value - *steps.max);
    at(steps.exp, logit.key) += e;
    sum += e;
  }
  steps.sum = sum;
  for (std::size_t j = 0; j < steps.p.size(); ++j)
    steps.p[j] = steps.exp[j] / sum;
}

// Of the mean of several softmaxes, the sink takes its part of all parts together (T8).
void shareWithSink(double sink, std::vector<SoftmaxPart>& parts) {
  double max = sink;
  for (const SoftmaxPart& part : parts)
    max = std::max(max, part.max);
  double keys = 0;
  for (const SoftmaxPart& part : parts)
    keys += part.sum * std::exp(part.max - max);
  for (SoftmaxPart& part : parts)
    part.share *= keys / (keys + std::exp(sink - max));
}

// The mean of the softmaxes of the parts.
void takeMean(const StepLogits& logits, SoftmaxSteps& steps) {
  std::size_t next = 0; // of those with keys
  for (const auto& part : logits.parts) {
    if (part.empty())
      continue;
    const SoftmaxPart& of = steps.parts[next++];
    for (const StepLogit& logit : part)
      at(steps.p, logit.key) += of.share * std::exp(logit.value - of.max) / of.sum;
  }
}

void maskLogits(const StepLogits& logits, SoftmaxSteps& steps) {
  steps.masked.assign(steps.dot.size(), kMinusInfinity);
  for (const auto& part : logits.parts)
    for (const StepLogit& logit : part)
      at(steps.masked, logit.key) = std::max(at(steps.masked, logit.key), logit.value);
  for (std::size_t j = 0; j < steps.masked.size(); ++j)
    if (steps.masked[j] > kMinusInfinity)
      steps.visible.push_back(static_cast<Index>(j));
}

SoftmaxSteps stepsOfBranches(const StepsInput& input) {
  const std::vector<BranchInput> branches = branchInputs(input);
  std::vector<SoftmaxSteps> of;
  for (const BranchInput& branch : branches)
    of.push_back(stepsOfBranch(input, branch));
  return gatedSteps(input, branches, of);
}

} // namespace

void checkSteps(const StepsInput& input) {
  checkInput(input.pattern.lengths(), input.q, input.k, input.v);
  checkValue("query", input.query, {0, static_cast<double>(input.q.rows - 1)},
             ParameterType::Integer);
}

SoftmaxSteps softmaxSteps(const StepsInput& input) {
  if (input.pattern.branches())
    return stepsOfBranches(input);
  StepLogits logits = stepLogits(input);
  SoftmaxSteps steps;
  steps.dot = std::move(logits.dot);
  steps.scaled = std::move(logits.scaled);
  steps.p.resize(steps.dot.size());
  maskLogits(logits, steps);
  const std::optional<double>& sink = input.options.sink;
  if (logits.combine != Combine::Mean)
    takeOne(joined(logits), sink, steps);
  if (logits.combine != Combine::Union)
    steps.parts = partsOf(logits, steps.max.value_or(0), steps.sum.value_or(1));
  if (logits.combine == Combine::Mean && sink)
    shareWithSink(*sink, steps.parts);
  if (logits.combine == Combine::Mean)
    takeMean(logits, steps);
  steps.output.resize(static_cast<std::size_t>(input.v.cols));
  for (const Index j : steps.visible)
    for (std::size_t c = 0; c < steps.output.size(); ++c)
      steps.output[c] += at(steps.p, j) * input.v(j, static_cast<Index>(c));
  return steps;
}

std::vector<double> partialProducts(std::span<const double> q, std::span<const double> k,
                                    std::size_t parts) {
  assert(q.size() == k.size() && parts > 0);
  parts = std::min(parts, q.size());
  std::vector<double> sums;
  for (std::size_t part = 0; part < parts; ++part) {
    double sum = 0;
    for (std::size_t c = q.size() * part / parts; c < q.size() * (part + 1) / parts; ++c)
      sum += q[c] * k[c];
    sums.push_back(sum);
  }
  return sums;
}

double largestGap(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  double gap = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    gap = std::max(gap, std::abs(a[c] - b[c]));
  return gap;
}

} // namespace attention
