// A board in a notebook: uses the studio's board and move selection; the kernel sends what to show.

import { Board } from "./board.js";
import { Choice } from "./choice.js";
import { make, say, show } from "./dom.js";
import { stage } from "./stage.js";

const CHANCE = 2;
const SEEN = ["_board", "_position", "_history", "_search", "_report", "_problem", "flipped", "level", "lines", "width"];

class View {
  constructor(model, root) {
    this.model = model;
    this.parts = {};
    root.append(this.build());
    this.board = new Board(this.parts.board, (cell, dropped) => this.pick(cell, dropped));
    this.choice = new Choice();
    this.listeners = SEEN.map((name) => [`change:${name}`, () => this.take(name)]);
    for (const [kind, listener] of this.listeners) model.on(kind, listener);
    this.take("width");
    this.take("_board");
  }

  leave() {
    for (const [kind, listener] of this.listeners) this.model.off(kind, listener);
  }

  get(name) {
    return this.model.get(name);
  }

  wish(what, more = {}) {
    this.model.send({ do: what, ...more });
  }

  // Building

  part(name, element) {
    this.parts[name] = element;
    return element;
  }

  button(name, label, title, act) {
    return this.part(name, make("button", { type: "button", "data-do": name, title, "aria-label": title, onclick: act }, label));
  }

  select(name, label, options, act) {
    const list = make("select", { name, "aria-label": label }, ...options.map(([value, text]) => make("option", { value }, text)));
    list.addEventListener("change", () => act(list.value));
    return this.part(name, list);
  }

  build() {
    const step = (name, label, title, to) => this.button(name, label, title, () => this.wish("go", { ply: to(this.get("_position").ply, this.get("_history").length) }));
    const levels = Array.from({ length: 10 }, (_, n) => [n + 1, `level ${n + 1}`]);
    return make("div", { class: "widget" },
      make("div", { class: "game" },
        this.part("turn", make("p", { class: "turn", role: "status" })),
        this.part("board", make("div", { class: "board" })),
        this.part("choose", make("div", { class: "choose" }))),
      make("div", { class: "side" },
        make("div", { class: "row" },
          this.button("new", "New", "New game", () => this.wish("new")),
          this.button("undo", "Take back", "Take back a move", () => this.wish("undo")),
          this.button("flip", "Flip", "Flip the board", () => this.set("flipped", !this.get("flipped"))),
          this.button("hint", "Hint", "Ask the engine for a move", () => this.wish(this.waits() ? "stop" : "hint"))),
        make("div", { class: "row" },
          this.select("mode", "Play or analyse", [["play", "play"], ["analyse", "analyse"]], (mode) => this.wish("mode", { mode })),
          this.select("people", "You play", [], (sides) => this.wish("people", { people: [...sides].map(Number) })),
          this.select("level", "Strength of the engine", levels, (level) => this.wish("level", { level: Number(level) })),
          this.select("lines", "Number of lines", [1, 2, 3, 5].map((n) => [n, n > 1 ? `${n} lines` : "1 line"]), (lines) => this.set("lines", Number(lines)))),
        this.part("steps", make("div", { class: "row" },
          step("first", "«", "Go to the start", () => 0),
          step("back", "‹", "Back one move", (ply) => ply - 1),
          step("on", "›", "Forward one move", (ply) => ply + 1),
          step("last", "»", "Go to the end", (_, last) => last))),
        this.part("value", make("p", { class: "value", "aria-live": "polite" })),
        this.part("facts", make("p", { class: "facts" })),
        this.part("pv", make("ol", { class: "lines" })),
        this.part("moves", make("p", { class: "moves" })),
        this.part("problem", make("p", { class: "problem", role: "alert" }))));
  }

  set(name, value) {
    this.model.set(name, value);
    this.model.save_changes();
  }

  // Messages from the kernel

  take(name) {
    if (name === "_board") this.takeBoard();
    else if (name === "width") this.parts.board.parentElement.style.maxWidth = `${this.get("width")}px`;
    else if (name === "_problem") this.tell(this.get("_problem"));
    else if (name === "flipped") this.turn();
    else if (["_search", "_report"].includes(name)) this.takeSearch();
    else if (name === "_position") this.takePosition();
    else this.refresh();
  }

  takeBoard() {
    const { layout, players, game } = this.get("_board");
    this.layout = layout;
    this.parts.board.classList.toggle("text", !layout);
    if (layout) this.board.setLayout(layout, game);
    else this.parts.board.replaceChildren(make("pre", { "aria-label": "Board" }));
    this.parts.people.replaceChildren(
      ...[["0", `you: ${players[0]}`], ["1", `you: ${players[1]}`], ["01", "you: both sides"]]
        .map(([value, text]) => make("option", { value }, text)));
    this.parts.flip.disabled = !layout || layout.turns === false;
    this.turn();
    this.takePosition(false);
    this.tell(this.get("_problem"));
  }

  turn() {
    if (!this.layout) return;
    this.board.flip(this.get("flipped"));
  }

  takePosition(animate = true) {
    const position = this.get("_position");
    const forward = position.ply > (this.ply ?? 0);
    this.ply = position.ply;
    this.among = null;
    this.choice = new Choice(this.mayMove() ? position.moves : []);
    if (this.layout) this.board.setPieces(position.pieces, position.way, animate && forward);
    else say(this.parts.board.firstChild, position.text);
    this.takeSearch();
  }

  takeSearch() {
    const { state, problem, purpose } = this.get("_search");
    const report = this.report();
    const said = { waiting: "Getting ready …", compiling: "Compiling the game (only once) …", thinking: "Thinking …", failed: problem };
    say(this.parts.value, report ? `${report.words[0].toUpperCase()}${report.words.slice(1)}` : said[state] ?? "");
    say(this.parts.facts, report ? `depth ${report.depth}, ${report.nodes} positions, ${report.rate}` : "");
    const lines = report && purpose !== "play" ? report.lines : [];
    this.parts.pv.replaceChildren(...lines.map((line) => make("li", {},
      make("button", { type: "button", title: "Play this move", onclick: () => line.moves.length && this.play(line.moves[0]) },
        make("span", { class: "worth" }, line.words), ` ${line.texts.join(" ")}`))));
    this.refresh();
  }

  // The findings of the search, if they are about the position on the board.
  report() {
    const report = this.get("_report");
    return report.lines?.length && report.position === this.get("_position").number ? report : null;
  }

  refresh() {
    const { parts } = this;
    const position = this.get("_position");
    const history = this.get("_history");
    const analyses = position.mode === "analyse";
    say(parts.turn, this.status());
    parts.turn.classList.toggle("over", position.over);
    parts.mode.value = position.mode;
    parts.people.value = position.people.join("");
    parts.level.value = this.get("level");
    parts.lines.value = this.get("lines");
    for (const name of ["people", "level", "hint"]) show(parts[name], !analyses);
    show(parts.lines, analyses);
    show(parts.steps, analyses);
    parts.undo.disabled = !position.ply;
    parts.first.disabled = parts.back.disabled = !position.ply;
    parts.on.disabled = parts.last.disabled = position.ply >= history.length;
    say(parts.hint, this.waits() ? "Move now" : "Hint");
    parts.hint.disabled = position.over || !(this.waits() || this.mayMove());
    parts.moves.replaceChildren(...history.flatMap(({ text }, place) => [make("button", {
      type: "button", disabled: !analyses, "aria-current": place + 1 === position.ply ? "true" : null,
      onclick: () => this.wish("go", { ply: place + 1 }),
    }, text), " "]));
    this.mark();
    this.offer();
  }

  status() {
    const { over, words, turn, mode, people } = this.get("_position");
    const { players } = this.get("_board");
    if (over) return words;
    if (turn === CHANCE) return mode === "analyse" ? "Chance to move: choose an outcome." : "Rolling the dice …";
    if (mode === "analyse" || people.length === 2) return `${players[turn]} to move`;
    return people.includes(turn) ? `Your turn (${players[turn]})` : `The engine is thinking (${players[turn]}) …`;
  }

  mayMove() {
    const { over, mode, people, turn } = this.get("_position");
    return !over && (mode === "analyse" || people.includes(turn));
  }

  // Whether it is the engine's turn.
  waits() {
    const { over, mode, turn } = this.get("_position");
    return mode === "play" && !over && turn !== CHANCE && !this.mayMove();
  }

  tell(problem) {
    say(this.parts.problem, problem);
    show(this.parts.problem, Boolean(problem));
  }

  // The board

  mark() {
    if (!this.layout) return;
    const { purpose } = this.get("_search");
    const lines = purpose === "play" ? [] : this.report()?.lines ?? [];
    this.board.mark({
      last: this.get("_position").way,
      selected: this.choice.prefix,
      targets: this.choice.targets(),
      starts: this.choice.starts(),
      arrows: lines.map(({ way }, place) => ({
        way, kind: purpose === "hint" ? "hint" : place ? "other" : "best", weight: 1 - place * 0.25,
      })).reverse(),
    });
  }

  pick(cell) {
    if (cell === null) this.choice.clear();
    else if (this.mayMove()) {
      const found = this.choice.pick(cell);
      if (found.play) {
        this.play(found.play.move);
        return;
      }
      this.among = found.among ?? null;
    }
    if (!this.choice.prefix.length) this.among = null;
    this.mark();
    this.offer();
    if (this.layout) this.board.setPieces(this.board.underWay(this.get("_position").pieces, this.choice.prefix), [], false);
  }

  play(move) {
    this.choice = new Choice();
    this.mark();
    this.wish("move", { move, ply: this.get("_position").ply });
  }

  // Moves offered as buttons: those that touch no cell, and those that share a path.
  offer() {
    const moves = this.among ?? (this.mayMove() ? this.choice.buttons : []);
    this.parts.choose.replaceChildren(...moves.map(({ move, text }) =>
      make("button", { type: "button", onclick: () => this.play(move) }, text)));
  }
}

function render({ model, el }) {
  const { root, leave } = stage(el, STYLE);
  const view = new View(model, root);
  return () => {
    view.leave();
    leave();
  };
}

export default { render };
