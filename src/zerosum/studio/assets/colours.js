// The colours of two players, by name; players with other names get the usual colours of MAX and MIN.

const KNOWN = {
  white: ["#f6f4ee", "#23272c"], black: ["#2f3338", "#ffffff"], red: ["#b3372c", "#ffffff"],
  yellow: ["#e8b923", "#23272c"], blue: ["#2a63ad", "#ffffff"], green: ["#2c7a4b", "#ffffff"],
};
const OTHERS = [["#2563a8", "#ffffff"], ["#a14a16", "#ffffff"]];

// [ground, ink] of each player
export const coloursOf = (players) => players.map((name, side) => KNOWN[name.toLowerCase()] ?? OTHERS[side]);
