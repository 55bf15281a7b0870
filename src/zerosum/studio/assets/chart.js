// The evaluation over the game: one point per position, upwards for MAX. A click goes to that position.

import { draw, make } from "./dom.js";

const WIDTH = 300;
const HEIGHT = 84;
const DOTS = { "??": "blunder", "?": "mistake" };

// Map values of any unit to −1 … 1: steep near even, flat where the game is decided.
function squash({ value, won, distance }, unit) {
  if (won || distance) return Math.sign(value || won);
  return Math.tanh(value / unit);
}

export class Chart {
  constructor(place, go) {
    this.place = place;
    this.go = go;
    place.addEventListener("click", (event) => {
      const box = place.getBoundingClientRect();
      const ply = Math.round(((event.clientX - box.left) / box.width) * this.plies);
      if (this.plies) this.go(ply);
    });
  }

  update(record, players) {
    const nodes = [record.root, ...record.line];
    this.plies = nodes.length - 1;
    const known = nodes.map((node, ply) => ({ ply, evaluation: node.evaluation })).filter(({ evaluation }) => evaluation);
    const sizes = known.map(({ evaluation }) => (evaluation.distance || evaluation.won ? 0 : Math.abs(evaluation.value))).sort((a, b) => a - b);
    const unit = Math.max(sizes[Math.floor(sizes.length * 0.8)] ?? 1, 1e-3) * 1.3;
    const x = (ply) => (this.plies ? (ply / this.plies) * WIDTH : 0);
    const y = (evaluation) => HEIGHT / 2 - squash(evaluation, unit) * (HEIGHT / 2 - 4);
    const points = known.map(({ ply, evaluation }) => `${x(ply).toFixed(1)},${y(evaluation).toFixed(1)}`);
    // Draw a single point as a short stroke.
    if (points.length === 1) points.push(`${x(known[0].ply) + 3},${y(known[0].evaluation).toFixed(1)}`);
    const here = record.path.length;
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "ground", width: WIDTH, height: HEIGHT }),
      known.length > 1 ? draw("polygon", { class: "area", points: `${x(known[0].ply)},${HEIGHT / 2} ${points.join(" ")} ${x(known.at(-1).ply)},${HEIGHT / 2}` }) : null,
      !known.length ? null : draw("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      points.length ? draw("polyline", { class: "curve", points: points.join(" ") }) : null,
      ...known.filter(({ ply }) => DOTS[nodes[ply].judged?.mark]).map(({ ply, evaluation }) => draw("ellipse", { class: `dot ${DOTS[nodes[ply].judged.mark]}`, cx: x(ply), cy: y(evaluation), rx: 2.4, ry: 2.8 })),
      this.plies ? draw("line", { class: "now", x1: x(here), x2: x(here), y1: 0, y2: HEIGHT }) : null,
    );
    const words = record.here.evaluation?.words;
    this.place.replaceChildren(svg,
      make("span", { class: "side top" }, players[0]), make("span", { class: "side bottom" }, players[1]),
      known.length ? "" : make("span", { class: "empty" }, "Values appear here as the engine thinks."));
    this.place.setAttribute("aria-label", `Evaluation over the game. ${known.length} of ${nodes.length} positions evaluated${words ? `; current position: ${words}` : ""}.`);
  }
}
