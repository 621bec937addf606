#include "core/scene/kernels_spec.h"

#include "core/scene/score_words.h"
#include "core/scene/settings_builder.h"

#include <limits>

namespace attention {
namespace {

using S = KernelsSpec;

constexpr Index kMostWidth = 512; // d
constexpr Index kMostRepeats = 1000;
constexpr Index kMostCells = 512; // rows and columns of A that are shown
constexpr Index kMostStackLayers = 64;
constexpr const char* kIidMeaning = "Projections drawn independently";
constexpr const char* kOrthogonalMeaning = "Projections orthogonal in blocks of d";

bool isDrawn(const S& of) {
  return !of.loaded && KernelsReads(of).lengths;
}

bool readsNumbers(const S& of) { // else shapes alone
  return !of.loaded && KernelsReads(of).numbers;
}

void addPictures(SettingsBuilder<S>& to) {
  to.choice("picture", &S::picture, "What is shown of the approximation",
            {{KernelsPicture::Error, "error", "", "Errors against the number of projections"},
             {KernelsPicture::Matrices, "matrices", "", "The exact and the estimated matrix"},
             {KernelsPicture::Normalisers, "normalisers", "", "The sums of the rows"},
             {KernelsPicture::Ratio, "ratio", "", "Errors of two kinds of features, divided"},
             {KernelsPicture::Order, "order", "", "In which order the matrices are multiplied"},
             {KernelsPicture::Spectrum, "spectrum", "", "Singular values and low rank"}});
}

void addData(SettingsBuilder<S>& to) {
  to.boolean("loaded", &S::loaded, "Where Q, K and V come from")
      .label("Q, K, V")
      .states({"drawn", "drawn",
               "Q, K = sigma N(0,1), V = N(0,1): the experiment of Performer figure 4"},
              {"the input", "the input", "Q, K, V of the loaded input's chosen head"})
      .integer("length", "", &S::length, "Number of tokens L", "", between(1, kMostKernelsLength))
      .label("length L")
      .handy(8192)
      .visibleIf(isDrawn)
      .integer("d", "", &S::d, "Width of queries, keys and values", "", between(1, kMostWidth))
      .label("dimension d")
      .handy(128)
      .visibleIf(isDrawn)
      .real("sigma", "", &S::sigma,
            "Standard deviation of the entries of Q and K: large ones make attention sharp",
            atLeast(0))
      .label("sigma of Q, K")
      .handy(2)
      .visibleIf(readsNumbers)
      .integer("seed", "", &S::seed, "Seed of the data and the projections", "",
               between(0, kMostSeed))
      .handy(100)
      .visibleIf(readsNumbers)
      .integer("redraws", "", &S::redraws, "How often projections were drawn again", "",
               between(0, kMostRedraws));
}

void addCurves(SettingsBuilder<S>& to) {
  to.choice("error_of", &S::errorOf, "What the error measures",
            {{KernelsErrorOf::Output, "output", "output", "D⁻¹ Q′ (K′ᵀ V) against exact attention"},
             {KernelsErrorOf::Entries, "entries", "entries",
              "φ(q)·φ(k) against exp(q·k/√d), with theory and bounds"},
             {KernelsErrorOf::Layers, "layers", "layers",
              "Outputs of a stack of layers against an exact one, with m projections"}})
      .label("error of")
      .integers("m", "", &S::projections,
                "Numbers of projections m at which the curves are measured, such as 8, 16, 32.",
                between(1, kMostKernelProjections))
      .label("m of curves")
      .required()
      .integer("repeats", "", &S::repeats,
               "How often data and projections are drawn; bands span the quartiles", "",
               between(1, kMostRepeats))
      .handy(50)
      .integer("layers", "", &S::layers, "Layers of the stack; all have the same projections", "",
               between(1, kMostStackLayers))
      .label("layers of the stack")
      .handy(24)
      .visibleIf([](const S& of) { return of.errorOf == KernelsErrorOf::Layers; });
}

void addFeatures(SettingsBuilder<S>& to) {
  to.choice("norms", &S::norms, "Lengths of orthogonal projections",
            {{Norms::Chi, "chi", "chi(d)", "Lengths of Gaussian rows: unbiased"},
             {Norms::SqrtD, "sqrt_d", "√d",
              "All of length √d: the regularised kernel SMREG, a little below softmax"}})
      .choice("stabilize", &S::stabilize, "What is subtracted before exp",
              {{Stabilize::Off, "off", "off", "Features as they are defined"},
               {Stabilize::Reference, "reference", "reference",
                "Performer's code: subtracts max w·x before exp"},
               {Stabilize::Robust, "robust", "robust",
                "Subtracts the maximum of the whole exponent: no query row is empty"}})
      .label("stabiliser")
      .real("eps", "", &S::eps,
            "Added to every exponential: keeps normalisers from zero, and biases the estimate",
            atLeast(0))
      .handy(0.01)
      .boolean("causal", &S::causal, "Each query sees the keys up to itself");
}

void addEstimate(SettingsBuilder<S>& to) {
  to.choice(
        "kernel", &S::kernel, "The kernel of the matrix",
        {{Kernel::Softmax, "softmax", "softmax", "exp(q·k/√d), by the features below"},
         {Kernel::Gaussian, "gaussian", "gauss", "exp(−|q−k|²/(2√d)), by trigonometric features"},
         {Kernel::Elu1, "elu1", "elu+1",
          "Katharopoulos et al. 2020: a different kernel, shown beside softmax attention"},
         {Kernel::Relu, "relu", "ReLU",
          "Σ max(q,0) max(k,0): a different kernel, shown beside softmax attention"}})
      .choice(
          "features", &S::map, "The features that estimate it",
          {{FeatureMap::Trig, "trig", "trig", meaningOf(FeatureMap::Trig)},
           {FeatureMap::Positive, "positive", "positive", meaningOf(FeatureMap::Positive)},
           {FeatureMap::Hyperbolic, "hyperbolic", "hyperbolic", meaningOf(FeatureMap::Hyperbolic)}})
      .visibleIf([](const S& of) { return of.kernel == Kernel::Softmax; })
      .choice("projection", &S::projection, "How projections are drawn",
              {{ProjectionKind::Iid, "iid", "iid", kIidMeaning},
               {ProjectionKind::Orthogonal, "orthogonal", "orthogonal", kOrthogonalMeaning}})
      .label("drawn")
      .visibleIf([](const S& of) { return estimatesA(of) && of.picture != KernelsPicture::Order; })
      .integer("chosen_m", "", &S::chosen,
               "Rows of W, the paper's m, for the estimate and for the facts on the right (← →)",
               "", between(1, kMostKernelProjections))
      .label("projections m")
      .handy(1024);
}

void addPicture(SettingsBuilder<S>& to) {
  constexpr double kLeast = std::numeric_limits<double>::min(); // above 0
  to.integer("cells", "", &S::cells, "How many queries and keys are shown, from the first", "",
             between(1, kMostCells))
      .label("cells shown")
      .visibleIf([](const S& of) { return KernelsReads(of).lengths; })
      .real("slice", "", &S::slice, "The length of q and k at which the map is cut",
            [](const S&, Index) {
              return Bounds{kLeast, 2, "a number above 0 and at most 2"};
            })
      .label("slice at ℓ")
      .boolean("exponentials", &S::exponentials, "The matrix that is decomposed")
      .label("matrix")
      .states({"softmax", "softmax", "A = D⁻¹ exp(Q Kᵀ / √d): its rows sum to 1"},
              {"exp(s)", "exp(s)", "exp(Q Kᵀ / √d), not normalised"});
}

Settings<S> described() {
  SettingsBuilder<S> all;
  addPictures(all);
  addData(all);
  addCurves(all);
  addFeatures(all);
  addEstimate(all);
  addPicture(all);
  return all.build();
}

} // namespace

const Settings<KernelsCompared>& kernelsComparedSettings() {
  using C = KernelsCompared;
  static const Settings<C> kAll =
      SettingsBuilder<C>()
          .boolean("trig", &C::trig, meaningOf(FeatureMap::Trig))
          .boolean("positive", &C::positive, meaningOf(FeatureMap::Positive))
          .boolean("hyperbolic", &C::hyperbolic, meaningOf(FeatureMap::Hyperbolic))
          .boolean("iid", &C::iid, kIidMeaning)
          .boolean("orthogonal", &C::orthogonal, kOrthogonalMeaning)
          .build();
  return kAll;
}

const Settings<KernelsSpec>& kernelsSettings() {
  static const Settings<S> kAll = described();
  return kAll;
}

bool estimatesA(const KernelsSpec& spec) {
  return spec.kernel == Kernel::Softmax || spec.kernel == Kernel::Gaussian;
}

KernelsReads::KernelsReads(const KernelsSpec& spec) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    drawn = m = numbers = true;
    break;
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers:
    drawn = m = estimatesA(spec);
    numbers = true;
    break;
  case KernelsPicture::Ratio:
    m = true;
    lengths = false;
    break;
  case KernelsPicture::Order:
    m = estimatesA(spec);
    break;
  case KernelsPicture::Spectrum:
    drawn = numbers = true;
    break;
  }
}

} // namespace attention
