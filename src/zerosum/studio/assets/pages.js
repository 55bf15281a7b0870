// Pages beside the game's own: each {show(place, app, path)}, under its name in the address. To add one: a file, and a line.

import { arena } from "./arena.js";
import { classroom } from "./classroom.js";
import { lobby } from "./lobby.js";
import { training } from "./training.js";

export const pages = { lobby, classroom, arena, training };

// After every (re)connection: what a page needs from the server is asked for again.
Object.defineProperty(pages, "connected", {
  value: (app) => {
    for (const page of Object.values(pages)) page.connected?.(app);
  },
});
