// Announce moves to screen readers: what was played, the state of the game, and whose turn it is.

import { find, say } from "./dom.js";

export class Announcer {
  constructor(app) {
    this.app = app;
    this.place = find(".announce");
  }

  takePosition(position, before) {
    const { record, players } = this.app;
    const moved = position.ply > (before?.ply ?? Infinity);
    // Everything since the last announcement: the user's move and the reply may arrive together.
    const fresh = moved ? record.path.slice(before.ply) : [];
    const told = fresh.map(({ text, turn }) => (turn === 2 ? `dice: ${text}` : `${players[turn]}: ${text}`));
    const where = position.ply && !moved && before ? [`move ${position.ply}, ${record.here.text}`] : [];
    say(this.place, `${[...told, ...where, this.app.status()].join(". ")}`);
  }
}
