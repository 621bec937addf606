#include "tests/core/figure/model_facts.h"

#include "core/views/model/model_sweep.h"
#include "core/views/model/scene_model.h"

using namespace attention;

namespace {

const LossRow& rowAt(const MeasuredCosts& costs, const std::string& k) {
  return costs.rows.at(static_cast<std::size_t>(std::stoi(k))).row;
}

double stepFact(const Scene& scene, const std::string& name, const std::string& k) {
  SweepPlan plan;
  const MeasuredCosts costs = measuredCostsOf(scene, [&](const Model& model, Index n) {
    plan = sweepPlan(scene.model, scene.pattern, model, n);
    return variantsOf(plan);
  });
  const SweepSeries& series = plan.series.front();
  const SweepStep& step = series.steps.at(static_cast<std::size_t>(std::stoi(k)));
  const double loss = rowNamed(costs, step.variant.name)->row.loss.value();
  if (name == "step.loss")
    return loss;
  if (name == "step.grows")
    return loss - costs.rows[0].row.loss.value();
  return rowNamed(costs, series.everywhere.value().name)->row.loss.value() - loss;
}

} // namespace

std::optional<double> modelFact(const Scene& scene, const std::string& name,
                                const std::vector<std::string>& of) {
  if (scene.view != View::Model || of.size() != 1)
    return std::nullopt;
  if (name.starts_with("step."))
    return stepFact(scene, name, of[0]);
  const MeasuredCosts costs = measuredCostsOf(scene);
  if (name == "loss")
    return rowAt(costs, of[0]).loss.value();
  if (name == "perplexity")
    return rowAt(costs, of[0]).perplexity.value();
  if (name == "grows") {
    const auto at = static_cast<std::size_t>(std::stoi(of[0])) - 1;
    return costs.rows.at(1).loss.at(at) - costs.rows.at(0).loss.at(at);
  }
  if (name == "pairs.share")
    return pairsShare(costs, rowAt(costs, of[0])) / 100;
  return std::nullopt;
}
