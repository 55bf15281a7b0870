// The dialog for a new game.

import { find, findAll, make, say, show } from "./dom.js";
import { ownName } from "./names.js";

export const usual = (game) => ({ game, settings: {}, people: [0], strength: { level: 4 }, clock: "", position: "", resigns: true });

const SIDES = { first: [0], second: [1], both: [0, 1], none: [] };

export class Setup {
  constructor(dialog, begin) {
    this.dialog = dialog;
    this.form = find("form", dialog);
    this.fields = this.form.elements;
    this.fields.game.addEventListener("change", () => this.chosen());
    this.fields.strength.addEventListener("change", () => this.strength());
    this.fields.clock.addEventListener("change", () => show(find(".own-clock", this.form), this.fields.clock.value === "own"));
    find("[data-do=cancel]", dialog).addEventListener("click", () => dialog.close());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      say(find(".problem", dialog), "");
      ownName.set(this.fields.person.value.trim());
      begin(this.wish()).then(() => dialog.close(), (problem) => say(find(".problem", dialog), problem.message));
    });
  }

  welcome({ games, levels, measured }) {
    this.games = games;
    this.measured = measured;
    const chosen = this.fields.game.value;
    this.fields.game.replaceChildren(...games.map((game) => make("option", { value: game.id }, game.title)));
    if (games.some((game) => game.id === chosen)) this.fields.game.value = chosen;
    if (!this.fields.strength.options.length) {
      this.fields.strength.append(
        ...levels.map(({ level, depth, lapses }) => make("option", { value: `level:${level}` }, levelWords(level, depth, lapses))),
        make("option", { value: "seconds" }, "fixed time per move"),
        make("option", { value: "depth" }, "fixed depth"),
      );
      this.fields.strength.value = "level:4";
    }
  }

  open(setup, players) {
    if (setup) {
      this.fields.game.value = setup.game;
      this.chosen();
      for (const [name, value] of Object.entries(setup.settings)) {
        const field = find(`[data-parameter="${name}"]`, this.form);
        if (field) field.value = value;
      }
    } else this.chosen();
    this.fields.position.value = "";
    this.fields.person.value = ownName.get();
    say(find(".problem", this.dialog), "");
    this.players = players;
    this.dialog.showModal();
  }

  chosen() {
    const game = this.games.find(({ id }) => id === this.fields.game.value);
    say(find(".about", this.dialog), game?.about ?? "");
    const players = game?.players ?? [];
    ["first", "second"].forEach((word, side) => say(find(`[data-side="${side}"]`, this.dialog), players[side] ? `${players[side]} (${word})` : word));
    const place = find(".parameters", this.dialog);
    for (const old of findAll("label", place)) old.remove();
    const parameters = Object.entries(game?.parameters ?? {});
    place.append(...parameters.map(([name, value]) => make("label", {}, `${name} `, make("input", {
      "data-parameter": name, value, type: typeof value === "number" ? "number" : "text", step: "any",
    }))));
    show(place, parameters.length > 0);
    this.strength();
    find("#openings").replaceChildren(...(game?.openings ?? []).map(([name, moves]) => make("option", { value: moves, label: name })));
  }

  strength() {
    const kind = this.fields.strength.value;
    const [, level] = kind.split(":");
    const found = this.measured.find((one) => one.game === this.fields.game.value && one.level === Number(level));
    say(find(".measured", this.form), found ? found.words : level ? "The strength of this level has not been measured in this game." : "");
    const label = find(".amount", this.form);
    show(label, kind === "seconds" || kind === "depth");
    say(find("span", label), kind === "depth" ? "Moves ahead" : "Seconds per move");
    if (kind === "depth") Object.assign(this.fields.amount, { value: 6, min: 1, max: 60, step: 1 });
    else Object.assign(this.fields.amount, { value: 2, min: 0.1, max: 3600, step: 0.1 });
  }

  wish() {
    const { game, side, clock, position, strength, amount, minutes, increment, resigns } = this.fields;
    const settings = {};
    const defaults = this.games.find(({ id }) => id === game.value)?.parameters ?? {};
    for (const field of findAll("[data-parameter]", this.form)) {
      const name = field.dataset.parameter;
      const value = typeof defaults[name] === "number" ? Number(field.value) : field.value;
      if (value !== defaults[name]) settings[name] = value;
    }
    const [kind, level] = strength.value.split(":");
    return {
      game: game.value,
      settings,
      people: SIDES[side.value],
      strength: kind === "level" ? { level: Number(level) } : { [kind]: Number(amount.value) },
      clock: clock.value === "own" ? `${60 * Number(minutes.value)}+${Number(increment.value)}` : clock.value,
      resigns: resigns.checked,
      text: position.value.trim(),
    };
  }
}

function levelWords(level, depth, lapses) {
  const ahead = depth ? `looks ${depth} ${depth === 1 ? "move" : "moves"} ahead` : "thinks for 2 s a move";
  return `level ${level}: ${ahead}${lapses ? `, ${lapses} % of its moves are random` : ""}`;
}
