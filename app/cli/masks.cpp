#include "app/cli/masks.h"

#include "app/cli/head_selection.h"
#include "app/cli/one_head.h"

#include "core/input/mask_file.h"
#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>
#include <string_view>

namespace attention::cli {
namespace {

// --n cuts a given input to its first tokens; info's --d is the width used for costs.
constexpr std::array<std::string_view, 2> kReadBesideInput{"n", "d"};
// Without an input, --heads means the mechanism's heads.
constexpr std::array<std::string_view, 3> kReadWithoutInput{"n", "d", "heads"};

struct Shape {
  Index rows = 0;
  Index cols = 0;
};

// The lengths that the mask needs: its shape, or for a list of pairs the smallest square that holds
// them.
Shape shapeOf(const MaskSource& mask) {
  if (mask.rows != 0)
    return {mask.rows, mask.cols};
  Index n = 0;
  for (const QueryRun& run : mask.runs)
    n = std::max({n, Index{run.query} + 1, Index{run.end}});
  return {n, n};
}

// The common shape of all masks; lists of pairs have none, and those from files fit any shape that
// holds them.
std::optional<Shape> shapeOfMasks(const std::vector<Pattern>& patterns) {
  std::optional<Shape> stated;
  std::optional<Shape> least;
  for (const Pattern& pattern : patterns)
    for (const MaskSource& mask : masksOf(pattern)) {
      if (mask.file.empty() && mask.rows == 0)
        continue;
      const Shape shape = shapeOf(mask);
      auto& known = mask.rows != 0 ? stated : least;
      if (known && &known == &stated && (known->rows != shape.rows || known->cols != shape.cols))
        throw Error(ErrorCode::Shape, "mask",
                    "the masks have " + std::to_string(known->rows) + " × " +
                        std::to_string(known->cols) + " and " + std::to_string(shape.rows) + " × " +
                        std::to_string(shape.cols) + " cells; their shapes must be equal");
      if (!known || shape.rows > known->rows)
        known = shape;
    }
  const std::optional<Shape> shape = stated ? stated : least;
  return shape && shape->rows > 0 ? shape : std::nullopt;
}

} // namespace

Align alignFrom(const Arguments& arguments) {
  return sameName(arguments.text("align"), "top-left") ? Align::TopLeft : Align::BottomRight;
}

bool hasHeadFlags(const Arguments& arguments) {
  return arguments.has("head-mode") || arguments.has("num-subblocks") || arguments.has("dilations");
}

HeadOptions headsFrom(const Arguments& arguments) {
  HeadOptions options;
  options.heads = arguments.integer("heads").value_or(1);
  options.alternate = arguments.text("head-mode") == "alternate";
  if (const auto subblocks = arguments.integer("num-subblocks"))
    options.subblocks = *subblocks;
  if (const auto* dilations = arguments.find("dilations"))
    options.dilations = integersFromText("dilations", *dilations);
  return options;
}

std::optional<HeadOptions> headsOver(const Arguments& arguments, const Input& input) {
  if (!hasHeadFlags(arguments))
    return std::nullopt;
  HeadOptions options = headsFrom(arguments);
  options.heads = input.heads;
  return options;
}

std::vector<Flag> sharedHeadFlags() {
  return {
      {"head-mode", "merged|alternate",
       "how the mechanism's heads are shared out among the input's"},
      checkedBy(needsCount, {"num-subblocks", "K", "fixed: distinct sub-blocks over the heads"}),
      checkedBy(needsCounts, {"dilations", "R,R,…", "longformer: the dilation of each head"})};
}

std::vector<Flag> maskFlags() {
  return {
      {"n", "N", "length: queries and keys"},
      {"n-q", "A", "queries of a rectangular mask"},
      {"n-k", "B", "keys of a rectangular mask"},
      {"align", "top-left|bottom-right", "which token query i acts as, where n-q and n-k differ"},
      checkedBy(needsCount, {"heads", "H", "heads of the mechanism, each with its own mask"}),
      {"head-mode", "merged|alternate", "both factors in every head, or alternating"},
      checkedBy(needsCount, {"num-subblocks", "K", "fixed: distinct sub-blocks over the heads"}),
      checkedBy(needsCounts, {"dilations", "R,R,…", "longformer: the dilation of each head"}),
      {"threads", "T", "number of threads; 0 uses all"}};
}

std::vector<Flag> withMaskFlags(std::vector<Flag> own, bool json) {
  std::vector<Flag> flags = maskFlags();
  flags.insert(flags.end(), own.begin(), own.end());
  if (json)
    flags.push_back({"json", "", "one JSON object instead of lines"});
  return flags;
}

std::optional<Align> alignOf(const Arguments& arguments, Index queries, Index keys) {
  if (arguments.has("align"))
    return alignFrom(arguments);
  const auto& patterns = arguments.patterns();
  if (!patterns.empty() && std::all_of(patterns.begin(), patterns.end(), ignoresAlignment))
    return Align::TopLeft;
  if (patterns.empty() || !std::all_of(patterns.begin(), patterns.end(), isMadeOfMasks))
    return std::nullopt;
  return queries <= keys ? Align::BottomRight : Align::TopLeft;
}

Lengths lengthsFrom(const Arguments& arguments) {
  const auto n = lengthFrom(arguments, "n");
  const auto queries = lengthFrom(arguments, "n-q");
  const auto keys = lengthFrom(arguments, "n-k");
  if (n && queries && keys && *n != *keys && !namesInput(arguments, kReadWithoutInput))
    throw Error(ErrorCode::Type, "n",
                "n is " + std::to_string(*n) + ", but n-k is " + std::to_string(*keys) +
                    "; one of the two must be left out");
  std::optional<Shape> shape;
  if (!n && !(queries && keys))
    shape = shapeOfMasks(arguments.patterns());
  if (!n && !(queries && keys) && !shape)
    throw Error(ErrorCode::N, "n",
                "n is missing; it must be given by --n, an integer of at least 1");
  const Index rows = queries ? *queries : n ? *n : shape->rows;
  const Index columns = keys ? *keys : n ? *n : shape->cols;
  const auto align = alignOf(arguments, rows, columns);
  if (rows != columns && !align)
    throw Error(ErrorCode::Shape, "n-q",
                "n-q is " + std::to_string(rows) + " and n-k is " + std::to_string(columns) +
                    "; different lengths need --align top-left or bottom-right");
  return align ? alignedLengths(rows, columns, *align) : squareLengths(rows);
}

bool readsInput(const Arguments& arguments) {
  const auto& patterns = arguments.patterns();
  return arguments.on("measure") || std::any_of(patterns.begin(), patterns.end(), needsData) ||
         (std::any_of(patterns.begin(), patterns.end(), mayNeedData) &&
          namesInput(arguments, kReadWithoutInput));
}

InputSpec maskInputSpec(const Arguments& arguments) {
  return inputSpecFrom(arguments, kReadBesideInput);
}

namespace {

// Tokens are both queries and keys, unless what is measured says otherwise, or mechanisms choose
// for any queries.
Lengths lengthsOver(const Arguments& arguments, const Input& input) {
  const bool aligned = arguments.has("n-q") || arguments.has("n-k") || arguments.has("align");
  const bool rectangular = judgeLengths(arguments.patterns());
  if (aligned && !arguments.on("measure") && !rectangular)
    throw Error(ErrorCode::Unsupported, "align",
                "a pattern depends on the data of every token; the mask must be square");
  if (aligned)
    return arguments.has("n-q") || arguments.has("n-k")
               ? lengthsFrom(arguments)
               : alignedLengths(input.queries, input.keys, alignFrom(arguments));
  const auto align = alignOf(arguments, input.queries, input.keys);
  if (rectangular && align && input.queries != input.keys)
    return alignedLengths(input.queries, input.keys, *align);
  if ((arguments.on("measure") || rectangular) && input.queries != input.keys)
    failLengths(input);
  return squareLengths(lengthFrom(arguments, "n").value_or(input.keys));
}

void sayCut(const MaskSubject& subject, std::ostream& err) {
  if (subject.lengths.square() && subject.lengths.keys < subject.input->keys)
    err << "attnx: note: only the first " << subject.lengths.keys << " of the input's "
        << subject.input->keys << " tokens are used\n";
}

} // namespace

PatternData dataOver(const Arguments& arguments, const Input& input, const Lengths& lengths,
                     const Run& run) {
  const auto align = alignOf(arguments, input.queries, input.keys);
  return inputData(arguments.patterns(), input, input.batch, input.head, lengths,
                   align.value_or(Align::TopLeft), run);
}

MaskSubject subjectFrom(const Arguments& arguments, const Context& context) {
  if (!readsInput(arguments))
    return {arguments.patterns(), lengthsFrom(arguments), {}, std::nullopt};
  MaskSubject subject;
  subject.spec = maskInputSpec(arguments);
  subject.input = loadedInput(*subject.spec, arguments, context.run);
  const Input& input = *subject.input;
  sayNotes(arguments, input, context.notes);
  sayMaskAxis(arguments, input, context.notes);
  subject.lengths = lengthsOver(arguments, input);
  sayCut(subject, context.notes);
  const auto& given = arguments.patterns();
  if (arguments.on("measure") || std::any_of(given.begin(), given.end(), needsData))
    sayOneHead(arguments, input, context.notes);
  const HeadSelection head{true, input.batch, 1, input.head, 1, {}};
  subject.patterns = withOneMask(arguments, input, head, context.run).patterns();
  subject.d = input.d;
  subject.dv = input.dv;
  const auto& patterns = subject.patterns;
  const bool mayRead = std::any_of(patterns.begin(), patterns.end(), mayNeedData) &&
                       input.hasQkv() && input.queries == input.keys;
  if (mayRead || std::any_of(patterns.begin(), patterns.end(), needsData))
    subject.data = dataOver(arguments, input, subject.lengths, context.run);
  return subject;
}

PreparedHeads preparedPatterns(const Arguments& arguments, const Context& context) {
  const MaskSubject subject = subjectFrom(arguments, context.part(0, 0.1));
  return preparedPatterns(subject, partOf(context.run, 0.1, 1));
}

PreparedHeads preparedPatterns(const MaskSubject& subject, const Run& run) {
  const auto& patterns = subject.patterns;
  PreparedHeads prepared;
  for (const Pattern& pattern : patterns)
    prepared.push_back(prepare(
        pattern, subject.lengths, subject.data,
        stepOf(run, static_cast<Index>(prepared.size()), static_cast<Index>(patterns.size()))));
  return prepared;
}

namespace {

bool givesHeads(const Arguments& arguments) {
  const bool several = arguments.has("heads") || hasHeadFlags(arguments);
  return several && !readsInput(arguments); // there --heads means the input's heads
}

// Each of several heads has its own mask of a file of several: E_TYPE where one of these is chosen,
// E_RANGE where there are fewer.
void requireMasksOfHeads(const Arguments& arguments, const Pattern& pattern) {
  const Index heads = headsFrom(arguments).heads;
  for (const MaskSource& mask : masksOf(pattern)) {
    const MaskAxes axes = mask.file.empty() ? MaskAxes{} : maskAxes(mask.file);
    if (axes.heads == 1)
      continue;
    const MaskPlane plane = maskReference(mask.file).plane;
    if (plane.head || (axes.oneAxis && plane.batch))
      throw Error(ErrorCode::Type, "heads",
                  "heads is " + std::to_string(heads) + ", but " +
                      (arguments.has("head-index")              ? "head-index"
                       : axes.oneAxis && arguments.has("batch") ? "batch"
                                                                : mask.file) +
                      " chooses the mask of one head; one of the two must be left out");
    if (heads > axes.heads)
      throwRange("heads", std::to_string(heads),
                 "at most " + std::to_string(axes.heads) + ", since " + mask.file +
                     " has masks of " + countText(axes.heads, "head"));
  }
}

} // namespace

Pattern patternOfHeads(const Arguments& arguments) {
  const Pattern& pattern = arguments.patterns().front();
  if (!givesHeads(arguments) || headsFrom(arguments).heads == 1)
    return pattern; // a single head takes whichever mask is chosen
  requireMasksOfHeads(arguments, pattern);
  return withHeadChosen(pattern);
}

std::vector<Pattern> patternsOfHeads(const Arguments& arguments) {
  const Pattern pattern = patternOfHeads(arguments);
  if (!givesHeads(arguments))
    return {pattern};
  const HeadOptions options = headsFrom(arguments);
  return (options.heads == 1 ? headPatterns : headPatternsOf)(pattern, options,
                                                              lengthsFrom(arguments).keys);
}

PreparedHeads preparedHeads(const Arguments& arguments, const Context& context) {
  if (readsInput(arguments))
    return preparedPatterns(arguments, context);
  const Lengths lengths = lengthsFrom(arguments);
  const std::vector<Pattern> patterns = patternsOfHeads(arguments);
  PreparedHeads heads;
  for (const Pattern& pattern : patterns)
    heads.push_back(prepare(resolveFiles(pattern), lengths,
                            stepOf(context.run, static_cast<Index>(heads.size()),
                                   static_cast<Index>(patterns.size()))));
  return heads;
}

namespace {

// Notes which masks of a file with one per head --heads leaves out.
void sayUnreadMasks(const std::string& named, Index heads, std::ostream& err) {
  const MaskAxes axes = maskAxes(named);
  if (axes.batches > 1 && !maskReference(named).plane.batch)
    err << "attnx: note: " << named << " has masks of " << axes.batches
        << " layers; those of the first are read. Name others as " << named << "[batch=B]\n";
  if (heads < axes.heads)
    err << "attnx: note: " << named << " has masks of " << axes.heads
        << " heads; those of the first " << heads << " are read\n";
}

// Notes which masks the name leaves open: "heads.npy[batch=B,head=H]" names one.
void sayOpenMasks(const std::string& named, std::ostream& err) {
  const MaskReference reference = maskReference(named);
  const MaskAxes axes = maskAxes(named);
  const Index open = axes.leftOpenBy(reference.plane);
  if (open == 1)
    return;
  const bool both = axes.batches > 1 && axes.heads > 1;
  err << "attnx: note: " << named << " offers a choice of " << open << " masks"
      << (axes.oneAxis ? ", one per head" : "") << "; the first is read. Name another as "
      << reference.file << '[' << (axes.batches > 1 ? "batch=B" : "") << (both ? "," : "")
      << (axes.heads > 1 ? "head=H" : "") << "]\n";
}

bool namesLength(const Arguments& arguments) {
  return arguments.has("n") || arguments.has("n-k") || readsInput(arguments) ||
         namesInput(arguments);
}

// Whether something besides the mask says how many queries and keys there are.
bool statesLengths(const Arguments& arguments) {
  return namesLength(arguments) || arguments.has("n-q") || arguments.has("align");
}

// Pairs do not tell how many queries and keys there are.
void sayLengthOfPairs(const MaskSource& mask, std::ostream& err) {
  const Shape shape = shapeOf(mask);
  err << "attnx: note: " << mask.file << " lists pairs; their largest index makes n "
      << std::max(shape.rows, shape.cols) << ", unless --n says otherwise\n";
}

bool isArrayFile(const std::string& file) {
  const std::string ending = endingOf(maskReference(file).file);
  return ending == ".npy" || ending == ".npz" || ending == ".safetensors";
}

// Of a mask in a file.
void sayMask(const Arguments& arguments, const MaskSource& mask, Index heads, std::ostream& notes) {
  const std::filesystem::path file = maskReference(mask.file).file;
  const auto say = [&](const std::string& doubt) {
    if (!doubt.empty())
      notes << "attnx: note: in " << mask.file << ' ' << doubt << '\n';
  };
  if (!arguments.namesArrays() && heads > 1)
    sayUnreadMasks(mask.file, heads, notes);
  else if (!arguments.namesArrays())
    sayOpenMasks(mask.file, notes);
  if (mask.rows < mask.cols && isArrayFile(mask.file) && !statesLengths(arguments))
    notes << "attnx: note: " << mask.file << " is read as " << countText(mask.rows, "query")
          << " and " << countText(mask.cols, "key")
          << "; if it is a padding mask (batch, n), it does not say which query sees which key\n";
  say(doubtOfName(file));
  if (mask.runs.empty())
    say(wordsOfEmpty(readMask(mask.file)));
  if (mask.rows > 0 || mask.runs.empty())
    return; // is no list of pairs
  if (!namesLength(arguments))
    sayLengthOfPairs(mask, notes);
  say(doubtOfPairs(file, mask.runs));
}

} // namespace

void sayMasks(const Arguments& arguments, const Grammar& grammar, const Context& context) {
  const bool spreads = std::any_of(grammar.flags.begin(), grammar.flags.end(),
                                   [](const Flag& flag) { return flag.name == "head-mode"; });
  const Index heads = spreads ? headsFrom(arguments).heads : 1;
  for (const Pattern& pattern : arguments.patterns())
    for (const MaskSource& mask : masksOf(pattern)) {
      if (mask.pairsOrRows && arguments.integer("n") == 2 && mask.pairs.size() == 2)
        context.notes
            << "attnx: note: the mask's two lists are read as rows of 0 and 1; pairs must be "
               "written {\"shape\": [2, 2], \"pairs\": …}\n";
      if (!mask.file.empty())
        sayMask(arguments, mask, heads, context.notes);
    }
}

std::shared_ptr<const Prepared> onlyHead(const Arguments& arguments, const Context& context) {
  auto heads = preparedHeads(arguments, context);
  if (heads.size() != 1)
    throw Error(ErrorCode::Unsupported, "heads",
                "heads is " + std::to_string(heads.size()) +
                    "; it must be 1, since this command answers for one head");
  return heads.front();
}

BlockSize blockFrom(const Arguments& arguments) {
  const std::string* text = arguments.find("block");
  if (!text)
    return {};
  const std::size_t cross = text->find_first_of("xX");
  const auto numberOf = [&](const std::string& part) {
    const auto numbers = integersFromText("block", part);
    if (numbers.size() == 1 && numbers.front() < 1)
      throwRange("block", *text, "at least 1 in both directions");
    if (numbers.size() != 1)
      throw Error(ErrorCode::Type, "block",
                  "block is " + *text +
                      "; it must be BQxBK, as in 128x64, or one integer for both");
    return numbers.front();
  };
  if (cross == std::string::npos) {
    const Index both = numberOf(*text);
    return {both, both};
  }
  return {numberOf(text->substr(0, cross)), numberOf(text->substr(cross + 1))};
}

} // namespace attention::cli
