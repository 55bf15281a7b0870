// The two players' names and clocks, above and below the board.

import { find, say, show } from "./dom.js";

export class Clocks {
  constructor(places, fallen) {
    this.places = places;
    this.fallen = fallen;
    setInterval(() => this.tick(), 100);
  }

  // `near` is the player at the bottom of the board.
  show(players, position, near, names) {
    const order = [1 - near, near];
    this.places.forEach((place, number) => {
      const side = order[number];
      say(find(".who .name", place), names[side] || players[side]);
      say(find(".who .colour", place), names[side] ? players[side] : "");
      place.dataset.side = side;
      place.classList.toggle("to-move", !position.over && position.turn === side);
      show(find(".clock", place), Boolean(position.clock) && position.mode === "play");
    });
    this.clock = position.mode === "play" ? position.clock : null;
    this.began = performance.now();
    this.told = false;
    this.tick();
  }

  stop() {
    if (this.clock) this.clock = { ...this.clock, running: null };
  }

  tick() {
    if (!this.clock) return;
    const passed = (performance.now() - this.began) / 1000;
    for (const place of this.places) {
      const side = Number(place.dataset.side);
      const runs = this.clock.running === side;
      const left = Math.max(0, this.clock.left[side] - (runs ? passed : 0));
      say(find(".clock", place), clockText(left));
      find(".clock", place).classList.toggle("low", left < 10);
      find(".clock", place).classList.toggle("runs", runs);
      if (runs && !left && !this.told) {
        this.told = true;
        this.fallen();
      }
    }
  }
}

export function clockText(left) {
  if (left < 10) return left.toFixed(1);
  const seconds = Math.ceil(left);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
