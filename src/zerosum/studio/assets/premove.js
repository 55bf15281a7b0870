// A move selected while the other side is thinking. It is played on the user's turn if it is legal then.

import { Choice } from "./choice.js";

export class Premove {
  constructor(app) {
    this.app = app;
    this.cells = [];
    this.chance = false;
  }

  takeBoard({ chance }) {
    this.chance = chance; // the next roll is unknown
    this.clear();
  }

  // Whether a cell selected now belongs to a premove.
  takes() {
    const { position, connection, layout } = this.app;
    if (!position || !layout || this.chance || !connection.isOpen) return false;
    return position.mode === "play" && !position.over && position.people.length === 1 && position.people[0] !== position.turn;
  }

  clear() {
    this.cells = [];
  }

  pick(cell) {
    // A premove has as many cells as the shortest path of a move; one more cell starts over, the same cell again cancels.
    const { moves } = this.app.position;
    const needed = Math.max(1, ...moves.map(({ ways }) => Math.min(...ways.map((way) => way.length))));
    if (this.cells.at(-1) === cell) this.clear();
    else this.cells = this.cells.length < needed ? [...this.cells, cell] : [cell];
  }

  // On the user's turn, play the premove if it is legal.
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
