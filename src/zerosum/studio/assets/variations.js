// The current move: comment on it, and promote or delete its variation.

import { find, say, show } from "./dom.js";

export class Variations {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.comment = find("textarea", place);
    this.comment.addEventListener("input", () => this.write());
  }

  takePosition() {
    const { record, analyses } = this.app;
    const { here } = record;
    show(this.place, analyses && Boolean(here.parent));
    if (!here.parent) return;
    say(find(".which", this.place), here.text);
    if (this.comment.value !== here.comment) this.comment.value = here.comment;
    const inside = record.pathTo(here).some((node) => node.parent.children[0] !== node);
    find("[data-do=promote]", this.place).disabled = !inside;
    show(find("[data-do=erase]", this.place), here.shapes.length > 0);
  }

  write() {
    const { record } = this.app;
    record.here.comment = this.comment.value.slice(0, 4000);
    record.changed();
    this.app.moves.update(record);
  }

  act(what) {
    const { app } = this;
    const { record } = app;
    if (what === "promote") {
      if (!record.promote(record.here)) return;
      app.refresh();
      this.takePosition();
    } else if (what === "delete") {
      const node = record.here;
      if (!node.parent) return;
      record.remove(node);
      app.goTo(node.parent);
    } else if (what === "erase") {
      record.here.shapes = [];
      record.keep();
      app.markBoard();
      this.takePosition();
    }
  }
}
