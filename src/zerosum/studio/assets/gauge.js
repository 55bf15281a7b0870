// The evaluation bar beside the board: the larger MAX's part, the better for MAX.

import { find, say, show } from "./dom.js";
import { brief } from "./thinking.js";

// Map an evaluation to −1 … 1, with ±1 for a decided game; `scale` is a large advantage in the unit of the value.
export function advantage({ value, won, distance }, scale) {
  if (won || distance) return Math.sign(won || value);
  return Math.tanh(value / scale);
}

export class Gauge {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.scale = 3;
    this.part = find(".part", place);
    this.number = find(".number", place);
  }

  takeBoard({ scale }) {
    this.scale = scale ?? 3;
    this.last = null;
  }

  takePosition() {
    this.update();
  }

  evaluated() {
    this.update();
  }

  // Show the value of this position, or of the previous one until it is known, so that the bar does not jump.
  update() {
    const { record, position, players, board, layout } = this.app;
    const known = record.here.evaluation;
    const evaluation = known ?? this.last;
    show(this.place, Boolean(layout));
    this.place.classList.toggle("old", !known);
    if (!evaluation) return this.unknown();
    this.last = evaluation;
    const share = 50 + 50 * Math.max(-0.97, Math.min(0.97, advantage(evaluation, this.scale)));
    const near = board.flipped ? 1 - (layout?.near ?? 0) : layout?.near ?? 0;
    this.place.style.setProperty("--share", `${share}%`);
    this.place.dataset.near = near; // MAX's part grows from MAX's side of the board
    say(this.number, evaluation.final ? result(evaluation) : short(evaluation));
    this.number.dataset.side = share >= 50 ? 0 : 1;
    this.place.setAttribute("aria-valuenow", Math.round(2 * share - 100));
    this.place.setAttribute("aria-valuetext", evaluation.words || `for ${players[0]}: ${brief(evaluation)}`);
    return undefined;
  }

  unknown() {
    this.place.style.setProperty("--share", "50%");
    say(this.number, "");
    this.place.setAttribute("aria-valuenow", 0);
    this.place.setAttribute("aria-valuetext", "not evaluated yet");
  }
}

const result = ({ won }) => (won ? (won > 0 ? "1–0" : "0–1") : "½");

// A value in the few characters that fit; the bar itself shows who is better.
function short({ value, won, distance }) {
  if (distance && won !== undefined) return `#${distance}`;
  const size = Math.abs(value);
  return Number.isInteger(size) || size >= 10 ? String(Math.round(size)) : size.toFixed(1);
}
