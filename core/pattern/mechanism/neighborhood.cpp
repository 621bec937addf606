#include "core/pattern/mechanism/neighborhood.h"

#include "core/pattern/canvas_cells.h"
#include "core/pattern/description_builder.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <memory>
#include <string>

namespace attention {
namespace {

using CanvasReading = Neighborhood::Reading;
using CanvasLayout = Neighborhood::Layout;

std::size_t axesOf(const Neighborhood& of) {
  const std::size_t axes = of.shape->size();
  if (axes < 1 || axes > kMostAxes)
    throwRange("shape", "a list of " + countText(axes, "length"), "a list of 1 to 3 lengths");
  return axes;
}

// One value per axis of a list, or the same for all.
template <class One, class Many>
std::vector<Index> perAxis(const char* name, const std::variant<One, Many>& values,
                           std::size_t axes) {
  if (const One* one = std::get_if<One>(&values))
    return std::vector<Index>(axes, static_cast<Index>(*one));
  const Many& list = std::get<Many>(values);
  if (list.size() != axes)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " has " + countText(list.size(), "value") +
                    "; it must have one, or one for each of the " + countText(axes, "axis") +
                    " of shape");
  std::vector<Index> all;
  for (const auto value : list)
    all.push_back(static_cast<Index>(value));
  return all;
}

// The parameters, one per axis.
struct CanvasAxes {
  std::vector<Index> shape;
  std::vector<Index> kernel;
  std::vector<Index> stride;
  std::vector<Index> dilation;
  std::vector<Index> causal;
  std::optional<std::vector<Index>> tile;
};

CanvasAxes axesFrom(const Neighborhood& of) {
  const std::size_t m = axesOf(of);
  CanvasAxes axes{of.shape->get(),
                  perAxis("kernel", *of.kernel, m),
                  perAxis("stride", of.stride, m),
                  perAxis("dilation", of.dilation, m),
                  perAxis("causal", of.causal, m),
                  {}};
  if (of.tile)
    axes.tile = perAxis("tile", *of.tile, m);
  return axes;
}

CanvasLayout layoutOf(const Neighborhood& of) {
  return of.layout.value_or(of.reading == CanvasReading::Sta ? CanvasLayout::Tile
                                                             : CanvasLayout::RowMajor);
}

bool allOnes(const std::vector<Index>& values) {
  return std::all_of(values.begin(), values.end(), [](Index value) { return value == 1; });
}

bool anyTrue(const std::vector<Index>& values) {
  return std::any_of(values.begin(), values.end(), [](Index value) { return value != 0; });
}

void requireTiles(const Neighborhood& of, const CanvasAxes& axes) {
  if (!axes.tile) {
    if (of.reading == CanvasReading::Sta || layoutOf(of) == CanvasLayout::Tile)
      throw Error(ErrorCode::Type, "tile",
                  std::string("tile is missing; ") +
                      (of.reading == CanvasReading::Sta ? "reading sta" : "layout tile") +
                      " requires it");
    return;
  }
  for (std::size_t a = 0; a < axes.shape.size(); ++a) {
    const Index t = (*axes.tile)[a];
    if (axes.shape[a] % t != 0)
      throwRange("tile", std::to_string(t),
                 "a divisor of the length " + std::to_string(axes.shape[a]) + " of its axis");
    if (of.reading == CanvasReading::Sta && axes.kernel[a] % t != 0)
      throwRange("kernel", std::to_string(axes.kernel[a]),
                 "a multiple of tile, " + std::to_string(t) + ", where reading is sta");
  }
}

// Which readings know stride, dilation, causal axes and text.
void requireReading(const Neighborhood& of, const CanvasAxes& axes) {
  if (of.reading != CanvasReading::Natten && !allOnes(axes.stride))
    throwRange("stride", "more than 1", "1 where reading is not natten");
  for (std::size_t a = 0; a < axes.shape.size(); ++a)
    if (axes.stride[a] > axes.kernel[a])
      throwRange("stride", std::to_string(axes.stride[a]),
                 "at most kernel, " + std::to_string(axes.kernel[a]));
  const bool plain = of.reading == CanvasReading::Gym || of.reading == CanvasReading::Sta;
  if (plain && !allOnes(axes.dilation))
    throwRange("dilation", "more than 1", "1 where reading is gym or sta");
  if (plain && anyTrue(axes.causal))
    throwRange("causal", "true", "false where reading is gym or sta");
  if (of.text > 0 && of.reading != CanvasReading::Sta)
    throwRange("text", std::to_string(of.text), "0 where reading is not sta");
}

void requireLength(const Neighborhood& of, const CanvasAxes& axes, Index n) {
  Index cells = 1;
  for (const Index length : axes.shape)
    cells = length > n / cells ? n + 1 : cells * length; // beyond n, they are not counted
  if (cells > n || of.text != n - cells)
    throwRange("shape",
               cells > n ? "one of more than n tokens"
                         : "one of " + countText(cells, "token") +
                               (of.text > 0 ? " with " + std::to_string(of.text) + " of text"
                                            : std::string()),
               "one of n = " + std::to_string(n) + " tokens" +
                   (of.reading == CanvasReading::Sta ? " with text" : ""));
}

void windowParameters(DescriptionBuilder<Neighborhood>& builder) {
  builder
      .given("shape", "x", &Neighborhood::shape,
             "Number of tokens along each axis, such as rows, columns. The last axis varies "
             "fastest. All tokens together, with any text tokens, must number n",
             ParameterType::Integers, true, atLeast(1))
      .perAxis("kernel", "k", &Neighborhood::kernel, "Tokens of the window, along each axis", true,
               atLeast(1))
      .perAxis("stride", "s", &Neighborhood::stride,
               "Neighbouring queries that share a window, along each axis", atLeast(1))
      .visibleIf([](const Neighborhood& of) { return of.reading == CanvasReading::Natten; })
      .perAxis("dilation", "d", &Neighborhood::dilation, "Step from one key to the next",
               atLeast(1))
      .visibleIf([](const Neighborhood& of) {
        return of.reading == CanvasReading::Natten || of.reading == CanvasReading::ZeroPad;
      })
      .perAxis("causal", "", &Neighborhood::causal,
               "Axes that are causal: along them no query sees later positions", anyNumber())
      .visibleIf([](const Neighborhood& of) {
        return of.reading == CanvasReading::Natten || of.reading == CanvasReading::ZeroPad;
      });
}

void readingParameters(DescriptionBuilder<Neighborhood>& builder) {
  builder
      .choice(
          "reading", &Neighborhood::reading, "What the window does at a border",
          {{CanvasReading::Natten, "natten", "NATTEN",
            "The window stays inside, so every query has k keys"},
           {CanvasReading::ZeroPad, "zero_pad", "padded",
            "The window is cut off, so queries at the border have fewer keys"},
           {CanvasReading::Gym, "gym", "gym", "As in attention-gym: k + 1 keys where k is even"},
           {CanvasReading::Sta, "sta", "tiles", "Sliding tiles: whole tiles see whole tiles"}})
      .perAxis("tile", "t", &Neighborhood::tile, "Tokens of a tile, along each axis", false,
               atLeast(1))
      .choice(
          "layout", &Neighborhood::layout, "How tokens are numbered",
          {{CanvasLayout::RowMajor, "row_major", "row by row", "The last axis fastest"},
           {CanvasLayout::Tile, "tile", "tile by tile", "Tiles row by row, and so within a tile"}},
          layoutOf)
      .visibleIf([](const Neighborhood& of) { return of.tile.has_value(); })
      .integer("text", "", &Neighborhood::text,
               "Text tokens after the canvas, which every query sees", "tokens", atLeast(0))
      .visibleIf([](const Neighborhood& of) { return of.reading == CanvasReading::Sta; });
}

} // namespace

CanvasCells canvasOf(const Neighborhood& of) {
  const CanvasAxes axes = axesFrom(of);
  std::vector<AxisWindow> windows;
  for (std::size_t a = 0; a < axes.shape.size(); ++a) {
    AxisSpec spec{axes.shape[a], axes.kernel[a], axes.stride[a], axes.dilation[a],
                  axes.causal[a] != 0};
    spec.border = of.reading == CanvasReading::ZeroPad ? AxisSpec::Border::ZeroPad
                  : of.reading == CanvasReading::Gym   ? AxisSpec::Border::Gym
                                                       : AxisSpec::Border::Natten;
    spec.tile = of.reading == CanvasReading::Sta ? (*axes.tile)[a] : 1;
    windows.emplace_back(spec);
  }
  return {std::move(windows), layoutOf(of) == CanvasLayout::Tile ? axes.tile : std::nullopt};
}

const Description& describe(const Neighborhood&) {
  static const Description kDescription = [] {
    DescriptionBuilder<Neighborhood> builder("neighborhood", "Neighborhood", "Windows");
    builder.summary("A window around the query on a line, an image or a video.")
        .source("Hassani et al. 2023 and 2025 (NATTEN); Zhang et al. 2025 (STA)")
        .definition({"Sᵢ = { j : on every axis q mod d = p mod d and q in I(p) }",
                     "I(p) = k positions around p, moved inside where they stand out"})
        .conventions("An even k looks one further back. s = k with k | x are the windows of Swin. "
                     "attention-gym has k + 1 keys for an even k.")
        .complexity("O(n Πk d)");
    windowParameters(builder);
    readingParameters(builder);
    return builder.build();
  }();
  return kDescription;
}

void checkLengths(const Neighborhood& neighborhood, const Lengths& lengths) {
  requireInLayout("neighborhood", lengths);
  const CanvasAxes axes = axesFrom(neighborhood);
  requireTiles(neighborhood, axes);
  requireReading(neighborhood, axes);
  requireLength(neighborhood, axes, lengths.keys);
}

std::shared_ptr<const Prepared> prepared(const Neighborhood& neighborhood, const Lengths& lengths,
                                         const Run&) {
  const auto cells = std::make_shared<const CanvasCells>(canvasOf(neighborhood));
  std::vector<Part> parts{{"window", "window on every axis", counted(cells),
                           [cells](Index i, Index j) { return cells->explain(i, j); }}};
  if (neighborhood.text > 0)
    parts.push_back(textBehind(lengths.keys - neighborhood.text));
  return fromParts(lengths, std::move(parts));
}

} // namespace attention
