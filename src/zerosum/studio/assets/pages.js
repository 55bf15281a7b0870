// Pages other than the game's: each {show(place, app, path)}, under its name in the address. To add one, write a file
// and add a line here.

import { arena } from "./arena.js";
import { classroom } from "./classroom.js";
import { lobby } from "./lobby.js";
import { training } from "./training.js";

export const pages = { lobby, classroom, arena, training };

// After every (re)connection, pages request what they need from the server again.
Object.defineProperty(pages, "connected", {
  value: (app) => {
    for (const page of Object.values(pages)) page.connected?.(app);
  },
});
