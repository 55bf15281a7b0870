// The list of moves, with variations. A click goes to the move.

import { make } from "./dom.js";

const MARKS = { "??": "blunder", "?": "mistake", "?!": "inaccuracy" };
export const MARK_WORDS = { "??": "a blunder", "?": "a mistake", "?!": "an inaccuracy" };

export class MoveList {
  constructor(place, go) {
    this.place = place;
    this.go = go;
    this.buttons = new Map();
  }

  update(record) {
    if (this.record !== record || this.version !== record.version) this.build(record);
    const now = this.buttons.get(record.here);
    if (now !== this.now) {
      this.now?.removeAttribute("aria-current");
      now?.setAttribute("aria-current", "true");
      this.now = now;
    }
    // Scroll only the list, never the page.
    const top = now ? now.offsetTop - this.place.offsetTop : 0;
    if (!now) this.place.scrollTop = 0;
    else if (top < this.place.scrollTop || top > this.place.scrollTop + this.place.clientHeight - 40) {
      this.place.scrollTop = top - this.place.clientHeight / 2;
    }
  }

  build(record) {
    this.record = record;
    this.version = record.version;
    this.buttons = new Map();
    this.now = null;
    if (!record.root.children.length) {
      this.place.replaceChildren(make("p", { class: "empty" }, "No moves yet."));
      return;
    }
    const list = make("div", { class: "line" });
    this.line(record.root, list, true);
    this.place.replaceChildren(list);
  }

  line(from, into, fresh) {
    let node = from;
    let numbered = fresh;
    while (node.children.length) {
      const [main, ...others] = node.children;
      into.append(this.move(main, numbered));
      numbered = false;
      if (main.comment) {
        into.append(make("span", { class: "comment" }, main.comment));
        numbered = true;
      }
      for (const other of others) {
        const part = make("div", { class: "variation" }, this.move(other, true));
        if (other.comment) part.append(make("span", { class: "comment" }, other.comment));
        this.line(other, part, Boolean(other.comment));
        into.append(part);
        numbered = true;
      }
      node = main;
    }
  }

  move(node, numbered) {
    const chance = node.turn === 2;
    const number = chance ? "" : this.number(node, numbered);
    const button = make("button", {
      type: "button", class: chance ? "move dice" : "move", onclick: () => this.go(node),
    }, node.text, node.judged?.mark ? make("span", { class: `mark ${MARKS[node.judged.mark]}`, title: MARK_WORDS[node.judged.mark] }, node.judged.mark) : null);
    this.buttons.set(node, button);
    return make("span", { class: "numbered" }, number ? make("span", { class: "number" }, number) : null, button);
  }

  // If a player moves several times in a row, as in Kalah, only the first move is numbered.
  number(node, numbered) {
    let before = node.parent;
    while (before?.turn === 2) before = before.parent;
    const again = before?.turn === node.turn;
    const count = this.countTurns(node);
    if (node.turn === 0 && !again) return `${count}.`;
    return numbered ? `${count}${node.turn === 0 ? "." : "…"}` : "";
  }

  // The move number: how many turns MAX has had so far, whether or not the players alternate.
  countTurns(node) {
    let count = 0;
    let last = null;
    for (const at of this.record.pathTo(node)) {
      if (at.turn === 0 && last !== 0) count += 1;
      if (at.turn !== 2) last = at.turn;
    }
    return Math.max(1, count);
  }
}
