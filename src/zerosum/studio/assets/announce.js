// Moves, said aloud for those who listen to the page: what was played, how the game stands, and whose turn it is.

import { find, say } from "./dom.js";

export class Announcer {
  constructor(app) {
    this.app = app;
    this.place = find(".announce");
  }

  takePosition(position, before) {
    const { record, players } = this.app;
    const moved = position.ply > (before?.ply ?? Infinity);
    // All that has happened since the last time: one's own move and the answer may come together.
    const fresh = moved ? record.path.slice(before.ply) : [];
    const told = fresh.map(({ text, turn }) => (turn === 2 ? `dice: ${text}` : `${players[turn]}: ${text}`));
    const where = position.ply && !moved && before ? [`move ${position.ply}, ${record.here.text}`] : [];
    say(this.place, `${[...told, ...where, this.app.status()].join(". ")}`);
  }
}
