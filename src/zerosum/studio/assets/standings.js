// The results of a match: a rating with its error for each player, the crosstable, points and luck, and the games.

import { draw, make } from "./dom.js";

export const signed = (value, digits = 0) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
const rated = ({ elo, error }) => (elo === null ? "" : `${signed(elo)} ± ${error === null ? "∞" : Math.round(error)}`);

export function standings(players) {
  const heads = ["player", "won", "drawn", "lost", "score", "Elo, 95 %"];
  return make("table", { class: "standings" },
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...players.map((row) => make("tr", {}, make("th", { scope: "row" }, row.name),
      ...[row.wins, row.draws, row.losses, row.score === null ? "" : `${(100 * row.score).toFixed(1)} %`, rated(row)]
        .map((cell, place) => make("td", { "data-head": heads[place + 1] }, cell))))));
}

// Points of each player against each other; the strongest player first.
export function crosstable(players, pairings) {
  if (players.length < 3) return null;
  const names = players.map(({ name }) => name);
  const score = (one, other) => {
    const found = pairings.find(({ players: both }) => both.includes(one) && both.includes(other));
    if (!found) return "";
    const first = found.players[0] === one;
    return half((first ? found.wins : found.losses) + found.draws / 2);
  };
  return make("table", { class: "crosstable" }, make("caption", {}, "Head-to-head points"),
    make("thead", {}, make("tr", {}, make("td", {}), ...names.map((name, place) => make("th", { scope: "col", title: name }, place + 1)))),
    make("tbody", {}, ...names.map((name, place) => make("tr", {}, make("th", { scope: "row" }, `${place + 1}. ${name}`),
      ...names.map((other) => make("td", {}, other === name ? "—" : score(name, other)))))));
}

const half = (points) => `${Math.floor(points) || (points % 1 ? "" : 0)}${points % 1 ? "½" : ""}`;

// A chart with one estimate and interval per row, on a common scale around zero.
export function intervals(title, rows, { digits = 0, unit = "" } = {}) {
  const ends = rows.flatMap(({ middle, error }) => [middle, middle - (error ?? 0), middle + (error ?? 0)]);
  const limit = Math.max(...ends.map(Math.abs), 1e-9) * 1.1;
  const high = 34;
  const x = (value) => 200 + 190 * Math.max(-1, Math.min(1, value / limit));
  const words = ({ name, middle, error }) => `${name}: ${signed(middle, digits)} ± ${error === null ? "∞" : error.toFixed(digits)}${unit}`;
  const picture = draw("svg", { viewBox: `0 0 400 ${high * rows.length + 8}`, role: "img", "aria-label": `${title}. ${rows.map(words).join("; ")}` },
    draw("line", { class: "zero", x1: 200, x2: 200, y1: 0, y2: high * rows.length + 8 }),
    ...rows.flatMap((row, place) => {
      const y = high * place + 26;
      const [low, up] = row.error === null ? [10, 390] : [x(row.middle - row.error), x(row.middle + row.error)];
      const label = draw("text", { x: 4, y: y - 10, class: "label" });
      label.textContent = words(row);
      return [label, draw("line", { class: row.error === null ? "interval open" : "interval", x1: low, x2: up, y1: y, y2: y }),
        draw("circle", { class: "estimate", cx: x(row.middle), cy: y, r: 6 })];
    }));
  return make("figure", {}, make("figcaption", {}, title), picture);
}

export function charts({ players, pairings }) {
  const found = [intervals("Elo, with 95 % intervals", players.filter(({ elo }) => elo !== null).map(({ name, elo, error }) => ({ name, middle: elo, error })))];
  const points = (key, name) => pairings.filter((one) => one[key]).map((one) => ({
    name: `${one.players[0]} against ${one.players[1]}${name}`, middle: one[key].mean, error: one[key].error,
  }));
  const rows = [...points("points", ""), ...points("points_without_luck", ", luck-adjusted")];
  if (rows.length) found.push(intervals("Points per game, with standard errors", rows, { digits: 3 }));
  return found;
}

// The finished games, each with a button to open it.
export function gamesTable(games, open) {
  const heads = ["game", "players", "result", "moves", ""];
  return make("table", { class: "played" },
    make("thead", {}, make("tr", {}, ...heads.map((head) => (head ? make("th", { scope: "col" }, head) : make("td", {}))))),
    make("tbody", {}, ...games.map((game) => make("tr", {}, make("th", { scope: "row" }, game.number),
      make("td", { class: "names" }, `${game.players[0]} – ${game.players[1]}`),
      make("td", { title: game.why }, game.result), make("td", {}, game.length),
      make("td", {}, make("button", { type: "button", "aria-label": `Open game ${game.number}`, onclick: () => open(game.number) }, "Open"))))));
}
