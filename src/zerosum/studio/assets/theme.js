// Light or dark: the reader's own setting, or what was chosen here, which this browser keeps. Runs before the page is seen.
"use strict";

(() => {
  const KEY = "zerosum-studio-theme";
  const NAMES = ["auto", "light", "dark"];
  const known = (name) => (NAMES.includes(name) ? name : "auto");

  // Rules for dark are turned on or off as they stand: no style needs to say its colours twice.
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
    // A forbidden storage costs only the memory.
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
