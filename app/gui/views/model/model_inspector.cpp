#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/views/model/model_view.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

namespace attention::gui {
namespace {

void modelFacts(const PanelContext& c, const Model& model) {
  const Ui& ui = c.ui;
  sectionHeading(ui, "Model", model.name);
  valueRow(ui, "layers", groupDigits(static_cast<Index>(model.layers.size())),
           "Attention and feed-forward blocks, one after another");
  valueRow(ui, "heads", groupDigits(model.heads),
           "Query heads per layer; " + counted(model.kvHeads, "key/value head"));
  valueRow(ui, "width", groupDigits(model.width), "Numbers per token state");
  if (model.context > 0)
    valueRow(ui, "context", groupDigits(model.context),
             "The longest text that the model was made for, in tokens");
  if (!model.note.empty())
    note(ui, NoteKind::Info, model.note);
}

void asItIsFacts(const PanelContext& c, const LossRow& row) {
  if (!row.loss)
    return;
  const Ui& ui = c.ui;
  space(ui, 6);
  sectionHeading(ui, "As it is");
  valueRow(ui, "loss", fixed(*row.loss, 3),
           "Mean of −ln p of the next token, in nats; lower is better");
  valueRow(ui, "perplexity", readableNumber(*row.perplexity),
           "e to the power of the loss: the model is as unsure as if it chose among this many "
           "equally likely tokens");
}

// The numbers of the picture, unless they are those of an earlier question.
const MeasuredCosts* costsOf(const ModelResults& results, ModelPicture picture) {
  if (picture == ModelPicture::Sweep)
    return results.sweep && !results.sweep.stale ? &results.sweep->answer.costs : nullptr;
  return results.costs && !results.costs.stale ? &results.costs->costs : nullptr;
}

constexpr const char* kFormulas[] = {"loss = −1/(n − 1) Σᵢ ln pᵢ(xᵢ₊₁)",
                                     "KL = 1/(n − 1) Σᵢ Σₓ pᵢ(x) ln (pᵢ(x) / p′ᵢ(x))"};
constexpr Definition kDefinition{
    kFormulas,
    "Every head computes exact attention over the pairs of its mask; the model is not retrained. p "
    "is "
    "the model as it is, p′ the variant.",
    "Radford et al. 2019; Xiao et al. 2023 (StreamingLLM) for what windows and sinks do"};

constexpr const char* kEncoderFormulas[] = {"change = ‖H′ − H‖ / ‖H‖"};
constexpr Definition kEncoderDefinition{
    kEncoderFormulas,
    "Every head computes exact attention over the pairs of its mask; the model is not retrained. H "
    "are the final states of all tokens in the model as it is, H′ those of the variant, with the "
    "root of the sum of squares as the norm.",
    "Devlin et al. 2019 (BERT)"};

} // namespace

void drawModelViewFacts(const PanelContext& c) {
  const ModelResults& results = c.results.part<ModelResults>();
  const ModelPicture picture = c.scene.model.picture;
  if (results.model && !results.model.stale)
    modelFacts(c, *results.model);
  const MeasuredCosts* costs = costsOf(results, picture);
  if (costs && !costs->rows.empty())
    asItIsFacts(c, costs->rows.front().row);
  if (const ModelPictureShown shown = shownOf(results, picture); shown.there && !shown.stale)
    drawReadThis(c.ui, shown.reading);
  space(c.ui, 6);
  const bool encoder = costs && costs->encoder;
  drawDefinition(c, encoder ? kEncoderDefinition : kDefinition);
}

} // namespace attention::gui
