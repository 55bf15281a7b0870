// The opening explorer: moves played from this position in game files, books and the user's own games; the opening's name.

import { find, make, say, show } from "./dom.js";
import { recentGames } from "./recent.js";
import { brief } from "./thinking.js";

const AGAIN = 1000;

export class Explorer {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.heading = find(".opening");
  }

  takeBoard() {
    say(this.heading, "");
  }

  takePosition() {
    clearTimeout(this.timer);
  }

  settled(position) {
    if (!this.app.analyses) return;
    this.app.connection.ask("explore").then((found) => {
      if (!this.app.isHere(found)) return;
      say(this.heading, found.name);
      if (this.app.tabs.name === "explorer") this.show(found);
      if (found.sources.some(({ reading }) => reading)) this.timer = setTimeout(() => this.app.position === position && this.settled(position), AGAIN);
    }, () => {});
  }

  opened() {
    if (this.app.position) this.settled(this.app.position);
  }

  show({ name, sources }) {
    const all = [...sources, ...this.own()].filter((source) => source.moves.length || source.reading || source.problem);
    const none = sources.length ? "No game in the files reached this position." : "No game reached this position. Start the studio with --games FILE to explore games or an opening book, or play some games yourself.";
    this.place.replaceChildren(
      make("p", { class: "name" }, name || (this.app.record.path.length ? "This opening has no name." : "Start of the game.")),
      ...all.map((source) => this.source(source)), all.length ? "" : make("p", { class: "hint" }, none));
  }

  source({ title, games, moves, reading, problem, wrong }) {
    const counted = games ? `, ${games} game${games === 1 ? "" : "s"}${wrong ? `, ${wrong} unreadable` : ""}` : "";
    const note = problem || (reading ? `still reading${counted}` : counted.slice(2));
    return make("section", { "aria-label": title }, make("h3", {}, title, note ? make("span", { class: "hint" }, ` ${note}`) : null),
      moves.length ? make("table", {}, make("thead", { class: "visually-hidden" }, make("tr", {}, ...["move", "games", "results", "value"].map((head) => make("th", { scope: "col" }, head)))),
        make("tbody", {}, ...moves.map((one) => this.row(one)))) : null);
  }

  row({ move, text, way, games, results, value, weight }) {
    const { app } = this;
    const line = { moves: [move], way };
    const button = make("button", { type: "button", class: "move", onclick: () => app.mayMove() && app.play(move) }, text);
    for (const kind of ["mouseenter", "focus"]) button.addEventListener(kind, () => app.hover(line));
    for (const kind of ["mouseleave", "blur"]) button.addEventListener(kind, () => app.hover(null));
    const known = results[0] + results[1] + results[2];
    const share = (count) => `${Math.round((100 * count) / known)} %`;
    const bar = known ? make("span", { class: "results", role: "img", "aria-label": `${app.players[0]} wins ${share(results[0])}, draws ${share(results[1])}, ${app.players[1]} wins ${share(results[2])}` },
      ...results.map((count, place) => {
        const part = make("span", { class: ["first", "draw", "second"][place] }, count / known > 0.2 ? share(count) : "");
        part.style.flexGrow = count;
        return part;
      })) : null;
    return make("tr", {}, make("th", { scope: "row" }, button), make("td", {}, games || (weight ? `weight ${weight}` : "")), make("td", { class: "bars" }, bar),
      make("td", {}, value === null || value === undefined ? "" : brief({ value })));
  }

  // The user's own games that start with these moves.
  own() {
    const { setup, path } = this.app.record;
    const moves = path.map((node) => node.move);
    const alike = recentGames().filter((game) => game.setup.game === setup.game && (game.setup.position ?? "") === (setup.position ?? "")
      && JSON.stringify(game.setup.settings ?? {}) === JSON.stringify(setup.settings ?? {}));
    const counts = new Map();
    for (const game of alike) {
      const next = game.moves[moves.length];
      if (next === undefined || moves.some((move, place) => game.moves[place] !== move)) continue;
      const count = counts.get(next) ?? { games: 0, results: [0, 0, 0] };
      count.games += 1;
      if (game.over && game.winner !== undefined) count.results[game.winner === null ? 1 : game.winner === 0 ? 0 : 2] += 1;
      counts.set(next, count);
    }
    const legal = this.app.position.moves;
    const found = legal.filter(({ move }) => counts.has(move)).map(({ move, text, ways }) => ({ move, text, way: ways[0] ?? [], value: null, weight: 0, ...counts.get(move) }));
    found.sort((one, other) => other.games - one.games);
    return [{ title: "Your own games", games: alike.length, moves: found }];
  }
}
