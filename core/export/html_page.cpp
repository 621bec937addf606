#include "core/export/html_page.h"

#include "core/export/embedded_scene.h"
#include "core/export/page_figure.h"
#include "core/input/replace_file.h"
#include "core/plot/figure.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include "embedded/page.h"

#include <cstdio>
#include <ostream>

namespace attention {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

std::string hex(const Color& color) {
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x%02x", color.r, color.g, color.b, color.a);
  return color.a == 255 ? std::string(text, 7) : text;
}

std::string rulesOf(const PageColors& colors, bool dark) {
  std::string rules;
  for (std::size_t k = 0; k < colors.pairs().size(); ++k) {
    const auto& [light, other] = colors.pairs()[k];
    const std::string color = hex(dark ? other : light);
    const std::string name = std::to_string(k);
    rules.append(".f").append(name).append("{fill:").append(color).append("}");
    rules.append(".s").append(name).append("{fill:none;stroke:").append(color).append("}\n");
  }
  return rules;
}

std::string tableName(std::size_t k, bool dark) {
  return "ax-t" + std::to_string(k) + (dark ? "-dark" : "");
}

std::string tableRules(const PageColors& colors, bool dark) {
  std::string rules;
  for (std::size_t k = 0; k < colors.tables().size(); ++k)
    rules += ".t" + std::to_string(k) + "{filter:url(#" + tableName(k, dark) + ")}\n";
  return rules;
}

// The filters that those rules name.
std::string tablesOf(const PageColors& colors, PageTheme theme) {
  std::string filters;
  for (std::size_t k = 0; k < colors.tables().size(); ++k) {
    filters += levelFilter(colors.tables()[k], false, tableName(k, false));
    if (theme == PageTheme::Page)
      filters += levelFilter(colors.tables()[k], true, tableName(k, true));
  }
  return filters.empty()
             ? filters
             : "<svg class=\"ax-tables\" aria-hidden=\"true\">\n" + filters + "</svg>\n";
}

std::string widthsOf(const PageColors& colors) {
  std::string rules;
  for (std::size_t k = 0; k < colors.widths().size(); ++k)
    rules += ".w" + std::to_string(k) + "{stroke-width:" + svgNumber(colors.widths()[k]) + "}\n";
  return rules;
}

std::string styleOf(const PageColors& colors, PageTheme theme) {
  const auto page = [](FigureTheme of) {
    const FigureColors& all = figureColors(of);
    return "body{background:" + hex(all.ground) + ";color:" + hex(all.text) + "}\n";
  };
  std::string style(embedded::page::text("figure.css"));
  style += widthsOf(colors) + tableRules(colors, false);
  if (theme == PageTheme::Dark)
    return style + ":root{color-scheme:dark}\n" + page(FigureTheme::Dark) + rulesOf(colors, false);
  style += page(FigureTheme::Light) + rulesOf(colors, false);
  if (theme == PageTheme::Page)
    style += ":root{color-scheme:light dark}.dark{display:none}\n"
             "@media (prefers-color-scheme: dark){.light{display:none}"
             ".dark{display:inline}\n" +
             page(FigureTheme::Dark) + rulesOf(colors, true) + tableRules(colors, true) + "}\n";
  return style;
}

// Its files in one function, so that they share nothing with a page around them.
std::string scriptOf() {
  std::string script = "<script>\n\"use strict\";\n(() => {\n";
  for (const char* file : {"facts.js", "figure.js"})
    script += embedded::page::text(file);
  return script + "})();\n</script>\n";
}

// What stands around the body; the Scene of the page's first figure travels in it.
std::string pageAround(const std::string& body, const std::string& title, const PageParts& parts,
                       const PageOptions& options, const std::optional<Scene>& scene) {
  std::string page = std::string(kPageStart) +
                     "<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
                     escapedMarkup(title.empty() ? "Attention Explorer" : title) +
                     "</title>\n<style>\n" + styleOf(parts.colors, options.theme) +
                     "</style>\n</head>\n<body>\n" + body + tablesOf(parts.colors, options.theme) +
                     parts.drawings.html();
  if (scene)
    page += std::string(kSceneScript) + inScript(sceneLine(*scene)) + "</script>\n";
  page += scriptOf() + "</body>\n</html>\n";
  if (page.size() > kMostBytes)
    throwRange("page", std::to_string(page.size() >> 20) + " MiB",
               "at most " + std::to_string(kMostBytes >> 20) +
                   " MiB for a browser; show fewer tokens or fewer steps");
  return page;
}

Page figureElement(const PageFigure& figure, const PageOptions& options, PageParts& parts,
                   const Run& run) {
  PageFigureWriter writer(figure, options, parts, run);
  if (figure.frames.size() > 1)
    writer.takeSizeOf(figure.frames.front().figure);
  for (std::size_t k = 0; k < figure.frames.size(); ++k) {
    run.report(static_cast<double>(k) / static_cast<double>(figure.frames.size()));
    writer.add(figure.frames[k]);
  }
  return {writer.html(), writer.exact()};
}

// ---- steps of a lesson ----

std::string element(const char* name, const char* kind, const std::string& words) {
  return std::string("<") + name + " class=\"" + kind + "\">" + escapedMarkup(words) + "</" + name +
         ">\n";
}

// The question with its choices, and the answer, which is folded until it is asked for.
std::string questionOf(const PageStep& step) {
  if (step.question.empty())
    return {};
  std::string text = "<div class=\"ax-question\">\n" + element("p", "ax-asks", step.question);
  if (!step.choices.empty()) {
    text += "<ol class=\"ax-choices\">\n";
    for (std::size_t k = 0; k < step.choices.size(); ++k)
      text += "<li><button" +
              std::string(static_cast<Index>(k) + 1 == step.correct ? " data-right" : "") + ">" +
              escapedMarkup(step.choices[k]) + "</button></li>\n";
    text += "</ol>\n";
  }
  return text + "<details class=\"ax-answer\"><summary>reveal</summary>\n" +
         element("p", "ax-says", step.answer) + "</details>\n</div>\n";
}

} // namespace

Page figurePage(const PageFigure& figure, const PageOptions& options, const Run& run) {
  PageParts parts;
  const Page body = figureElement(figure, options, parts, run);
  return {
      pageAround(body.text, figure.frames[figure.shown].figure.title, parts, options, figure.scene),
      body.exact};
}

Page lessonPage(const PageLesson& lesson, const PageOptions& options, const Run& run) {
  PageParts parts;
  Page body{"<main class=\"ax-lesson\">\n<header>\n" + element("h1", "ax-title", lesson.title) +
            "<nav hidden><button>◀ back</button><output></output><button>next ▶</button></nav>\n"
            "</header>\n"};
  for (std::size_t k = 0; k < lesson.steps.size(); ++k) {
    const PageStep& step = lesson.steps[k];
    const Page figure = figureElement(step.figure, options, parts,
                                      stepOf(run, static_cast<Index>(k), std::ssize(lesson.steps)));
    body.exact = body.exact && figure.exact;
    body.text += "<section id=\"step-" + std::to_string(k + 1) +
                 "\">\n<div class=\"ax-words\">\n<div>\n" +
                 element("h2", "ax-heading", step.title) + element("p", "ax-text", step.words) +
                 "</div>\n" + questionOf(step) + "</div>\n" + figure.text + "</section>\n";
  }
  body.text += "</main>\n";
  return {pageAround(body.text, lesson.title, parts, options, lesson.steps.front().figure.scene),
          body.exact};
}

bool writePage(const Page& page, const std::filesystem::path& path) {
  replaceFile(path, [&](std::ostream& stream) { stream << page.text; });
  return page.exact;
}

bool writePage(const PageFigure& figure, const std::filesystem::path& path,
               const PageOptions& options, const Run& run) {
  return writePage(figurePage(figure, options, run), path);
}

} // namespace attention
