// Addresses within the studio: `#/chess/analyse?moves=e4+e5` names a game, a page, and what the page shows;
// `#/arena` and `#/classroom/gallery/hex` are pages without a game; `#/` is the lobby. `#/play` is the current game.

export const GAME_PAGES = ["play", "analyse", "tree"];

// {page, game: id or "", path: [further parts], query: URLSearchParams}
export function parse(hash = location.hash) {
  const [before, ...behind] = hash.replace(/^#?\/?/, "").split("?");
  const parts = before.split("/").filter(Boolean).map(plain);
  const query = new URLSearchParams(behind.join("?"));
  if (!parts.length) return { page: "lobby", game: "", path: [], query };
  // The part before the name of a game page is the game.
  if (parts.length > 1 && GAME_PAGES.includes(parts[1])) return { page: parts[1], game: parts[0], path: parts.slice(2), query };
  return { page: parts[0], game: "", path: parts.slice(1), query };
}

export function link(page, { game = "", path = [], query = {} } = {}) {
  const found = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined));
  const parts = [game, page === "lobby" ? "" : page, ...path].filter(Boolean).map(encodeURIComponent);
  const behind = found.toString();
  return `#/${parts.join("/")}${behind ? `?${behind}` : ""}`;
}

// The address that the page shows. If the browser has another one, the user has just gone there, and an event about it
// is on its way.
let shown = location.hash;

export function arrived() {
  shown = location.hash;
}

// Change the address of what the page shows, unless the user has just gone elsewhere.
export function readdress(address, { adds = false } = {}) {
  if (location.hash !== shown) return;
  if (adds) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  arrived();
}

function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
