#include "app/gui/views/attention/single_picture.h"

#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"

namespace attention::gui {
namespace {

constexpr float kHintLine = 22; // at scale 1, as what lies below it
constexpr float kBelowHints = 8;

} // namespace

void drawSingle(const ViewContext& context, const SinglePicture& picture,
                const std::function<void(const Rect& room, Hover& hover)>& drawRoom) {
  const Ui& ui = context.ui;
  const ShownTitle title = shownTitle(context, picture.title, picture.problem);
  const Rect area = areaOfPictures(context, ui.px(kHintLine));
  const std::string words = pictureCaption(context, picture.caption);
  const Rect aboveHints{area.x0, area.y0, area.x1, area.y1 - ui.px(kHintLine)};
  const PictureFrame frame = pictureFrame(ui, aboveHints, {title.words, words});
  if (!context.presented)
    drawAttentionTabs(context, frame.tabs);
  if (!picture.there)
    return drawPictureProblem(context, frame.tabs, picture.problem);
  drawShownTitle(ui, frame.title, title);
  Hover hover;
  drawRoom(frame.room, hover);
  drawCaptionIn(ui, frame.caption, words);
  const float bottom = area.y1 - ui.px(kBelowHints);
  if (!context.presented)
    drawLineIn(ui, {frame.caption.x0, bottom - ui.px(kHintLine), frame.caption.x1, bottom},
               firstFitting(ui, widthOf(frame.caption), picture.hints));
  dimLastGood(context, frame.title, title);
  if (!context.blocked && hover != context.hover)
    context.actions.push(hover);
}

Point inDiagram(const Plot& plot, const Rect& box, float x, float y) {
  const auto& mark = std::get<DiagramMark>(plot.mark);
  const double unit = static_cast<double>(widthOf(box)) / mark.width;
  return {static_cast<double>(x - box.x0) / unit, static_cast<double>(y - box.y0) / unit};
}

} // namespace attention::gui
