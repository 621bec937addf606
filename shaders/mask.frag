#version 330 core
// Exact coverage of a lattice of pixels by the signed terms of a closed-form pattern: the same
// integers, modulo 2^32, as corner() of core/pattern/primitive.cpp. One fragment a pixel; row 0 of
// the target is the first row of pixels. Valid for pixels of fewer than 2^32 cells and tokens below
// 2^29.
//
// The constants kShape… and kMostPlanes are put in front of this by the program that compiles it.
uniform usampler2D terms;    // three texels a term: (shape, plane, sign, causal),
                             // (period, lo, hi, 0), (row begin, row end, key begin, key end)
uniform usampler2D rowEdges; // token rows of the pixels' edges
uniform usampler2D keyEdges;
uniform int termCount;
uniform int planeCount;
uniform int shownPlane; // ≥ 0: the count of this plane as four bytes; −1: the colour
uniform float leastShare;
uniform vec3 ground;
uniform vec4 hues[kMostPlanes];
out vec4 color;

struct Primitive {
  int shape;
  int period;
  int lo;
  int hi;
  bool causal;
};

// k (k + 1) / 2 without losing the highest bit.
uint triangle(int k) {
  uint u = uint(k);
  return k <= 0 ? 0u : (u & 1u) == 0u ? (u >> 1) * (u + 1u) : u * ((u + 1u) >> 1);
}

uint diagonals(int y, int x, int first, int last, int period) {
  int end = min(last, y - 1);
  if (x <= 0 || end < 0)
    return 0u;
  int from = (max(first, 0) + period - 1) / period;
  int to = end / period;
  if (from > to)
    return 0u;
  int levelEnd = y >= x ? min(to, (y - x) / period) : -1;
  int fallFrom = max(from, levelEnd + 1);
  uint level = uint(max(levelEnd - from + 1, 0));
  uint fall = uint(max(to - fallFrom + 1, 0));
  uint ends = uint(fallFrom + to);
  uint steps = (fall & 1u) == 0u ? (fall >> 1) * ends : fall * (ends >> 1);
  return level * uint(x) + fall * uint(y) - uint(period) * steps;
}

uint bandCorner(Primitive p, int y, int x) {
  return diagonals(y, x, p.lo, p.hi, p.period) +
         diagonals(x, y, max(-p.hi, 1), -p.lo, p.period);
}

uint columnsBelow(Primitive p, int x) {
  int q = x / p.period;
  return uint(q) * uint(p.hi - p.lo) + uint(clamp(x - q * p.period - p.lo, 0, p.hi - p.lo));
}

uint columnSum(Primitive p, int x) {
  int q = x / p.period;
  int k = clamp(x - q * p.period - p.lo, 0, p.hi - p.lo);
  uint w = uint(p.hi - p.lo);
  uint lo = uint(p.lo);
  return uint(p.period) * w * triangle(q - 1) + uint(q) * (w * lo + triangle(int(w) - 1)) +
         uint(k) * uint(q) * uint(p.period) + uint(k) * lo + triangle(k - 1);
}

uint columnsCorner(Primitive p, int y, int x) {
  if (!p.causal)
    return uint(y) * columnsBelow(p, x);
  int m = min(y, x);
  return columnsBelow(p, m) * uint(y) - columnSum(p, m);
}

uint edgeSum(int blocks, int size, int x) {
  if (blocks <= 0)
    return 0u;
  int whole = min(blocks - 1, x / size);
  return uint(size) * triangle(whole) + uint(x) * uint(blocks - 1 - whole);
}

uint blockEdge(int block, int size, int x) {
  return block <= 0 ? 0u : block >= x / size + 1 ? uint(x) : uint(block * size);
}

uint blockRangeCorner(int size, int lo, int hi, int y, int x) {
  if (lo > hi)
    return 0u;
  int whole = y / size;
  uint inner = edgeSum(whole + hi + 1, size, x) - edgeSum(hi + 1, size, x) -
               edgeSum(whole + lo, size, x) + edgeSum(lo, size, x);
  return uint(size) * inner + uint(y - whole * size) * (blockEdge(whole + hi + 1, size, x) -
                                                        blockEdge(whole + lo, size, x));
}

uint cutTriangle(int rows, int keys, int lo, int hi) {
  int end = min(min(rows, keys), hi);
  return end <= lo ? 0u : uint(end - lo) * uint(rows) - (triangle(end - 1) - triangle(lo - 1));
}

uint diagonalBlocksCorner(Primitive p, int lo, int hi, int y, int x) {
  int size = p.period;
  int whole = min(y, x) / size;
  int rows = min(y - whole * size, size);
  int keys = min(x - whole * size, size);
  if (p.causal)
    return uint(whole) * cutTriangle(size, size, lo, hi) + cutTriangle(rows, keys, lo, hi);
  return uint(whole) * uint(size) * uint(hi - lo) + uint(rows) * uint(clamp(keys - lo, 0, hi - lo));
}

uint blocksCorner(Primitive p, int y, int x) {
  if (!p.causal)
    return blockRangeCorner(p.period, p.lo, p.hi, y, x);
  uint before = blockRangeCorner(p.period, p.lo, min(p.hi, -1), y, x);
  bool own = p.lo <= 0 && p.hi >= 0;
  return before + (own ? diagonalBlocksCorner(p, 0, p.period, y, x) : 0u);
}

uint corner(Primitive p, int y, int x) {
  if (p.shape == kShapeBand)
    return bandCorner(p, y, x);
  if (p.shape == kShapeColumns)
    return columnsCorner(p, y, x);
  if (p.shape == kShapeBlocks)
    return blocksCorner(p, y, x);
  if (p.shape == kShapeBlockColumns)
    return diagonalBlocksCorner(p, p.lo, p.hi, y, x);
  return uint(y) * uint(x);
}

// Cells of a primitive, cut by `clip`, in a pixel; both (row begin, row end, key begin, key end).
uint termCells(ivec4 pixel, ivec4 clip, Primitive p) {
  int y0 = max(pixel.x, clip.x);
  int y1 = min(pixel.y, clip.y);
  int x0 = max(pixel.z, clip.z);
  int x1 = min(pixel.w, clip.w);
  if (y0 >= y1 || x0 >= x1)
    return 0u;
  return corner(p, y1, x1) - corner(p, y0, x1) - corner(p, y1, x0) + corner(p, y0, x0);
}

vec4 bytesOf(uint count) {
  return vec4(count & 255u, (count >> 8) & 255u, (count >> 16) & 255u, count >> 24) / 255.0;
}

vec4 colorOf(uint counts[kMostPlanes], float cells) {
  float total = 0.0;
  vec3 hue = vec3(0.0);
  for (int k = 0; k < planeCount; ++k) {
    total += float(counts[k]);
    hue += float(counts[k]) * hues[k].rgb;
  }
  if (total <= 0.0)
    return vec4(ground, 1.0);
  float coverage = total / cells; // drawnShare of core/plot/mask_color.h
  float share = coverage < 2.0 * leastShare ? leastShare + coverage / 2.0 : coverage;
  return vec4(mix(ground, hue / total, min(share, 1.0)), 1.0);
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec4 pixel = ivec4(int(texelFetch(rowEdges, ivec2(at.y, 0), 0).r),
                      int(texelFetch(rowEdges, ivec2(at.y + 1, 0), 0).r),
                      int(texelFetch(keyEdges, ivec2(at.x, 0), 0).r),
                      int(texelFetch(keyEdges, ivec2(at.x + 1, 0), 0).r));
  uint counts[kMostPlanes];
  for (int k = 0; k < kMostPlanes; ++k)
    counts[k] = 0u;
  for (int t = 0; t < termCount; ++t) {
    ivec4 kind = ivec4(texelFetch(terms, ivec2(0, t), 0));
    ivec4 numbers = ivec4(texelFetch(terms, ivec2(1, t), 0));
    ivec4 clip = ivec4(texelFetch(terms, ivec2(2, t), 0));
    Primitive p = Primitive(kind.x, numbers.x, numbers.y, numbers.z, kind.w != 0);
    counts[kind.y] += uint(kind.z) * termCells(pixel, clip, p);
  }
  if (shownPlane >= 0)
    color = bytesOf(counts[shownPlane]);
  else
    color = colorOf(counts, float(pixel.y - pixel.x) * float(pixel.w - pixel.z));
}
