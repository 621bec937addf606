// attnx model loss: what masks cost a model.
#include "app/cli/model_actions.h"
#include "app/cli/model_text.h"
#include "app/cli/report.h"

#include "core/analysis/stack/kv_cache.h"
#include "core/input/replace_file.h"
#include "core/model/loss.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/shipped_costs.h"

#include <array>
#include <ostream>

namespace attention::cli {
namespace {

std::string lossCell(const std::optional<double>& value, int digits) {
  return value ? fixed(*value, digits) : "–";
}

void printLosses(std::ostream& out, const LossTable& table, bool encoder) {
  std::vector<Cells> lines{{"masks", "pairs"}};
  const Cells measures = encoder ? Cells{"change"} : Cells{"loss", "perplexity", "KL", "top 1"};
  lines.front().insert(lines.front().end(), measures.begin(), measures.end());
  lines.front().insert(lines.front().end(), {"FLOPs", "KV cache"});
  for (const LossRow& row : table.rows) {
    Cells line{printableLabel(row.name), textNumber(row.pairs)};
    if (encoder)
      line.push_back(lossCell(row.change, 4));
    else
      line.insert(line.end(), {lossCell(row.loss, 4), lossCell(row.perplexity, 2),
                               lossCell(row.kl, 4), lossCell(row.top1, 4)});
    line.push_back(textNumber(row.flops));
    line.push_back(row.kvBytes ? bytesText(*row.kvBytes) : "–");
    lines.push_back(std::move(line));
  }
  printAligned(out, lines);
}

// The loss of every prediction, a column for each row of the table.
void printAlong(std::ostream& out, const LossTable& table) {
  if (table.predictions.empty())
    return;
  std::vector<Cells> lines{{"position"}};
  for (const LossRow& row : table.rows)
    lines.front().push_back(printableLabel(row.name));
  for (std::size_t i = 0; i < table.predictions.front().loss.size(); ++i) {
    lines.push_back({std::to_string(i + 1)});
    for (const Predictions& of : table.predictions)
      lines.back().push_back(fixed(of.loss[i], 4));
  }
  out << '\n';
  printAligned(out, lines);
}

// Everything, as the program's own shipped results have it.
void writeResults(const std::string& output, const Arguments& arguments,
                  const std::shared_ptr<const Model>& model, const ModelText& text,
                  const std::vector<ModelVariant>& variants, const LossTable& table) {
  ShippedCosts results{model, text.ids, variants, {}};
  MeasuredCosts& costs = results.costs;
  costs.shipped = std::string("attnx ") + programVersion();
  costs.tokens = std::ssize(text.ids);
  costs.given = text.given;
  costs.pieces = text.pieces;
  costs.from = arguments.has("text")
                   ? std::filesystem::path(arguments.text("text")).filename().string()
                   : (arguments.has("ids") ? "the given ids" : "the given text");
  const auto tokenizer = findTokenizer(model->path);
  for (std::size_t k = 0; k < table.rows.size(); ++k)
    costs.rows.push_back(
        measuredRow(table.rows[k], table.predictions.empty() ? Predictions() : table.predictions[k],
                    tokenizer.get(), k));
  replaceFile(output, [&](std::ostream& file) { file << toJson(results).dump(1) << '\n'; });
}

} // namespace

int modelLoss(const Arguments& arguments, const std::filesystem::path& path,
              const Context& context) {
  static constexpr std::array<std::string_view, 1> kEndings{".json"};
  const std::string output =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  const std::shared_ptr<const Model> model = openModel(path);
  const ModelText text = modelTextFrom(arguments, *model, context);
  const std::vector<ModelVariant> variants = variantsFrom(arguments, *model, context.run.quiet());
  for (const ModelVariant& variant : variants)
    noteLaterTokens(variant, *model, std::ssize(text.ids), context);
  context.releaseNotes();
  const LossTable table = lossTable(model, text.ids, variants, {}, context.run);
  if (!output.empty())
    writeResults(output, arguments, model, text, variants, table);
  const bool along = arguments.on("along");
  if (arguments.on("json")) {
    print(context.out, toJson(table, static_cast<Index>(text.ids.size()), along));
    return 0;
  }
  context.out << model->name << ", " << counted(text.ids.size(), "token")
              << "; pairs: mean over layers and heads; loss and KL in nats\n";
  if (!model->note.empty())
    context.out << model->note << '\n';
  printLosses(context.out, table, model->encoder);
  if (along)
    printAlong(context.out, table);
  return 0;
}

} // namespace attention::cli
