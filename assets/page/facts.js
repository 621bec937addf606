// What lies where in a figure and what it tells: the areas of its data, in the units of its
// drawing. It stands before figure.js, both in one function.

// ---- packed numbers: zlib in base64, read when they are first needed ----

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// 32 bits each, least significant byte first.
const numbers = bytes => new Float32Array(bytes.buffer);

// The keys of every row, as ranges: how many each row has, then the keys that are skipped before
// each, then the keys that each holds, all as numbers of seven bits per byte, lowest first.
class Ranges {
  constructor(bytes, rows) {
    this.rows = rows;
    this.numbers = [];
    let value = 0, factor = 1;
    for (const byte of bytes) {
      value += (byte & 127) * factor;
      factor *= 128;
      if (byte < 128) {
        this.numbers.push(value);
        [value, factor] = [0, 1];
      }
    }
    this.first = [0]; // range of each row
    for (let row = 0; row < rows; ++row)
      this.first.push(this.first[row] + this.numbers[row]);
  }
  holds(row, key) {
    const {numbers, first, rows} = this;
    let end = 0;
    for (let range = first[row]; range < first[row + 1] && end <= key; ++range) {
      const begin = end + numbers[rows + range];
      end = begin + numbers[rows + first[rows] + range];
      if (key >= begin && key < end)
        return true;
    }
    return false;
  }
}

// A bit for each cell from the first key on, lowest first: shorter where ranges are many.
class Bits {
  constructor(bytes, keys, firstKey) { Object.assign(this, {bytes, keys, firstKey}); }
  holds(row, key) {
    const at = key - this.firstKey;
    return (this.bytes[row * Math.ceil(this.keys / 8) + (at >> 3)] >> (at & 7) & 1) === 1;
  }
}

// ---- what a place says ----

const grouped = n => n.toLocaleString("en-US").replaceAll(",", "\u202f");
const raised = power => [...String(power)].map(sign => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]).join("");
// As in the window: three digits, and a power of ten where that is shorter.
function shown(value) {
  const sign = value < 0 ? "\u2212" : "", size = Math.abs(value);
  if (!Number.isFinite(value))
    return Number.isNaN(value) ? "NaN" : `${sign}∞`;
  if (size && (size >= 1e6 || size < 1e-3)) {
    const [digits, power] = size.toExponential(2).split("e");
    return `${sign}${Number(digits)} × 10${raised(Number(power))}`;
  }
  const rounded = Number(size.toPrecision(3));
  return sign + (rounded < 1000 ? rounded : grouped(rounded));
}
const token = (k, name) => grouped(k) + (name ? ` “${name}”` : "");
const named = (kind, k, name) => `${kind} ${token(k, name)}`;
const between = (begin, end) =>
  end - begin <= 1 ? grouped(begin) : `${grouped(begin)}–${grouped(end - 1)}`;

// The cell under a place, its words, and its frame in units of the drawing.
class Cells {
  constructor(area) {
    Object.assign(this, area);
    [this.row0, this.row1, this.key0, this.key1] = area.cells;
  }
  at(x, y) {
    const [left, top, width, height] = this.box;
    const down = (y - top) / height, across = (x - left) / width;
    if (down < 0 || down >= 1 || across < 0 || across >= 1)
      return null;
    const [rows, keys] = this.size();
    return {row: Math.floor(down * rows), key: Math.floor(across * keys), rows, keys};
  }
  size() { return this.grid ?? [this.row1 - this.row0, this.key1 - this.key0]; }
  // A place of the area that another frame has here; null where it is not in this one.
  kept(place, area) {
    const [rows, keys] = this.size();
    if ((this.grid || area.grid) && String(this.size()) !== String(area.size()))
      return null;
    const [query, key] = area.pair(place.row, place.key);
    const row = this.query_order ? this.query_order.indexOf(query) : query + area.row0 - this.row0;
    const column = this.key_order ? this.key_order.indexOf(key) : key + area.key0 - this.key0;
    return row < 0 || column < 0 || row >= rows || column >= keys ? null
      : {row, key: column, rows, keys};
  }
  frame({row, key, rows, keys}) {
    const [left, top, width, height] = this.box;
    return [left + width * key / keys, top + height * row / rows, width / keys, height / rows];
  }
  moved(place, down, across) {
    const row = place.row + down, key = place.key + across;
    return row < 0 || key < 0 || row >= place.rows || key >= place.keys ? place
      : {...place, row, key};
  }
  // The tokens that a row or column of the grid stands for.
  tokens(k, count, begin, end) {
    const edge = e => begin + Math.floor(e * (end - begin) / count);
    return [edge(k), Math.max(edge(k + 1), edge(k) + 1)];
  }
  where(place) {
    const [i0, i1] = this.tokens(place.row, place.rows, this.row0, this.row1);
    const [j0, j1] = this.tokens(place.key, place.keys, this.key0, this.key1);
    if (i1 - i0 !== 1 || j1 - j0 !== 1)
      return [`Queries ${between(i0, i1)}`, `keys ${between(j0, j1)}`];
    const [query, key] = this.pair(i0, j0);
    return [named("Query", query, this.queries?.[i0 - this.row0]),
            named("key", key, this.keys?.[j0 - this.key0])];
  }
  // A sentence of the figure's own about one cell; null where a place has several.
  sentence(words, place) {
    const [i0, i1] = this.tokens(place.row, place.rows, this.row0, this.row1);
    const [j0, j1] = this.tokens(place.key, place.keys, this.key0, this.key1);
    return i1 - i0 !== 1 || j1 - j0 !== 1 ? null
      : words.replace("{query}", token(i0, this.queries?.[i0 - this.row0]))
        .replace("{key}", token(j0, this.keys?.[j0 - this.key0]));
  }
  // The query and the key of a row and a column, which may be in an order of their own.
  pair(row, column) {
    return [this.query_order?.[row] ?? row, this.key_order?.[column] ?? column];
  }
}

class Mask extends Cells {
  async read() {
    const rows = this.row1 - this.row0, keys = this.key1 - this.key0;
    this.rows ??= await Promise.all(this.packed.map(async part => part.bits
      ? new Bits(await unpack(part.bits), keys, this.key0)
      : new Ranges(await unpack(part.ranges), rows)));
    if (this.why && !this.reasons)
      this.reasons = new TextDecoder().decode(await unpack(this.why)).split("\n");
  }
  words(place) {
    const [row, at] = this.pair(place.row, place.key);
    const held = this.parts.map((_, p) => this.rows[p].holds(row, at + this.key0));
    const attends = held.slice(0, this.own).some(Boolean);
    const reasons = this.reasons?.[row * place.keys + at];
    if (this.says) {
      const sentence = this.sentence(this.says[1 + held.indexOf(true)], place);
      return reasons ? `${sentence}\n${reasons}` : sentence;
    }
    const [query, key] = this.where(place);
    const rules = this.parts.filter((_, p) => held[p]);
    const says = `${query} ${attends ? "attends" : "does not attend"} to ${key}` +
      (rules.length && !attends ? " by itself" : "");
    const reason = this.reasons ? reasons : rules.filter(Boolean).join(", ");
    return reason ? `${says}: ${reason}` : says;
  }
}

// A cache step by step: rows are keys, columns the steps, which are the rows of its mask.
class Times extends Mask {
  words({row: key, key: step}) {
    const part = this.rows.findIndex(rows => rows.holds(step, key));
    const state = part >= 0 ? `in the cache: ${this.parts[part]}`
      : key > step ? "in the future" : "evicted";
    return `${named("Key", key, this.queries?.[key])} at step ${grouped(step)}: ${state}\n` +
      `key ${grouped(key)} ${this.fates[key]}`;
  }
}

class Shares extends Cells {
  async read() { this.shares ??= this.packed ? numbers(await unpack(this.packed)) : []; }
  words(place) {
    const share = this.shares[place.row * place.keys + place.key];
    const tells = share === undefined ? "" : `: ${shown(100 * share)} % of the pairs attend`;
    return this.where(place).join(", ") + tells;
  }
}

class Values extends Cells {
  async read() { this.entries ??= numbers(await unpack(this.packed)); }
  words(place) {
    return `${this.where(place).join(", ")}: ` +
      shown(this.entries[place.row * place.keys + place.key]);
  }
}

// Layers until a key reaches a query: −1 never, −2 and less lost again.
class Hops extends Values {
  words(place) {
    const layers = this.entries[place.row * place.keys + place.key];
    const many = layers < -1 ? "some pairs are lost again" : layers < 0 ? "none is reached"
      : `at most ${grouped(layers)} ${layers === 1 ? "layer" : "layers"} where one is reached`;
    return this.sentence(this.says[layers], place) ?? `${this.where(place).join(", ")}: ${many}`;
  }
}

// Numbers over the axes of curves.
class Field extends Values {
  words(place) {
    const along = ({name, log, cells, begin, end}, share) => {
      const value = log ? begin * (end / begin) ** share : begin + (end - begin) * share;
      return `${name} = ${shown(cells ? Math.floor(value) : value)}`;
    };
    const entry = this.entries[place.row * place.keys + place.key];
    return `${along(this.x, (place.key + 0.5) / place.keys)}, ` +
      `${along(this.y, 1 - (place.row + 0.5) / place.rows)}: ` +
      `${this.number} = ${shown(this.decades ? 10 ** entry : entry)}`;
  }
}

// Lines between tokens, of which the nearest within reach counts.
class Links {
  constructor(area) { Object.assign(this, area); }
  async read() {}
  ends(index) {
    const [query, key] = this.lines[index];
    const [left, , width] = this.box;
    return [left, this.queries[query][0], left + width, this.keys[key][0]];
  }
  at(x, y) {
    const [left, top, width, height] = this.box;
    if (x < left || x > left + width || y < top || y > top + height)
      return null;
    let nearest = null, least = 6;
    for (const index of this.lines.keys()) {
      const [x0, y0, x1, y1] = this.ends(index);
      const [dx, dy] = [x1 - x0, y1 - y0];
      const away = Math.abs(dx * (y - y0) - dy * (x - x0)) / Math.hypot(dx, dy);
      if (away < least)
        [nearest, least] = [{index}, away];
    }
    return nearest;
  }
  frame({index}) {
    const [, , x, y] = this.ends(index);
    return [x - 5, y - 5, 10, 10];
  }
  // The lines are in the order of their weights.
  moved({index}, down, across) {
    return {index: Math.min(this.lines.length - 1, Math.max(0, index + down + across))};
  }
  kept({index}, area) {
    const [query, key] = area.lines[index];
    const at = this.lines.findIndex(line => line[0] === query && line[1] === key);
    return at < 0 ? null : {index: at};
  }
  words({index}) {
    const [query, key, weight] = this.lines[index];
    return `${this.queries[query][1]} gives ${shown(weight)} to ${this.keys[key][1]}`;
  }
}

// Whether a place lies within the corners of an outline.
const encloses = (outline, x, y) => outline.reduce((inside, [x1, y1], k) => {
  const [x0, y0] = outline.at(k - 1);
  const crosses = y0 > y !== y1 > y && x < x0 + (x1 - x0) * (y - y0) / (y1 - y0);
  return crosses ? !inside : inside;
}, false);

// Places with words of their own: points, of which the nearest within reach counts, boxes, or
// outlines in their boxes.
class Places {
  constructor(area) { Object.assign(this, area); }
  async read() {}
  at(x, y) {
    const away = ([px, py, width, height, , outline]) => this.reach
      ? Math.hypot(px - x, py - y) - this.reach
      : outline ? -Number(encloses(outline, x, y))
      : Math.max(px - x, x - px - width, py - y, y - py - height);
    let nearest = null, least = 0;
    for (const [index, place] of this.places.entries())
      if (away(place) < least)
        [nearest, least] = [{index}, away(place)];
    return nearest;
  }
  frame({index}) {
    const [x, y, width, height] = this.places[index];
    return this.reach ? [x - 5, y - 5, 10, 10] : [x, y, width, height];
  }
  // Points follow each other; from a box one comes to the next box that way, and from the last one
  // of a line to the next line.
  moved({index}, down, across) {
    const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
    const [x0, y0] = middle(this.places[index]);
    let next = null, least = Infinity;
    for (const [other, place] of this.reach ? [] : this.places.entries()) {
      const [x, y] = middle(place);
      const ahead = (x - x0) * across + (y - y0) * down;
      const aside = Math.abs((x - x0) * down) + Math.abs((y - y0) * across);
      if (ahead > 1 && aside <= ahead && ahead + 4 * aside < least)
        [next, least] = [other, ahead + 4 * aside];
    }
    const step = this.reach ? down + across : across;
    return {index: next ?? Math.min(this.places.length - 1, Math.max(0, index + step))};
  }
  kept(place, area) { return this.places.length === area.places.length ? place : null; }
  words({index}) { return this.places[index][4]; }
}

const KINDS = {mask: Mask, times: Times, shares: Shares, values: Values, hops: Hops, field: Field,
               links: Links, places: Places};
