// A quiz: a tree without its values, questions, and explanations of the answers.

import { find, make, say, show } from "./dom.js";
import { readdress } from "./links.js";

const SUBJECTS = { minimax: "Minimax", alphabeta: "Alpha-beta", expectiminimax: "Expectiminimax" };

export async function quiz(place, app, [subject = "alphabeta", difficulty = "2", seed]) {
  const wish = { subject: SUBJECTS[subject] ? subject : "alphabeta", difficulty: Number(difficulty) || 2 };
  if (seed !== undefined) wish.seed = Number(seed);
  const before = location.hash;
  const found = await app.connection.ask("quiz", wish);
  wish.seed = found.seed;
  const address = (chosen, level, number) => `#/classroom/quiz/${chosen}/${level}${number === undefined ? "" : `/${number}`}`;
  if (seed === undefined && location.hash === before) readdress(address(found.subject, found.difficulty, found.seed));

  const form = make("form", { class: "card form" },
    make("label", {}, "Subject ", make("select", { name: "subject" }, ...Object.entries(SUBJECTS).map(([name, title]) =>
      make("option", { value: name, selected: name === found.subject }, title)))),
    make("label", {}, "Difficulty ", make("select", { name: "difficulty" }, ...[1, 2, 3, 4, 5].map((level) =>
      make("option", { value: level, selected: level === found.difficulty }, level)))),
    make("button", { type: "submit", class: "main" }, "Another quiz"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { subject: chosen, difficulty: level } = form.elements;
    const next = address(chosen.value, level.value);
    if (location.hash === next) dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = next;
  });

  const drawing = make("img", { class: "drawing large", src: found.drawing, alt: `Tree for the quiz: ${found.title}` });
  const score = make("p", { class: "score", role: "status" });
  const results = [];
  const told = (result, at) => {
    results[at] = result;
    const given = results.filter((one) => one !== undefined);
    say(score, `${given.filter(Boolean).length} of ${given.length} right.`);
    if (given.length < found.questions.length) return;
    app.connection.ask("quiz", { ...wish, solved: true }).then((solved) => {
      drawing.src = solved.drawing;
      drawing.alt = `Tree with its values: ${found.title}`;
    }, () => {});
  };
  place.replaceChildren(form, make("div", { class: "stage stays" }, drawing),
    make("ol", { class: "questions" }, ...found.questions.map((question, at) => ask(app, wish, question, at, (right) => told(right, at)))), score);
}

function ask(app, wish, question, at, told) {
  const field = question.words.length
    ? make("select", { name: "answer", "aria-label": "Answer" }, make("option", { value: "" }, "choose"), ...question.words.map((word) => make("option", {}, word)))
    : make("input", { name: "answer", "aria-label": "Answer", autocomplete: "off", spellcheck: "false", placeholder: "a number" });
  const verdict = make("div", { class: "verdict", role: "status" });
  const form = make("form", { class: "row" }, field, make("button", { type: "submit" }, "Answer"), make("button", { type: "button", class: "plain tell" }, "Show answer"));
  const answer = async (given) => {
    try {
      const { right, answer: expected, why } = await app.connection.ask("answer", { ...wish, question: at, answer: given });
      verdict.className = `verdict ${right ? "right" : "wrong"}`;
      verdict.replaceChildren(make("p", {}, make("strong", {}, right ? "Right: " : given ? "Wrong: " : ""), expected), ...why.map((line) => make("p", { class: "why" }, line)));
      show(form, false);
      told(right);
    } catch (problem) {
      verdict.className = "verdict problem";
      say(verdict, problem.message);
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) answer(field.value);
  });
  find(".tell", form).addEventListener("click", () => answer(""));
  return make("li", { class: "card" }, make("p", { class: "question" }, question.text), form, verdict);
}
