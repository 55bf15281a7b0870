// A move chosen while the other side thinks: it is made as soon as it is one's turn, if it is legal then.

import { Choice } from "./choice.js";

export class Premove {
  constructor(app) {
    this.app = app;
    this.cells = [];
    this.chance = false;
  }

  takeBoard({ chance }) {
    this.chance = chance; // nobody knows the next throw
    this.clear();
  }

  // Whether a cell that is pointed at now is one of a premove.
  takes() {
    const { position, connection, layout } = this.app;
    if (!position || !layout || this.chance || !connection.isOpen) return false;
    return position.mode === "play" && !position.over && position.people.length === 1 && position.people[0] !== position.turn;
  }

  clear() {
    this.cells = [];
  }

  pick(cell) {
    // As many cells as the moves of this game take at least; one more begins anew, the same one again takes it back.
    const { moves } = this.app.position;
    const needed = Math.max(1, ...moves.map(({ ways }) => Math.min(...ways.map((way) => way.length))));
    if (this.cells.at(-1) === cell) this.clear();
    else this.cells = this.cells.length < needed ? [...this.cells, cell] : [cell];
  }

  // It is one's turn: the legal move that was pointed at, or none.
  takePosition(position) {
    const { cells, app } = this;
    if (!cells.length || this.takes()) return;
    this.clear();
    app.markBoard();
    if (position.mode !== "play" || !app.mayMove()) return;
    const choice = new Choice(position.moves);
    const found = cells.map((cell) => choice.pick(cell)).at(-1);
    if (found.play) app.play(found.play.move);
  }
}
