// The lobby: every game with its board, the user's own games first, and the games played recently.

import { Board } from "./board.js";
import { draw, find, make } from "./dom.js";
import { link } from "./links.js";
import { forgetGames, recentGames } from "./recent.js";

let boards = null; // by game: layout and pieces at the start

export const lobby = {
  show(place, app) {
    place.replaceChildren(make("h2", { class: "visually-hidden" }, "Lobby"), make("p", { class: "hint" }, "Connecting …"));
    if (app.welcomed) this.fill(place, app);
  },

  connected(app) {
    if (document.body.dataset.page === "lobby") this.fill(find("#other"), app);
  },

  async fill(place, app) {
    const { games } = app.welcomed;
    const cards = new Map(games.map((game) => [game.id, card(game)]));
    const recent = recentGames().filter(({ setup }) => games.some(({ id }) => id === setup.game));
    const shelf = make("section", { class: "recent", "aria-labelledby": "recent-title", hidden: !recent.length });
    place.replaceChildren(
      make("h2", {}, "Choose a game"),
      make("ul", { class: "lobby" }, ...[...cards.values()].map(({ element }) => element)),
      shelf,
    );
    // The user's game files may have changed: if there are any, fetch the thumbnails again on every visit.
    if (!boards || games.some(({ own }) => own)) boards = await fetch("/boards.json").then((found) => found.json(), () => ({}));
    if (!place.contains(shelf)) return;
    for (const [id, { picture }] of cards) thumbnail(picture, boards[id], boards[id]?.pieces);
    shelf.replaceChildren(...lately(recent, games, app, shelf));
  },
};

function card(game) {
  const picture = make("div", { class: "thumb", "aria-hidden": "true" });
  const play = link("play", { game: game.id });
  const element = make("li", { class: game.own ? "card own" : "card" },
    make("a", { class: "cover", href: play, tabindex: -1, "aria-hidden": "true" }, picture),
    make("h3", {}, make("a", { href: play }, game.title)),
    make("p", { class: "about" }, game.own ? make("strong", {}, "Your game: ") : null, game.about),
    make("p", { class: "ways" },
      make("a", { class: "button main", href: play, "aria-label": `Play ${game.title}` }, "Play"),
      make("a", { class: "button", href: link("analyse", { game: game.id }), "aria-label": `Analyse ${game.title}` }, "Analyse"),
      make("a", { class: "button", href: link("classroom", { path: ["trace"], query: { game: game.id } }), "aria-label": `Learn how ${game.title} is searched` }, "Learn")));
  return { element, picture };
}

// A board for display only: no listeners, and hidden from screen readers.
export function thumbnail(place, board, pieces, flipped = false) {
  if (!board?.layout) {
    place.replaceChildren(draw("svg", { viewBox: "0 0 100 100", class: "no-board" }, draw("path", { d: "M20 20h60v60h-60zM50 20v60M20 50h60" })));
    return;
  }
  const inside = make("span", { class: "inside" });
  place.replaceChildren(inside);
  const drawn = new Board(inside, () => {});
  drawn.flipped = flipped;
  drawn.setLayout(board.layout, board.game);
  drawn.setPieces(pieces ?? [], [], false);
  drawn.svg.inert = true;
  for (const cell of drawn.svg.querySelectorAll("[tabindex]")) cell.removeAttribute("tabindex");
}

function lately(recent, games, app, shelf) {
  if (!recent.length) return [];
  const list = make("ul", { class: "games" }, ...recent.map((game) => {
    const { title } = games.find(({ id }) => id === game.setup.game);
    const picture = make("span", { class: "thumb", "aria-hidden": "true" });
    // With other parameters a board has another layout, which has not been loaded.
    const usual = !Object.keys(game.setup.settings ?? {}).length;
    thumbnail(picture, usual ? boards[game.setup.game] : null, game.pieces);
    const moves = game.moves.length;
    return make("li", {}, make("button", { type: "button", class: "card", onclick: () => app.takeUp(game) }, picture,
      make("span", { class: "words" }, make("strong", {}, title),
        make("span", {}, game.over ? game.words : `${moves} ${moves === 1 ? "move" : "moves"}, unfinished`),
        make("span", { class: "hint" }, when(game.when)))));
  }));
  return [
    make("div", { class: "row" }, make("h2", { id: "recent-title" }, "Recent games"),
      make("button", { type: "button", class: "plain", onclick: () => { forgetGames(); shelf.hidden = true; } }, "Clear list")),
    list,
  ];
}

const when = (time) => new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
