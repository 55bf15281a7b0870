// The arena: start a match between players, watch its boards, and see the standings.

import { Board } from "./board.js";
import { download, find, findAll, make, say, show } from "./dom.js";
import { charts, crosstable, gamesTable, standings } from "./standings.js";

const KINDS = {
  level: "engine: level", engine: "engine: time limit", depth: "engine: depth limit", nodes: "engine: node limit",
  mcts: "sampling: simulations", random: "random moves",
};
const AMOUNTS = { level: { value: 4, max: 10 }, depth: { value: 2, max: 60 }, nodes: { value: 1000, max: 1e9 }, mcts: { value: 1000, max: 1e9 } };
const MOST_PLAYERS = 6;

let view = null;
let board = null; // layout and names of the game, from the server
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
    const state = make("p", { class: "now", role: "status" }, "Every player meets every other, and each opening is played from both sides.");
    const problem = make("p", { class: "problem", role: "alert" });
    view = {
      form, state, problem,
      boards: make("div", { class: "tables" }),
      table: make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Standings" }),
      chart: make("div", { class: "elo" }),
      cross: make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Crosstable" }),
      results: make("div", { class: "scrolls results", tabindex: 0, role: "region", "aria-label": "Games" }),
      open: (number) => openGame(app, number, problem),
    };
    boards = new Map();
    const worth = make("section", { class: "card worth", hidden: true }, make("h3", {}, "Standings"), view.table,
      make("p", { class: "hint" }, "Elo is relative to the average of the players. Each player is credited with one extra draw against each opponent, so that a player who wins every game still has a finite rating."),
      view.chart, view.cross, make("h3", {}, "Games"), view.results,
      make("div", { class: "row" }, make("button", { type: "button", class: "all" }, "Show all games"),
        make("button", { type: "button", class: "save" }, "Download the games")));
    view.worth = worth;
    find(".all", worth).addEventListener("click", () => app.connection.ask("match-games")
      .then(({ games }) => view.results.replaceChildren(gamesTable(games, view.open)), (found) => say(problem, found.message)));
    find(".save", worth).addEventListener("click", () => app.connection.ask("match-save")
      .then(({ name, text }) => download(name, text), (found) => say(problem, found.message)));
    place.replaceChildren(make("h2", {}, "Arena"), form, problem, state, make("div", { class: "match" }, worth, view.boards));
    if (latest) take(latest);
  },
};

function setup(app) {
  const games = app.welcomed.games.map((game) => make("option", { value: game.id, selected: game.id === "connect-four" }, game.title));
  const form = make("form", { class: "card form" },
    make("label", {}, "Game ", make("select", { name: "game" }, ...games)),
    make("div", { class: "players" }, player("level", 3), player("level", 2)),
    make("button", { type: "button", class: "add" }, "Add a player"),
    make("label", {}, "Games per pair ", make("input", { name: "games", type: "number", min: 1, max: 10000, value: 20 })),
    make("label", {}, "Seconds per move ", make("input", { name: "seconds", type: "number", min: 0.01, max: 60, step: 0.01, value: 0.1 })),
    make("label", {}, "Random opening moves ", make("input", { name: "plies", type: "number", min: 0, max: 40, value: 2 })),
    make("label", {}, "Games in parallel ", make("input", { name: "boards", type: "number", min: 1, max: 4, value: 2 })),
    make("button", { type: "submit", class: "main" }, "Start"),
    make("button", { type: "button", class: "stop", hidden: true }, "Stop"));
  const fields = form.elements;
  const wish = () => ({
    game: fields.game.value,
    players: findAll(".player-choice", form).map((choice) => {
      const kind = find("select", choice).value;
      return AMOUNTS[kind] ? { kind, amount: Number(find("input", choice).value) } : { kind };
    }),
    ...Object.fromEntries(["games", "seconds", "plies", "boards"].map((name) => [name, Number(fields[name].value)])),
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(view.problem, "");
    say(view.state, "Preparing the players …");
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
  find(".add", form).addEventListener("click", () => {
    find(".players", form).append(player("random"));
    find(".players", form).lastChild.querySelector("select").focus();
    number(form);
  });
  form.addEventListener("click", ({ target }) => {
    if (!target.matches(".remove")) return;
    target.closest(".player-choice").remove();
    number(form);
  });
  number(form);
  return form;
}

// Number the players in order; at least two must remain.
function number(form) {
  const choices = findAll(".player-choice", form);
  choices.forEach((choice, place) => {
    say(find(".who", choice), `Player ${place + 1}`);
    find("input", choice).setAttribute("aria-label", `Limit for player ${place + 1}`);
    find(".remove", choice).setAttribute("aria-label", `Remove player ${place + 1}`);
    show(find(".remove", choice), choices.length > 2);
  });
  find(".add", form).disabled = choices.length >= MOST_PLAYERS;
}

function player(chosen, value) {
  const amount = make("input", { type: "number", min: 1, class: "amount" });
  const kind = make("select", {}, ...Object.entries(KINDS).map(([name, words]) => make("option", { value: name, selected: name === chosen }, words)));
  const choose = () => {
    const amounts = AMOUNTS[kind.value];
    show(amount, Boolean(amounts));
    if (amounts) Object.assign(amount, { value: amounts.value, max: amounts.max });
  };
  kind.addEventListener("change", choose);
  choose();
  if (value) amount.value = value;
  return make("div", { class: "player-choice" }, make("label", {}, make("span", { class: "who" }), " ", kind), amount,
    make("button", { type: "button", class: "plain remove" }, "×"));
}

// Open a game of the match on the analysis board.
function openGame(app, number, problem) {
  app.connection.ask("match-game", { number }).then(({ game, settings, position, moves, players }) => {
    app.takeUp({ setup: { game, settings, position, people: [0, 1], strength: { level: 4 }, clock: "", names: players }, moves, over: true });
  }, (found) => say(problem, found.message));
}

function take(match) {
  if (!view || !find("#other").contains(view.boards)) return;
  const running = match.state === "preparing" || match.state === "playing";
  show(find(".stop", view.form), running);
  const { games } = match.standings;
  const words = { preparing: "Preparing the players …", playing: `${games} of ${match.total} games played.`,
    done: `All ${games} games played.`, stopped: `Stopped after ${games} of ${match.total} games.`, failed: "" };
  say(view.state, words[match.state]);
  say(view.problem, match.problem);
  showBoards(match.boards);
  show(view.worth, games > 0);
  if (games) {
    const { players, pairings } = match.standings;
    view.table.replaceChildren(standings(players));
    view.chart.replaceChildren(...charts(match.standings));
    const cross = crosstable(players, pairings);
    view.cross.replaceChildren(...(cross ? [cross] : []));
    show(view.cross, Boolean(cross));
    view.results.replaceChildren(gamesTable(match.latest, view.open));
  }
}

// One board for each running game; a board is drawn once and reused for later games.
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
  drawn.svg.inert = true; // for display only
  return { place, title, result, drawn };
}
