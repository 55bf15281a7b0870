// A rollout of the candidate plays in a game of chance: their equities and 95 % intervals.

import { find, make, say, show } from "./dom.js";

export class Rollout {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.running = false;
    app.connection.on("rollout", (found) => this.take(found));
  }

  takeBoard({ chance }) {
    show(this.place, chance);
    this.clear();
  }

  takePosition({ mode, ply }, before) {
    if (mode === "analyse" && ply !== before?.ply) this.clear();
  }

  takeSearch(search) {
    if (search.purpose === "rollout") this.state(search);
  }

  act(what) {
    if (what === "rollout") this.begin();
  }

  clear() {
    find("tbody", this.place).replaceChildren();
    this.state({ state: "stopped" });
  }

  begin() {
    if (this.running) this.app.connection.wish("stop");
    else {
      this.app.analysing = false;
      this.app.showAnalysing(false);
      this.app.connection.wish("rollout");
    }
  }

  state({ state }) {
    this.running = ["waiting", "compiling", "thinking"].includes(state);
    say(find("button", this.place), this.running ? "Stop" : "Roll out");
  }

  take({ ply, plays }) {
    if (ply !== this.app.position?.ply) return;
    find("tbody", this.place).replaceChildren(...plays.map(({ text, equity, error, games }) => make("tr", {},
      make("th", { scope: "row" }, text), make("td", {}, equity), make("td", {}, error), make("td", {}, games))));
  }
}
