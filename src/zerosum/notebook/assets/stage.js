// The root of our widgets: a shadow tree, which separates its styles from the notebook's, in the notebook's theme.

import { make } from "./dom.js";

const SAID = ["class", "data-jp-theme-light", "data-theme", "data-vscode-theme-kind"];

// "light" or "dark", from JupyterLab, VS Code or marimo; "" if the system's setting decides.
function theme() {
  const lab = document.body.dataset.jpThemeLight;
  if (lab !== undefined) return lab === "true" ? "light" : "dark";
  const words = [document.documentElement, document.body].flatMap((element) => [
    ...element.classList, element.dataset.theme ?? "", element.dataset.vscodeThemeKind ?? "",
  ]);
  if (words.some((word) => /^(vscode-)?(dark|high-contrast)$/.test(word))) return "dark";
  return words.some((word) => /^(vscode-)?(light|high-contrast-light)$/.test(word)) ? "light" : "";
}

// Returns an element in `el` to put content into, and a function to call when the widget is removed.
export function stage(el, style) {
  const host = make("div", { class: "zs-widget" });
  // Keep keys pressed on the board: JupyterLab would treat them as shortcuts.
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
