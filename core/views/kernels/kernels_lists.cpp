#include "core/views/kernels/kernels_figure.h"

#include "core/analysis/feature_ratio.h"
#include "core/input/npy_writer.h"
#include "core/views/kernels/kernel_error_figure.h"

#include <array>
#include <numbers>

namespace attention {
namespace {

CsvTable matrixTable(const KernelMatrices& of) {
  CsvTable table{{"i", "j", "exact", "estimate", "error"}, {}};
  const auto at = [](const std::shared_ptr<const Matrix<float>>& values, Index i, Index j) {
    return csvNumber(static_cast<double>((*values)(i, j)));
  };
  for (Index i = 0; i < of.exact->rows(); ++i)
    for (Index j = 0; j < of.exact->cols(); ++j)
      table.rows.push_back({csvNumber(i), csvNumber(j), at(of.exact, i, j), at(of.estimate, i, j),
                            at(of.error, i, j)});
  return table;
}

CsvTable normaliserTable(const KernelMatrices& of) {
  CsvTable table{{"i", of.overExact ? "estimated_over_exact" : "over_mean_size"}, {}};
  for (std::size_t i = 0; i < of.normalisers.size(); ++i)
    table.rows.push_back({std::to_string(i), csvNumber(of.normalisers[i])});
  return table;
}

CsvTable ratioTable(double slice, Index projections) {
  constexpr Index kSteps = 181;
  CsvTable table{{"angle", "length", "ratio", "mse_trig", "mse_positive"}, {}};
  for (Index k = 0; k < kSteps; ++k) {
    const double angle = std::numbers::pi * (2 * static_cast<double>(k) / (kSteps - 1) - 1);
    const AngleErrors errors = errorsAt(angle, slice, projections);
    table.rows.push_back({csvNumber(angle), csvNumber(slice), csvNumber(errorRatio(angle, slice)),
                          csvNumber(errors.trig), csvNumber(errors.positive)});
  }
  return table;
}

CsvTable layerTable(std::span<const LayerErrorRow> rows) {
  CsvTable table{
      {"features", "projection", "layer", "median", "q25", "q75", "mean", "std", "flagged_rows"},
      {}};
  for (const LayerErrorRow& row : rows)
    table.rows.push_back({std::string(name(row.curve.map)), std::string(name(row.curve.projection)),
                          std::to_string(row.layer), csvNumber(row.error.median),
                          csvNumber(row.error.q25), csvNumber(row.error.q75),
                          csvNumber(row.error.mean), csvNumber(row.error.std),
                          csvNumber(row.flaggedRows)});
  return table;
}

CsvTable orderTable(const ProductShapes& shapes) {
  CsvTable table{{"order", "first", "second", "multiplications", "held"}, {}};
  const auto add = [&](const char* order, const ProductOrder& of) {
    table.rows.push_back({order, csvNumber(of.first), csvNumber(of.second), csvNumber(of.total()),
                          csvNumber(of.between)});
  };
  add("(Q'K'^T)V", matrixFirst(shapes));
  add("Q'(K'^T V)", valuesFirst(shapes));
  return table;
}

CsvTable spectrumTable(const KernelSpectrum& of) {
  CsvTable table{{"what", "rank", "singular_value", "error"}, {}};
  for (std::size_t k = 0; k < of.values.size(); ++k)
    table.rows.push_back(
        {"best", std::to_string(k + 1), csvNumber(of.values[k]), csvNumber(of.best[k].y)});
  for (const RankCurve& curve : of.others)
    for (const Point& point : curve.points)
      table.rows.push_back({curve.estimator ? estimatorCurve(*curve.estimator).label : "Linformer",
                            csvNumber(point.x), "", csvNumber(point.y)});
  return table;
}

// Of a stack of layers: [curve][layer][repeat].
void writeLayers(const KernelSweep& sweep, const std::filesystem::path& path) {
  const auto curves = static_cast<Index>(sweep.options.curves.size());
  const std::array shape{curves, static_cast<Index>(sweep.layers.size()) / curves,
                         sweep.options.repeats};
  std::vector<double> values;
  for (const LayerErrorRow& row : sweep.layers)
    values.insert(values.end(), row.errors.begin(), row.errors.end());
  writeNpy<double>(path, shape, values);
}

void writeMatrices(const KernelMatrices& of, const std::filesystem::path& path) {
  const std::array shape{Index{3}, of.exact->rows(), of.exact->cols()};
  std::vector<double> values;
  for (const auto& matrix : {of.exact, of.estimate, of.error})
    values.insert(values.end(), matrix->values().begin(), matrix->values().end());
  writeNpy<double>(path, shape, values);
}

void writeList(const std::vector<double>& values, const std::filesystem::path& path) {
  const std::array shape{static_cast<Index>(values.size())};
  writeNpy<double>(path, shape, values);
}

void writeRatio(const std::filesystem::path& path) {
  const Matrix<float> map = logRatioMap(160, 240, 2);
  const std::array shape{map.rows(), map.cols()};
  const std::vector<double> values(map.values().begin(), map.values().end());
  writeNpy<double>(path, shape, values);
}

void writeOrder(const ProductShapes& shapes, const std::filesystem::path& path) {
  std::vector<double> values;
  for (const ProductOrder& of : {matrixFirst(shapes), valuesFirst(shapes)})
    values.insert(values.end(), {of.first, of.second, of.between});
  const std::array<Index, 2> shape{2, 3};
  writeNpy<double>(path, shape, values);
}

} // namespace

void writeErrorsNpy(const KernelErrorResult& result, const KernelErrorOptions& options,
                    const std::filesystem::path& path) {
  const std::array shape{static_cast<Index>(options.projections.size()),
                         static_cast<Index>(options.curves.size()), options.repeats};
  std::vector<double> values;
  for (const KernelErrorRow& row : result.rows)
    values.insert(values.end(), row.errors.begin(), row.errors.end());
  writeNpy<double>(path, shape, values);
}

CsvTable errorTable(const KernelErrorResult& result) {
  CsvTable table{{"features", "projection", "m", "m_features", "mean", "std", "median", "q10",
                  "q25", "q75", "q90", "negative_normalizers", "zero_normalizers", "overflow",
                  "kernel_mse", "kernel_theory", "matrix_mse", "baseline", "theorem_2_bound"},
                 {}};
  for (const KernelErrorRow& row : result.rows)
    table.rows.push_back(
        {std::string(name(row.curve.map)), std::string(name(row.curve.projection)),
         csvNumber(row.projections), csvNumber(row.features), csvNumber(row.output.mean),
         csvNumber(row.output.std), csvNumber(row.output.median), csvNumber(row.output.q10),
         csvNumber(row.output.q25), csvNumber(row.output.q75), csvNumber(row.output.q90),
         csvNumber(row.negativeRows), csvNumber(row.zeroRows), csvNumber(row.nonFiniteRows),
         csvNumber(row.kernel.mse), csvNumber(row.theory), csvNumber(row.matrix.mse),
         csvNumber(result.baseline), csvNumber(row.bound)});
  return table;
}

CsvTable kernelsTable(const KernelsSpec& spec, const KernelsAnswer& answer) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    return answer.sweep->layers.empty() ? errorTable(answer.sweep->result)
                                        : layerTable(answer.sweep->layers);
  case KernelsPicture::Matrices:
    return matrixTable(*answer.matrices);
  case KernelsPicture::Normalisers:
    return normaliserTable(*answer.matrices);
  case KernelsPicture::Ratio:
    return ratioTable(spec.slice, spec.chosen);
  case KernelsPicture::Order:
    return orderTable(answer.shapes);
  case KernelsPicture::Spectrum:
    break;
  }
  return spectrumTable(*answer.spectrum);
}

void writeKernelsNpy(const KernelsSpec& spec, const KernelsAnswer& answer,
                     const std::filesystem::path& path) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    return answer.sweep->layers.empty()
               ? writeErrorsNpy(answer.sweep->result, answer.sweep->options, path)
               : writeLayers(*answer.sweep, path);
  case KernelsPicture::Matrices:
    return writeMatrices(*answer.matrices, path);
  case KernelsPicture::Normalisers:
    return writeList(answer.matrices->normalisers, path);
  case KernelsPicture::Ratio:
    return writeRatio(path);
  case KernelsPicture::Order:
    return writeOrder(answer.shapes, path);
  case KernelsPicture::Spectrum:
    return writeList(answer.spectrum->values, path);
  }
}

} // namespace attention
