// The tab's own record of its game: every move and variation, kept over a reload, told to the server again after it.

const KEY = "zerosum-studio";

class Node {
  constructor(entry = {}, parent = null) {
    this.move = entry.move ?? null;
    this.text = entry.text ?? "";
    this.turn = entry.turn ?? null;
    this.way = entry.way ?? [];
    this.comment = entry.comment ?? "";
    this.evaluation = entry.evaluation ?? null;
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
    const { move, text, turn, way, comment, evaluation } = this;
    return { move, text, turn, way, comment, evaluation, children: this.children.map((child) => child.plain()) };
  }
}

export class GameRecord {
  constructor() {
    this.setup = null; // what "open" takes, moves left out
    this.clear();
  }

  clear() {
    this.root = new Node();
    this.path = []; // the nodes from the first move to where the game stands
  }

  get moves() {
    return this.path.map((node) => node.move);
  }

  get here() {
    return this.path.at(-1) ?? this.root;
  }

  // The line on which the game stands, and on from there along first children.
  get line() {
    const line = [...this.path];
    for (let node = this.here; node.children.length; node = line.at(-1)) line.push(node.children[0]);
    return line;
  }

  // What the server says about the line: so many moves known, and those that follow.
  take({ known, history, mode }) {
    const path = this.path.slice(0, known);
    for (const entry of history) {
      const before = path.at(-1) ?? this.root;
      const child = before.child(entry.move) ?? before.add(entry);
      Object.assign(child, entry);
      path.push(child);
    }
    const dropped = mode === "play" && this.mode === "play" ? this.path[path.length] : undefined;
    this.path = path;
    this.mode = mode;
    if (mode === "play") {
      // The game is the main line; what was taken back is gone.
      path.forEach((node) => {
        node.parent.children = [node, ...node.parent.children.filter((other) => other !== node)];
      });
      this.here.children = this.here.children.filter((other) => other !== dropped);
      this.setup.played = this.moves;
    }
    this.keep();
  }

  // A game read from text, with its variations.
  grow(nodes, from = this.root) {
    let node = from;
    for (const entry of nodes) {
      const before = node;
      node = before.child(entry.move) ?? before.add({ ...entry, children: [] });
      for (const other of entry.variations ?? []) this.grow(other, before);
    }
    this.keep();
  }

  remove(node) {
    node.parent.children = node.parent.children.filter((child) => child !== node);
    this.keep();
  }

  pathTo(node) {
    const path = [];
    for (let at = node; at.parent; at = at.parent) path.unshift(at);
    return path;
  }

  keep() {
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ setup: this.setup, moves: this.moves, root: this.root.plain() }));
    } catch {
      // A full or forbidden storage costs only the reload.
    }
  }

  static restore() {
    const record = new GameRecord();
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY));
      if (kept?.setup) {
        record.setup = kept.setup;
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

export const session = {
  get: () => sessionStorage.getItem(`${KEY}-session`) ?? "",
  set: (name) => sessionStorage.setItem(`${KEY}-session`, name),
};
