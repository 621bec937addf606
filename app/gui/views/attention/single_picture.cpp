#include "app/gui/views/attention/single_picture.h"

#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"

namespace attention::gui {
namespace {

constexpr float kHintLine = 22; // at scale 1, as what lies below it
constexpr float kBelowHints = 8;

} // namespace

PictureFrame singleFrame(const ViewContext& context, const SinglePicture& picture) {
  const Rect area = areaOfPictures(context, context.ui.px(kHintLine));
  const Rect aboveHints{area.x0, area.y0, area.x1, area.y1 - context.ui.px(kHintLine)};
  return pictureFrame(context.ui, aboveHints,
                      {.title = shownTitle(context, picture.title, picture.problem).words,
                       .caption = pictureCaption(context, picture.caption),
                       .captionFont = picture.captionFont});
}

void drawSingle(const ViewContext& context, const SinglePicture& picture,
                const std::function<void(const Rect& room, Hover& hover)>& drawRoom) {
  const Ui& ui = context.ui;
  const ShownTitle title = shownTitle(context, picture.title, picture.problem);
  const PictureFrame frame = singleFrame(context, picture);
  if (!context.presented)
    drawAttentionTabs(context, frame.tabs);
  if (!picture.there)
    return drawPictureProblem(context, frame.tabs, picture.problem);
  drawShownTitle(ui, frame.title, title);
  Hover hover;
  drawRoom(frame.room, hover);
  drawCaptionIn(ui, frame.caption, pictureCaption(context, picture.caption), picture.captionFont);
  const float bottom = areaOfPictures(context, ui.px(kHintLine)).y1 - ui.px(kBelowHints);
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
