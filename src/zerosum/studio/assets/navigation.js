// Navigating the tree of moves: instant in the page, with the boards that are known; the server follows.
//
// Only the newest request is sent to the server, and only after it has answered the previous one. An answer belongs to
// the node that was asked for, whatever is on the board by then.

const SETTLED = 120; // milliseconds at one node after which panels may query the server about it

export class Navigation {
  constructor(app) {
    this.app = app;
    this.told = null; // the node where the server is
    this.busy = false;
    this.asked = new Set(); // nodes whose boards have been requested
  }

  // The server is at this node: it has received all its moves.
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
        if (record !== app.record) break; // another game was opened in the meantime
        if (board.problem) {
          // Remove a move that the rules reject.
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

  // Load the boards of the current line in advance.
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
