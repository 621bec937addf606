// A pattern in a picture of several. Plain data of the Scene.
#pragma once

#include "core/pattern/pattern.h"

#include <string>
#include <vector>

namespace attention {

// A pattern with words above it, in a figure of several. Title and labels may have marked numbers
// (marked_words.h): "last [4](window) tokens".
struct Panel {
  std::string title;
  Pattern pattern;
  std::vector<PartLook> parts =
      {}; // words and hues of the pattern's parts, where its own do not fit
  // Labels of the rows and columns where they are not the tokens in their order: sorted queries.
  std::vector<std::string> queries = {};
  std::vector<std::string> keys = {};
  bool operator==(const Panel&) const = default;
};

// Its own title and its parts' words, with the numbers that the pattern has now.
std::string ownTitle(const Panel& panel);
std::vector<PartLook> looksOf(const Panel& panel);

// The title of each where all are shown: its own, else its pattern's, including a default where
// another states its value of it.
std::vector<std::string> titlesOf(const std::vector<Panel>& panels);

} // namespace attention
