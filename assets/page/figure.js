// Makes the figures of a page answer: pointing tells what lies there, a click keeps it, and frames
// play; a lesson goes step by step. Every <figure class="ax"> brings its data as JSON: areas (what
// lies where, in the units of the drawing; facts.js), and its frames. The drawings of all frames are
// in one table, packed: their elements, and which of them each has.

const SVG = "http://www.w3.org/2000/svg";
const SECONDS_PER_FRAME = 0.8;
const KEYS = "Enter: go to the first place. Arrow keys: move. Page Up, Page Down: other parts. Escape: leave.";
const PLAYER_KEYS = " Space: play. ← →: step, or move the place that is kept.";

// ---- one figure ----

// The drawings of the page, by their places.
class Drawings {
  async read() {
    const bytes = await unpack(document.querySelector(".ax-drawings").textContent);
    return JSON.parse(new TextDecoder().decode(bytes));
  }
  async at(place) {
    this.table ??= this.read();
    const {elements, drawings} = await this.table;
    return drawings[place].map(k => elements[k]).join("");
  }
}
const drawings = new Drawings();

class Figure {
  // `keys`: where it listens to the keyboard, the whole page where it stands alone.
  constructor(root, keys) {
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
    this.listen(keys ?? this.svg);
    root.classList.toggle("ax-answers", this.areas.length > 0);
    if (this.data.frames.length > 1)
      this.addPlayer(root.querySelector(".ax-player"));
  }

  async draw() {
    const {frame} = this;
    try {
      const drawing = await drawings.at(this.data.frames[frame].drawing);
      if (this.frame === frame) // no other is asked for meanwhile
        this.drawing.innerHTML = drawing;
    } catch (error) {
      this.cannotRead(error);
    }
  }

  listen(keys) {
    for (const kind of ["pointermove", "pointerdown"])
      this.svg.addEventListener(kind, event => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.pin ? this.tell(this.pin) : this.clear());
    this.svg.addEventListener("click", event => this.click(event));
    keys.addEventListener("keydown", event => this.press(event));
    this.svg.addEventListener("focus", () => this.explain());
    this.svg.addEventListener("blur", () => this.pin || this.clear());
    for (const [moves, kind] of [[window, "resize"], [this.svg.parentElement, "scroll"]])
      moves.addEventListener(kind, () => this.pin && this.tell(this.pin));
  }

  // Tells users of the keyboard which keys there are.
  explain() {
    if (!this.pin && this.shownAreas().length && this.svg.matches(":focus-visible")) {
      const {x, y} = this.svg.viewBox.baseVal;
      const words = this.slider ? KEYS + PLAYER_KEYS : KEYS;
      this.status.textContent = words;
      this.showTip(words, x, y);
    }
  }

  // What lies at a place of the page; null where nothing does.
  under(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix)
      return null;
    const {clientX, clientY} = this.placeOf(event);
    const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    for (const index of this.data.frames[this.frame].areas) {
      const place = this.areas[index].at(x, y);
      if (place)
        return {area: this.areas[index], place};
    }
    return null;
  }

  // Browsers cut the places of clicks, not those of moves, to whole pixels.
  placeOf(event) {
    const near = this.pointer && Math.abs(event.clientX - this.pointer.clientX) < 1 &&
      Math.abs(event.clientY - this.pointer.clientY) < 1;
    return near ? this.pointer : event;
  }

  async point(event) {
    this.pointer = event;
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
      return this.cannotRead(error);
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

  cannotRead(error) {
    this.status.textContent = `This browser cannot read the figure: ${error.message}`;
    this.tip.textContent = this.status.textContent;
    this.tip.hidden = false;
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
    this.tip.style.left = "0"; // else the last place narrows the new words
    const left = Math.min(at.x - room.left + 8, room.width - this.tip.offsetWidth - 4);
    const below = at.y - room.top + 8;
    const fits = below + this.tip.offsetHeight < Math.min(room.bottom, innerHeight) - room.top;
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
    const {key} = event;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || hasOwn(event))
      return;
    if (key === "Escape" && this.pin) {
      this.pin = null;
      this.clear();
    } else if (this.pin && key in arrows) {
      const [down, across] = arrows[key];
      this.keep(this.pin.area, this.pin.area.moved(this.pin.place, down, across));
    } else if (this.pin && (key === "PageDown" || key === "PageUp")) {
      const areas = this.shownAreas();
      const by = key === "PageDown" ? 1 : areas.length - 1;
      this.pinFirst(areas[(areas.indexOf(this.pin.area) + by) % areas.length]);
    } else if (key === "Enter" && !this.pin && this.shownAreas().length) {
      this.pinFirst(this.shownAreas()[0]);
    } else if (!this.stepBy(event)) {
      return; // a lesson may take it, or the page around this one
    }
    event.preventDefault();
  }

  shownAreas() {
    return this.data.frames[this.frame].areas.map(k => this.areas[k]);
  }

  // The first place of an area.
  pinFirst(area) {
    const [x, y, width, height] = area.box ?? [...area.places[0], 0, 0];
    this.keep(area, area.at(x + width / 1e6, y + height / 1e6) ?? {index: 0});
  }

  // Pins a place that was gone to by keys, and shows it where the figure is higher than the page.
  async keep(area, place) {
    this.pin = {area, place};
    await this.tell(this.pin);
    this.mark.scrollIntoView({block: "nearest", inline: "nearest"});
  }

  // ---- frames ----

  addPlayer(player) {
    [this.button, this.slider, this.label] = player.children;
    this.button.title = "Play or pause (Space)";
    this.slider.title = "Step (← →)";
    player.hidden = false;
    this.root.classList.add("ax-plays");
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
    const before = this.shownAreas();
    this.frame = frame;
    this.tellFrame();
    this.pin = this.pin && this.kept(before);
    if (this.pin)
      this.tell(this.pin);
    else
      this.clear();
    this.draw();
  }

  // What is pinned, in the frame that is shown now; null where that does not have it.
  kept(before) {
    const area = this.shownAreas()[before.indexOf(this.pin.area)];
    const place = area?.constructor === this.pin.area.constructor
      ? area.kept(this.pin.place, this.pin.area) : null;
    return place && {area, place};
  }

  tellFrame() {
    const {label, title, says} = this.data.frames[this.frame];
    this.slider.value = this.frame;
    this.slider.setAttribute("aria-valuetext", label);
    this.label.textContent = label;
    this.svg.setAttribute("aria-label", title);
    this.svg.querySelector("desc").textContent = says;
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

// ---- keys ----

// Whether what has the focus has a use of its own for a key: a slider, a button, an answer.
function hasOwn({target, key}) {
  const own = target.closest?.("button, summary, input");
  return own && (own.matches("input") || key === " " || key === "Enter");
}

// Inside slides the keys that the page does not use are the slides': as the same key where their
// page can be reached, and else as the name that reveal.js takes for it (its postMessage API).
const SLIDES = {ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down",
                PageUp: "prev", PageDown: "next", " ": "next", Escape: "toggleOverview"};

function passOn(event) {
  const page = document.documentElement;
  const scrolls = event.key in {ArrowUp: 0, ArrowDown: 0} && page.scrollHeight > page.clientHeight;
  if (event.defaultPrevented || hasOwn(event) || scrolls || !(event.key in SLIDES))
    return;
  let around = null;
  try {
    around = parent.document.body;
  } catch {
    parent.postMessage(JSON.stringify({method: SLIDES[event.key]}), "*");
  }
  if (around && !around.dispatchEvent(new KeyboardEvent("keydown", event)))
    event.preventDefault();
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
    // In a notebook, but not on a slide, whose size is fixed.
    if (location.href === "about:srcdoc" && frameElement && !frameElement.closest(".reveal"))
      this.fitFrame(root);
  }

  // Makes the frame around the page as high as what it shows.
  fitFrame(root) {
    root.classList.add("ax-fitted");
    new ResizeObserver(() => { frameElement.style.height = `${root.offsetHeight}px`; })
      .observe(root);
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
    const own = hasOwn(event);
    const step = this.steps[this.at];
    if (!own && event.key === "ArrowRight")
      this.show(this.at + 1, true);
    else if (!own && event.key === "ArrowLeft")
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
    new Figure(root, document);
if (parent !== window)
  document.addEventListener("keydown", passOn);
