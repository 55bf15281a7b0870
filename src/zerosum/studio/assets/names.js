// What the two players are called: as the game's record says, else the person by their own name, the engine by its strength.

const KEY = "zerosum-studio-name";

export const ownName = {
  get: () => localStorage.getItem(KEY) ?? "",
  set: (name) => localStorage.setItem(KEY, name),
};

export function engineName({ level, seconds, depth } = {}) {
  if (level) return `zerosum, level ${level}`;
  if (depth) return `zerosum, depth ${depth}`;
  return seconds ? `zerosum, ${seconds} s a move` : "zerosum";
}

// The names of MAX and MIN; "" where nobody in particular plays.
export function namesOf({ setup, about }, { mode, people }) {
  const given = about?.players ?? setup?.names;
  if (given) return given;
  if (mode === "analyse" && !setup?.played?.length) return ["", ""];
  if (people.length === 2) return ["", ""];
  return [0, 1].map((side) => (people.includes(side) ? ownName.get() || "You" : engineName(setup?.strength)));
}
