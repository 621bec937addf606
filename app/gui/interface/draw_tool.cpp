#include "app/gui/interface/draw_tool.h"

#include "core/scene/settings_builder.h"

namespace attention::gui {

const Settings<DrawTool>& drawToolSettings() {
  using S = DrawTool;
  using Kind = DrawTool::Kind;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice("tool", &S::kind, "What a drag over the mask draws",
                  {{Kind::Brush, "brush", "brush", "The cells that the pointer goes over"},
                   {Kind::Rectangle, "rectangle", "rectangle", "From corner to corner"},
                   {Kind::Block, "block", "block", "Whole blocks of the block size"},
                   {Kind::Row, "row", "row",
                    "A click takes all keys of the query, a drag those from where it begins"},
                   {Kind::Column, "column", "column",
                    "A click takes all queries of the key, a drag those from where it begins"},
                   {Kind::Diagonal, "diagonal", "diagonal",
                    "A click takes the diagonal of the cell; drag across to make it a band"}})
          .boolean("remove", &S::remove, "What strokes do; Shift turns it over for one stroke")
          .label("strokes")
          .states({"add", "add", "Strokes add cells; with Shift they erase them"},
                  {"remove", "erase", "Strokes erase cells; with Shift they add them"})
          .integer("brush", "", &S::brush,
                   "Side of the brush in cells, and at least what the pointer covers", "",
                   between(1, 1024))
          .label("brush size")
          .handy(32)
          .visibleIf([](const S& tool) { return tool.kind == Kind::Brush; })
          .integer("block", "", &S::block, "Side of a block in tokens", "tokens",
                   between(1, static_cast<double>(kMaxLength)))
          .label("block size")
          .handy(128)
          .visibleIf([](const S& tool) { return tool.kind == Kind::Block; })
          .boolean("mirror", &S::mirror, "Each stroke at (j, i) too")
          .label("mirrored")
          .given("period", "", &S::period,
                 "Repeat each stroke every so many tokens: along the diagonal, or, for a diagonal "
                 "stroke, as parallel diagonals",
                 ParameterType::Integer, false, between(1, static_cast<double>(kMaxLength)))
          .label("repeat every")
          .none("off")
          .build();
  return kAll;
}

bool canDraw(const Scene& scene) {
  return scene.view == View::Mask && scene.mask.panels.empty();
}

} // namespace attention::gui
