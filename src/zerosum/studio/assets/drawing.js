// Arrows and circles drawn by the user on the current node of the tree.
//
// Draw with the right button, or with the left one while holding Shift or Alt: an arrow between two cells, or a circle
// on one. Drawing the same again removes it. By keyboard: d on a cell, then d on another, or on the same for a circle.

import { find, say } from "./dom.js";

const MOST = 100;

function paintOf({ shiftKey, altKey, ctrlKey, button }) {
  const right = button === 2;
  const one = right ? shiftKey || ctrlKey : altKey;
  const other = right ? altKey : ctrlKey;
  if (one && other) return "yellow";
  return one ? "red" : other ? "blue" : "green";
}

const cellAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest?.("[data-cell]")?.dataset.cell;

export class Drawing {
  constructor(place, app) {
    this.app = app;
    this.begun = null;
    place.addEventListener("contextmenu", (event) => app.layout && app.analyses && event.preventDefault());
    place.addEventListener("pointerdown", (event) => this.press(event), true);
    place.addEventListener("keydown", (event) => this.key(event));
  }

  press(event) {
    const draws = event.button === 2 || (event.button === 0 && (event.shiftKey || event.altKey));
    const from = cellAt(event);
    if (!draws || !this.app.analyses || !this.app.layout || from === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const paint = paintOf(event);
    const moved = (now) => {
      const to = cellAt(now);
      this.sketch = to === undefined ? null : { way: to === from ? [from] : [from, to], paint };
      this.app.markBoard();
    };
    const done = (now) => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", done);
      removeEventListener("pointercancel", done);
      this.sketch = null;
      const to = cellAt(now);
      if (now.type === "pointerup" && to !== undefined) this.draw(to === from ? [from] : [from, to], paint);
      else this.app.markBoard();
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", done);
    addEventListener("pointercancel", done);
  }

  key(event) {
    if (event.key !== "d" || event.ctrlKey || event.metaKey || !this.app.analyses) return;
    const cell = event.target.closest("[data-cell]")?.dataset.cell;
    if (cell === undefined) return;
    event.stopPropagation();
    if (this.begun === null) {
      this.begun = cell;
      say(find(".announce"), `Arrow starts on ${cell}. Press d on another cell to finish it, or here for a circle.`);
      return;
    }
    const way = this.begun === cell ? [cell] : [this.begun, cell];
    this.begun = null;
    this.draw(way, "green");
    say(find(".announce"), way.length > 1 ? `Arrow from ${way[0]} to ${way[1]}.` : `Circle on ${cell}.`);
  }

  draw(way, paint) {
    const { record } = this.app;
    const { here } = record;
    const same = (shape) => shape.way.join(" ") === way.join(" ");
    const before = here.shapes.find(same);
    here.shapes = here.shapes.filter((shape) => !same(shape));
    if (before?.paint !== paint && here.shapes.length < MOST) here.shapes.push({ way, paint });
    record.keep();
    this.app.markBoard();
    this.app.panels.tell("drawn");
  }

  takePosition() {
    this.begun = null;
  }

  arrows() {
    if (!this.app.analyses) return [];
    const shapes = this.sketch ? [...this.app.record.here.shapes, this.sketch] : this.app.record.here.shapes;
    return shapes.map(({ way, paint }) => ({ way, kind: `drawn ${paint}`, weight: 0.8 }));
  }
}
