// What the endgame database says about the current position and each of its moves.

import { find, make, say, show } from "./dom.js";

export class DatabaseVerdict {
  constructor(place, app) {
    this.place = place;
    this.app = app;
  }

  takePosition() {
    show(this.place, false);
  }

  settled(position) {
    if (this.app.page !== "analyse") return;
    this.app.connection.ask("verdict").then(({ words, moves }) => {
      if (this.app.position !== position) return;
      show(this.place, Boolean(words));
      say(find(".said", this.place), words ? `Endgame database: ${words}.` : "");
      find(".each", this.place).replaceChildren(...moves.map(({ move, text, words: said }) => make("li", {},
        make("button", { type: "button", onclick: () => this.app.play(move) }, make("b", {}, text), ` ${said}`))));
    }, () => {});
  }
}
