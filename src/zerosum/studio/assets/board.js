// Draws any board that a game describes as SVG: cells, pieces, marks and arrows. Works by mouse, touch and keyboard.

import { calm, draw } from "./dom.js";

const STEP = 130; // milliseconds for a piece to move from one cell to the next
const DRAG = 5; // pixels after which a press counts as a drag

export class Board {
  // `picked(cell)` is called for a click, for a key, and for both ends of a drag.
  constructor(place, picked) {
    this.place = place;
    this.picked = picked;
    this.flipped = false;
    this.pieces = [];
    this.marks = {};
    this.cells = new Map();
    this.focus = null;
  }

  setLayout(layout, name) {
    this.layout = layout;
    this.name = name;
    this.pieces = [];
    this.cells = new Map(layout.cells.map((cell) => [cell.id, cell]));
    this.focus = layout.cells.length ? layout.cells[0].id : null;
    this.build();
  }

  flip(flipped) {
    if (this.flipped === flipped || !this.layout) return;
    this.flipped = flipped;
    this.build();
  }

  build() {
    const { width, height } = this.layout;
    this.elements = new Map();
    this.layers = { pieces: draw("g", { class: "pieces" }), arrows: draw("g", { class: "arrows" }), focus: draw("g", { "aria-hidden": "true" }) };
    this.svg = draw(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "zs-board", role: "group", "aria-label": `Board of ${this.name}` },
      draw("g", { "aria-hidden": "true" }, ...(this.layout.below ?? []).map((shape) => this.shape(shape))),
      draw("g", { class: "cells" }, ...this.layout.cells.map((cell) => this.cell(cell))),
      this.layers.pieces,
      draw("g", { class: "above", "aria-hidden": "true" }, ...(this.layout.above ?? []).map((shape) => this.shape(shape))),
      this.layers.arrows,
      this.layers.focus,
    );
    this.layers.pieces.setAttribute("aria-hidden", "true");
    this.layers.arrows.setAttribute("aria-hidden", "true");
    this.svg.addEventListener("keydown", (event) => this.key(event));
    // The focus ring is drawn above all cells, so that no neighbour hides part of it.
    this.svg.addEventListener("focusin", ({ target }) => this.ring(target));
    this.svg.addEventListener("focusout", () => this.ring(null));
    this.place.replaceChildren(this.svg);
    this.place.style.aspectRatio = `${width} / ${height}`;
    this.place.closest(".game")?.style.setProperty("--shape", width / height);
    this.drawPieces(this.pieces);
    this.mark(this.marks);
  }

  ring(target) {
    const shape = target?.matches?.(".cell:focus-visible") ? target.querySelector(".light-up").cloneNode() : null;
    shape?.setAttribute("class", "focus-ring");
    this.layers.focus.replaceChildren(...(shape ? [shape] : []));
  }

  // Coordinates

  at([x, y]) {
    return this.flipped ? [this.layout.width - x, this.layout.height - y] : [x, y];
  }

  middle(id) {
    return this.at(this.cells.get(id)?.middle ?? [0, 0]);
  }

  shape(shape, turn = true) {
    const paint = {};
    const classes = [];
    for (const [name, attribute] of [["fill", "fill"], ["edge", "stroke"]]) {
      const value = shape[name];
      if (!value) {
        if (name === "fill") paint.fill = "none";
      } else if (value.startsWith("#")) paint[attribute] = value;
      else classes.push(`${name}-${value}`);
    }
    if (shape.width) paint["stroke-width"] = shape.width;
    if (classes.length) paint.class = classes.join(" ");
    const flipped = turn && this.flipped;
    const place = shape.place ?? [];
    if (shape.kind === "rectangle") {
      const [x, y, width, height] = place;
      const [left, top] = flipped ? [this.layout.width - x - width, this.layout.height - y - height] : [x, y];
      return draw("rect", { x: left, y: top, width, height, rx: shape.round || null, ...paint });
    }
    if (shape.kind === "circle") {
      const [x, y] = flipped ? this.at(place) : place;
      return draw("circle", { cx: x, cy: y, r: place[2], ...paint });
    }
    if (shape.kind === "polygon") {
      const points = [];
      for (let i = 0; i < place.length; i += 2) {
        points.push((flipped ? this.at([place[i], place[i + 1]]) : [place[i], place[i + 1]]).join(","));
      }
      return draw("polygon", { points: points.join(" "), ...paint });
    }
    if (shape.kind === "text") {
      const [x, y] = flipped ? shape.turned ?? this.at(place) : place;
      const element = draw("text", { x, y, "font-size": shape.size, ...paint });
      element.textContent = shape.text;
      return element;
    }
    const { width, height } = this.layout;
    return draw("path", { d: shape.path, transform: flipped ? `rotate(180 ${width / 2} ${height / 2})` : null, ...paint });
  }

  cell(cell) {
    const shape = this.shape(cell.shape);
    const lit = this.shape({ ...cell.shape, fill: "", edge: "", width: 0 });
    lit.removeAttribute("fill");
    lit.setAttribute("class", "light-up");
    const [x, y] = this.at(cell.middle);
    const dot = draw("circle", { class: "dot", cx: x, cy: y, r: this.reach(cell) * 0.17 });
    const group = draw(
      "g",
      { class: "cell", role: "button", tabindex: cell.id === this.focus ? 0 : -1, "data-cell": cell.id },
      shape, lit, dot,
    );
    group.addEventListener("pointerdown", (event) => this.press(event, cell.id));
    this.elements.set(cell.id, group);
    return group;
  }

  reach(cell) {
    const place = cell.shape.place;
    if (cell.shape.kind === "rectangle") return Math.min(place[2], place[3]);
    if (cell.shape.kind === "circle") return 2 * place[2];
    return this.layout.size;
  }

  // Split a path into one path per moving piece.
  legs(way) {
    if (!this.layout.pairs) return [way];
    return way.flatMap((cell, place) => (place % 2 ? [] : [way.slice(place, place + 2)])).filter((leg) => leg.length);
  }

  // Pieces

  // The pieces during a move of several steps: a moving piece is shown at the last cell selected.
  underWay(pieces, prefix) {
    let shown = pieces;
    for (const leg of this.legs(prefix)) {
      if (leg.length < 2) continue;
      const at = shown.findLastIndex((piece) => piece.cell === leg[0] && piece.glyph);
      if (at < 0) continue;
      const [moved] = shown.slice(at, at + 1);
      const rest = shown.filter((_, place) => place !== at);
      shown = [...rest, { ...moved, label: "", ...this.onTop(rest, leg.at(-1)), cell: leg.at(-1) }];
    }
    return shown;
  }

  // The offset of one more piece on a cell, stacked like the pieces on it or on other cells of its row.
  onTop(pieces, cell) {
    const offsets = (id) => pieces.filter((piece) => piece.cell === id && piece.glyph).map(({ x = 0, y = 0 }) => ({ x, y }));
    const row = [...this.cells.values()].filter((other) => other.middle[1] === this.cells.get(cell).middle[1]);
    const stacks = [offsets(cell), ...row.map(({ id }) => offsets(id))];
    const height = stacks[0].length;
    const pattern = stacks.find((stack) => stack.length > height);
    return pattern ? pattern[height] : stacks[0].at(-1) ?? { x: 0, y: 0 };
  }

  setPieces(pieces, way = [], animate = true) {
    const before = this.pieces;
    this.pieces = pieces;
    const gone = this.layers ? [...this.layers.pieces.children] : [];
    const elements = this.drawPieces(pieces);
    if (!animate || calm() || !before.length) return;
    this.animate(before, gone, elements, way);
  }

  drawPieces(pieces) {
    const elements = pieces.map((piece) => this.piece(piece));
    this.layers.pieces.replaceChildren(...elements);
    this.nameCells();
    return elements;
  }

  piece(piece) {
    const [x, y] = this.middle(piece.cell);
    const sign = this.flipped ? -1 : 1;
    const size = piece.size || this.layout.size;
    const glyph = piece.glyph ? this.layout.glyphs?.[piece.glyph] ?? [] : [];
    const inner = draw("g", { class: "piece" });
    if (glyph.length) {
      inner.append(draw("g", { transform: `scale(${size / 100})` }, ...glyph.map((shape) => this.shape(shape, false))));
    }
    if (piece.text) {
      const paint = piece.fill ?? "ink";
      const text = draw("text", {
        "font-size": piece.glyph ? size * 0.5 : size,
        ...(paint.startsWith("#") ? { fill: paint } : { class: `fill-${paint}` }),
      });
      text.textContent = piece.text;
      inner.append(text);
    }
    const place = `translate(${x + sign * (piece.x ?? 0)} ${y + sign * (piece.y ?? 0)})`;
    return draw("g", { transform: place, "data-on": piece.cell }, inner);
  }

  animate(before, gone, elements, way) {
    const name = (piece) => `${piece.cell}|${piece.glyph}|${piece.text}|${piece.x}|${piece.y}`;
    const old = new Set(before.map(name));
    const now = new Set(this.pieces.map(name));
    const arrived = elements.filter((_, place) => !old.has(name(this.pieces[place])));
    const movers = new Set();
    let delay = 0;
    for (const leg of this.legs(way)) {
      const last = leg.at(-1);
      const mover = leg.length > 1 ? arrived.filter((element) => element.dataset.on === last && !movers.has(element)).at(-1) : undefined;
      if (!mover) continue;
      movers.add(mover);
      const [toX, toY] = this.middle(last);
      const steps = leg.map((id) => {
        const [x, y] = this.middle(id);
        return { transform: `translate(${x - toX}px, ${y - toY}px)` };
      });
      const duration = STEP * (leg.length - 1) + 60;
      this.layers.pieces.append(mover);
      mover.firstChild.animate(steps, { duration, delay, fill: "backwards", easing: "ease-in-out" });
      delay += duration;
    }
    for (const element of arrived) {
      if (movers.has(element)) continue;
      element.firstChild.animate(
        [{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "scale(1)" }],
        { duration: 180, delay, fill: "backwards", easing: "ease-out" },
      );
    }
    const left = new Set(movers.size ? this.legs(way).map((leg) => leg[0]) : []);
    before.forEach((piece, place) => {
      const element = gone[place];
      if (!element || now.has(name(piece)) || left.has(piece.cell)) return;
      element.classList.add("ghost");
      this.layers.pieces.prepend(element);
      const duration = Math.max(STEP, delay) + 60;
      const fade = element.firstChild.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], { duration });
      fade.finished.then(() => element.remove(), () => element.remove());
    });
  }

  nameCells() {
    const on = new Map();
    for (const piece of this.pieces) {
      if (piece.label) on.set(piece.cell, [...(on.get(piece.cell) ?? []), piece.label]);
    }
    for (const [id, element] of this.elements) {
      const words = [this.cells.get(id).label ?? id, ...(on.get(id) ?? [])];
      const notes = [];
      if (this.marks.selected?.includes(id)) notes.push("selected");
      if (this.marks.targets?.has(id)) notes.push("possible target");
      if (this.marks.premove?.includes(id)) notes.push("premove");
      if (this.marks.won?.includes(id)) notes.push("winning line");
      element.setAttribute("aria-label", [...words, ...notes].join(", "));
    }
  }

  // Marks: {last: [cells], selected: [cells], targets: Set, starts: Set, check: ...}

  mark(marks) {
    this.marks = marks;
    for (const [id, element] of this.elements ?? []) {
      element.classList.toggle("last", Boolean(marks.last?.includes(id)));
      element.classList.toggle("selected", Boolean(marks.selected?.includes(id)));
      element.classList.toggle("target", Boolean(marks.targets?.has(id)));
      element.classList.toggle("start", Boolean(marks.starts?.has(id)));
      element.classList.toggle("premove", Boolean(marks.premove?.includes(id)));
      element.classList.toggle("won", Boolean(marks.won?.includes(id)));
    }
    if (this.elements) this.nameCells();
    this.arrows(marks.arrows ?? []);
  }

  // Arrows: [{way, weight 0..1, kind}]
  arrows(arrows) {
    if (!this.layers) return;
    const wide = this.layout.size * 0.14;
    // Where shapes above the cells hide them, the last move is marked on top of the piece.
    const last = this.cells.get(this.marks.last?.at(-1));
    const covered = last && this.layout.above?.length && this.layout.size > 0.6 * this.reach(last);
    const [x, y] = covered ? this.middle(last.id) : [0, 0];
    const ring = covered ? draw("circle", { class: "last-ring", cx: x, cy: y, r: this.layout.size / 2 }) : null;
    const won = (this.marks.won ?? []).map((id) => draw("circle", { class: "won-ring", cx: this.middle(id)[0], cy: this.middle(id)[1], r: this.layout.size / 2 }));
    const legs = arrows.flatMap(({ way, ...more }) => this.legs(way).map((leg) => ({ leg, ...more })));
    this.layers.arrows.replaceChildren(...(ring && !won.length ? [ring] : []), ...won, ...legs.filter(({ leg }) => leg.length).map(({ leg, kind, weight = 1 }) => {
      const points = leg.map((id) => this.middle(id));
      const attributes = { class: `arrow ${kind}`, opacity: 0.35 + 0.5 * weight };
      if (points.length === 1 && kind.startsWith("drawn")) {
        return draw("circle", { ...attributes, cx: points[0][0], cy: points[0][1], r: 0.46 * this.reach(this.cells.get(leg[0])), class: `ring ${kind}`, "stroke-width": 0.5 * wide });
      }
      if (points.length === 1) {
        return draw("circle", { ...attributes, cx: points[0][0], cy: points[0][1], r: 1.4 * wide, class: `spot ${kind}` });
      }
      const [x, y] = points.at(-1);
      const [fromX, fromY] = points.at(-2);
      const length = Math.hypot(x - fromX, y - fromY) || 1;
      const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
      const head = 3 * wide;
      points[points.length - 1] = [x - dx * head * 0.8, y - dy * head * 0.8];
      return draw("g", attributes,
        draw("polyline", { points: points.map((point) => point.join(",")).join(" "), "stroke-width": wide }),
        draw("polygon", { points: [[x, y], [x - dx * head - dy * head * 0.6, y - dy * head + dx * head * 0.6],
          [x - dx * head + dy * head * 0.6, y - dy * head - dx * head * 0.6]].map((point) => point.join(",")).join(" ") }));
    }));
  }

  // Mouse and touch

  press(event, id) {
    if (event.button) return;
    this.setFocus(id);
    const begin = [event.clientX, event.clientY];
    const draggable = this.marks.starts?.has(id);
    let ghost = null;
    const moved = (now) => {
      if (!draggable || (!ghost && Math.hypot(now.clientX - begin[0], now.clientY - begin[1]) < DRAG)) return;
      if (!ghost) {
        if (!this.marks.selected?.includes(id)) this.picked(id);
        ghost = this.lift(id);
      }
      const point = this.point(now);
      ghost?.setAttribute("transform", `translate(${point.x} ${point.y})`);
      now.preventDefault();
    };
    const done = (now) => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", done);
      removeEventListener("pointercancel", done);
      ghost?.remove();
      for (const element of this.layers.pieces.querySelectorAll(".lifted")) element.classList.remove("lifted");
      if (now.type === "pointercancel") return;
      // In a notebook the board is in a shadow tree, which the document's own lookup does not enter.
      const over = this.svg.getRootNode().elementFromPoint(now.clientX, now.clientY)?.closest?.("[data-cell]")?.dataset.cell;
      if (!ghost) {
        if (over === id) this.picked(id);
      } else if (over !== undefined && over !== id) this.picked(over, true);
    };
    addEventListener("pointermove", moved, { passive: false });
    addEventListener("pointerup", done);
    addEventListener("pointercancel", done);
  }

  lift(id) {
    const top = [...this.layers.pieces.children].filter((element) => element.dataset.on === id && !element.classList.contains("ghost")).at(-1);
    if (!top) return null;
    const ghost = top.cloneNode(true);
    ghost.classList.add("dragged");
    top.classList.add("lifted");
    this.svg.append(ghost);
    return ghost;
  }

  point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  // Keys: arrows move to the nearest cell in that direction, Enter or space selects it.

  setFocus(id) {
    this.elements.get(this.focus)?.setAttribute("tabindex", -1);
    this.focus = id;
    this.elements.get(id)?.setAttribute("tabindex", 0);
  }

  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) {
      const next = this.neighbour(way);
      if (next) {
        this.setFocus(next);
        this.elements.get(next).focus();
      }
    } else if (event.key === "Enter" || event.key === " ") this.picked(this.focus);
    else if (event.key === "Escape") this.picked(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  neighbour([dx, dy]) {
    const [x, y] = this.middle(this.focus);
    let best = null;
    let least = Infinity;
    for (const id of this.elements.keys()) {
      const [toX, toY] = this.middle(id);
      const ahead = (toX - x) * dx + (toY - y) * dy;
      const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
      if (id === this.focus || ahead <= 0.01) continue;
      const distance = ahead + 3 * aside;
      if (distance < least) [best, least] = [id, distance];
    }
    return best;
  }
}
