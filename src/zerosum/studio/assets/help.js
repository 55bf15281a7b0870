// The help dialog (`?`), the switch between light and dark, and confirmation dialogs.

import { find, make, say } from "./dom.js";

const KEYS = [
  ["?", "this help"],
  ["Tab, then ← ↑ ↓ →", "go to the board, and from cell to cell"],
  ["Enter or space", "select the cell"],
  ["Escape", "clear the selection, cancel a premove"],
  ["n", "new game"],
  ["f", "flip the board"],
  ["u", "take back"],
  ["h", "hint"],
  ["p", "while watching: pause and resume"],
  ["Home ← → End", "while analysing: start, back, forward, end"],
  ["x m", "while analysing: threat, next mistake"],
  ["d", "while analysing: draw an arrow (on two cells) or a circle (twice on one cell)"],
  ["t", "light or dark"],
];
const LOOKS = { auto: ["◐", "same as system"], light: ["☀", "light"], dark: ["☾", "dark"] };

function dialog(title, ...content) {
  const box = make("dialog", { class: "small", "aria-labelledby": "small-title" }, make("h2", { id: "small-title" }, title), ...content);
  document.body.append(box);
  box.addEventListener("close", () => box.remove());
  box.showModal();
  return box;
}

export function showHelp() {
  if (find("dialog[open]")) return;
  const rows = KEYS.map(([keys, what]) => make("tr", {},
    make("th", { scope: "row" }, ...keys.split(" ").flatMap((key) => (/^(or|then|Tab,)$/.test(key) ? [`${key} `] : [make("kbd", {}, key), " "]))),
    make("td", {}, what)));
  const close = make("button", { type: "button", class: "main", onclick: () => box.close() }, "Close");
  const box = dialog("Keyboard shortcuts", make("table", {}, make("tbody", {}, ...rows)), make("div", { class: "row end" }, close));
  close.focus();
}

// Ask a question; returns a promise of true or false.
export function ask(question, { yes, no = "Cancel" }) {
  return new Promise((answer) => {
    const choose = (result) => {
      box.returnValue = result ? "yes" : "";
      box.close();
    };
    const box = dialog(question, make("div", { class: "row end" },
      make("button", { type: "button", class: "plain", onclick: () => choose(false) }, no),
      make("button", { type: "button", class: "main", onclick: () => choose(true) }, yes)));
    box.addEventListener("close", () => answer(box.returnValue === "yes"));
  });
}

export class Help {
  constructor(place) {
    this.look = make("button", { type: "button", class: "plain look", onclick: () => this.switchLook() });
    place.append(this.look, make("button", { type: "button", class: "plain", "aria-label": "Keyboard shortcuts", title: "Keyboard shortcuts (?)", onclick: showHelp }, "?"));
    this.show();
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
      if (event.key === "?") showHelp();
      else if (event.key === "t") this.switchLook();
      else return;
      event.preventDefault();
    });
  }

  switchLook() {
    window.theme.set(window.theme.next());
    this.show();
  }

  show() {
    const [sign, words] = LOOKS[window.theme.name];
    say(this.look, sign);
    this.look.setAttribute("aria-label", `Colours: ${words}`);
    this.look.title = `Colours: ${words} (t)`;
  }
}
