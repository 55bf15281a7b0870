// The list of moves, with variations in brackets; a click goes there.

import { make } from "./dom.js";

export class MoveList {
  constructor(place, go, remove) {
    this.place = place;
    this.go = go;
    this.remove = remove;
  }

  update(record, { editable = false, pairs = true } = {}) {
    this.record = record;
    this.pairs = pairs;
    this.current = record.here;
    this.editable = editable;
    if (!record.root.children.length) {
      this.place.replaceChildren(make("p", { class: "empty" }, "No moves yet."));
      return;
    }
    const list = make("div", { class: "line" });
    this.line(record.root, 0, list, true);
    this.place.replaceChildren(list);
    // Only the list itself scrolls, never the page.
    const now = list.querySelector("[aria-current]");
    if (now) {
      const top = now.offsetTop - this.place.offsetTop;
      if (top < this.place.scrollTop || top > this.place.scrollTop + this.place.clientHeight - 30) {
        this.place.scrollTop = top - this.place.clientHeight / 2;
      }
    } else this.place.scrollTop = 0;
  }

  line(from, ply, into, fresh) {
    let node = from;
    let numbered = fresh;
    while (node.children.length) {
      const [main, ...others] = node.children;
      into.append(this.move(main, ply, numbered));
      numbered = false;
      for (const other of others) {
        const part = make("div", { class: "variation" }, this.move(other, ply, true));
        this.line(other, ply + 1, part, false);
        if (this.editable) {
          part.append(make("button", {
            type: "button", class: "remove", title: "Remove this variation", "aria-label": `Remove the variation ${other.text}`,
            onclick: () => this.remove(other),
          }, "×"));
        }
        into.append(part);
        numbered = true;
      }
      if (main.comment) into.append(make("span", { class: "comment" }, main.comment));
      node = main;
      ply += 1;
    }
  }

  move(node, ply, numbered) {
    const chance = node.turn === 2;
    const first = this.firstOfPair(node);
    const number = chance ? "" : this.number(node, ply, numbered, first);
    const button = make("button", {
      type: "button", class: chance ? "move dice" : "move", onclick: () => this.go(node),
      "aria-current": node === this.current ? "true" : null,
    }, node.text);
    return make("span", { class: "numbered" }, number ? make("span", { class: "number" }, number) : null, button);
  }

  firstOfPair(node) {
    return node.turn === 0;
  }

  number(node, ply, numbered, first) {
    const count = this.countTurns(node);
    if (first) return `${count}.`;
    return numbered ? `${count}…` : "";
  }

  // How many times MAX has moved up to here: the number of the move, whether the players alternate or not.
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
