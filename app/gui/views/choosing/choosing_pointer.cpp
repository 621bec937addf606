#include "app/gui/views/choosing/choosing_pointer.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "app/gui/widgets/group_digits.h"

#include <cmath>
#include <numbers>

namespace attention::gui {
namespace {

constexpr float kFrameWidth = 1.5F;
constexpr float kLeastFrame = 3; // points: smaller boxes are framed as large as this

// A box of the diagram on the screen.
Rect placed(const Rect& box, double unit, const Box& at) {
  const auto x = box.x0 + static_cast<float>(unit * at.x);
  const auto y = box.y0 + static_cast<float>(unit * at.y);
  return {x, y, x + static_cast<float>(unit * at.width), y + static_cast<float>(unit * at.height)};
}

void frame(const ViewContext& context, Rect at) {
  const float least = context.ui.px(kLeastFrame);
  const float wider = std::max(0.0F, least - widthOf(at)) / 2;
  at.x0 -= wider;
  at.x1 += wider;
  gui::box(at, color(context.ui.colors().text), context.ui.px(kFrameWidth));
}

void frameToken(const ViewContext& context, const SortingShown& sorting, const Rect& box,
                double unit, Index token) {
  const SortingPlaces& places = sorting.places;
  frame(context, placed(box, unit, places.token(token)));
  frame(context, placed(box, unit, places.origin(token)));
  for (std::size_t row = 0; row < places.rounds(); ++row)
    frame(context, placed(box, unit, places.round(row, token)));
}

void chooseRound(const ViewContext& context, std::size_t row) {
  context.actions.edit("round", [row](Scene& s) { s.choosing.round = static_cast<Index>(row); });
}

// For the picture on the screen, which may be older than the Scene.
const HashedTokens& tokensOf(const ViewContext& context) {
  return *context.results.part<ChoosingResults>().shown->answer.tokens;
}

const GroupRound& roundOf(const ViewContext& context) {
  const HashedTokens& tokens = tokensOf(context);
  return tokens.groups().rounds[tokens.round(context.results.part<ChoosingResults>().shown->spec)];
}

Index at(const std::vector<Index>& list, Index place) {
  return list[static_cast<std::size_t>(place)];
}

// Row and column of a cell in its matrix.
void frameCell(const ViewContext& context, const Rect& box, bool sorted) {
  const HashedTokens& tokens = tokensOf(context);
  const auto n = static_cast<float>(tokens.n());
  const GroupRound& round = roundOf(context);
  const float wide = widthOf(box) / n;
  const float high = heightOf(box) / n;
  if (const auto i = tokenShown(context)) {
    const Index row = sorted ? at(round.queries.rank, *i) : *i;
    const float y = box.y0 + high * static_cast<float>(row);
    gui::box({box.x0, y, box.x1, y + high}, color(context.ui.colors().text), context.ui.px(1));
  }
  const auto j = context.hover.key;
  if (j && *j < tokens.n()) {
    const Index column = sorted ? at(round.keys.rank, *j) : *j;
    const float x = box.x0 + wide * static_cast<float>(column);
    gui::box({x, box.y0, x + wide, box.y1}, color(context.ui.colors().text), context.ui.px(1));
  }
}

} // namespace

std::optional<Index> tokenShown(const ViewContext& context) {
  const auto& tokens = context.results.part<ChoosingResults>().shown->answer.tokens;
  if (!tokens)
    return std::nullopt;
  const auto i = context.hover.query ? context.hover.query : context.scene.pins.query;
  return i && *i >= 0 && *i < tokens->n() ? i : std::nullopt;
}

std::string tokenWords(const ViewContext& context, Index token) {
  const ChoosingShown& shown = *context.results.part<ChoosingResults>().shown;
  const HashedTokens& tokens = *shown.answer.tokens;
  return visibleText(
      attention::tokenWords(tokens, tokens.round(shown.spec), shown.answer.labels, token));
}

void pointAtSorting(const ViewContext& context, const Rect& box, const CanvasInput& input,
                    std::optional<Hover>& hover) {
  const SortingShown& sorting = *context.results.part<ChoosingResults>().sorting;
  const double unit = static_cast<double>(widthOf(box)) / sorting.places.width();
  if (input.hovered) {
    const Point pointer{static_cast<double>(input.mouseX - box.x0) / unit,
                        static_cast<double>(input.mouseY - box.y0) / unit};
    const SortingPlaces::Place place = sorting.places.under(pointer);
    if (place.query && *place.query < tokensOf(context).n()) {
      hover = Hover{place.query, std::nullopt};
      tooltip(context.ui, tokenWords(context, *place.query));
    }
    const bool rounds = sorting.tokens->groups().rounds.size() > 1;
    if (input.clicked && place.round && rounds)
      chooseRound(context, *place.round);
    else if (input.clicked && place.query)
      context.actions.push(SetPins{{place.query, context.scene.pins.key}});
  }
  const auto token = tokenShown(context);
  if (token && *token < sorting.tokens->n())
    frameToken(context, sorting, box, unit, *token);
}

void pointAtMatrix(const ViewContext& context, const Rect& box, const CanvasInput& input,
                   bool sorted, std::optional<Hover>& hover) {
  const HashedTokens& tokens = tokensOf(context);
  ValuesMark whole;
  whole.cells = tokens.prepared->bounds();
  const auto cell =
      input.hovered ? cellUnder(whole, box, ImVec2(input.mouseX, input.mouseY)) : std::nullopt;
  if (cell) {
    const GroupRound& round = roundOf(context);
    const Index i = sorted ? at(round.queries.order, *cell->query) : *cell->query;
    const Index j = sorted ? at(round.keys.order, *cell->key) : *cell->key;
    hover = Hover{i, j};
    const Explanation why = tokens.prepared->why(i, j);
    tooltip(context.ui, "query " + groupDigits(i) + " → key " + groupDigits(j) + "\n" +
                            (why.attends ? "✓ " : "✗ ") + why.text);
    if (input.clicked)
      context.actions.push(SetPins{{i, j}});
  }
  frameCell(context, box, sorted);
}

void pointAtCircle(const ViewContext& context, const Rect& box, const CanvasInput& input,
                   std::size_t round, std::size_t pair) {
  if (!input.hovered)
    return;
  const CircleAnswer& circle = *context.results.part<ChoosingResults>().shown->answer.circle;
  const double unit = static_cast<double>(widthOf(box)) / kCircleSide;
  const auto angle = angleUnder(circle, round,
                                {static_cast<double>(input.mouseX - box.x0) / unit,
                                 static_cast<double>(input.mouseY - box.y0) / unit});
  if (!angle)
    return;
  const CirclePair& of = circle.pairs[pair];
  for (const bool second : {false, true})
    if (std::abs(std::remainder(*angle - (second ? of.second : of.first), 2 * std::numbers::pi)) <
        kNearAngle)
      return tooltip(context.ui, pointWords(circle, pair, round, second));
  for (const Sector& sector : circle.rounds[round].sectors)
    for (const double turned : {*angle, *angle + 2 * std::numbers::pi})
      if (turned >= sector.from && turned < sector.to)
        return tooltip(context.ui, sectorWords(sector));
}

} // namespace attention::gui
