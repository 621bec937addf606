// What the Model view of a Scene shows: a model on a text, as it is and under the Scene's variants,
// and what they cost it. Answers in stages, each made of the one before, so that a stage is made
// again only where what it reads has changed.
#pragma once

#include "core/analysis/stack/models.h"
#include "core/model/loss.h"
#include "core/model/model_input.h"
#include "core/model/tokenizer.h"
#include "core/scene/model_spec.h"
#include "core/scene/scene.h"
#include "core/support/run.h"
#include "core/views/model/measured_costs.h"
#include "core/views/model/shipped_costs.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attention {

// Where the model and its text are from.
using ModelSource = ModelInput;
// E_RANGE: what check(ModelSpec) says.
ModelSource modelSource(const ModelSpec& spec);

// Whether the shipped results stand for it: no model is named, or theirs is and is not on this
// machine, and no other text is given.
bool isShipped(const ModelSource& source);

// Whether the shipped results may be of this model and text, whatever is on this machine: by the
// names and the length, before either is read.
bool mayBeShipped(const ModelSource& source);

// The shipped results' model, which has no weights, where they stand for it. E_TYPE: no model is
// named; what modelPath and openModel throw.
std::shared_ptr<const Model> openedModel(const ModelSource& source);
// Whether it can compute: the shipped results' model cannot.
bool hasWeights(const Model& model);

// The first tokens of the text.
struct ModelTokens {
  std::vector<Index> ids;
  std::vector<std::string> pieces; // the tokenizer's own, one for each id; none where ids are given
  Index given = 0;                 // that the text has
  std::string from;                // "pride.txt", "the typed text", "the given ids"
  std::shared_ptr<const Tokenizer> tokenizer; // null where ids are given
  bool shipped = false;                       // the shipped results are of this model and text
};
// Of a model without weights those of the shipped results. E_TYPE: the text has no tokens; what
// openTokenizer and encode throw.
ModelTokens modelTokens(const Model& model, const ModelSource& source);

// The model as it is.
struct ModelAsItIs {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const ModelTokens> tokens;
  ForwardStates states;
  Predictions predictions; // empty of an encoder
};
// `begun`, which may be empty, hears of the first tokens of a long text before, as of a text of
// these alone; they take more time. The same bits whoever hears. What forward() throws.
ModelAsItIs modelAsItIs(std::shared_ptr<const Model> model,
                        std::shared_ptr<const ModelTokens> tokens,
                        const std::function<void(ModelAsItIs)>& begun = {}, const Run& run = {});

// The Scene's variants with their patterns as they are given, the Scene's own pattern first, where
// the spec says so. E_RANGE, E_TYPE: layers or heads that the model has not.
std::vector<ModelVariant> givenVariants(const ModelSpec& spec, const Pattern& own,
                                        const Model& model);

// The Scene's variants, with what they name read from files; the Scene's own pattern first, where
// the spec says so. A decoder's masks are without the future. E_RANGE, E_TYPE: layers or heads that
// the model has not; what resolveFiles throws.
std::vector<ModelVariant> variantsOf(const ModelSpec& spec, const Pattern& own, const Model& model,
                                     const Run& run = {});

// A pattern as this model can have it: files read, of a decoder without the future.
Pattern maskFor(const Model& model, const Pattern& pattern, Index n, const Run& run = {});

// The one whose masks are shown: the chosen variant, else the first of variantsOf, else the model
// as it is.
ModelVariant shownVariant(const ModelSpec& spec, const Pattern& own, const Model& model,
                          const Run& run = {});

// The row of the one whose masks are shown, or what is begun of it; null where there is neither,
// and where there is no variant.
const MeasuredRow* findShownRow(const ModelSpec& spec, const Pattern& own,
                                const MeasuredCosts& costs);
// The same with its predictions, by which the text is shaded. E_UNSUPPORTED says what is missing.
const MeasuredRow& shownRow(const ModelSpec& spec, const Pattern& own, const MeasuredCosts& costs);
// Those whose single values are shown behind the curves: the model as it is, and that row. None
// where the spec does not ask for them.
std::vector<const MeasuredRow*> singleRows(const ModelSpec& spec, const Pattern& own,
                                           const MeasuredCosts& costs);

// The pattern without keys that come after a query, which would tell a decoder what it has to
// predict: by its own parameter, else cut to j ≤ i where it sees later keys at n tokens.
Pattern withoutFuture(const Pattern& pattern, Index n, const Run& run = {});
// Whether that parameter is there and off, so that a decoder has another mask than the pattern.
bool isSetToLookAhead(const Pattern& pattern);
// Whether a query sees later keys at n tokens; of patterns that read data, whether it may: by that
// parameter, without which they have none. What prepare() throws.
bool looksAhead(const Pattern& pattern, Index n, const Run& run = {});

// What a variant costs.
struct VariantCost {
  ModelVariant variant;
  LossRow row;
  Predictions predictions; // empty of an encoder
};

// How a variant that is being computed, or will be, predicts the first tokens, as in the whole
// text.
struct FirstTokens {
  std::string name; // the variant's
  Index tokens = 0; // with a prediction for each but the first
  Predictions predictions;
};

struct ModelCosts {
  std::shared_ptr<const ModelAsItIs> base;
  LossRow asItIs;
  std::vector<std::shared_ptr<const VariantCost>> variants; // those that are there, in their order
  std::vector<ModelVariant> asked;                          // all
  std::optional<FirstTokens> begun = {};                    // of the next one
};

// Who hears of costs while they are computed.
struct CostsHeard {
  std::function<void(const ModelCosts&)> part; // with one variant more each time; may be empty
  bool firstTokens = false; // also hears of the first tokens of a variant; they take more time
};

// Variants that `before` has of the same model and text are not computed again, nor masks that two
// of them, or the model as it is, have. The same bits whoever hears. What forward() throws.
ModelCosts modelCosts(std::shared_ptr<const ModelAsItIs> base, std::vector<ModelVariant> variants,
                      const ModelCosts* before = nullptr, const CostsHeard& heard = {},
                      const Run& run = {});

// Their numbers, the model as it is first.
MeasuredCosts measuredOf(const ModelCosts& costs);
// Those of the first of the tokens, while the model as it is is being computed: no row yet.
MeasuredCosts begunOf(const ModelAsItIs& first, const ModelTokens& tokens);

// The same, with the shipped rows of variants that are not computed yet, where the shipped results
// are of this model and text.
MeasuredCosts withShipped(MeasuredCosts computed, const ModelCosts& costs,
                          const ShippedCosts* shipped);
// The shipped results where the model is theirs, with weights or without; else null.
std::shared_ptr<const ShippedCosts> shippedFor(const Model& model);

// All stages in turn for the variants that `asked` gives of the opened model and the text's tokens;
// the shipped results where they have all of these, or the model is not there.
using AskedVariants = std::function<std::vector<ModelVariant>(const Model&, Index n)>;
MeasuredCosts measuredCostsOf(const Scene& scene, const AskedVariants& asked, const Run& run = {});
// For the Scene's variants.
MeasuredCosts measuredCostsOf(const Scene& scene, const Run& run = {});

// ---- the masks of a known model's layers, given to another model ----

// The decoders of the table whose layers all have a mask.
std::vector<const ModelRow*> modelsToImitate();

// Layer ℓ gets the mask of layer ℓ of `of`, which begins again where it has fewer layers; layers
// with full attention keep the model's own. The windows are those of `of`, however long the text.
ModelVariantSpec variantAsIn(const ModelRow& of, Index layers);

} // namespace attention
