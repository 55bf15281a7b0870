// Tabs, by mouse and by arrow keys.

import { find, findAll, show } from "./dom.js";

export class Tabs {
  constructor(place, chosen) {
    this.place = place;
    this.chosen = chosen;
    this.tabs = findAll("[role=tab]", place);
    for (const tab of this.tabs) tab.addEventListener("click", () => this.choose(tab));
    find("[role=tablist]", place).addEventListener("keydown", (event) => this.key(event));
    this.choose(this.tabs[0], false);
  }

  get name() {
    return this.current.dataset.tab;
  }

  // Open the tab with this name, if it is visible.
  open(name) {
    const tab = this.tabs.find((one) => one.dataset.tab === name);
    if (tab && !tab.hidden) this.choose(tab);
  }

  offer(name, offered) {
    const tab = this.tabs.find((one) => one.dataset.tab === name);
    show(tab, offered);
    if (!offered && tab === this.current) this.choose(this.tabs[0]);
  }

  choose(tab, tell = true) {
    this.current = tab;
    for (const one of this.tabs) {
      one.setAttribute("aria-selected", one === tab);
      one.tabIndex = one === tab ? 0 : -1;
      show(find(`#${one.getAttribute("aria-controls")}`), one === tab);
    }
    if (tell) this.chosen(tab.dataset.tab);
  }

  key(event) {
    const seen = this.tabs.filter((tab) => !tab.hidden);
    const at = seen.indexOf(this.current);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: seen.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = seen[(next + seen.length) % seen.length];
    this.choose(tab);
    tab.focus();
  }
}
