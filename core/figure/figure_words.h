// What a Scene says about itself as words of its figure.
#pragma once

#include "core/figure/figure.h"
#include "core/scene/scene.h"

#include <string>

namespace attention {

// These come before what is known of the picture in general.
Figure inWordsOf(const Scene& scene, Figure figure);

// Another sentence after the caption, if there is one.
void addToCaption(Figure& figure, const std::string& sentence);

} // namespace attention
