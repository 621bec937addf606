// The list of heads in the Attention view: what each does, sorted by a press on a heading.
#pragma once

#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "core/plot/figure.h"
#include "core/views/heads/head_list.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

class ViewStages;
struct PanelContext;

struct HeadListShown {
  std::string title;
  std::string caption;
  std::vector<std::size_t> order; // of the heads, those that the list has
  MeasuredHeads heads;
  HeadListSpec spec;
  HeadListLook look;
  std::vector<std::string> reading;
};

struct HeadListResults {
  Latest<MeasuredHeads> heads; // a part of them while their job runs
  Latest<HeadListShown> shown;
  std::optional<Problem> problem = {};

  bool pending() const { return heads.pending || shown.pending; }
};

std::unique_ptr<ViewPane> headListPane();
std::unique_ptr<ViewStages> headListStages(Results& results);
void drawHeadListOptions(const PanelContext& context);
void drawHeadListFacts(const PanelContext& context);

} // namespace attention::gui
