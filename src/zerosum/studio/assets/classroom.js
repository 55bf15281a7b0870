// The classroom: worked examples, a tracer for any tree or game, evaluations, quizzes, and the ladder.

import { find, make, say, show } from "./dom.js";
import { ladder } from "./ladder.js";
import { quiz } from "./quiz.js";

const ROOMS = { gallery: "Examples", trace: "Tracer", evaluate: "Evaluation", quiz: "Quiz", ladder: "Ladder" };
const TREE = "(A (B 3 12 8) (C 2 4 6) (D 14 5 2))";

let known = null; // what the server offers: examples, slips, algorithms

const rooms = { gallery: showGallery, trace: showTracer, evaluate: showEvaluation, quiz, ladder };

export const classroom = {
  show(place, app, path, query) {
    const room = ROOMS[path[0]] ? path[0] : "gallery";
    const links = Object.entries(ROOMS).map(([name, title]) => make("a", {
      href: `#/classroom/${name}`, "aria-current": name === room ? "page" : null,
    }, title));
    const body = make("div", { class: "room" }, make("p", { class: "hint" }, "Connecting …"));
    place.replaceChildren(make("h2", {}, "Classroom"), make("nav", { class: "rooms", "aria-label": "Classroom" }, ...links), body);
    this.current = { room, body, path: path.slice(1), query };
    if (app.connection.isOpen) this.fill(app);
  },

  connected(app) {
    if (document.body.dataset.page === "classroom") this.fill(app);
  },

  async fill(app) {
    const { room, body, path, query } = this.current;
    try {
      known ??= await app.connection.ask("gallery");
      await rooms[room](body, app, path, known, query);
    } catch (problem) {
      body.replaceChildren(make("p", { class: "problem", role: "alert" }, problem.message));
    }
  },
};

// The gallery

async function showGallery(place, app, [name]) {
  if (name) {
    await showExample(place, app, name);
    return;
  }
  const list = (entries) => make("ul", { class: "shelf" }, ...entries.map((entry) => make("li", { class: "card" },
    make("h4", {}, make("a", { href: `#/classroom/gallery/${encodeURIComponent(entry.name)}` }, entry.title)),
    make("p", {}, entry.about))));
  const topics = [...new Set(known.examples.map((entry) => entry.topic))];
  place.replaceChildren(
    make("p", {}, "Worked examples from the lecture notes, by topic"),
    ...topics.flatMap((topic) => [
      make("h3", {}, topic.charAt(0).toUpperCase() + topic.slice(1)),
      list(known.examples.filter((entry) => entry.topic === topic)),
    ]),
    make("h3", {}, "Slips in the lecture notes, and what they cost"), list(known.slips),
  );
}

async function showExample(place, app, name) {
  const found = await app.connection.ask("example", { name });
  const back = make("p", {}, make("a", { href: "#/classroom/gallery" }, "← All examples"));
  if (found.page) place.replaceChildren(back, frame(found.page, found.title));
  else {
    place.replaceChildren(back, make("h3", {}, found.title), make("p", {}, found.about),
      ...(found.reconstructed ? [make("p", { class: "hint" }, `Reconstructed: ${found.reconstructed}`)] : []),
      make("pre", { class: "report", tabindex: 0 }, found.lines.join("\n")));
  }
}

// A page in a frame, with its own styles and script, made by the drawing code of "zerosum trace --html".
// Its keys work immediately: it takes the focus when it loads, and keys pressed outside it are passed on.
export function frame(address, title) {
  const lesson = make("iframe", { src: address, title, class: "lesson" });
  lesson.addEventListener("load", () => {
    window.theme.apply(lesson.contentDocument);
    if (!isField(document.activeElement)) lesson.contentWindow.focus();
  });
  return lesson;
}

const LESSON_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End", " "];
const isField = (element) => element !== null && ["INPUT", "SELECT", "TEXTAREA", "BUTTON", "A"].includes(element.tagName);

document.addEventListener("keydown", (event) => {
  const lesson = document.querySelector(".page .lesson");
  if (lesson === null || document.body.dataset.page !== "classroom" || isField(event.target)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || !LESSON_KEYS.includes(event.key)) return;
  event.preventDefault();
  lesson.contentDocument.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
  lesson.contentWindow.focus();
});

// The tracer

function showTracer(place, app, path, _, query) {
  const wanted = query.get("game");
  const games = app.welcomed.games.map((game) => make("option", { value: game.id, selected: game.id === wanted }, game.title));
  const algorithms = known.algorithms.map((name) => make("option", { value: name }, name));
  const form = make("form", { class: "card form" },
    make("label", {}, "Search ", make("select", { name: "what" },
      make("option", { value: "tree" }, "your own tree"), ...games)),
    make("label", { class: "wide for-tree-text" }, "Tree in brackets ",
      make("textarea", { name: "tree", rows: 2, spellcheck: "false" }, TREE)),
    make("label", { class: "for-a-game" }, "Moves so far ", make("input", { name: "moves", spellcheck: "false", autocomplete: "off" })),
    make("label", { class: "for-a-game for-depth" }, "Depth ", make("input", { name: "depth", type: "number", min: 1, max: 6, value: 2 })),
    make("label", {}, "Algorithm ", make("select", { name: "algorithm" }, make("option", { value: "" }, "the default"), ...algorithms)),
    make("label", { class: "for-sampling" }, "Simulations ", make("input", { name: "simulations", type: "number", min: 1, max: 1000, value: 30 })),
    make("label", { class: "for-sampling" }, "Seed ", make("input", { name: "seed", type: "number", min: 0, max: 1000000, value: 1 })),
    make("label", { class: "for-tree-text" }, "Order of the children ", make("select", { name: "order" },
      make("option", { value: "" }, "as written"), make("option", { value: "best" }, "best first"), make("option", { value: "worst" }, "worst first"))),
    make("button", { type: "submit", class: "main" }, "Trace"),
    make("p", { class: "problem", role: "alert" }));
  const result = make("div", { class: "result" });
  const fields = form.elements;
  const choose = () => {
    const isTree = fields.what.value === "tree";
    for (const part of form.querySelectorAll(".for-tree-text")) show(part, isTree);
    for (const part of form.querySelectorAll(".for-a-game")) show(part, !isTree);
    const isSampling = known.sampling.includes(fields.algorithm.value);
    for (const part of form.querySelectorAll(".for-sampling")) show(part, isSampling);
    show(find(".for-depth", form), !isTree && !isSampling);
  };
  const run = async () => {
    const wish = { algorithm: fields.algorithm.value };
    if (fields.what.value === "tree") Object.assign(wish, { tree: fields.tree.value, order: fields.order.value });
    else Object.assign(wish, { game: fields.what.value, moves: fields.moves.value, depth: Number(fields.depth.value) });
    if (known.sampling.includes(wish.algorithm)) {
      Object.assign(wish, { simulations: Number(fields.simulations.value), seed: Number(fields.seed.value) });
    }
    say(find(".problem", form), "");
    try {
      const { page, algorithm } = await app.connection.ask("trace", wish);
      result.replaceChildren(frame(page, `${algorithm}, step by step`));
    } catch (problem) {
      say(find(".problem", form), problem.message);
    }
  };
  fields.what.addEventListener("change", choose);
  fields.algorithm.addEventListener("change", choose);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  choose();
  place.replaceChildren(form, result);
  return run();
}

// The evaluation, feature by feature

// With one of these parameters set to 0, a game evaluated by a network uses named features instead.
const BY_HAND = ["network", "patterns"];

function showEvaluation(place, app) {
  const games = app.welcomed.games.map((game) => make("option", { value: game.id, selected: game.id === "tictactoe" }, game.title));
  const form = make("form", { class: "card form" },
    make("label", {}, "Game ", make("select", { name: "game" }, ...games)),
    make("label", {}, "Moves so far ", make("input", { name: "moves", spellcheck: "false", autocomplete: "off" })),
    make("label", { class: "wide" }, "or a position ", make("input", { name: "position", spellcheck: "false", autocomplete: "off" })),
    make("label", { class: "by-hand" }, make("input", { name: "hand", type: "checkbox" }), " use handcrafted features instead of a network"),
    make("button", { type: "submit", class: "main" }, "Evaluate"),
    make("p", { class: "problem", role: "alert" }));
  const result = make("div", { class: "result" });
  const fields = form.elements;
  const parameter = () => {
    const known = app.welcomed.games.find((game) => game.id === fields.game.value);
    return BY_HAND.find((name) => name in (known?.parameters ?? {}));
  };
  const run = async () => {
    const wish = { game: fields.game.value, moves: fields.moves.value, position: fields.position.value };
    if (fields.hand.checked && parameter()) wish.settings = { [parameter()]: 0 };
    say(find(".problem", form), "");
    try {
      result.replaceChildren(...evaluationTable(await app.connection.ask("evaluation", wish)));
    } catch (problem) {
      say(find(".problem", form), problem.message);
    }
  };
  const choose = () => show(find(".by-hand", form), Boolean(parameter()));
  fields.game.addEventListener("change", choose);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  choose();
  place.replaceChildren(form, result);
  return run();
}

const rounded = (value) => (value === null ? "" : (Math.round(value * 100) / 100 || 0).toLocaleString("en").replace("-", "−"));

function evaluationTable(found) {
  const row = (name, ...numbers) => make("tr", {}, make("th", { scope: "row" }, name), ...numbers.map((one) => make("td", {}, one)));
  const rows = found.terms.map((term) => row(term.name, rounded(term.feature), rounded(term.weight), rounded(term.share)));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...["feature", "feature value", "weight", "share"].map((one) => make("th", { scope: "col" }, one)))),
    make("tbody", {}, ...rows, row("sum", "", "", rounded(found.value))));
  const chances = Object.entries(found.chances).map(([name, chance]) => make("p", {}, `${name}: ${(100 * chance).toFixed(1)} %`));
  return [make("pre", { class: "report", tabindex: 0 }, found.board), make("p", {}, found.words),
    ...(rows.length ? [make("div", { class: "scrolls", tabindex: 0 }, table)] : [make("p", {}, `value: ${rounded(found.value)}`)]), ...chances];
}
