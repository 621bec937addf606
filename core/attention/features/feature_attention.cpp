#include "core/attention/features/feature_attention.h"

#include "core/attention/attend.h"
#include "core/attention/large_values.h"
#include "core/support/error.h"

#include <string>
#include <utility>

namespace attention {

template <class T>
KernelAttention<T> featureAttentionInto(MatrixView<const T> q, MatrixView<const T> k,
                                        MatrixView<const T> v, MatrixView<T> out,
                                        const Matrix<double>& w, const FeatureOptions& features,
                                        const LinearOptions& options, const Run& run) {
  checkInput(Lengths{q.rows, k.rows, 0}, q, k, v);
  if (!options.normalized && features.stabilize != Stabilize::Off)
    throwRange("stabilize", std::string(name(features.stabilize)),
               "off where the output is not normalised");
  const FeatureSource<T> qf = featuresOf(q, w, features, FeatureRole::Query, options.threads, run);
  const KeySource<T> kf = keyFeaturesOf(k, w, features, options.threads, run);
  const auto attendTo = [&](MatrixView<const T> values) {
    return linearAttentionInto(qf, kf, values, out, options, run);
  };
  return options.normalized ? attendToLarge<T>(v, out, attendTo) : attendTo(v);
}

template <class T>
KernelAttention<T> featureAttention(MatrixView<const T> q, MatrixView<const T> k,
                                    MatrixView<const T> v, const Matrix<double>& w,
                                    const FeatureOptions& features, const LinearOptions& options,
                                    const Run& run) {
  Matrix<T> out(q.rows, v.cols);
  KernelAttention<T> result = featureAttentionInto(q, k, v, out.view(), w, features, options, run);
  result.out = std::move(out);
  return result;
}

template KernelAttention<float> featureAttentionInto(MatrixView<const float>,
                                                     MatrixView<const float>,
                                                     MatrixView<const float>, MatrixView<float>,
                                                     const Matrix<double>&, const FeatureOptions&,
                                                     const LinearOptions&, const Run&);
template KernelAttention<double> featureAttentionInto(MatrixView<const double>,
                                                      MatrixView<const double>,
                                                      MatrixView<const double>, MatrixView<double>,
                                                      const Matrix<double>&, const FeatureOptions&,
                                                      const LinearOptions&, const Run&);

template KernelAttention<float> featureAttention(MatrixView<const float>, MatrixView<const float>,
                                                 MatrixView<const float>, const Matrix<double>&,
                                                 const FeatureOptions&, const LinearOptions&,
                                                 const Run&);
template KernelAttention<double>
featureAttention(MatrixView<const double>, MatrixView<const double>, MatrixView<const double>,
                 const Matrix<double>&, const FeatureOptions&, const LinearOptions&, const Run&);

} // namespace attention
