// Arrows, circles and values in files: commands in comments, as other programs write them.

const COMMAND = /\[%(csl|cal|eval)\s+([^\]]*)\]/g;
export const PAINTS = { G: "green", R: "red", B: "blue", Y: "yellow" };
const LETTERS = Object.fromEntries(Object.entries(PAINTS).map(([letter, paint]) => [paint, letter]));

// Split a comment into {comment, shapes, evaluation}.
export function fromComment(text = "") {
  const found = { shapes: [], evaluation: null };
  const comment = text.replace(COMMAND, (_, name, value) => {
    if (name === "eval") found.evaluation = evaluation(value);
    else for (const word of value.split(",")) found.shapes.push(...shape(name, word.trim()));
    return "";
  });
  return { comment: comment.replace(/\s+/g, " ").trim(), ...found };
}

function evaluation(text) {
  const mate = text.match(/^#(-?\d+)/);
  if (mate) {
    const won = mate[1].startsWith("-") ? -1 : 1;
    return { value: won, won, distance: Math.max(1, 2 * Math.abs(Number(mate[1])) - 1), words: `mate in ${Math.abs(Number(mate[1]))}, from the file` };
  }
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? { value, won: null, distance: null, words: `${value > 0 ? "+" : ""}${value}, from the file` } : null;
}

// Two names of cells: two characters each, or separated by "~".
function shape(name, word) {
  const paint = PAINTS[word[0]];
  const cells = word.slice(1);
  if (!paint || !cells) return [];
  if (name === "csl") return [{ way: [cells], paint }];
  const way = cells.includes("~") ? cells.split("~") : [cells.slice(0, 2), cells.slice(2)];
  return way[1] ? [{ way, paint }] : [];
}

// A node's comment with its drawings and, if wanted, its value.
export function toComment(node, withValues) {
  const words = [];
  const { evaluation: found } = node;
  if (withValues && found && found.value !== null) {
    const moves = Math.ceil((found.distance ?? 0) / 2);
    words.push(`[%eval ${found.distance ? `#${found.value < 0 ? "-" : ""}${moves}` : Number(found.value.toFixed(2))}]`);
  }
  const written = (way) => (way.every((cell) => cell.length === 2) ? way.join("") : way.join("~"));
  const spots = node.shapes.filter(({ way }) => way.length === 1).map(({ way, paint }) => `${LETTERS[paint]}${way[0]}`);
  const arrows = node.shapes.filter(({ way }) => way.length > 1).map(({ way, paint }) => `${LETTERS[paint]}${written(way)}`);
  if (spots.length) words.push(`[%csl ${spots.join(",")}]`);
  if (arrows.length) words.push(`[%cal ${arrows.join(",")}]`);
  if (withValues && node.judged?.mark) words.push(`${node.judged.mark} best: ${node.judged.best}.`);
  return [...words, node.comment].filter(Boolean).join(" ");
}
