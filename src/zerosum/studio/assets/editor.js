// The board editor: put pieces from a palette on any cell, by mouse, touch or keyboard. The rules check the result.

import { draw, find, findAll, make, say, show } from "./dom.js";

export class Editor {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.active = false;
    this.glyphs = new Map();
    this.chosen = "";
    find(".board").addEventListener("contextmenu", (event) => {
      const cell = event.target.closest("[data-cell]")?.dataset.cell;
      if (!this.active || cell === undefined) return;
      event.preventDefault();
      this.put(cell, "");
    });
  }

  takeBoard({ layout, players, editable, first }) {
    this.first = first ?? [];
    this.app.tabs.offer("editor", Boolean(editable));
    this.close();
    if (!editable) return;
    const names = Object.keys(layout.glyphs).filter((name) => !name.startsWith("die-"));
    find(".palette", this.place).replaceChildren(...names.map((name) => this.tool(name, layout)), this.tool("", layout));
    find("[name=turn]", this.place).replaceChildren(...players.map((name, side) => make("option", { value: side }, `${name} to move`)));
    this.choose(names[0]);
  }

  tool(name, layout) {
    const shapes = name ? layout.glyphs[name] : [];
    const picture = draw("svg", { class: "zs-board", viewBox: "-52 -52 104 104", "aria-hidden": "true" }, ...shapes.map((shape) => this.app.board.shape(shape, false)));
    const words = name ? name.replaceAll("-", " ") : "remove a piece";
    return make("button", { type: "button", class: "tool", "data-glyph": name, "aria-pressed": "false", title: words, "aria-label": words, onclick: () => this.choose(name) },
      name ? picture : make("span", { "aria-hidden": "true" }, "✕"));
  }

  choose(name) {
    this.chosen = name;
    for (const button of findAll(".tool", this.place)) button.setAttribute("aria-pressed", button.dataset.glyph === name);
  }

  opened(name) {
    if (name === "editor") this.open();
    else this.close();
  }

  open() {
    const { position } = this.app;
    if (!position) return;
    this.active = true;
    document.body.classList.add("editing");
    this.load(position.pieces);
    find(".frame").scrollIntoView({ block: "nearest" });
    if (position.turn < 2) find("[name=turn]", this.place).value = position.turn;
    this.say("");
  }

  close() {
    if (!this.active) return;
    this.active = false;
    document.body.classList.remove("editing");
    this.app.refresh();
  }

  load(pieces) {
    this.glyphs = new Map(pieces.filter(({ glyph }) => glyph).map(({ cell, glyph }) => [cell, glyph]));
    this.draw();
  }

  draw() {
    const pieces = [...this.glyphs].map(([cell, glyph]) => ({ cell, glyph, label: glyph.replaceAll("-", " ") }));
    this.app.board.setPieces(pieces, [], false);
    this.app.board.mark({ arrows: [] });
  }

  // Put the chosen piece on a cell, or remove it if it is already there. Returns false if the editor is closed.
  pick(cell) {
    if (!this.active) return false;
    if (cell !== null) this.put(cell, this.glyphs.get(cell) === this.chosen ? "" : this.chosen);
    return true;
  }

  put(cell, glyph) {
    if (glyph) this.glyphs.set(cell, glyph);
    else this.glyphs.delete(cell);
    this.draw();
  }

  act(what) {
    if (what === "edit-clear") this.load([]);
    else if (what === "edit-start") this.load(this.first);
    else if (what === "edit-done") this.done();
  }

  done() {
    const { app } = this;
    const turn = Number(find("[name=turn]", this.place).value);
    app.connection.ask("set-up", { glyphs: Object.fromEntries(this.glyphs), turn }).then(({ position }) => {
      app.tabs.open("explorer");
      app.openPosition(position);
    }, (problem) => this.say(problem.message));
  }

  say(words) {
    const place = find(".problem", this.place);
    say(place, words);
    show(place, Boolean(words));
  }

  // While editing, no new position may change the board.
  takePosition() {
    if (this.active) this.open();
  }
}
