#include "core/scene/scene_words.h"

#include <algorithm>

namespace attention {
namespace {

// Apart from what is looked at one by one.
bool sameSubject(const Scene& a, const Scene& b) {
  Scene looked = a;
  looked.view = b.view; // one looks and comes back
  looked.about = b.about;
  if (a.kernels.errorOf != KernelsErrorOf::Layers) // which have that many projections
    looked.kernels.chosen = b.kernels.chosen;
  looked.kernels.redraws = b.kernels.redraws;
  looked.hashing.circle.redraws = b.hashing.circle.redraws;
  looked.hashing.round = b.hashing.round;
  looked.encodings.position = b.encodings.position;
  return sameDocument(looked, b);
}

bool sameMechanism(const Pattern& a, const Pattern& b) {
  return a.mechanism.index() == b.mechanism.index();
}

bool sameMechanisms(const std::vector<Panel>& a, const std::vector<Panel>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Panel& x, const Panel& y) {
    return sameMechanism(x.pattern, y.pattern);
  });
}

// What the picture is of, whatever its numbers are.
bool sameKind(const Scene& a, const Scene& b) {
  return sameMechanism(a.pattern, b.pattern) && sameMechanisms(a.mask.panels, b.mask.panels) &&
         sameMechanisms(a.reach.stack, b.reach.stack) &&
         sameMechanisms(a.compare.patterns, b.compare.patterns) &&
         a.attention.picture == b.attention.picture && a.kernels.picture == b.kernels.picture &&
         a.hashing.picture == b.hashing.picture;
}

bool tellsNumbers(const std::string& caption) {
  return std::any_of(caption.begin(), caption.end(), [](char c) { return c >= '0' && c <= '9'; });
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

void dropStaleWords(Scene& edited, const Scene& own) {
  const bool another = edited.title != own.title || edited.source != own.source;
  const bool published = !own.source.empty() || !own.paper.empty();
  if (published && !another && !sameKind(edited, own)) {
    clearIfSame(edited.caption, own.caption);
    edited.title.clear();
    edited.source.clear();
    edited.paper.clear();
    edited.about.reset();
  }
  if (edited.caption == own.caption && tellsNumbers(edited.caption) && !sameSubject(edited, own))
    edited.caption.clear();
  const bool says = !(edited.title + edited.caption + edited.source).empty();
  if (says && !another && edited.view != own.view)
    edited.about = own.about.value_or(own.view);
  if (!says || edited.about == edited.view)
    edited.about.reset();
}

} // namespace attention
