// Where a widget of ours stands: a shadow tree, so that its styles and the notebook's keep apart; in the notebook's theme.

import { make } from "./dom.js";

const SAID = ["class", "data-jp-theme-light", "data-theme", "data-vscode-theme-kind"];

// "light" or "dark" as JupyterLab, VS Code or marimo say it; "" where the reader's own setting decides.
function theme() {
  const lab = document.body.dataset.jpThemeLight;
  if (lab !== undefined) return lab === "true" ? "light" : "dark";
  const words = [document.documentElement, document.body].flatMap((element) => [
    ...element.classList, element.dataset.theme ?? "", element.dataset.vscodeThemeKind ?? "",
  ]);
  if (words.some((word) => /^(vscode-)?(dark|high-contrast)$/.test(word))) return "dark";
  return words.some((word) => /^(vscode-)?(light|high-contrast-light)$/.test(word)) ? "light" : "";
}

// A place in `el` to put elements into, and what to call when the widget goes.
export function stage(el, style) {
  const host = make("div", { class: "zs-widget" });
  // Keys on the board are the board's: JupyterLab would take them for its own shortcuts.
  host.dataset.lmSuppressShortcuts = "true";
  for (const kind of ["keydown", "keyup"]) host.addEventListener(kind, (event) => event.stopPropagation());
  const root = host.attachShadow({ mode: "open" });
  root.append(make("style", {}, style));
  const dress = () => {
    host.dataset.theme = theme();
  };
  dress();
  const observer = new MutationObserver(dress);
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributes: true, attributeFilter: SAID });
  }
  el.append(host);
  return {
    root,
    leave: () => {
      observer.disconnect();
      host.remove();
    },
  };
}
