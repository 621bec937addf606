#include "app/gl/context.h"
#include "app/gui/platform/surface.h"

#include <algorithm>

namespace attention::gui {
namespace {

class HeadlessSurface final : public Surface {
public:
  explicit HeadlessSurface(const HostOptions& options, const HeadlessSurface* beside = nullptr)
      : context_(beside ? &beside->context_ : nullptr),
        minuteOfDay_(beside ? beside->minuteOfDay_ : options.minuteOfDay) {
    setSize(options.width, options.height);
  }

  void makeCurrent() const override { context_.makeCurrent(); }
  std::unique_ptr<Surface> beside(const HostOptions& options) const override {
    return std::make_unique<HeadlessSurface>(options, this);
  }
  SurfaceSize size() const override { return size_; }
  std::optional<ScreenPoint> position() const override { return std::nullopt; }
  void resize(int width, int height) override { setSize(width, height); }
  double seconds() const override { return frames_ / 60.0; }
  std::optional<int> minuteOfDay() const override { return minuteOfDay_; }
  void poll(EventQueue&) override {}
  bool watched() const override { return false; }
  void present(const gl::Framebuffer&) override { ++frames_; }
  void wait(double) override {}
  void wake() const override {}
  bool closing() const override { return closing_; }
  void close() override { closing_ = true; }
  void keepOpen() override { closing_ = false; }
  void setTitle(const std::string&) override {}
  void setFullScreen(bool on) override { fullScreen_ = on; }
  bool fullScreen() const override { return fullScreen_; }
  std::string clipboard() const override { return clipboard_; }
  void setClipboard(const std::string& text) override { clipboard_ = text; }
  void setCursor(int) override {}

private:
  void setSize(int width, int height) {
    size_.width = std::clamp(width, 1, 16384);
    size_.height = std::clamp(height, 1, 16384);
  }

  gl::HeadlessContext context_;
  SurfaceSize size_;
  std::optional<int> minuteOfDay_;
  int frames_ = 0;
  bool fullScreen_ = false;
  bool closing_ = false;
  std::string clipboard_;
};

} // namespace

std::unique_ptr<Surface> makeHeadlessSurface(const HostOptions& options) {
  return std::make_unique<HeadlessSurface>(options);
}

} // namespace attention::gui
