// What the other side would play if it were its turn: an arrow and the move.

import { say, show } from "./dom.js";

export class Threat {
  constructor(button, place, app) {
    this.button = button;
    this.place = place;
    this.app = app;
    this.wanted = false;
    this.found = null;
  }

  takeBoard({ threats }) {
    show(this.button, threats);
    if (!threats) this.want(false);
  }

  want(wanted) {
    this.wanted = wanted;
    this.button.setAttribute("aria-pressed", wanted);
    this.clear();
    if (wanted) this.settled(this.app.position);
  }

  clear() {
    this.found = null;
    show(this.place, false);
  }

  takePosition() {
    this.clear();
  }

  settled({ over, turn } = {}) {
    if (!this.wanted || over || turn === 2 || !this.app.analyses) return;
    this.app.connection.ask("threat").then((found) => {
      if (!this.wanted || !this.app.isHere(found)) return;
      this.tell(`Threat: ${found.text}`);
      this.found = found;
      this.app.markBoard();
    }, (problem) => this.tell(problem.message));
  }

  tell(words) {
    show(this.place, true);
    say(this.place, words);
  }

  act(what) {
    if (what !== "threat") return;
    this.want(!this.wanted);
    this.app.markBoard();
  }

  arrows() {
    return this.found && this.app.isHere(this.found) ? [{ way: this.found.way, kind: "threat", weight: 0.8 }] : [];
  }
}
