// Watch the engine play itself: at any speed, paused, or step by step.

import { find, make, say, show } from "./dom.js";

const PAUSES = [5, 3, 2, 1, 0.5, 0.2, 0]; // seconds between two moves, from slow to fast
const KEY = "zerosum-studio-speed";

export class Watch {
  constructor(app) {
    this.app = app;
    this.paused = false;
    this.button = make("button", { type: "button", onclick: () => this.pause(!this.paused) });
    this.step = make("button", { type: "button", onclick: () => this.once() }, "One move");
    this.speed = make("input", { type: "range", min: 0, max: PAUSES.length - 1, step: 1, value: kept(), oninput: () => this.changed() });
    this.place = make("div", { class: "watch", role: "group", "aria-label": "Watch", hidden: true },
      this.button, this.step, make("label", {}, "Speed", this.speed));
    find(".choose").after(this.place);
    this.changed();
    this.pause(false);
    addEventListener("keydown", (event) => {
      if (event.key !== "p" || !this.watches() || event.ctrlKey || event.metaKey || event.target.closest("input[type=text], textarea, select, dialog")) return;
      event.preventDefault();
      this.pause(!this.paused);
    });
  }

  watches() {
    const { position, page } = this.app;
    return page === "play" && position?.mode === "play" && !position.people.length && !position.over;
  }

  changed() {
    const seconds = PAUSES[this.speed.value];
    this.speed.setAttribute("aria-valuetext", seconds ? `one move every ${seconds} s` : "as fast as possible");
    this.speed.title = this.speed.getAttribute("aria-valuetext");
    localStorage.setItem(KEY, this.speed.value);
    this.schedule();
  }

  pause(paused) {
    this.paused = paused;
    say(this.button, paused ? "Resume" : "Pause");
    this.button.setAttribute("aria-pressed", paused);
    this.step.disabled = !paused;
    this.schedule();
  }

  takePosition() {
    show(this.place, this.watches());
    show(find(".choose"), !this.watches() && !this.app.position.over);
    this.schedule();
  }

  schedule() {
    clearTimeout(this.timer);
    if (this.paused || !this.app.position) return;
    this.timer = setTimeout(() => this.once(), 1000 * PAUSES[this.speed.value]);
  }

  once() {
    if (this.watches() && this.app.connection.isOpen) this.app.connection.wish("step", { ply: this.app.position.ply });
  }
}

function kept() {
  const found = Number(localStorage.getItem(KEY) ?? 3);
  return found >= 0 && found < PAUSES.length ? found : 3;
}
