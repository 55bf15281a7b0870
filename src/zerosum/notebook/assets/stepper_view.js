// A trace in a notebook: the same page that steps through a trace elsewhere.

import { make } from "./dom.js";
import { stepThrough } from "./page.js";
import { stage } from "./stage.js";

function render({ model, el }) {
  const { root, leave } = stage(el, STYLE);
  const page = make("div", { class: "zs-page", tabindex: -1 });
  page.innerHTML = model.get("_html"); // made and escaped by zerosum
  root.append(page);
  const wish = `#step=${model.get("step")}&detail=${model.get("_detail")}`;
  let go = null;
  let shown = null;
  const told = (step) => {
    shown = step;
    if (go === null || model.get("step") === step) return; // the widget is still being set up
    model.set("step", step);
    model.save_changes();
  };
  go = stepThrough(page, model.get("_data"), page, wish, told);
  const changed = () => model.get("step") !== shown && go(model.get("step"));
  model.on("change:step", changed);
  return () => {
    model.off("change:step", changed);
    leave();
  };
}

export default { render };
