// Makes the figures of a page answer: pointing tells what lies there, a click keeps it, and frames
// play; a lesson goes step by step. Every <figure class="ax"> brings its data as JSON: areas (what
// lies where, in the units of the drawing), and for figures that move the items of the drawing and
// which of them each frame has; items of the frame that is drawn already are null there.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SECONDS_PER_FRAME = 0.8;

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
  const named = (kind, k, names, first) => {
    const name = names && names[k - first];
    return `${kind} ${grouped(k)}${name ? ` “${name}”` : ""}`;
  };
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
      return i1 - i0 === 1 && j1 - j0 === 1
        ? [named("Query", i0, this.queries, this.row0), named("key", j0, this.keys, this.key0)]
        : [`Queries ${between(i0, i1)}`, `keys ${between(j0, j1)}`];
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
      const at = place.key + this.key0;
      const rules = this.parts.filter((_, p) => holds(this.rows[p][place.row], at));
      const says = `${query} ${rules.length ? "attends" : "does not attend"} to ${key}`;
      const reason = this.reasons ? this.reasons[place.row * place.keys + place.key]
        : rules.filter(Boolean).join(", ");
      return reason ? `${says}: ${reason}` : says;
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

  // Decades of a ratio r over an angle φ and a length ℓ.
  class Field extends Values {
    words(place) {
      const along = ({log, begin, end}, share) =>
        shown(log ? begin * (end / begin) ** share : begin + (end - begin) * share);
      const ratio = 10 ** this.entries[place.row * place.keys + place.key];
      return `φ = ${along(this.x, (place.key + 0.5) / place.keys)}, ` +
        `ℓ = ${along(this.y, 1 - (place.row + 0.5) / place.rows)}: r = ${shown(ratio)}`;
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

  // Places with words of their own: points, of which the nearest within reach counts, or boxes.
  class Places {
    constructor(area) { Object.assign(this, area); }
    async read() {}
    at(x, y) {
      const away = ([px, py, width, height]) => this.reach
        ? Math.hypot(px - x, py - y) - this.reach
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
    words({index}) { return this.places[index].at(-1); }
  }

  const KINDS = {mask: Mask, shares: Shares, values: Values, field: Field, links: Links,
                 places: Places};

  // ---- one figure ----

  class Figure {
    constructor(root) {
      this.root = root;
      this.svg = root.querySelector("svg");
      this.drawing = root.querySelector(".ax-drawing");
      this.tip = root.querySelector(".ax-tip");
      this.status = root.querySelector(".ax-status");
      this.data = JSON.parse(root.querySelector(".ax-data").textContent);
      this.areas = this.data.areas.map(area => new KINDS[area.kind](area));
      this.frame = this.data.shown;
      this.mark = document.createElementNS(SVG, "rect");
      this.mark.classList.add("ax-mark");
      this.svg.append(this.mark);
      this.listen();
      if (this.data.frames.length > 1)
        this.addPlayer(root.querySelector(".ax-player"));
    }

    listen() {
      this.svg.addEventListener("pointermove", event => this.point(event));
      this.svg.addEventListener("pointerleave", () => this.pin ? this.tell(this.pin) : this.clear());
      this.svg.addEventListener("click", event => this.click(event));
      this.svg.addEventListener("keydown", event => this.press(event));
    }

    // What lies at a place of the page; null where nothing does.
    under(event) {
      const matrix = this.svg.getScreenCTM();
      if (!matrix)
        return null;
      const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      for (const index of this.data.frames[this.frame].areas) {
        const place = this.areas[index].at(x, y);
        if (place)
          return {area: this.areas[index], place};
      }
      return null;
    }

    async point(event) {
      if (this.pin)
        return;
      const found = this.under(event);
      if (found)
        await this.tell(found);
      else
        this.clear();
    }

    async click(event) {
      if (String(getSelection()))
        return; // text is being selected
      this.pin = null;
      const found = this.under(event);
      if (!found)
        return this.clear();
      this.pin = found;
      await this.tell(found);
    }

    async tell(found) {
      this.asked = found;
      try {
        await found.area.read();
      } catch (error) {
        this.status.textContent = `This browser cannot read the figure's numbers: ${error.message}`;
        return;
      }
      if (this.asked !== found)
        return; // the pointer has moved on
      const words = found.area.words(found.place);
      const [x, y, width, height] = found.area.frame(found.place);
      for (const [name, value] of Object.entries({x, y, width, height}))
        this.mark.setAttribute(name, value);
      this.mark.style.visibility = "visible";
      this.mark.classList.toggle("ax-pinned", found === this.pin);
      this.status.textContent = words;
      this.showTip(words, x + width, y + height);
    }

    // Beside the place, inside the figure.
    showTip(words, x, y) {
      const matrix = this.svg.getScreenCTM();
      if (!matrix)
        return;
      const at = new DOMPoint(x, y).matrixTransform(matrix);
      const room = this.root.getBoundingClientRect();
      this.tip.textContent = words;
      this.tip.hidden = false;
      const left = Math.min(at.x - room.left + 8, room.width - this.tip.offsetWidth - 4);
      const below = at.y - room.top + 8;
      const fits = below + this.tip.offsetHeight < room.height;
      this.tip.style.left = `${Math.max(4, left)}px`;
      this.tip.style.top = `${fits ? below : Math.max(4, below - this.tip.offsetHeight - 32)}px`;
    }

    clear() {
      this.asked = null;
      this.tip.hidden = true;
      this.mark.style.visibility = "hidden";
      this.status.textContent = "";
    }

    press(event) {
      const arrows = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
      if (event.key === "Escape") {
        this.pin = null;
        this.clear();
      } else if (this.pin && event.key in arrows) {
        const [down, across] = arrows[event.key];
        this.pin = {area: this.pin.area, place: this.pin.area.moved(this.pin.place, down, across)};
        this.tell(this.pin);
      } else if (event.key === "Enter" && !this.pin && this.areas.length) {
        const area = this.areas[this.data.frames[this.frame].areas[0] ?? 0];
        const [x, y, width, height] = area.box ?? [...area.places[0], 0, 0];
        this.pin = {area, place: area.at(x + width / 1e6, y + height / 1e6) ?? {index: 0}};
        this.tell(this.pin);
      } else if (!this.stepBy(event)) {
        return; // a lesson may take it
      }
      event.preventDefault();
    }

    // ---- frames ----

    addPlayer(player) {
      [this.button, this.slider, this.label] = player.children;
      player.hidden = false;
      this.root.classList.add("ax-plays");
      const drawn = this.data.frames[this.frame].items;
      for (const [k, item] of drawn.entries())
        this.data.items[item] = this.drawing.children[k].outerHTML;
      this.slider.max = this.data.frames.length - 1;
      this.button.addEventListener("click", () => this.play(!this.timer));
      this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
      player.addEventListener("keydown", event => {
        if (event.target === this.slider && event.key === " ") {
          this.play(!this.timer);
          event.preventDefault();
        }
      });
      this.tellFrame();
    }

    stepBy(event) {
      const by = {ArrowRight: 1, ArrowLeft: -1}[event.key] ?? 0;
      if (!this.slider || !(event.key === " " || this.data.frames[this.frame + by] && by))
        return false;
      if (by)
        this.show(this.frame + by);
      else
        this.play(!this.timer);
      return true;
    }

    show(frame) {
      this.frame = frame;
      this.drawing.innerHTML =
        this.data.frames[frame].items.map(k => this.data.items[k]).join("");
      this.tellFrame();
      this.pin = null;
      this.clear();
    }

    tellFrame() {
      const {label} = this.data.frames[this.frame];
      this.slider.value = this.frame;
      this.slider.setAttribute("aria-valuetext", label);
      this.label.textContent = label;
    }

    play(on) {
      if (!this.slider)
        return;
      clearInterval(this.timer);
      this.timer = 0;
      if (on) {
        if (this.frame === this.data.frames.length - 1)
          this.show(0);
        this.timer = setInterval(() => {
          this.show(this.frame + 1);
          if (this.frame === this.data.frames.length - 1)
            this.play(false);
        }, 1000 * SECONDS_PER_FRAME);
      }
      this.button.textContent = on ? "❚❚" : "▶";
      this.button.setAttribute("aria-label", on ? "Pause" : "Play");
    }
  }

  // ---- a lesson: one step at a time, its answer folded until it is asked for ----

  class Step {
    constructor(root) {
      this.root = root;
      this.heading = root.querySelector("h2");
      this.heading.tabIndex = -1; // may be given the focus
      this.figure = new Figure(root.querySelector("figure.ax"));
      this.answer = root.querySelector(".ax-answer");
      this.choices = [...root.querySelectorAll(".ax-choices button")];
      for (const [k, button] of this.choices.entries())
        button.addEventListener("click", () => this.choose(k));
      this.answer?.addEventListener("toggle", () => this.mark());
    }

    choose(k) {
      if (!this.choices[k] || this.answer.open)
        return;
      this.chosen = k;
      this.answer.open = true;
    }

    reveal() {
      if (this.answer)
        this.answer.open = !this.answer.open;
    }

    // The right choice and the chosen one, once the answer is shown; then another may be chosen.
    mark() {
      for (const [k, button] of this.choices.entries()) {
        const is = "right" in button.dataset ? "right" : k === this.chosen ? "wrong" : "other";
        button.dataset.is = this.answer.open ? is : "";
        button.disabled = this.answer.open;
      }
      if (!this.answer.open)
        this.chosen = null;
    }
  }

  class Lesson {
    constructor(root) {
      const nav = root.querySelector("nav");
      [this.back, this.place, this.next] = nav.children;
      nav.hidden = false;
      this.steps = [...root.querySelectorAll("section")].map(section => new Step(section));
      for (const [button, by] of [[this.back, -1], [this.next, 1]])
        button.addEventListener("click", () => this.show(this.at + by, true));
      document.addEventListener("keydown", event => this.press(event));
      addEventListener("hashchange", () => this.show(this.asked(), true));
      this.show(this.asked(), false);
    }

    // The step of the address, lesson.html#step-3.
    asked() {
      const named = this.steps.findIndex(({root}) => location.hash === `#${root.id}`);
      return Math.max(0, named);
    }

    show(at, reads) {
      if (!this.steps[at])
        return;
      this.steps[this.at]?.figure.play(false);
      this.at = at;
      for (const [k, {root}] of this.steps.entries())
        root.hidden = k !== at;
      this.place.textContent = `${at + 1} of ${this.steps.length}`;
      this.back.disabled = at === 0;
      this.next.disabled = at === this.steps.length - 1;
      if (reads) // keys reach the lesson from here, and screen readers begin here
        this.steps[at].heading.focus();
    }

    press(event) {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey)
        return;
      const own = event.target.closest?.("button, summary, input"); // has keys of its own
      const step = this.steps[this.at];
      if (!own?.matches("input") && event.key === "ArrowRight")
        this.show(this.at + 1, true);
      else if (!own?.matches("input") && event.key === "ArrowLeft")
        this.show(this.at - 1, true);
      else if (!own && event.key === " " && step.figure.slider)
        step.figure.play(!step.figure.timer);
      else if (!own && (event.key === " " || event.key === "Enter"))
        step.reveal();
      else if (/^[1-4]$/.test(event.key))
        step.choose(event.key - 1);
      else
        return;
      event.preventDefault();
    }
  }

  const lesson = document.querySelector("main.ax-lesson");
  if (lesson)
    new Lesson(lesson);
  else
    for (const root of document.querySelectorAll("figure.ax"))
      new Figure(root);
})();
