// Which settings of a Scene's parts are shown: those that the picture reads.
#include "core/scene/attention_spec.h"
#include "core/scene/choosing_spec.h"
#include "core/scene/kernels_spec.h"
#include "tests/catch.h"

using namespace attention;

namespace {

template <class S>
std::vector<std::string> shownOf(const Settings<S>& all, const S& of) {
  std::vector<std::string> names;
  for (const Setting<S>& setting : all)
    if (setting.visible(of))
      names.push_back(setting.name);
  return names;
}

std::vector<std::string> shownIn(AttentionPicture picture) {
  AttentionSpec spec;
  spec.picture = picture;
  return shownOf(attentionSettings(), spec);
}

bool shows(const KernelsSpec& spec, std::string_view setting) {
  return settingNamed(kernelsSettings(), setting).visible(spec);
}

} // namespace

TEST_CASE("settings of Attention are those of its picture", "[scene]") {
  using Names = std::vector<std::string>;
  CHECK(shownIn(AttentionPicture::Maps) == Names{"picture", "base", "curves"});
  CHECK(shownIn(AttentionPicture::Heads) == Names{"picture", "base", "of"});
  CHECK(shownIn(AttentionPicture::Lines) == Names{"picture", "base", "of", "least"});
}

TEST_CASE("only circles of Gaussian matrices have a number of buckets", "[scene]") {
  CircleSpec circle;
  circle.draw = AngularDraw::Rotation;
  CHECK_FALSE(settingNamed(circleSettings(), "n_buckets").visible(circle));
  circle.draw = AngularDraw::Gaussian;
  CHECK(settingNamed(circleSettings(), "n_buckets").visible(circle));
}

TEST_CASE("pictures of kernels read projections if they estimate and data if they measure",
          "[scene]") {
  const KernelsPicture picture =
      GENERATE(KernelsPicture::Error, KernelsPicture::Matrices, KernelsPicture::Normalisers,
               KernelsPicture::Ratio, KernelsPicture::Order, KernelsPicture::Spectrum);
  const Kernel kernel = GENERATE(Kernel::Softmax, Kernel::Gaussian, Kernel::Elu1, Kernel::Relu);
  KernelsSpec spec;
  spec.picture = picture;
  spec.kernel = kernel;
  CAPTURE(static_cast<int>(picture), static_cast<int>(kernel));
  const bool estimates = kernel == Kernel::Softmax || kernel == Kernel::Gaussian;
  const bool compares =
      picture == KernelsPicture::Matrices || picture == KernelsPicture::Normalisers;
  const bool curves = picture == KernelsPicture::Error;
  const bool spectrum = picture == KernelsPicture::Spectrum;
  const KernelsReads reads(spec);
  CHECK(reads.drawn == (curves || spectrum || (compares && estimates)));
  CHECK(reads.numbers == (curves || spectrum || compares));
  CHECK(reads.lengths == (picture != KernelsPicture::Ratio));
  CHECK(reads.m == (curves || picture == KernelsPicture::Ratio ||
                    (estimates && (compares || picture == KernelsPicture::Order))));
  CHECK(shows(spec, "projection") == (estimates && picture != KernelsPicture::Order));
  CHECK(shows(spec, "features") == (kernel == Kernel::Softmax));
  CHECK(shows(spec, "sigma") == reads.numbers);
  CHECK(shows(spec, "length") == reads.lengths);
  spec.loaded = true;
  CHECK_FALSE(shows(spec, "sigma"));
  CHECK_FALSE(shows(spec, "length"));
}
