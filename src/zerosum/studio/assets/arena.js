// The arena: start a match between two players, watch its boards, and see what the results are worth.

import { Board } from "./board.js";
import { download, draw, find, make, say, show } from "./dom.js";

const KINDS = { engine: "engine, by time", depth: "engine, to a depth", nodes: "engine, by positions", random: "random moves" };
const AMOUNTS = { depth: { value: 2, max: 60 }, nodes: { value: 1000, max: 1e9 } };

let view = null;
let board = null; // what the server said of the game: layout and names
let boards = new Map();
let latest = null;
let listening = false;

export const arena = {
  show(place, app) {
    if (!listening) {
      app.connection.on("match", (match) => {
        latest = match;
        take(match);
      });
      listening = true;
    }
    place.replaceChildren(make("h2", {}, "Arena"), make("p", { class: "hint" }, "Connecting …"));
    if (app.welcomed) this.fill(place, app);
  },

  connected(app) {
    if (document.body.dataset.page === "arena") this.fill(find("#other"), app);
  },

  fill(place, app) {
    const form = setup(app);
    const state = make("p", { class: "now", role: "status" }, "Two players, as many games as you like; each opening is played from both sides.");
    const problem = make("p", { class: "problem", role: "alert" });
    view = {
      form, state, problem,
      boards: make("div", { class: "tables" }),
      table: make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Standings" }),
      chart: make("div", { class: "elo" }),
      results: make("ol", { class: "results", "aria-label": "Latest results" }),
    };
    boards = new Map();
    const worth = make("section", { class: "card worth", hidden: true }, make("h3", {}, "Standings"), view.table, view.chart, view.results,
      make("div", { class: "row" }, make("button", { type: "button", class: "save" }, "Download the games")));
    view.worth = worth;
    find(".save", worth).addEventListener("click", () => app.connection.ask("match-save")
      .then(({ name, text }) => download(name, text), (found) => say(problem, found.message)));
    place.replaceChildren(make("h2", {}, "Arena"), form, problem, state, view.boards, worth);
    if (latest) take(latest);
  },
};

function setup(app) {
  const games = app.welcomed.games.map((game) => make("option", { value: game.id, selected: game.id === "connect-four" }, game.title));
  const form = make("form", { class: "card form" },
    make("label", {}, "Game ", make("select", { name: "game" }, ...games)),
    player("one", "depth"), player("two", "random"),
    make("label", {}, "Games ", make("input", { name: "games", type: "number", min: 1, max: 10000, value: 20 })),
    make("label", {}, "Seconds a move ", make("input", { name: "seconds", type: "number", min: 0.01, max: 60, step: 0.01, value: 0.1 })),
    make("label", {}, "Random moves first ", make("input", { name: "plies", type: "number", min: 0, max: 40, value: 2 })),
    make("label", {}, "Games at a time ", make("input", { name: "boards", type: "number", min: 1, max: 4, value: 2 })),
    make("button", { type: "submit", class: "main" }, "Start"),
    make("button", { type: "button", class: "stop", hidden: true }, "Stop"));
  const fields = form.elements;
  const wish = () => ({
    game: fields.game.value,
    players: ["one", "two"].map((name) => {
      const kind = fields[`kind-${name}`].value;
      return AMOUNTS[kind] ? { kind, amount: Number(fields[`amount-${name}`].value) } : { kind };
    }),
    ...Object.fromEntries(["games", "seconds", "plies", "boards"].map((name) => [name, Number(fields[name].value)])),
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(view.problem, "");
    say(view.state, "The players get ready …");
    app.connection.ask("match", wish()).then((found) => {
      board = found;
      boards = new Map();
      view.boards.replaceChildren();
    }, (problem) => {
      say(view.problem, problem.message);
      say(view.state, "");
    });
  });
  find(".stop", form).addEventListener("click", () => app.connection.wish("match-stop"));
  return form;
}

function player(name, chosen) {
  const amount = make("input", { name: `amount-${name}`, type: "number", min: 1, "aria-label": "How much" });
  const kind = make("select", { name: `kind-${name}` },
    ...Object.entries(KINDS).map(([value, words]) => make("option", { value, selected: value === chosen }, words)));
  const choose = () => {
    const amounts = AMOUNTS[kind.value];
    show(amount, Boolean(amounts));
    if (amounts) Object.assign(amount, { value: amounts.value, max: amounts.max });
  };
  kind.addEventListener("change", choose);
  choose();
  return make("div", { class: "player-choice" }, make("label", {}, name === "one" ? "One player " : "The other ", kind), amount);
}

function take(match) {
  if (!view || !find("#other").contains(view.boards)) return;
  const running = match.state === "preparing" || match.state === "playing";
  show(find(".stop", view.form), running);
  const { games } = match.standings;
  const words = { preparing: "The players get ready …", playing: `${games} of ${match.total} games are played.`,
    done: `All ${games} games are played.`, stopped: `Stopped after ${games} of ${match.total} games.`, failed: "" };
  say(view.state, words[match.state]);
  say(view.problem, match.problem);
  showBoards(match.boards);
  show(view.worth, games > 0);
  if (games) {
    view.table.replaceChildren(standings(match.standings.players));
    view.chart.replaceChildren(...elo(match.standings.pairings));
    view.results.replaceChildren(...match.latest.map(({ words: told }) => make("li", {}, told)));
  }
}

// One board for each game that is being played; a board is drawn once and used for the games that follow.
function showBoards(playing) {
  const places = playing.map((game, at) => {
    if (!boards.has(at)) boards.set(at, table());
    const { place, title, result, drawn, text } = boards.get(at);
    say(title, `Game ${game.number}: ${game.players[0]} – ${game.players[1]}${game.last ? `, ${game.last}` : ""}`);
    say(result, game.result ? game.result.replace(/^game \d+: /, "") : "");
    if (drawn) {
      drawn.setPieces(game.pieces, game.way, false);
      drawn.mark({ last: game.way });
    } else say(text, game.text);
    return place;
  });
  if (places.length !== view.boards.children.length) view.boards.replaceChildren(...places);
}

function table() {
  const title = make("h3", {});
  const inside = make("div", { class: "small-board" });
  const result = make("p", { class: "hint" });
  const place = make("section", { class: "card" }, title, inside, result);
  if (!board?.layout) {
    const text = make("pre", {});
    inside.append(text);
    return { place, title, result, text };
  }
  const drawn = new Board(inside, () => {});
  drawn.setLayout(board.layout, board.game);
  drawn.svg.inert = true; // to be looked at only
  return { place, title, result, drawn };
}

function standings(players) {
  const heads = ["player", "won", "drawn", "lost", "score", "Elo"];
  return make("table", {},
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...players.map((row) => make("tr", {}, make("th", { scope: "row" }, row.name),
      ...[row.wins, row.draws, row.losses, row.score === null ? "" : `${(100 * row.score).toFixed(1)} %`,
        row.elo === null ? "" : `${signed(row.elo)} ± ${row.error === null ? "∞" : Math.round(row.error)}`].map((cell) => make("td", {}, cell))))));
}

// The difference in Elo with its interval, on a scale around zero.
function elo(pairings) {
  return pairings.map(({ players, elo: middle, elo_interval: [low, high] }) => {
    const limit = Math.max(100, ...[middle, low, high].filter((value) => value !== null).map(Math.abs)) * 1.15;
    const x = (value, infinite) => 200 + 190 * Math.max(-1, Math.min(1, (value ?? infinite) / limit));
    const words = middle === null ? "no number yet: one side has every point" : `${signed(middle)} Elo (95 %: ${low === null ? "−∞" : signed(low)} to ${high === null ? "+∞" : signed(high)})`;
    const picture = draw("svg", { viewBox: "0 0 400 54", role: "img", "aria-label": `${players[0]} against ${players[1]}: ${words}` },
      draw("line", { class: "axis", x1: 10, x2: 390, y1: 27, y2: 27 }),
      draw("line", { class: "zero", x1: 200, x2: 200, y1: 8, y2: 46 }),
      draw("line", { class: "interval", x1: x(low, -limit), x2: x(high, limit), y1: 27, y2: 27 }),
      middle === null ? null : draw("circle", { class: "estimate", cx: x(middle), cy: 27, r: 7 }));
    return make("figure", {}, picture, make("figcaption", {}, `${players[0]} against ${players[1]}: ${words}`));
  });
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(Math.round(value))}`;
