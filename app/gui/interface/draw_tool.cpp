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
                   {Kind::Row, "row", "row", "Click for the whole row, drag for a part of it"},
                   {Kind::Column, "column", "column",
                    "Click for the whole column, drag for a part of it"},
                   {Kind::Diagonal, "diagonal", "diagonal",
                    "Click for the diagonal through the cell; drag across to make it a band"}})
          .boolean("remove", &S::remove, "What strokes do; Shift turns it over for one stroke")
          .label("strokes")
          .states({"add", "add", "Strokes add cells; with Shift they erase them"},
                  {"remove", "erase", "Strokes erase cells; with Shift they add them"})
          .integer("brush", "", &S::brush,
                   "Side of the brush in cells; zoomed out, at least the cells under the pointer",
                   "", between(1, 1024))
          .label("brush size")
          .handy(32)
          .visibleIf([](const S& tool) { return tool.kind == Kind::Brush; })
          .integer("block", "", &S::block, "Side of a block in tokens", "tokens",
                   between(1, static_cast<double>(kMaxLength)))
          .label("block size")
          .handy(128)
          .visibleIf([](const S& tool) { return tool.kind == Kind::Block; })
          .boolean("mirror", &S::mirror, "Also draw each stroke mirrored, at (j, i)")
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
