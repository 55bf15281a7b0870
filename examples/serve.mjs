// Tic-tac-toe, the engine against itself, from JavaScript: node examples/serve.mjs
// If zerosum is not on the path, set ZEROSUM to the command that starts it, such as ZEROSUM="python -m zerosum".
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

class Engine {
  constructor(game) {
    const [program, ...words] = (process.env.ZEROSUM ?? "zerosum").split(" ");
    this.process = spawn(program, [...words, "serve", game], { stdio: ["pipe", "pipe", "inherit"] });
    this.waiting = new Map(); // the pending requests, by id
    this.last = 0;
    createInterface({ input: this.process.stdout }).on("line", (line) => this.hear(JSON.parse(line)));
  }

  // The answer to one request; `onReport` is called with each report before it.
  ask(request, onReport = () => {}) {
    const id = ++this.last;
    this.process.stdin.write(JSON.stringify({ id, ...request }) + "\n");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, onReport }));
  }

  hear(answer) {
    const { resolve, reject, onReport } = this.waiting.get(answer.id);
    if (answer.final === false) return onReport(answer);
    this.waiting.delete(answer.id);
    if (answer.error) reject(new Error(answer.error));
    else resolve(answer);
  }

  close() {
    this.process.stdin.end();
  }
}

const engine = new Engine("tictactoe");
const moves = [];
let now = await engine.ask({ do: "position" });
while (!now.over) {
  const found = await engine.ask({ do: "search", moves, depth: 3, reports: true }, (report) => {
    console.log(`  depth ${report.depth}: ${report.move}, ${report.words}`);
  });
  console.log(`${now.player} plays ${found.move}`);
  moves.push(found.move);
  now = await engine.ask({ do: "position", moves });
}
console.log(now.text);
console.log(now.words);
engine.close();
