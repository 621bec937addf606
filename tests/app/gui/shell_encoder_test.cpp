// The Model view of an encoder, which predicts no tokens.
#include "app/gui/views/model/model_results.h"
#include "tests/core/figure/tiny_model.h"

namespace attention::gui {

TEST_CASE("An encoder has the change of its states, and no text of another model", "[shell]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Text;
  TestWindow window(scene);
  const ModelResults& results = window.results().part<ModelResults>();
  REQUIRE(isWhole(results.hurt));
  const std::string caption = results.hurt->caption;
  CHECK(window.says(caption));
  CHECK(window.says("loss = −1/(n − 1)"));
  window.bench().document.apply({"an encoder", [](Scene& s) {
                                   s.model.model = ATTENTION_TEST_DATA "/golden/models/bert";
                                   s.model.ids = {3, 1, 4, 1, 5};
                                 }});
  window.settle();
  CHECK(window.says("an encoder predicts nothing"));
  CHECK_FALSE(window.says(caption));
  CHECK(window.says("change = ‖H′ − H‖ / ‖H‖"));
  CHECK_FALSE(window.says("loss = −1/(n − 1)"));
}

TEST_CASE("Another text is seen whole, and another head of the same text as before", "[shell]") {
  TestWindow window;
  const auto zoom = [&] {
    window.bench().document.apply({"zoom", [](Scene& s) { s.camera = Camera{500, 500, 40}; }});
  };
  zoom();
  window.bench().document.apply({"head", [](Scene& s) { s.input.head = 2; }});
  CHECK(window.scene().camera);
  for (const char* action : {"input.encoder", "input.sample", "input.typed", "input.random"}) {
    zoom();
    window.bench().actions.run(action, window.bench());
    INFO(action);
    CHECK_FALSE(window.scene().camera);
  }
}

} // namespace attention::gui
