// Recent games, stored in this browser: enough to show and to resume each.

const KEY = "zerosum-studio-recent";
const MOST = 12;

export function recentGames() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((game) => game?.setup?.game && Array.isArray(game.moves)) : [];
  } catch {
    return [];
  }
}

export function forgetGames() {
  localStorage.removeItem(KEY);
}

// A panel that stores the current game.
export class Recent {
  constructor(app) {
    this.app = app;
  }

  takePosition(position) {
    const { record } = this.app;
    if (position.mode !== "play" || !position.ply) return;
    record.setup.kept ??= `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
    const { played, left, ...setup } = record.setup;
    const game = { id: setup.kept, when: Date.now(), setup, moves: record.moves, words: position.words, over: position.over, winner: position.winner, pieces: position.pieces };
    const others = recentGames().filter(({ id }) => id !== game.id);
    try {
      localStorage.setItem(KEY, JSON.stringify([game, ...others].slice(0, MOST)));
    } catch {
      // If the storage is full or forbidden, only the list is lost.
    }
  }
}
