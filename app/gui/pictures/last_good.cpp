#include "app/gui/pictures/last_good.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

ShownTitle shownTitle(const ViewContext& context, const std::string& title,
                      const std::optional<Problem>& problem) {
  if (isError(problem))
    return {"✗ " + problem->text, true};
  return {pictureTitle(context, title), false};
}

void drawShownTitle(const Ui& ui, const Rect& area, const ShownTitle& title) {
  if (!title.wrong)
    return drawPictureTitle(ui, area, title.words);
  const ImVec2 at(area.x0, area.y0 + ui.px(2));
  drawText(ui.fonts.small, at, ui.colors().bad,
           inLines(ui.fonts.small, title.words, widthOf(area)));
  recordText(ui, title.words, at, ImVec2(area.x1, area.y1));
}

void drawUnmade(const ViewContext& context, const std::optional<Problem>& problem,
                const char* working) {
  const float margin = context.ui.px(kViewMargin);
  const Rect& area = context.area;
  const Lines lines({area.x0 + margin, area.y0 + margin, area.x1 - margin, area.y1});
  if (problem)
    note(context.ui, *problem);
  else if (*working != '\0')
    caption(context.ui, working);
}

void dimLastGood(const ViewContext& context, const Rect& area, const ShownTitle& title) {
  if (title.wrong)
    dim(context.ui, {context.area.x0, area.y1, context.area.x1, context.area.y1});
}

} // namespace attention::gui
