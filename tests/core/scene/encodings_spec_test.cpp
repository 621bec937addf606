// What the Encodings view shows, as a part of the Scene.
#include "core/scene/scene_json.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

#include <limits>

using namespace attention;

TEST_CASE("an axial encoding comes back from JSON", "[scene]") {
  Scene scene;
  scene.view = View::Encodings;
  scene.encodings = {3, 5, 7, 11, 13, AxialReading::Code, AxialTables::Normal, 17, 9};
  const ReadScene read = sceneFromText(toText(scene), "scene");
  CHECK(read.warnings.empty());
  CHECK(read.scene == scene);
}

TEST_CASE("an encoding with sizes out of range is refused by name", "[scene]") {
  const auto refused = [](const EncodingsSpec& spec) {
    return codeAndSubject([&] { axialShape(spec); });
  };
  EncodingsSpec spec;
  CHECK(refused(spec).empty());
  spec.l1 = 0;
  CHECK(refused(spec) == "E_RANGE encodings.l1");
  spec = {};
  spec.d2 = kMostEncodingSide + 1;
  CHECK(refused(spec) == "E_RANGE encodings.d2");
  spec = {};
  spec.n = 257;
  CHECK(refused(spec) == "E_RANGE l1");
  spec.n = 0;
  CHECK(refused(spec) == "E_N n");
  spec = {};
  spec.l1 = spec.l2 = 4096; // the encoding is not held
  CHECK(refused(spec).empty());
  spec = {};
  spec.position = -1;
  CHECK(refused(spec) == "E_RANGE encodings.position");
}

TEST_CASE("a position beyond the last one becomes the last one", "[scene]") {
  EncodingsSpec spec;
  spec.position = 1000;
  CHECK(positionOf(spec) == 255);
  spec.n = 40;
  CHECK(positionOf(spec) == 39);
}

TEST_CASE("positions are counted for any sizes, refused ones taken as the nearest allowed",
          "[scene]") {
  EncodingsSpec spec;
  spec.l1 = 4;
  spec.l2 = 5;
  CHECK(gridOf(spec) == 20);
  CHECK(positionsOf(spec) == 20);
  spec.n = 7;
  CHECK(positionsOf(spec) == 7);
  CHECK(positionOf(spec) == 6);
  spec.n = 5000; // of a grid of 20
  CHECK(positionsOf(spec) == 20);
  CHECK(positionOf(spec) == 19);
  for (const Index none : {Index{0}, Index{-9}}) {
    spec.n = none;
    CHECK(positionsOf(spec) == 1);
    CHECK(positionOf(spec) == 0);
    spec.l2 = none;
    CHECK(gridOf(spec) == 4);
  }
  spec.n.reset();
  spec.l1 = spec.l2 = std::numeric_limits<Index>::max();
  CHECK(positionsOf(spec) == kMostEncodingSide * kMostEncodingSide);
}
