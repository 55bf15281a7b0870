// Small helpers for making elements. Text is inserted as text, never as markup.

import { inWords, isRead } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, isRead(name) ? inWords(String(value)) : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => (typeof child === "string" ? inWords(child) : child)));
  return element;
}

export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

// Set text that changes often; unchanged text is not touched, so as not to disturb screen readers and selections.
export function say(element, text) {
  const words = inWords(String(text ?? ""));
  if (element.textContent !== words) element.textContent = words;
}

export const show = (element, visible) => {
  element.hidden = !visible;
};

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function download(name, text) {
  const link = make("a", { download: name, href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}` });
  document.body.append(link);
  link.click();
  link.remove();
}
