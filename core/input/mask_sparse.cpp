// Sparse matrices as scipy.sparse.save_npz writes them: an archive of `format`, `shape`, `data` and
// the places of the data. In SciPy's words: csr and csc have indptr and indices, bsr the same of
// blocks, coo row and col (or coords), dia offsets.
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

class SparseReader {
public:
  SparseReader(const ArrayFile& file, const Run& run) : file_(file), run_(run) {
    const std::vector<Index> shape = integers("shape");
    if (shape.size() != 2)
      fail(ErrorCode::Shape, "is a sparse array of " + countText(shape.size(), "axis") +
                                 "; a mask must have two, n_q and n_k");
    rows_ = shape[0];
    cols_ = shape[1];
    for (const Index length : shape)
      if (length < 1 || length > kMaxLength)
        fail(ErrorCode::Range, "has a length of " + std::to_string(length) + "; it must be 1 to " +
                                   std::to_string(kMaxLength));
  }

  MaskFile read() {
    const std::string format = formatName();
    if (format == "csr" || format == "csc")
      addCompressed(format == "csc");
    else if (format == "bsr")
      addBlocks();
    else if (format == "coo")
      addPlaces();
    else if (format == "dia")
      addDiagonals();
    else
      fail(ErrorCode::Unsupported, "is a sparse matrix of format " + excerpt(format) +
                                       "; it must be csr, csc, coo, bsr or dia");
    return maskOf(cells(), rows_, cols_, true);
  }

private:
  [[noreturn]] void fail(ErrorCode code, const std::string& what) const {
    throw Error(code, file_.file, file_.file + " " + what);
  }
  void require(bool holds, const std::string& array) const {
    if (!holds)
      fail(ErrorCode::Unsupported,
           "contradicts itself: its array " + excerpt(array) + " does not fit the others");
  }

  // As SciPy writes the entries of a matrix that has none.
  bool isOfNoLength(const std::string& name) const {
    try {
      file_.get(name);
      return false;
    } catch (const NoElements&) {
      return true;
    }
  }

  std::vector<Index> integers(const std::string& name) const {
    std::vector<Index> values;
    if (isOfNoLength(name))
      return values;
    const Tensor tensor = file_.get(name);
    values.reserve(static_cast<std::size_t>(tensor.elements()));
    for (Index at = 0; at < tensor.elements(); ++at)
      values.push_back(integer(tensor, at));
    return values;
  }

  std::string formatName() const {
    if (!file_.has("format"))
      return file_.has("offsets") ? "dia" : file_.has("indptr") ? "unknown" : "coo";
    const Tensor text = file_.get("format");
    std::string name;
    for (Index at = 0; at < text.elements(); ++at)
      if (const auto c = static_cast<char>(number(text, at)); c != '\0')
        name += c;
    return name;
  }

  // Cell (i, j) with the stored number at `at` of `data`.
  void add(Index i, Index j, const Tensor& data, Index at, const std::string& places) {
    if (entries_.size() % 8192 == 0)
      run_.check();
    require(i >= 0 && i < rows_ && j >= 0 && j < cols_, places);
    if (const double value = number(data, at); value != 0.0)
      entries_.push_back({{i, j}, value});
    dtype_ = data.dtype;
  }

  // A cell that is stored several times holds the sum, as SciPy has it, or of bool True.
  std::vector<MaskCell> cells() {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.cell < b.cell; });
    std::vector<MaskCell> cells;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      const MaskCell cell = entry->cell;
      double sum = 0;
      Index count = 0;
      for (; entry != entries_.end() && entry->cell == cell; ++entry, ++count)
        sum += entry->value;
      if (dtype_ == DType::Bool)
        sum = 1;
      if (sum != 0.0 && sum != 1.0)
        failValue(cell, sum, count);
      if (sum == 1.0)
        cells.push_back(cell);
    }
    return cells;
  }

  [[noreturn]] void failValue(const MaskCell& cell, double sum, Index count) const {
    const std::string label = file_.file + ": array \"data\"";
    throw Error(ErrorCode::Type, label,
                label + " holds " + shortest(sum) + " for " +
                    shapeText(std::array<Index, 2>{cell.query, cell.key}) +
                    (count > 1 ? ", the sum of " + std::to_string(count) + " entries" : "") +
                    "; a sparse mask must hold only 0 and 1");
  }

  // indptr says which of the entries belong to row i, or of csc to column i.
  template <class Entry>
  void forEachEntry(Index lines, const Entry& entry) {
    const std::vector<Index> indptr = integers("indptr");
    require(indptr.size() == static_cast<std::size_t>(lines) + 1 && indptr.front() == 0, "indptr");
    require(std::is_sorted(indptr.begin(), indptr.end()), "indptr");
    if (indptr.back() == 0)
      return;
    const std::vector<Index> indices = integers("indices");
    require(indptr.back() <= static_cast<Index>(indices.size()), "indices");
    const Tensor data = file_.get("data");
    require(data.shape.front() >= indptr.back(), "data");
    for (std::size_t line = 0; line + 1 < indptr.size(); ++line)
      for (Index at = indptr[line]; at < indptr[line + 1]; ++at)
        entry(static_cast<Index>(line), indices[static_cast<std::size_t>(at)], data, at);
  }

  void addCompressed(bool byColumns) {
    forEachEntry(byColumns ? cols_ : rows_,
                 [&](Index line, Index index, const Tensor& data, Index at) {
                   require(data.shape.size() == 1, "data");
                   add(byColumns ? index : line, byColumns ? line : index, data, at, "indices");
                 });
  }

  // Where there is no data nothing may point to it.
  void requireNone(const std::string& places) {
    const std::vector<Index> indptr = integers(places);
    require(std::all_of(indptr.begin(), indptr.end(), [](Index at) { return at == 0; }), places);
  }

  // Entries are blocks [R, C] of the matrix.
  void addBlocks() {
    if (isOfNoLength("data"))
      return requireNone("indptr");
    const Tensor blocks = file_.get("data");
    require(blocks.shape.size() == 3, "data");
    const Index height = blocks.shape[1];
    const Index width = blocks.shape[2];
    require(rows_ % height == 0 && cols_ % width == 0, "data");
    forEachEntry(rows_ / height, [&](Index line, Index index, const Tensor& data, Index at) {
      require(index >= 0 && index < cols_ / width, "indices");
      for (Index y = 0; y < height; ++y)
        for (Index x = 0; x < width; ++x)
          add(line * height + y, index * width + x, data, (at * height + y) * width + x, "indices");
    });
  }

  void addPlaces() {
    std::vector<Index> row;
    std::vector<Index> col;
    if (file_.has("coords")) {
      const std::vector<Index> both = integers("coords");
      const auto half = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
      require(both.size() % 2 == 0, "coords");
      row.assign(both.begin(), half);
      col.assign(half, both.end());
    } else {
      row = integers("row");
      col = integers("col");
    }
    if (isOfNoLength("data"))
      return require(row.empty() && col.empty(), "data");
    const Tensor data = file_.get("data");
    require(row.size() == col.size() && data.shape.size() == 1 &&
                data.elements() == static_cast<Index>(row.size()),
            "data");
    for (std::size_t at = 0; at < row.size(); ++at)
      add(row[at], col[at], data, static_cast<Index>(at), "row");
  }

  // data[d, j] is cell (j - offsets[d], j), where there is one.
  void addDiagonals() {
    const std::vector<Index> offsets = integers("offsets");
    if (isOfNoLength("data"))
      return require(offsets.empty(), "data");
    const Tensor data = file_.get("data");
    require(data.shape.size() == 2 && data.shape[0] == static_cast<Index>(offsets.size()), "data");
    const Index length = data.shape[1];
    for (std::size_t d = 0; d < offsets.size(); ++d) {
      require(std::abs(offsets[d]) <= kMaxLength, "offsets");
      for (Index j = 0; j < std::min(length, cols_); ++j)
        if (const Index i = j - offsets[d]; i >= 0 && i < rows_)
          add(i, j, data, static_cast<Index>(d) * length + j, "offsets");
    }
  }

  const ArrayFile& file_;
  const Run& run_;
  Index rows_ = 0;
  Index cols_ = 0;
  struct Entry {
    MaskCell cell;
    double value = 0;
  };
  std::vector<Entry> entries_; // other than 0
  DType dtype_ = DType::Float64;
};

} // namespace

bool isSparse(const ArrayFile& file) {
  return file.has("shape") && file.has("data") &&
         (file.has("format") || file.has("indptr") || file.has("row") || file.has("coords") ||
          file.has("offsets"));
}

MaskFile sparseMask(const ArrayFile& file, const Run& run) {
  const auto isMapped = [](const NamedArray& array) { return array.tensor.data != nullptr; };
  const auto mapped = std::find_if(file.arrays.begin(), file.arrays.end(), isMapped);
  return readUnchanged(mapped == file.arrays.end() ? nullptr : mapped->tensor.data,
                       [&] { return SparseReader(file, run).read(); });
}

} // namespace attention
