#include "core/scene/mask_spec.h"

#include "core/pattern/heads.h"
#include "core/scene/settings_builder.h"
#include "core/support/error.h"

namespace attention {
namespace {

constexpr double kMostBlockSide = 1 << 30; // as checkBlock has it
constexpr double kMostRanks = 1 << 20;     // as rankWork has it
constexpr double kMostCheckedLayer = 1 << 16;

} // namespace

const Settings<HeadsSpec>& headsSettings() {
  using S = HeadsSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice("shown", &S::shown, "",
                  {{HeadsShown::One, "one", "one", "One mask, without heads"},
                   {HeadsShown::SideBySide, "side_by_side", "side by side", "A mask for each head"},
                   {HeadsShown::Merged, "merged", "merged", "The union of all heads"}})
          .integer("heads", "", &S::heads, "How many heads the mechanism has", "",
                   between(1, kMostHeads))
          .label("number of heads")
          .handy(16)
          .boolean("alternate", &S::alternate, "How the two factors are assigned to the heads")
          .label("factors")
          .states({"A¹ ∪ A²", "A¹ ∪ A²", "Every head is the union (equation 7)"},
                  {"alternating", "alternating", "Heads alternate between A¹ and A² (equation 8)"})
          .integer("subblocks", "", &S::subblocks,
                   "How many different sub-blocks of summary columns the heads take turns with", "",
                   atLeast(1))
          .label("sub-blocks")
          .handy(16)
          .integers("dilations", "", &S::dilations,
                    "The dilation of each head's window: one number per head", atLeast(1))
          .none("all the same")
          .build();
  return kAll;
}

const Settings<ImageSpec>& imageSettings() {
  using S = ImageSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .boolean("shown", &S::shown, "The tokens as the pixels of an image")
          .given("rows", "", &S::rows, "Rows of the image; rows × columns = n",
                 ParameterType::Integer, false, atLeast(1))
          .label("image rows")
          .given("columns", "", &S::columns, "Columns of the image", ParameterType::Integer, false,
                 atLeast(1))
          .build();
  return kAll;
}

const Settings<TilesSpec>& tilesSettings() {
  using S = TilesSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .boolean("shown", &S::shown,
                   "The mask cut into tiles, as block-sparse kernels compute it")
          .integer("queries", "", &S::queries, "Queries of a tile", "", between(1, kMostBlockSide))
          .label("tile queries")
          .handy(512)
          .integer("keys", "", &S::keys, "Keys of a tile", "", between(1, kMostBlockSide))
          .label("tile keys")
          .handy(512)
          .build();
  return kAll;
}

const Settings<RanksSpec>& ranksSettings() {
  using S = RanksSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .boolean("shown", &S::shown, "The queries split over devices, with the pairs of each")
          .integer("ranks", "R", &S::ranks, "How many devices share the queries", "",
                   between(1, kMostRanks))
          .label("number of ranks")
          .handy(64)
          .choice(
              "scheme", &S::scheme, "Which rank has which queries",
              {{RankScheme::Contiguous, "contiguous", "contiguous",
                "The queries are cut into R equal parts; rank r gets part r"},
               {RankScheme::Zigzag, "zigzag", "zigzag",
                "2R parts; each rank gets one from the start and the matching one from the end"},
               {RankScheme::Striped, "striped", "striped",
                "Chunks of queries are dealt to the ranks in turn"},
               {RankScheme::Sorted, "sorted", "sorted",
                "Chunks sorted by their pairs, most first, then dealt to the ranks back and forth"},
               {RankScheme::Greedy, "greedy", "greedy",
                "Chunks from the most pairs to the fewest, each to the rank with the fewest so "
                "far"}})
          .label("scheme")
          .integer("chunk", "", &S::chunk, "Queries that are dealt together", "",
                   between(1, kMostBlockSide))
          .label("chunk")
          .handy(256)
          .visibleIf([](const S& of) {
            return of.scheme != RankScheme::Contiguous && of.scheme != RankScheme::Zigzag;
          })
          .build();
  return kAll;
}

const Settings<CheckSpec>& maskCheckSettings() {
  using S = CheckSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .boolean("shown", &S::shown,
                   "The mask checked: keys in the future, empty rows, the patterns that it equals")
          .text("model", &S::model, "A model with which the mask is compared")
          .integer("layer", "", &S::layer, "The layer of that model, from 0", "",
                   between(0, kMostCheckedLayer))
          .label("model layer")
          .handy(63)
          .visibleIf([](const S& of) { return !of.model.empty(); })
          .build();
  return kAll;
}

const Settings<MaskSpec>& maskSettings() {
  using S = MaskSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice(
              "weights", &S::weights, "What a pixel shows where it covers several cells",
              {{WeightsShown::Off, "off", "off", "The mask without weights"},
               {WeightsShown::Maximum, "maximum", "maximum",
                "A pixel shows the largest weight of its cells"},
               {WeightsShown::Sum, "sum", "sum", "A pixel shows the sum of its cells' weights"}})
          .label("pixel")
          .build();
  return kAll;
}

void check(const MaskSpec& spec) {
  checkSettings(maskSettings(), spec, "mask");
  if (spec.tiles.shown)
    checkSettings(tilesSettings(), spec.tiles, "mask.tiles");
  if (spec.ranks.shown)
    checkSettings(ranksSettings(), spec.ranks, "mask.ranks");
  if (spec.check.shown)
    checkSettings(maskCheckSettings(), spec.check, "mask.check");
}

std::pair<Index, Index> imageShape(const ImageSpec& image, Index n) {
  Index rows = image.rows.value_or(0);
  Index columns = image.columns.value_or(0);
  if (!image.rows && !image.columns) {
    rows = integerSqrt(n);
    while (n % rows != 0)
      --rows;
  }
  if (rows > 0 && columns == 0)
    columns = n / rows;
  if (columns > 0 && rows == 0)
    rows = n / columns;
  // Neither above n: the product of two such fits 64 bits.
  if (rows < 1 || columns < 1 || rows > n || columns > n || rows * columns != n)
    throwRange("image", std::to_string(rows) + " × " + std::to_string(columns),
               "rows × columns = n = " + std::to_string(n));
  return {rows, columns};
}

} // namespace attention
