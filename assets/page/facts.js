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

// Rows of key ranges: per row their number, then for each the keys skipped and the keys held, all
// as numbers of seven bits per byte, lowest first.
function rowsOf(bytes, count) {
  let at = 0;
  const next = () => {
    let value = 0, factor = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  };
  return Array.from({length: count}, () => {
    let key = 0;
    return Array.from({length: next()}, () => {
      const begin = key + next();
      key = begin + next();
      return [begin, key];
    });
  });
}

const holds = (row, key) => row.some(([begin, end]) => key >= begin && key < end);

// ---- what a place says ----

const grouped = n => n.toLocaleString("en-US").replaceAll(",", "\u202f");
const shown = value => !Number.isFinite(value) ? String(value).replace("-", "\u2212")
  : Number(value.toPrecision(3)).toString().replace("-", "\u2212");
const named = (kind, k, name) => `${kind} ${grouped(k)}${name ? ` “${name}”` : ""}`;
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
    const [rows, keys] = this.grid ?? [this.row1 - this.row0, this.key1 - this.key0];
    return {row: Math.floor(down * rows), key: Math.floor(across * keys), rows, keys};
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
  // The query and the key of a row and a column, which may be in an order of their own.
  pair(row, column) {
    return [this.query_order?.[row] ?? row, this.key_order?.[column] ?? column];
  }
}

class Mask extends Cells {
  async read() {
    const count = this.row1 - this.row0;
    this.rows ??= await Promise.all(this.packed.map(async p => rowsOf(await unpack(p), count)));
    if (this.why && !this.reasons)
      this.reasons = new TextDecoder().decode(await unpack(this.why)).split("\n");
  }
  words(place) {
    const [query, key] = this.where(place);
    const [row, at] = this.pair(place.row, place.key);
    const rules = this.parts.filter((_, p) => holds(this.rows[p][row], at + this.key0));
    const attends = this.parts.slice(0, this.own)
      .some((_, p) => holds(this.rows[p][row], at + this.key0));
    const says = `${query} ${attends ? "attends" : "does not attend"} to ${key}` +
      (rules.length && !attends ? " by itself" : "");
    const reason = this.reasons ? this.reasons[row * place.keys + at]
      : rules.filter(Boolean).join(", ");
    return reason ? `${says}: ${reason}` : says;
  }
}

// A cache step by step: rows are keys, columns the steps, which are the rows of its mask.
class Times extends Mask {
  words({row: key, key: step}) {
    const part = this.rows.findIndex(rows => holds(rows[step], key));
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
  moved({index}, down, across) {
    const count = this.places.length;
    return {index: Math.min(count - 1, Math.max(0, index + down + across))};
  }
  words({index}) { return this.places[index][4]; }
}

const KINDS = {mask: Mask, times: Times, shares: Shares, values: Values, field: Field, links: Links,
               places: Places};
