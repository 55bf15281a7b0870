// The top of the search tree, as an outline to expand move by move.

import { make, say } from "./dom.js";
import { brief } from "./thinking.js";

export class Outline {
  constructor(place, app) {
    this.place = place;
    this.app = app;
    this.open = new Map();
    place.addEventListener("keydown", (event) => this.key(event));
  }

  // A new position: collapse everything.
  reset() {
    const key = this.app.record.moves.join(" ");
    if (this.key_ === key) return;
    this.key_ = key;
    this.open = new Map();
    this.place.replaceChildren();
    this.update();
  }

  async update() {
    if (this.app.page !== "tree" || !this.app.connection.isOpen) return;
    this.again = true;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.again && this.app.page === "tree") {
        this.again = false;
        const wanted = [[], ...[...this.open.values()].map(({ moves }) => moves)];
        for (const moves of wanted) {
          const tree = await this.app.connection.ask("tree", { moves });
          if (tree.ply === this.app.position.ply) this.draw(moves, tree.children);
        }
      }
    } catch {
      // Try again with the next report.
    } finally {
      this.busy = false;
    }
  }

  draw(moves, children) {
    const parent = moves.length ? this.place.querySelector(`[data-moves="${moves.join(" ")}"] > [role=group]`) : this.place;
    if (!parent) return;
    const rows = new Map([...parent.children].map((row) => [row.dataset.moves, row]));
    for (const child of children) {
      const path = [...moves, child.move];
      const key = path.join(" ");
      const row = rows.get(key) ?? this.row(path, child);
      rows.delete(key);
      this.fill(row, child);
      parent.append(row);
    }
    for (const row of rows.values()) row.remove();
    if (!this.place.querySelector("[tabindex='0']")) this.place.querySelector("[role=treeitem]")?.setAttribute("tabindex", 0);
  }

  row(path, child) {
    const row = make("div", {
      role: "treeitem", tabindex: -1, "aria-expanded": "false", "aria-level": path.length, "data-moves": path.join(" "),
    }, make("div", { class: "entry" }, make("span", { class: "twist", "aria-hidden": "true" }), make("span", { class: "move" }, child.text),
      make("span", { class: "bounds" }), make("span", { class: "depth" }), make("span", { class: "nodes" }), make("span", { class: "bar", "aria-hidden": "true" })));
    row.firstChild.addEventListener("click", () => {
      this.focus(row);
      this.toggle(row);
    });
    return row;
  }

  fill(row, child) {
    const entry = row.firstChild;
    const sign = { exact: "", lower: "≥ ", upper: "≤ " }[child.bound] ?? "";
    say(entry.querySelector(".bounds"), child.value === null ? "not searched" : `${sign}${brief(child)}`);
    say(entry.querySelector(".depth"), child.depth === null ? "" : `depth ${child.depth}`);
    say(entry.querySelector(".nodes"), child.nodes ?? "");
    entry.querySelector(".bar").style.setProperty("--share", child.share ?? 0);
    row.classList.toggle("best", Boolean(child.best));
    row.classList.toggle("unknown", child.value === null);
    if (child.over) row.removeAttribute("aria-expanded");
  }

  toggle(row, wanted = row.getAttribute("aria-expanded") === "false") {
    if (!row.hasAttribute("aria-expanded")) return;
    const key = row.dataset.moves;
    row.setAttribute("aria-expanded", wanted);
    row.querySelector(":scope > [role=group]")?.remove();
    if (wanted) {
      row.append(make("div", { role: "group" }));
      this.open.set(key, { moves: key.split(" ").map(Number) });
      this.update();
    } else {
      for (const other of [...this.open.keys()]) if (`${other} `.startsWith(`${key} `)) this.open.delete(other);
    }
  }

  focus(row) {
    this.place.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
    row.setAttribute("tabindex", 0);
    row.focus();
  }

  key(event) {
    const row = event.target.closest("[role=treeitem]");
    if (!row) return;
    const all = [...this.place.querySelectorAll("[role=treeitem]")];
    const at = all.indexOf(row);
    const open = row.getAttribute("aria-expanded") === "true";
    if (event.key === "ArrowDown" && all[at + 1]) this.focus(all[at + 1]);
    else if (event.key === "ArrowUp" && at) this.focus(all[at - 1]);
    else if (event.key === "ArrowRight" && !open) this.toggle(row, true);
    else if (event.key === "ArrowLeft" && open) this.toggle(row, false);
    else if (event.key === "ArrowLeft") row.parentElement.closest("[role=treeitem]") && this.focus(row.parentElement.closest("[role=treeitem]"));
    else if (event.key === "Enter" || event.key === " ") this.toggle(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
