// Selecting a move by its cells: each selected cell narrows the legal paths.

export class Choice {
  constructor(moves = []) {
    // A move may have several paths: the first is shown, and the others can be selected too.
    this.ways = moves.flatMap((move) => move.ways.filter((way) => way.length).map((way) => ({ move, way, shown: way === move.ways[0] })));
    // Moves that touch no cell, such as a pass, become buttons.
    this.buttons = moves.filter((move) => !move.ways.some((way) => way.length));
    this.prefix = [];
  }

  begins(way) {
    return this.prefix.every((cell, place) => way[place] === cell);
  }

  open() {
    return this.ways.filter(({ way }) => this.begins(way));
  }

  // The cells where a path starts.
  starts() {
    return new Set(this.ways.filter(({ shown }) => shown).map(({ way }) => way[0]));
  }

  // The next cells of the paths that are still possible.
  targets() {
    if (!this.prefix.length) return new Set();
    const open = this.open();
    const shown = open.filter((one) => one.shown);
    return new Set((shown.length ? shown : open).map(({ way }) => way[this.prefix.length]).filter((cell) => cell !== undefined));
  }

  clear() {
    this.prefix = [];
  }

  // Select a cell. Returns {play: move}, {among: moves, more: bool} to choose from, or {} if more cells are needed.
  pick(cell) {
    const before = this.prefix;
    const next = this.open().filter(({ way }) => way[before.length] === cell);
    if (next.length) {
      this.prefix = [...before, cell];
      return this.settle(next);
    }
    // The last cell of a longer path is enough if it is unambiguous.
    const ends = before.length ? this.open().filter(({ way }) => way[way.length - 1] === cell) : [];
    const moves = distinct(ends);
    if (moves.length === 1) return this.decide(moves);
    if (moves.length > 1) return { among: moves, more: false };
    const again = before.length === 1 && before[0] === cell;
    this.prefix = !again && this.ways.some(({ way }) => way[0] === cell) ? [cell] : [];
    return this.prefix.length ? this.settle(this.open()) : {};
  }

  settle(next) {
    const whole = distinct(next.filter(({ way }) => way.length === this.prefix.length));
    const longer = next.filter(({ move, way }) => way.length > this.prefix.length && !whole.includes(move));
    if (whole.length && !longer.length) return whole.length === 1 ? this.decide(whole) : { among: whole, more: false };
    if (whole.length) return { among: whole, more: true };
    // Once a piece has moved and only one move is left, play it.
    const left = distinct(longer);
    return this.prefix.length > 1 && left.length === 1 ? this.decide(left) : {};
  }

  decide([move]) {
    this.prefix = [];
    return { play: move };
  }
}

function distinct(found) {
  return [...new Map(found.map(({ move }) => [move.move, move])).values()];
}
