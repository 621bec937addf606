#include "tests/app/gui/soak.h"

#include "app/gl/gl.h"
#include "core/support/error.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>

namespace attention::gui {
namespace {

constexpr int kWidth = 1024;
constexpr int kHeight = 640;
constexpr double kMiB = 1024.0 * 1024.0;
constexpr std::ptrdiff_t kWarmRests = 4;

// Resident memory after the heap has given back what is free.
double residentMiB() {
  ::malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  double all = 0;
  double resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / kMiB;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): before any thread
  return value ? value : "";
}

// An input, masks, a scene, labels, and a file that is none of these.
std::vector<std::string> writeFiles() {
  std::string csv = "q0,q1,k0,k1,v0\n";
  for (int i = 0; i < 12; ++i)
    csv += std::to_string(i % 3) + ",1,0.5," + std::to_string(i % 2) + ",1\n";
  writeText("input.csv", csv);
  writeText("mask.csv", "i,j\n0,0\n3,1\n");
  Scene scene = smallScene();
  scene.view = View::Choosing;
  writeScene(scene, "scene.json");
  writeText("labels.txt", "one\ntwo\nthree\n");
  writeText("broken.json", "{\"type\": \"attention-explorer scene\", \"version\": 1, \"view\": 3");
  writeText("broken.npy", "\x93NUMPY");
  return {"input.csv", "mask.csv", "scene.json", "labels.txt", "broken.json", "broken.npy", "none"};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

} // namespace

SoakOptions soakOptions() {
  SoakOptions options;
  if (const std::string seed = environment("ATTENTION_SOAK_SEED"); !seed.empty())
    options.seed = std::stoull(seed);
  if (const std::string seconds = environment("ATTENTION_SOAK_SECONDS"); !seconds.empty())
    options.lasting = std::chrono::seconds(std::stoll(seconds));
  return options;
}

Soak::Soak(const SoakOptions& options)
    : options_(options), before_(std::filesystem::current_path()),
      journal_(std::filesystem::temp_directory_path() /
               ("attention-soak-" + std::to_string(options.seed) + ".txt")),
      user_(0, {}) {
  // One heap for all threads: the free pieces of many look like growth.
  ::mallopt(M_ARENA_MAX, 1);
  std::filesystem::current_path(folder_.path());
  files_ = writeFiles();
  user_ = RandomUser(options.seed, files_);
  UiState habits;
  habits.folder = folder_.path().string();
  window_ =
      std::make_unique<TestWindow>(smallScene(), std::filesystem::path(), habits, kWidth, kHeight);
}

Soak::~Soak() {
  window_.reset();
  std::error_code code;
  std::filesystem::remove(journal_, code);
  std::filesystem::current_path(before_, code);
}

std::string Soak::told(const std::string& what) const {
  return what + "\nseed " + std::to_string(options_.seed) + ", action " +
         std::to_string(report_.actions) + "; from a window at rest this script leads there" +
         " (ATTENTION_SOAK_SCRIPT=FILE plays it):\n" + script_;
}

void Soak::act(const std::string& lines) {
  script_ += lines;
  std::ofstream(journal_, std::ios::app) << lines << std::flush;
  ++report_.actions;
  report_.missed += window_->failuresOf(lines).empty() ? 0 : 1;
}

// What must hold after anything.
void Soak::check() {
  if (const GLenum error = glGetError(); error != GL_NO_ERROR)
    throw std::logic_error("OpenGL reports error " + std::to_string(error));
  const Scene scene = window_->scene();
  const ReadScene read = sceneFromText(toText(scene), "the scene");
  if (!(read.scene == scene))
    throw std::logic_error("the scene does not come back from its text");
  Document document = window_->bench().document;
  if (!document.canUndo())
    return;
  document.undo();
  document.redo();
  if (!sameDocument(document.scene(), scene))
    throw std::logic_error("redo does not bring back what undo took");
}

void Soak::settle() {
  constexpr std::chrono::seconds kMost{120};
  const auto until = std::chrono::steady_clock::now() + kMost;
  for (int quiet = 0; quiet < 3; quiet = window_->app().busy() ? 0 : quiet + 1) {
    window_->frame();
    if (std::chrono::steady_clock::now() > until)
      throw std::logic_error("the window does not come to rest");
  }
}

// The window as it began, to compare its memory with.
void Soak::rest() {
  Workbench& bench = window_->bench();
  bench.playing = false;
  bench.lesson.reset();
  bench.overlay = {};
  bench.memory = {};
  bench.waiting.clear();
  bench.notices.clear();
  bench.ui = UiState();
  bench.ui.folder = folder_.path().string();
  bench.document = Document(smallScene());
  window_->host().resize(kWidth, kHeight);
  window_->play("move 1 1\nkey Escape\nkey Escape\nframes 3\n");
  bench.document = Document(smallScene());
  settle();
  if (!bench.pool.active().empty())
    throw std::logic_error("at rest a job runs: " + bench.pool.active().front()->label());
  report_.resting.push_back(residentMiB());
  script_.clear();
  std::filesystem::remove(journal_);
}

SoakReport Soak::run() {
  const auto until = std::chrono::steady_clock::now() + options_.lasting;
  try {
    rest();
    while (report_.actions < options_.actions || std::chrono::steady_clock::now() < until) {
      act(user_.next(window_->app().log(), window_->bench().actions.entries()));
      check();
      if (report_.actions % options_.actionsPerRest == 0)
        rest();
    }
  } catch (const std::exception& error) {
    report_.problem = told(error.what());
  }
  return report_;
}

std::string Soak::replay(const std::string& script) {
  try {
    rest();
    act(script);
    check();
    rest();
  } catch (const std::exception& error) {
    report_.problem = told(error.what());
  }
  return report_.problem;
}

double growth(const std::vector<double>& resting) {
  if (std::ssize(resting) <= kWarmRests)
    return 0;
  const auto warm = resting.begin() + kWarmRests;
  return median({warm + (resting.end() - warm) / 2, resting.end()}) - *(warm - 1);
}

} // namespace attention::gui
