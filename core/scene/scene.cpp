#include "core/scene/scene.h"

#include "core/scene/settings_builder.h"

namespace attention {

Scene::Scene() = default;
Scene::Scene(const Scene&) = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene&) = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;
bool Scene::operator==(const Scene&) const = default;

const Settings<LengthSpec>& lengthSettings() {
  using S = LengthSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .given("n", "", &S::n, "How many tokens, and so keys", ParameterType::Integer, false,
                 atLeast(1))
          .given("queries", "", &S::queries,
                 "How many queries, where there are not as many as keys", ParameterType::Integer,
                 false, atLeast(1))
          .choice("align", &S::align, "Which key the first or the last query lines up with",
                  {{Align::TopLeft, "top-left", "top left", "Query 0 lines up with key 0"},
                   {Align::BottomRight, "bottom-right", "bottom right",
                    "The last query lines up with the last key, as in text generation"}})
          .build();
  return kAll;
}

const Settings<Camera>& cameraSettings() {
  using S = Camera;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .real("query", "", &S::query, "The centre, in cells from the top", anyNumber())
          .real("key", "", &S::key, "The centre, in cells from the left", anyNumber())
          .real("cells", "", &S::cells, "Cells along the shorter side of the view", anyNumber())
          .build();
  return kAll;
}

const Settings<Pins>& pinsSettings() {
  using S = Pins;
  static const Settings<S> kAll = SettingsBuilder<S>()
                                      .given("query", "i", &S::query, "The query that stays marked",
                                             ParameterType::Integer, false, atLeast(0))
                                      .given("key", "j", &S::key, "The key that stays marked",
                                             ParameterType::Integer, false, atLeast(0))
                                      .build();
  return kAll;
}

std::optional<View> viewNamed(std::string_view name) {
  if (name == kFormerViewName)
    return View::Choosing;
  const auto* known = std::find(kViewNames.begin(), kViewNames.end(), name);
  return known == kViewNames.end() ? std::nullopt
                                   : std::optional(static_cast<View>(known - kViewNames.begin()));
}

Lengths lengthsOf(const LengthSpec& spec, Index inputLength) {
  const Index n = spec.n.value_or(inputLength > 0 ? inputLength : kDefaultLength);
  if (!spec.queries)
    return squareLengths(n);
  return alignedLengths(*spec.queries, n, spec.align);
}

bool sameDocument(const Scene& a, const Scene& b) {
  Scene moved = a;
  moved.camera = b.camera;
  moved.pins = b.pins;
  moved.reach.shown = b.reach.shown;
  moved.choosing.moment = b.choosing.moment;
  return moved == b;
}

} // namespace attention
