// One WebSocket to the server: sends numbered requests, receives answers and events, and reconnects by itself.

const VERSION = 1;
const SLOWEST = 2000;

export class Connection extends EventTarget {
  constructor(session) {
    super();
    this.session = session;
    this.number = 0;
    this.waiting = new Map();
    this.pause = 250;
    this.isOpen = false;
    this.open();
  }

  open() {
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/talk`;
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => this.greet());
    this.socket.addEventListener("message", (event) => this.take(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.lost());
  }

  greet() {
    this.ask("hello", { session: this.session }).catch(() => {}); // the answer is told as "welcome"
  }

  enter({ session }) {
    this.session = session;
    this.isOpen = true;
    this.pause = 250;
  }

  lost() {
    const before = this.isOpen;
    this.isOpen = false;
    for (const { refuse } of this.waiting.values()) refuse(new Error("The connection was lost."));
    this.waiting.clear();
    this.tell("lost", { before });
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(2 * this.pause, SLOWEST);
  }

  take(message) {
    if (message.v !== VERSION) return location.reload();
    const waiting = this.waiting.get(message.re);
    this.waiting.delete(message.re);
    if (message.kind === "error") {
      if (waiting) waiting.refuse(new Error(message.body.message));
      else this.tell("error", message.body);
      return undefined;
    }
    if (message.kind === "welcome") this.enter(message.body);
    if (waiting) waiting.fulfil(message.body);
    return this.tell(message.kind, message.body);
  }

  tell(kind, body) {
    this.dispatchEvent(new CustomEvent(kind, { detail: body }));
  }

  on(kind, listener) {
    this.addEventListener(kind, (event) => listener(event.detail));
  }

  // Send a request; returns a promise of the answer, which an error rejects.
  ask(wish, body = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("Not connected to the studio."));
    this.number += 1;
    const n = this.number;
    this.socket.send(JSON.stringify({ v: VERSION, n, do: wish, body }));
    return new Promise((fulfil, refuse) => this.waiting.set(n, { fulfil, refuse }));
  }

  // Send a request whose answer is not needed; an error is reported as an event.
  wish(what, body = {}) {
    this.ask(what, body).catch((problem) => this.tell("error", { message: problem.message }));
  }
}
