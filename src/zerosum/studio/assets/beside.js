// The players' colours and counts (material, discs, points) beside the board, and who is ahead.

import { coloursOf } from "./colours.js";
import { find, findAll, make } from "./dom.js";

export class Beside {
  constructor(app) {
    this.app = app;
  }

  takeBoard({ players }) {
    coloursOf(players).forEach(([ground, ink], side) => {
      const { style } = find(".game");
      style.setProperty(`--ground-${side}`, ground);
      style.setProperty(`--ink-${side}`, ink);
    });
  }

  takePosition({ counts = [] }) {
    const { players } = this.app;
    for (const place of findAll(".player")) {
      const side = Number(place.dataset.side);
      find(".counts", place).replaceChildren(...counts.map(({ name, numbers }) => {
        const ahead = numbers[side] - numbers[1 - side];
        return make("span", { class: "count", title: `${players[side]}: ${numbers[side]} ${name}` },
          make("b", {}, numbers[side]), ` ${name}`, ahead > 0 ? make("span", { class: "ahead" }, ` +${ahead}`) : null);
      }));
    }
  }
}
