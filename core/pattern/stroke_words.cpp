// Strokes in words.
#include "core/pattern/strokes.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

namespace attention {
namespace {

std::string number(Index x) {
  return x < 0 ? "−" + std::to_string(-x) : std::to_string(x);
}

// "4 … 7": the last one is in it.
std::string range(Index begin, Index end) {
  return end - begin == 1 ? number(begin) : number(begin) + " … " + number(end - 1);
}

std::string placeText(Stroke::Shape shape, const IndexPlace& at) {
  const auto whole = [&](const char* others) {
    return number(at[0]) +
           (at.size() < 3 ? "" : ", " + std::string(others) + " " + range(at[1], at[2]));
  };
  switch (shape) {
  case Stroke::Shape::Cells:
    return "cell (" + number(at[0]) + ", " + number(at[1]) + ")";
  case Stroke::Shape::Rectangle:
    return "queries " + range(at[0], at[1]) + ", keys " + range(at[2], at[3]);
  case Stroke::Shape::Row:
    return "query " + whole("keys");
  case Stroke::Shape::Column:
    return "key " + whole("queries");
  case Stroke::Shape::Diagonal:
    break;
  }
  const Index end = at[0] + (at.size() == 2 ? at[1] : 1);
  if (at == removeFuture().at[0])
    return "all above the diagonal";
  return agreeing(end - at[0], "diagonal", "diagonals") + std::string(" i − j = ") +
         range(at[0], end);
}

// Whether the words of a place can be said: nothing has checked it yet.
bool isPlace(const Stroke& stroke) {
  try {
    checkStrokes("strokes", {stroke});
    return true;
  } catch (const Error&) {
    return false;
  }
}

} // namespace

std::string textOf(const Stroke& stroke) {
  std::string words = stroke.add ? "add " : "remove ";
  if (stroke.at.size() == 1 && isPlace(stroke))
    words += placeText(stroke.shape, stroke.at[0]);
  else
    words += countText(stroke.at.size(),
                       stroke.shape == Stroke::Shape::Cells ? "cell" : name(stroke.shape));
  if (stroke.period > 0)
    words += ", every " + number(stroke.period);
  return words + (stroke.mirror ? ", mirrored" : "");
}

} // namespace attention
