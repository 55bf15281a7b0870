// Light or dark: the system's setting, or the user's choice, stored in this browser. Runs before the page is shown.
"use strict";

(() => {
  const KEY = "zerosum-studio-theme";
  const NAMES = ["auto", "light", "dark"];
  const known = (name) => (NAMES.includes(name) ? name : "auto");

  // Turn the dark rules on or off in place, so that no stylesheet repeats its colours.
  const apply = (name, within = document) => {
    for (const sheet of within.styleSheets) {
      for (const rule of sheet.cssRules) {
        if (!rule.media || !(rule.dark ?? rule.media.mediaText.includes("prefers-color-scheme"))) continue;
        rule.dark = true;
        rule.media.mediaText = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }[name];
      }
    }
    within.documentElement.style.colorScheme = name === "auto" ? "light dark" : name;
    within.documentElement.dataset.theme = name;
  };

  let chosen = "auto";
  try {
    chosen = known(localStorage.getItem(KEY));
  } catch {
    // If the storage is forbidden, the choice is not remembered.
  }
  window.theme = {
    get name() {
      return chosen;
    },
    set(name) {
      chosen = known(name);
      try {
        localStorage.setItem(KEY, chosen);
      } catch {
        // as above
      }
      apply(chosen);
      for (const frame of document.querySelectorAll("iframe")) apply(chosen, frame.contentDocument);
    },
    apply: (within) => apply(chosen, within),
    next: () => NAMES[(NAMES.indexOf(chosen) + 1) % NAMES.length],
  };
  apply(chosen);
})();
