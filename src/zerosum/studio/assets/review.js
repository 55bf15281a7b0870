// The review of a game: marks after its moves, a summary for both sides, and the best move at each mistake.

import { find, make, say, show } from "./dom.js";
import { MARK_WORDS } from "./moves.js";

const SECONDS = 0.3;

export class Review {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.button = find("[data-do=review]", place);
    app.connection.on("evaluation", (found) => found.search && this.take(found));
    app.connection.on("review", (found) => this.finish(found));
  }

  act(what) {
    if (what === "review") this.begin();
    else if (what === "mistake-on") this.jump(1);
    else if (what === "mistake-back") this.jump(-1);
  }

  begin() {
    const { app } = this;
    if (this.running) {
      app.connection.wish("stop", { what: "review" });
      return;
    }
    this.record = app.record;
    this.nodes = [app.record.root, ...app.record.main];
    this.search = 0;
    for (const node of this.nodes) node.judged = null;
    app.record.review = null;
    app.connection.ask("review", { seconds: SECONDS, moves: this.nodes.slice(1).map((node) => node.move) })
      .catch((problem) => app.complain(problem.message));
    this.say("Reviewing the game …");
    this.show();
  }

  takeSearch({ purpose, state, search }) {
    if (purpose !== "review") return;
    this.search = search;
    this.running = ["waiting", "compiling", "thinking"].includes(state);
    say(this.button, this.running ? "Stop" : this.app.record.review ? "Review again" : "Review the game");
    if (state === "stopped" || state === "failed") this.say("Review stopped.");
  }

  take({ search, ply, plies, value, won, distance, words, loss, mark, best, move, way, turn }) {
    const node = this.nodes?.[ply];
    if (!node || search < this.search || this.record !== this.app.record) return;
    node.evaluation = { value, won, distance, words };
    const next = this.nodes[ply + 1];
    if (next && loss !== undefined) next.judged = { mark, loss, best, move, way, turn };
    this.record.changed();
    this.say(`Reviewing the game: move ${ply} of ${plies} …`);
    this.update(node);
  }

  update(node) {
    const { app } = this;
    app.moves.update(app.record);
    app.chart.update(app.record, app.players);
    if (node === app.record.here) app.panels.tell("evaluated");
    this.takePosition();
  }

  finish({ sides, blunder }) {
    if (this.record !== this.app.record) return;
    this.record.review = { sides, blunder };
    this.record.keep();
    this.say("");
    this.show();
  }

  say(words) {
    say(find(".progress", this.place), words);
  }

  takeBoard() {
    this.running = false;
    this.say("");
    this.show();
  }

  // The summary of both sides, side by side.
  show() {
    const { review } = this.app.record;
    const table = find("table", this.place);
    show(table, Boolean(review));
    for (const part of this.place.querySelectorAll(".mistakes")) show(part, Boolean(review));
    say(this.button, this.running ? "Stop" : review ? "Review again" : "Review the game");
    if (!review) return;
    const { sides } = review;
    const row = (name, of, title) => make("tr", { title }, make("th", { scope: "row" }, name), ...sides.map((side) => make("td", {}, of(side))));
    table.replaceChildren(
      make("thead", {}, make("tr", {}, make("td", {}), ...sides.map(({ player }) => make("th", { scope: "col" }, player)))),
      make("tbody", {},
        row("accuracy", ({ accuracy, moves }) => (moves ? `${accuracy.toFixed(0)} %` : "–"), "100 % if no move lost anything; each blunder's worth of loss halves the accuracy of a move"),
        row("?! inaccuracies", ({ marks }) => marks["?!"]), row("? mistakes", ({ marks }) => marks["?"]), row("?? blunders", ({ marks }) => marks["??"]),
        row("loss per move", ({ loss }) => loss.toFixed(2)),
        sides[0].luck === undefined ? "" : row("luck", ({ luck }) => `${luck > 0 ? "+" : ""}${luck.toFixed(3)}`, "gain from the dice; 0 on average"),
      ));
    this.takePosition();
  }

  // The best move compared with the move played.
  takePosition() {
    const place = find(".better", this.place);
    const { here } = this.app.record;
    const { judged } = here;
    show(place, Boolean(judged));
    if (!judged) return;
    if (!judged.loss || judged.move === here.move) {
      place.replaceChildren(make("b", {}, here.text), judged.loss ? "" : " is as good as the best move.");
      return;
    }
    place.replaceChildren(
      make("b", {}, `${here.text}${judged.mark}`), judged.mark ? ` is ${MARK_WORDS[judged.mark]}: it loses ${judged.loss}. Best was ` : ` loses ${judged.loss}. Best was `,
      make("button", { type: "button", class: "move", onclick: () => this.showBest(here) }, judged.best), ".");
  }

  // Add the best move as a variation and go there.
  showBest({ parent, judged }) {
    const { app } = this;
    const { move, best: text, way, turn } = judged;
    app.goTo(parent.child(move) ?? app.record.add(parent, { move, text, way, turn, comment: "best" }));
  }

  jump(step) {
    const { record } = this.app;
    const { main } = record;
    const at = record.path.findLastIndex((node, place) => main[place] === node);
    const marked = main.map((node, place) => ({ node, place })).filter(({ node }) => node.judged?.mark);
    const next = step > 0 ? marked.find(({ place }) => place > at) ?? marked[0] : marked.findLast(({ place }) => place < at) ?? marked.at(-1);
    if (next) this.app.goTo(next.node);
    else this.say("There are no mistakes.");
  }

  // At a mistake, an arrow shows the better move.
  arrows() {
    const { here } = this.app.record;
    return this.app.analyses && here.judged?.mark && here.judged.way?.length ? [{ way: here.judged.way, kind: "better", weight: 0.7 }] : [];
  }
}
