// What the endgame database says about the position that is looked at.

import { say, show } from "./dom.js";

export class DatabaseVerdict {
  constructor(place, app) {
    this.place = place;
    this.app = app;
  }

  takePosition({ ply }) {
    if (this.app.page !== "analyse") return;
    this.app.connection.ask("verdict").then(({ words }) => {
      if (this.app.position.ply !== ply) return;
      show(this.place, Boolean(words));
      say(this.place, words ? `Endgame database: ${words}.` : "");
    }, () => {});
  }
}
