// The stages of the Model view, job by job.
#include "app/gui/results/view_stages.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/views/model/model_view.h"
#include "tests/app/gui/held_jobs.h"
#include "tests/core/figure/tiny_model.h"

namespace attention::gui {
namespace {

// The stages of the Model view with a pool of one thread: its jobs end in the order in which they
// were asked for, and only while the pool is let go.
class HeldStages {
public:
  explicit HeldStages(Scene scene) : scene_(std::move(scene)), stages_(modelStages(results_)) {}
  ~HeldStages() { *go_ = true; }
  HeldStages(HeldStages&&) = delete;

  // Asks, as a frame does, while no job can run.
  const ModelResults& ask() {
    go_ = std::make_shared<std::atomic<bool>>(false);
    hold(pool_, 1, go_);
    stages_->update({pool_, scene_, hover_, true, {}});
    return results_.part<ModelResults>();
  }
  // Lets all jobs end.
  void letGo() {
    *go_ = true;
    while (!pool_.active().empty())
      std::this_thread::yield();
  }

private:
  Scene scene_;
  Hover hover_;
  Results results_;
  JobPool pool_{{}, 1};
  std::shared_ptr<std::atomic<bool>> go_ = std::make_shared<std::atomic<bool>>(false);
  std::unique_ptr<ViewStages> stages_;
};

} // namespace

TEST_CASE("While a model is opened and its text read, the shipped results stand", "[shell]") {
  const TinyModel tiny;
  // Another model under the name of theirs, whose own numbers come later.
  const std::filesystem::path named = tiny.path() / kShippedModel;
  std::filesystem::create_directory(named);
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json"})
    std::filesystem::copy_file(tiny.path() / file, named / file);
  const bool sameLength = GENERATE(true, false);
  Scene scene = smallScene();
  scene.view = View::Model;
  scene.model.model = named.string();
  scene.model.n = sameLength ? kShippedTokens : kShippedTokens / 2;
  HeldStages stages(scene);
  const ModelResults& shown = stages.ask();
  CHECK(shown.model.pending);
  CHECK(shown.costs.pending == sameLength);
  stages.letGo();
  stages.ask();
  CHECK(isWhole(shown.model));
  CHECK(shown.tokens.pending);
  REQUIRE((shown.costs.value != nullptr) == sameLength);
  if (sameLength) {
    CHECK_FALSE(shown.costs->costs.shipped.empty());
    CHECK(shown.costs->costs.rows.size() == 2); // the sidebar's strided attention is one of them
    CHECK(gui::shownOf(shown, ModelPicture::Costs).there);
  }
  constexpr int kMostAsked = 8; // text, the model as it is, variants: each needs the one before
  for (int k = 0; k < kMostAsked; ++k) {
    stages.letGo();
    stages.ask();
  }
  REQUIRE(isWhole(shown.costs));
  CHECK(shown.costs->costs.model == kShippedModel);
  CHECK(shown.costs->costs.shipped.empty()); // computed
}

} // namespace attention::gui
