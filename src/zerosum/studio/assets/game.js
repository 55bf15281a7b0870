// The tab's record of its game: every move and variation. It survives a reload and is then sent to the server again.

import { fromComment } from "./notes.js";

const KEY = "zerosum-studio";

class Node {
  constructor(entry = {}, parent = null) {
    this.move = entry.move ?? null;
    this.text = entry.text ?? "";
    this.turn = entry.turn ?? null;
    this.way = entry.way ?? [];
    this.comment = entry.comment ?? "";
    this.evaluation = entry.evaluation ?? null;
    this.judged = entry.judged ?? null; // the review of the move: {mark, loss, best, way}
    this.shapes = entry.shapes ?? []; // arrows and circles drawn by the user: {way, paint}
    this.board = null; // the position as the server sent it; lost on a reload
    this.parent = parent;
    this.children = (entry.children ?? []).map((child) => new Node(child, this));
  }

  child(move) {
    return this.children.find((child) => child.move === move);
  }

  add(entry) {
    const child = new Node(entry, this);
    this.children.push(child);
    return child;
  }

  plain() {
    const { move, text, turn, way, comment, evaluation, judged, shapes } = this;
    return { move, text, turn, way, comment, evaluation, judged, shapes, children: this.children.map((child) => child.plain()) };
  }
}

export class GameRecord {
  constructor() {
    this.setup = null; // the arguments of "open", without the moves
    this.version = 0;
    this.clear();
  }

  clear() {
    this.root = new Node();
    this.path = []; // the nodes from the first move to the current one
    this.about = {}; // for a game that was read: {players, result, notes}
    this.review = null; // the summary for both sides
    this.version += 1;
  }

  get moves() {
    return this.path.map((node) => node.move);
  }

  get here() {
    return this.path.at(-1) ?? this.root;
  }

  // The current line, continued along first children.
  get line() {
    return this.onFrom(this.path);
  }

  // The game itself, without variations.
  get main() {
    return this.onFrom([]);
  }

  onFrom(path) {
    const line = [...path];
    for (let node = line.at(-1) ?? this.root; node.children.length; node = line.at(-1)) line.push(node.children[0]);
    return line;
  }

  // Take the line from the server: the number of moves already known, and the moves after them. `stands`: go there too.
  take({ known, history, mode }, stands = true) {
    const path = this.path.slice(0, known);
    for (const entry of history) {
      const before = path.at(-1) ?? this.root;
      const child = before.child(entry.move) ?? before.add(entry);
      Object.assign(child, entry);
      path.push(child);
    }
    const dropped = mode === "play" && this.mode === "play" ? this.path[path.length] : undefined;
    if (stands) this.path = path;
    this.mode = mode;
    if (mode === "play") {
      // The game is the main line; moves taken back are removed.
      path.forEach((node) => {
        node.parent.children = [node, ...node.parent.children.filter((other) => other !== node)];
      });
      this.here.children = this.here.children.filter((other) => other !== dropped);
      this.setup.played = this.moves;
    }
    this.changed();
    return path.at(-1) ?? this.root;
  }

  // Add a game read from text, with its variations.
  grow(nodes, from = this.root) {
    let node = from;
    for (const entry of nodes) {
      const before = node;
      node = before.child(entry.move) ?? before.add({ ...entry, ...fromComment(entry.comment), children: [] });
      for (const other of entry.variations ?? []) this.grow(other, before);
    }
    this.changed();
  }

  remove(node) {
    node.parent.children = node.parent.children.filter((child) => child !== node);
    this.changed();
  }

  // Make a variation the main line where it branches off; returns false if it is already the main line.
  promote(node) {
    const branch = this.pathTo(node).findLast((at) => at.parent.children[0] !== at);
    if (!branch) return false;
    branch.parent.children = [branch, ...branch.parent.children.filter((other) => other !== branch)];
    this.changed();
    return true;
  }

  // The tree in the form that "save" takes; `note(node)` returns the comment after a move.
  nodes(note, from = this.root) {
    const found = [];
    let node = from;
    while (node.children.length) {
      const [main, ...others] = node.children;
      const entry = { move: main.move };
      const comment = note(main);
      if (comment) entry.comment = comment;
      if (others.length) entry.variations = others.map((other) => this.variation(other, note));
      found.push(entry);
      node = main;
    }
    return found;
  }

  variation(node, note) {
    const comment = note(node);
    return [{ move: node.move, ...(comment ? { comment } : {}) }, ...this.nodes(note, node)];
  }

  pathTo(node) {
    const path = [];
    for (let at = node; at.parent; at = at.parent) path.unshift(at);
    return path;
  }

  // The tree has changed: a new version makes its views redraw.
  changed() {
    this.version += 1;
    this.keep();
  }

  add(parent, entry) {
    const node = parent.add(entry);
    this.changed();
    return node;
  }

  // Save with a short delay, so that holding down an arrow key does not wait for the storage.
  keep() {
    current = this;
    saving ??= setTimeout(save, 150);
  }

  static restore() {
    const record = new GameRecord();
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY));
      if (kept?.setup) {
        record.setup = kept.setup;
        record.about = kept.about ?? {};
        record.review = kept.review ?? null;
        record.root = new Node(kept.root);
        let node = record.root;
        for (const move of kept.moves) {
          node = node.child(move);
          record.path.push(node);
        }
      }
    } catch {
      return new GameRecord();
    }
    return record;
  }
}

let current = null;
let saving = null;

function save() {
  clearTimeout(saving);
  saving = null;
  const { setup, moves, root, about, review } = current;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ setup, moves, about, review, root: root.plain() }));
  } catch {
    // If the storage is full or forbidden, only a reload loses the game.
  }
}
addEventListener("pagehide", () => saving && save());

export const session = {
  get: () => sessionStorage.getItem(`${KEY}-session`) ?? "",
  set: (name) => sessionStorage.setItem(`${KEY}-session`, name),
};
