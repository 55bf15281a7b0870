// The page's language: replaces English phrases by those of texts.js wherever text is put into the page.

import { LANGUAGE, TEXTS } from "./texts.js";

const translated = Object.entries(TEXTS).filter(([phrase, words]) => words !== phrase);
const escaped = (phrase) => phrase.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.*?)");
const patterns = translated.filter(([phrase]) => phrase.includes("{}")).map(([phrase, words]) => [new RegExp(`^${escaped(phrase)}$`, "s"), words]);

// Translate a text; spaces around it are kept.
export function inWords(text) {
  const phrase = text.trim();
  if (!translated.length || !phrase) return text;
  const words = TEXTS[phrase] ?? put(phrase);
  return words === undefined ? text : text.replace(phrase, () => words);
}

function put(phrase) {
  for (const [pattern, words] of patterns) {
    const found = pattern.exec(phrase);
    if (found) {
      let place = 0;
      return words.replace(/\{\}/g, () => {
        place += 1;
        return inWords(found[place] ?? "");
      });
    }
  }
  return undefined;
}

const ATTRIBUTES = ["aria-label", "title", "placeholder"];
export const isRead = (attribute) => ATTRIBUTES.includes(attribute);

// Translate the text of index.html.
export function translate(root) {
  if (!translated.length) return;
  document.documentElement.lang = LANGUAGE;
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) walk.currentNode.data = inWords(walk.currentNode.data);
  for (const name of ATTRIBUTES) {
    for (const element of root.querySelectorAll(`[${name}]`)) element.setAttribute(name, inWords(element.getAttribute(name)));
  }
}
