// Going to and fro in the tree of moves: at once here, with the boards that are known; the server follows.
//
// Only the newest wish is told to the server, and only when it has answered the one before. An answer belongs to the node
// that was asked for, whatever is on the board by then.

const SETTLED = 120; // milliseconds at one place after which panels may ask the server about it

export class Navigation {
  constructor(app) {
    this.app = app;
    this.told = null; // the node at which the server stands
    this.busy = false;
    this.asked = new Set(); // nodes whose boards are on their way
  }

  // The server stands there: it was told all moves.
  standsAt(node) {
    this.told = node;
    this.settle();
  }

  goTo(node) {
    const { record } = this.app;
    record.path = record.pathTo(node);
    record.keep();
    this.app.showHere();
    this.follow();
    this.settle();
  }

  async follow() {
    const { app } = this;
    if (this.busy || !app.connection.isOpen) return;
    this.busy = true;
    try {
      while (this.told !== app.record.here && app.analyses) {
        const { record } = app;
        const node = record.here;
        const board = await app.connection.ask("go", { moves: record.moves }).catch((problem) => ({ problem }));
        if (record !== app.record) break; // another game was opened meanwhile
        if (board.problem) {
          // A move that the rules refuse was never there.
          if (!app.connection.isOpen) break;
          this.told = null;
          app.complain(board.problem.message);
          if (!node.board && node.parent) {
            record.remove(node);
            if (node === record.here) record.path = record.pathTo(node.parent);
            app.showHere();
            continue;
          }
          break;
        }
        node.board = board;
        this.told = node;
        if (node === record.here) app.showHere(true);
      }
    } finally {
      this.busy = false;
    }
  }

  // Boards of the line on which one stands, before anybody goes there.
  async prefetch() {
    const { app } = this;
    const { record } = app;
    const line = [record.root, ...record.line];
    const first = line.findIndex((node) => !node.board && !this.asked.has(node));
    if (first < 0 || !app.connection.isOpen) return;
    for (const node of line) if (!node.board) this.asked.add(node);
    const moves = line.slice(1).map((node) => node.move);
    const found = await app.connection.ask("boards", { moves, first }).catch(() => null);
    for (const node of line) this.asked.delete(node);
    if (!found || record !== app.record) return;
    found.boards.forEach((board, place) => {
      const node = line[found.first + place];
      node.board ??= { ...board, mode: "analyse", people: app.position?.people ?? [0, 1], clock: null };
      if (found.ways[place]?.length) node.way = found.ways[place];
      if (node === record.here && app.position?.missing) app.showHere();
    });
    this.prefetch();
  }

  settle() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.app.analyses || this.app.position?.missing) return;
      if (this.busy || this.told !== this.app.record.here) {
        this.settle();
        return;
      }
      this.prefetch();
      this.app.settled();
    }, SETTLED);
  }
}
