// The ladder: what each idea in the history of search gains, measured on this machine.

import { find, make, say, show } from "./dom.js";

let listening = false;
let view = null;

export function ladder(place, app) {
  const games = app.welcomed.games.map((game) => make("option", { value: game.id, selected: game.id === "connect-four" }, game.title));
  const form = make("form", { class: "card form" },
    make("label", {}, "Game ", make("select", { name: "game" }, ...games)),
    make("label", {}, "Seconds per rung ", make("input", { name: "seconds", type: "number", min: 0.1, max: 10, step: 0.1, value: 1 })),
    make("button", { type: "submit", class: "main" }, "Measure"),
    make("button", { type: "button", class: "stop", hidden: true }, "Stop"),
    make("p", { class: "problem", role: "alert" }));
  const now = make("p", { class: "now", role: "status" }, "Each rung adds one idea to the search. The table shows what it saves.");
  const table = make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Rungs" });
  const plot = make("img", { class: "drawing", hidden: true, alt: "Nodes by depth, one curve per rung" });
  view = { form, now, table, plot };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(find(".problem", form), "");
    show(plot, false);
    const { game, seconds } = form.elements;
    app.connection.ask("ladder", { game: game.value, seconds: Number(seconds.value) })
      .catch((problem) => say(find(".problem", form), problem.message));
  });
  find(".stop", form).addEventListener("click", () => app.connection.wish("ladder-stop"));
  if (!listening) {
    app.connection.on("ladder", take);
    listening = true;
  }
  place.replaceChildren(form, now, table, make("div", { class: "stage" }, plot));
}

function take(ladder) {
  if (!view) return;
  const { form, now, table, plot } = view;
  const running = ladder.state === "climbing" || ladder.state === "compiling";
  show(find(".stop", form), running);
  if (ladder.state === "failed") {
    say(find(".problem", form), ladder.now);
    say(now, "");
    return;
  }
  say(now, ladder.now || (ladder.state === "done" ? "Done." : ""));
  if (ladder.rungs.length) table.replaceChildren(tableOf(ladder));
  if (ladder.drawing) {
    plot.src = ladder.drawing;
    show(plot, true);
  }
}

function tableOf({ rungs, depth, seconds }) {
  const heads = ["rung", `nodes to depth ${depth}`, "seconds", "fewer nodes", "faster", `depth in ${seconds} s`, "branching", "remark"];
  const rows = rungs.map((rung) => [
    rung.rung,
    rung.nodes === undefined ? "" : rung.nodes.toLocaleString("en") + (rung.depth < depth && !rung.solved ? ` (depth ${rung.depth})` : ""),
    rung.seconds?.toPrecision(3) ?? "",
    rung.gain ? `${rung.gain.fewer_nodes.toPrecision(3)} ×` : "",
    rung.gain ? `${rung.gain.faster.toPrecision(3)} ×` : "",
    rung.reached === undefined ? "" : `${rung.reached}${rung.solved ? ", solved" : ""}`,
    rung.branching?.toFixed(2) ?? "",
    rung.skipped ?? rung.note ?? rung.origin ?? "",
  ]);
  return make("table", { class: "rungs" },
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...rows.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell, place) => make("td", { "data-head": heads[place + 1] }, cell))))));
}
