// The names of the two players: from the game's record, otherwise the user's own name and the engine's strength.

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

// The names of MAX and MIN; "" for a player without a name.
export function namesOf({ setup, about }, { mode, people }) {
  const given = about?.players ?? setup?.names;
  if (given) return given;
  if (mode === "analyse" && !setup?.played?.length) return ["", ""];
  if (people.length === 2) return ["", ""];
  return [0, 1].map((side) => (people.includes(side) ? ownName.get() || "You" : engineName(setup?.strength)));
}
