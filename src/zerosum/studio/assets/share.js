// Share positions, games and links: copy, download, and the address of the page.

import { download, find, make, say } from "./dom.js";
import { link, parse, readdress } from "./links.js";
import { namesOf } from "./names.js";
import { toComment } from "./notes.js";

const LONGEST = 6000; // characters of an address
const START = "start"; // the usual start

export class Share {
  constructor(place, app) {
    this.place = place;
    this.app = app;
  }

  get withValues() {
    return find("[name=values]", this.place).checked;
  }

  // The whole game, whatever move is shown.
  file() {
    const { record, position, connection } = this.app;
    const { players, result, notes } = record.about;
    const named = players?.some(Boolean) ? players : namesOf(record.setup, { ...position, mode: "play" });
    const { resigned } = record.setup;
    const given = resigned === 0 || resigned === 1 ? (resigned ? 1 : -1) : resigned === "draw" ? 0 : result ?? null;
    return connection.ask("save", {
      nodes: record.nodes((node) => toComment(node, this.withValues)), names: named.map((name) => name || ""), result: given, notes: tags(notes),
    });
  }

  act(what) {
    const failed = (problem) => this.app.complain(problem.message);
    if (what === "save") this.file().then(({ name, text }) => download(name, text), failed);
    else if (what === "copy-game") this.file().then(({ text }) => this.copy(text, "Game")).catch(failed);
    else if (what === "copy-position") this.copy(this.app.position.position, "Position");
    else if (what === "copy-link") this.copy(`${location.origin}${location.pathname}${this.link()}`, "Link");
  }

  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages from other machines may not use the clipboard, but may copy a selection.
      const field = make("textarea", { class: "visually-hidden", "aria-hidden": "true" });
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    say(find(".copied", this.place), `${what} copied.`);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => say(find(".copied", this.place), ""), 4000);
  }

  // The address of the current position: game, parameters, start and moves.
  link() {
    const { record, position, page } = this.app;
    const { game, settings, position: fen } = record.setup;
    const query = Object.fromEntries(Object.entries(settings ?? {}).map(([name, value]) => [`set.${name}`, value]));
    const texts = record.path.map((node) => node.text);
    const several = texts.some((text) => text.includes(" "));
    const moves = several ? `${texts.join(";")};` : texts.join(" ");
    const whole = link(page, { game, query: { ...query, fen: fen || (moves ? "" : START), moves } });
    return whole.length > LONGEST ? link(page, { game, query: { ...query, fen: position.position } }) : whole;
  }

  // Keep the address up to date. A new start adds an entry to the history; a move does not.
  settled() {
    const { page, record, linked } = this.app;
    if (page !== "analyse") return;
    const address = this.link();
    const before = this.root ?? linked; // a game that a link has opened may not have settled
    const fresh = before && before !== record.root && linked !== record.root;
    this.root = record.root;
    if (location.hash === address) return;
    readdress(address, { adds: fresh });
  }
}

// What the address names: {game, settings, position, line}; null if it names no position.
export function wanted() {
  const { game, page, query } = parse();
  const settings = {};
  for (const [name, value] of query) {
    if (name.startsWith("set.")) settings[name.slice(4)] = value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
  }
  const fen = query.get("fen") ?? "";
  const position = fen === START ? "" : fen;
  const line = query.get("moves") ?? "";
  if (!game || page === "play" || !(fen || line || Object.keys(settings).length)) return null;
  return { game, settings, position, line };
}

// The node that the moves of an address lead to; undefined if some are not in the tree.
export function nodeOf(record, line) {
  const words = (line.includes(";") ? line.split(";") : line.split(/\s+/)).map((word) => word.trim()).filter(Boolean);
  let node = record.root;
  for (const word of words) node = node?.children.find((child) => child.text === word);
  return node;
}

// The tags that the format does not write itself, if they are short.
function tags(notes = {}) {
  const given = ["White", "Black", "Result", "FEN", "SetUp"];
  return Object.fromEntries(Object.entries(notes).filter(([name, text]) => !given.includes(name) && /^\w{1,40}$/.test(name) && text.length <= 400).slice(0, 40));
}
