// Watch networks learn: the learning curve and a game of the network, for a run started here or for files that are watched.

import { draw, find, make, say, show } from "./dom.js";
import { thumbnail } from "./lobby.js";

const WIDTH = 600;
const HEIGHT = 240;
const EDGE = { left: 52, right: 12, top: 14, bottom: 34 };

const seen = new Map(); // by name: the latest report
let view = null;
let listening = false;
let offered = null;

export const training = {
  show(place, app) {
    if (!listening) {
      app.connection.on("training", (news) => {
        seen.set(news.name, { ...seen.get(news.name), ...news });
        if (document.body.dataset.page === "training") update(app);
      });
      listening = true;
    }
    place.replaceChildren(make("h2", {}, "Training"), make("p", { class: "hint" }, "Connecting …"));
    if (app.connection.isOpen) this.fill(place, app);
  },

  connected(app) {
    if (document.body.dataset.page === "training") this.fill(find("#other"), app);
  },

  async fill(place, app) {
    try {
      offered = await app.connection.ask("training-watch");
    } catch (problem) {
      place.replaceChildren(make("h2", {}, "Training"), make("p", { class: "problem", role: "alert" }, problem.message));
      return;
    }
    if (document.body.dataset.page !== "training") return;
    const form = setup(app);
    view = { form, runs: make("div", { class: "runs" }), cards: new Map() };
    const follow = offered.files.length ? `Watching files: ${offered.files.join(", ")}.`
      : "To watch a run in a terminal: “zerosum train GAME --out net.npz”, then “zerosum studio --training net.npz”.";
    place.replaceChildren(make("h2", {}, "Training"),
      make("p", {}, "A network learns a game from scratch by playing against itself. After every move it corrects its estimate of the previous position (TD learning)."),
      form, make("p", { class: "hint" }, follow), view.runs);
    update(app);
  },
};

function setup(app) {
  const titles = new Map(app.welcomed.games.map(({ id, title }) => [id, title]));
  const form = make("form", { class: "card form" },
    make("label", {}, "Game ", make("select", { name: "game" }, ...offered.games.map((id) => make("option", { value: id }, titles.get(id))))),
    make("label", {}, "Games ", make("input", { name: "games", type: "number", min: 100, max: 200000, value: 20000 })),
    make("label", {}, "Hidden units ", make("input", { name: "hidden", type: "number", min: 0, max: 200, value: 20 })),
    make("button", { type: "submit", class: "main" }, "Learn"),
    make("button", { type: "button", class: "stop", hidden: true }, "Stop"),
    make("p", { class: "problem", role: "alert" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(find(".problem", form), "");
    const { game, games, hidden } = form.elements;
    seen.delete("here");
    view.cards.get("here")?.element.remove();
    view.cards.delete("here");
    app.connection.ask("training", { game: game.value, games: Number(games.value), hidden: Number(hidden.value) })
      .catch((problem) => say(find(".problem", form), problem.message));
  });
  find(".stop", form).addEventListener("click", () => app.connection.wish("training-stop"));
  return form;
}

function update(app) {
  if (!view) return;
  const here = seen.get("here");
  show(find(".stop", view.form), ["preparing", "learning"].includes(here?.state));
  for (const [name, news] of seen) {
    if (!view.cards.has(name)) {
      const made = card(name);
      view.cards.set(name, made);
      view.runs.append(made.element);
    }
    fill(view.cards.get(name), news, app);
  }
}

function card(name) {
  const parts = {
    state: make("p", { class: "now", role: "status" }),
    chart: make("figure", { class: "curve" }),
    board: make("div", { class: "thumb", "aria-hidden": "true" }),
    moves: make("p", { class: "moves-text" }),
    open: make("button", { type: "button", hidden: true }, "Open this game"),
  };
  const element = make("section", { class: "card run" }, make("h3", {}, name === "here" ? "This run" : name), parts.state, parts.chart,
    make("div", { class: "own-game" }, parts.board, make("div", {}, make("h4", {}, "A game against itself"), parts.moves, parts.open)));
  return { element, ...parts };
}

function fill(parts, news, app) {
  const words = {
    waiting: "The file does not exist yet.",
    preparing: "Compiling the learner (once per game) …",
    learning: `${count(news.games)} of ${count(news.total)} games${news.speed ? `, ${count(news.speed)} a second` : ""}.`,
    done: `Done: ${count(news.games)} games.`,
    stopped: `Stopped after ${count(news.games)} games.`,
    failed: news.problem,
  };
  say(parts.state, words[news.state]);
  if (!news.line) return;
  parts.chart.replaceChildren(make("figcaption", {}, `Points per game against ${opponents[news.opponent] ?? news.opponent}, with standard errors: ${news.features} features, ${news.hidden} hidden units`),
    news.curve.length ? curve(news) : make("p", { class: "hint" }, "The first match has not been played yet."));
  if (news.layout) thumbnail(parts.board, news, news.line.pieces);
  else parts.board.replaceChildren(make("pre", {}, news.line.text));
  say(parts.moves, `${news.line.texts.join(" ")}${news.line.words ? `. ${news.line.words}.` : " …"}`);
  show(parts.open, true);
  parts.open.onclick = () => app.takeUp({
    setup: { game: news.game_id, settings: news.settings ?? {}, position: "", people: [0, 1], strength: { level: 4 }, clock: "", names: [`network, ${count(news.games)} games`, `network, ${count(news.games)} games`] },
    moves: news.line.moves, over: true,
  });
}

const opponents = { evaluate: "the game's own evaluation", random: "random moves" };
const count = (number) => Number(number ?? 0).toLocaleString("en");

function curve({ curve: points, total, title }) {
  const most = Math.max(total, points.at(-1)[0]);
  const values = points.flatMap(([, value, error]) => [value - error, value + error]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = high - low || 1;
  const x = (games) => EDGE.left + (games / most) * (WIDTH - EDGE.left - EDGE.right);
  const y = (value) => EDGE.top + ((high - value) / span) * (HEIGHT - EDGE.top - EDGE.bottom);
  const text = (words, at, more = {}) => {
    const element = draw("text", { ...at, ...more });
    element.textContent = words;
    return element;
  };
  const [games, last, error] = points.at(-1);
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Learning curve of ${title}: ${last.toFixed(2)} ± ${error.toFixed(2)} points per game after ${count(games)} games` },
    draw("line", { class: "zero", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(0), y2: y(0) }),
    ...[low, high].filter((value) => Math.abs(value) > span / 20).map((value) => text(value.toFixed(2), { x: EDGE.left - 8, y: y(value) + 4 }, { "text-anchor": "end" })),
    text("0", { x: EDGE.left - 8, y: y(0) + 4 }, { "text-anchor": "end" }),
    text("games", { x: EDGE.left, y: HEIGHT - 8 }), text(count(most), { x: WIDTH - EDGE.right, y: HEIGHT - 8 }, { "text-anchor": "end" }),
    ...points.map(([at, value, wide]) => draw("line", { class: "bar", x1: x(at), x2: x(at), y1: y(value - wide), y2: y(value + wide) })),
    draw("polyline", { class: "line", points: points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }),
    ...points.map(([at, value]) => draw("circle", { class: "point", cx: x(at), cy: y(value), r: 4 })));
}
