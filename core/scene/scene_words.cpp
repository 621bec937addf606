#include "core/scene/scene_words.h"

#include "core/scene/panel_words.h"
#include "core/scene/shown_patterns.h"

#include <algorithm>

namespace attention {
namespace {

// What the views share, and which of it a picture is made of.
struct Shared {
  bool pattern = false;
  bool input = false; // with its head, the length and the labels
};

Shared sharedWith(const Scene& scene, View of) {
  if (of == View::Kernels)
    return {false, scene.kernels.loaded};
  Scene seen = scene;
  seen.view = of;
  return {drawsOwnPattern(scene, of), takesInput(seen)};
}

// "seed 1": another draw has another seed.
bool namesSeed(const std::string& caption) {
  return caption.find("seed") != std::string::npos;
}

// For a picture of a view, and apart from what is looked at one by one.
bool sameSubject(const Scene& a, const Scene& b, View of) {
  Scene looked = a;
  looked.view = b.view; // one looks and comes back
  looked.about = b.about;
  const Shared shared = sharedWith(a, of);
  if (!shared.pattern)
    looked.pattern = b.pattern;
  if (!shared.input) {
    looked.length = b.length;
    looked.labels = b.labels;
    looked.input = b.input;
  }
  takeOtherViews(looked, of, b);
  if (a.kernels.errorOf != KernelsErrorOf::Layers) // which have that many projections
    looked.kernels.chosen = b.kernels.chosen;
  // Projections are drawn again to see what stays; the circle's rotations are its picture.
  if (!namesSeed(b.caption))
    looked.kernels.redraws = b.kernels.redraws;
  looked.hashing.round = b.hashing.round;
  looked.reach.chosen = b.reach.chosen; // which one is edited
  looked.compare.chosen = b.compare.chosen;
  looked.encodings.position = b.encodings.position;
  return sameDocument(looked, b);
}

bool sameMechanisms(const std::vector<Panel>& a, const std::vector<Panel>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Panel& x, const Panel& y) {
    return sameMechanism(x.pattern, y.pattern);
  });
}

// Whether the picture of a view is of the same, whatever its numbers are.
bool sameKind(const Scene& a, const Scene& b, View of) {
  const bool own = !drawsOwnPattern(a, of) || sameMechanism(a.pattern, b.pattern);
  switch (of) {
  case View::Mask:
    return own && sameMechanisms(a.mask.panels, b.mask.panels);
  case View::Reach:
    return own && sameMechanisms(a.reach.stack, b.reach.stack);
  case View::Attention:
    return own && a.attention.picture == b.attention.picture;
  case View::Hashing:
    return own && a.hashing.picture == b.hashing.picture;
  case View::Compare:
    return sameMechanisms(a.compare.patterns, b.compare.patterns);
  case View::Kernels:
    return a.kernels.picture == b.kernels.picture && a.kernels.errorOf == b.kernels.errorOf;
  case View::Timings:
  case View::Encodings:
    break;
  }
  return true;
}

// Whether the title names a number that the pictures of that view no longer have.
bool isStaleTitle(const Scene& edited, const Scene& own, View of) {
  const auto drawnIn = [of](Scene scene) {
    scene.view = of;
    return drawnPatterns(scene);
  };
  const std::vector<Panel> now = drawnIn(edited);
  const std::vector<Panel> before = drawnIn(own);
  for (std::size_t k = 0; k < std::min(now.size(), before.size()); ++k)
    if (tellsChanged(own.title, before[k].pattern, now[k].pattern))
      return true;
  return false;
}

void dropStalePanelWords(Scene& edited, const Scene& own) {
  dropStaleWords(edited.mask.panels, own.mask.panels);
  dropStaleWords(edited.reach.stack, own.reach.stack);
  dropStaleWords(edited.reach.beside, own.reach.beside);
  dropStaleWords(edited.compare.patterns, comparedOf(own.compare));
}

void clearIfSame(std::string& edited, const std::string& own) {
  if (edited == own)
    edited.clear();
}

} // namespace

SceneWords wordsOf(const Scene& scene) {
  if (scene.about && *scene.about != scene.view)
    return {};
  return {scene.title, scene.caption, scene.source};
}

Scene inOwnWords(Scene scene) {
  if (!scene.about || *scene.about == scene.view)
    return scene;
  scene.title.clear();
  scene.caption.clear();
  scene.source.clear();
  scene.about.reset();
  return scene;
}

bool isPublished(const Scene& scene) {
  return !scene.paper.empty() && !wordsOf(scene).source.empty();
}

void dropStaleWords(Scene& edited, const Scene& own) {
  const bool another = edited.title != own.title || edited.source != own.source;
  const View of = own.about.value_or(own.view);
  const bool sourced = !own.source.empty() || !own.paper.empty();
  if (sourced && !another && !sameKind(edited, own, of)) {
    clearIfSame(edited.caption, own.caption);
    edited.title.clear();
    edited.source.clear();
    edited.paper.clear();
    edited.about.reset();
  }
  if (edited.caption == own.caption && tellsNumbers(edited.caption) &&
      !sameSubject(edited, own, of))
    edited.caption.clear();
  if (edited.title == own.title && isStaleTitle(edited, own, of))
    edited.title.clear();
  if (!another)
    dropStalePanelWords(edited, own);
  const bool says = !(edited.title + edited.caption + edited.source).empty();
  if (says && !another && edited.view != own.view)
    edited.about = of;
  if (!says || edited.about == edited.view)
    edited.about.reset();
}

void keepCommonWords(Scene& scene, const Scene& other) {
  if (other.title.empty())
    scene.title.clear();
  if (other.caption.empty())
    scene.caption.clear();
  keepCommonWords(scene.mask.panels, other.mask.panels);
  keepCommonWords(scene.reach.stack, other.reach.stack);
  keepCommonWords(scene.reach.beside, other.reach.beside);
  keepCommonWords(scene.compare.patterns, other.compare.patterns);
}

} // namespace attention
