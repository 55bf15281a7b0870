// Live results of a search: numbers, the value in words, and the best lines.

import { find, make, say, show } from "./dom.js";

export class Thinking {
  // `hover(line | null)`: the pointer is on a line; `play(line)`: play its first move.
  constructor(place, { hover, play }) {
    this.place = place;
    this.hover = hover;
    this.play = play;
    this.lines = find(".lines", place);
    this.search = 0;
    this.stale = 0;
    this.clear();
  }

  clear(words = "") {
    for (const name of ["depth", "nodes", "rate", "time", "hash"]) say(find(`[data-fact=${name}]`, this.place), "–");
    say(find(".value", this.place), words || "Not thinking.");
    this.lines.replaceChildren();
    this.report = null;
  }

  // A new game: ignore all earlier searches.
  reset() {
    this.stale = this.search;
    this.known = "";
    this.final = false;
    this.clear();
    this.place.dataset.state = "idle";
    this.place.removeAttribute("aria-busy");
    this.compiling(false);
  }

  // A new position: show what was found there earlier, if anything. If it is `final`, the game is over.
  moved(words = "", final = false) {
    this.known = words ? sentence(words) : "";
    this.final = final;
    this.clear(this.known || (this.place.dataset.state === "thinking" ? "Thinking …" : ""));
  }

  // Show the elapsed time while compiling: there is no other measure of progress.
  compiling(running) {
    const note = find(".compiling", this.place);
    show(note, running);
    clearInterval(this.timer);
    if (!running) return;
    const began = performance.now();
    const tell = () => say(find("time", note), `${Math.round((performance.now() - began) / 1000)} s`);
    tell();
    this.timer = setInterval(tell, 1000);
  }

  // A restarted server numbers its searches from 1 again.
  restart() {
    this.search = 0;
    this.reset();
  }

  isOld(search) {
    return search < this.search || search <= this.stale;
  }

  state({ search, state, purpose, problem }) {
    if (this.isOld(search)) return;
    this.search = search;
    this.place.dataset.state = state;
    const busy = ["waiting", "compiling", "thinking"].includes(state);
    this.place.setAttribute("aria-busy", busy);
    // While this search waits for the previous one, that one may still be compiling.
    if (state !== "waiting") this.compiling(state === "compiling");
    if (this.final) return;
    if (state === "waiting") {
      if (!this.report && !this.known) say(find(".value", this.place), "Getting ready …");
    } else if (state === "compiling") this.clear("Getting the engine ready …");
    else if (purpose === "warm") this.clear(problem);
    else if (state === "thinking") this.clear(purpose === "rollout" ? "Rolling out …" : this.known || "Thinking …");
    else if (state === "failed") this.clear(problem);
    else if (!this.report) this.clear(purpose === "play" && state === "done" ? "Moved without searching." : this.known);
  }

  take(report) {
    if (this.isOld(report.search) || !report.lines.length) return;
    this.report = report;
    const facts = {
      depth: report.seldepth > report.depth ? `${report.depth}/${report.seldepth}` : report.depth,
      nodes: report.nodes, rate: report.rate, time: report.time, hash: `${report.hash} %`,
    };
    for (const [name, value] of Object.entries(facts)) say(find(`[data-fact=${name}]`, this.place), value);
    say(find(".value", this.place), sentence(report.words));
    this.update(report.lines);
  }

  update(lines) {
    while (this.lines.children.length > lines.length) this.lines.lastChild.remove();
    lines.forEach((line, place) => {
      const row = this.lines.children[place] ?? this.row(place);
      row.line = line;
      say(find(".worth", row), brief(line));
      say(find(".words", row), line.words);
      say(find(".moves", row), line.texts.join(" "));
    });
  }

  row(place) {
    const row = make("li", {}, make("button", { type: "button", title: "Play this move" },
      make("span", { class: "worth" }), make("span", { class: "words visually-hidden" }), make("span", { class: "moves" })));
    const button = row.firstChild;
    button.addEventListener("click", () => this.play(row.line));
    for (const kind of ["mouseenter", "focus"]) button.addEventListener(kind, () => this.hover(row.line, place));
    for (const kind of ["mouseleave", "blur"]) button.addEventListener(kind, () => this.hover(null, place));
    this.lines.append(row);
    return row;
  }
}

export const sentence = (words) => (words ? `${words[0].toUpperCase()}${words.slice(1)}` : "");

// A value in a few characters, for MAX.
export function brief({ value, won, distance }) {
  if (distance && won !== undefined) return `${value > 0 ? "+" : "−"}#${distance}`;
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const text = Number.isInteger(value) ? String(size) : size.toFixed(digits);
  const isZero = Number(text) === 0;
  return `${isZero ? "" : value > 0 ? "+" : "−"}${text}`;
}
