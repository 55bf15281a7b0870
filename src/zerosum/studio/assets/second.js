// A second engine with another algorithm, to compare its view of the same position.

import { find, show } from "./dom.js";
import { Thinking } from "./thinking.js";

export class Second {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.choice = find("[name=beside]");
    this.choice.addEventListener("change", () => this.begin());
    this.thinking = new Thinking(place, {
      hover: (line) => app.hover(line),
      play: (line) => app.mayMove() && line.moves.length && app.play(line.moves[0]),
    });
  }

  begin() {
    const algorithm = this.choice.value;
    show(this.place, Boolean(algorithm));
    this.thinking.clear();
    if (algorithm) this.app.connection.wish("analyse", { lines: 1, algorithm, beside: true });
    else this.app.connection.wish("stop", { what: "beside" });
  }

  // After a new game or a restart, the server no longer has the second engine.
  takeBoard() {
    this.thinking.restart();
    this.fresh = true;
  }

  takePosition({ over, words }) {
    if (this.choice.value) this.thinking.moved(over ? words : "", over);
  }

  settled() {
    if (!this.fresh) return;
    this.fresh = false;
    if (this.choice.value) this.begin();
  }

  takeSearch(search) {
    if (search.purpose === "beside") this.thinking.state(search);
  }

  takeReport(report) {
    if (report.purpose === "beside" && this.choice.value) this.thinking.take(report);
  }

  arrows() {
    const { report } = this.thinking;
    return this.choice.value && report && this.app.isHere(report) ? [{ way: report.lines[0].way, kind: "second", weight: 0.7 }] : [];
  }
}
