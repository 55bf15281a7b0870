// Choosing a move by pointing at cells: the legal ways are narrowed by what was pointed at so far.

export class Choice {
  constructor(moves = []) {
    // Of several ways of one move the first is the one that is shown; the others can be pointed at as well.
    this.ways = moves.flatMap((move) => move.ways.filter((way) => way.length).map((way) => ({ move, way, shown: way === move.ways[0] })));
    // Moves that touch no cell, such as a pass, are buttons.
    this.buttons = moves.filter((move) => !move.ways.some((way) => way.length));
    this.prefix = [];
  }

  begins(way) {
    return this.prefix.every((cell, place) => way[place] === cell);
  }

  open() {
    return this.ways.filter(({ way }) => this.begins(way));
  }

  // Where a way begins.
  starts() {
    return new Set(this.ways.filter(({ shown }) => shown).map(({ way }) => way[0]));
  }

  // Where the ways that are open go next.
  targets() {
    if (!this.prefix.length) return new Set();
    const open = this.open();
    const shown = open.filter((one) => one.shown);
    return new Set((shown.length ? shown : open).map(({ way }) => way[this.prefix.length]).filter((cell) => cell !== undefined));
  }

  clear() {
    this.prefix = [];
  }

  // Point at a cell. What comes back: {play: move}, {among: moves, more: bool} to choose from, or {} to go on.
  pick(cell) {
    const before = this.prefix;
    const next = this.open().filter(({ way }) => way[before.length] === cell);
    if (next.length) {
      this.prefix = [...before, cell];
      return this.settle(next);
    }
    // The last cell of a longer way will do if it leaves no doubt.
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
    // Once a piece has been sent on its way and only one move is left, it is meant.
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
