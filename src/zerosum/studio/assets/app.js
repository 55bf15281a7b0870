// The studio's page: connects the board, the panels and the server.

import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { Choice } from "./choice.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { find, findAll, make, say, show } from "./dom.js";
import { GameRecord, session } from "./game.js";
import { Help, ask } from "./help.js";
import { GAME_PAGES, arrived, link, parse, readdress } from "./links.js";
import { MoveList } from "./moves.js";
import { Navigation } from "./navigation.js";
import { Outline } from "./outline.js";
import { namesOf } from "./names.js";
import { pages } from "./pages.js";
import { Panels } from "./panels.js";
import { Setup, usual } from "./setup.js";
import { nodeOf, wanted } from "./share.js";
import { Tabs } from "./tabs.js";
import { Thinking, sentence } from "./thinking.js";
import { translate } from "./words.js";

const ASIDE = ["beside", "review", "threat"]; // searches shown by panels, not by the main card

class App {
  constructor() {
    this.record = GameRecord.restore();
    this.board = new Board(find(".board"), (cell, dropped) => this.pick(cell, dropped));
    this.choice = new Choice();
    this.position = null;
    this.layout = null;
    this.players = ["MAX", "MIN"];
    this.analysing = false;
    this.early = [];
    this.page = "";
    this.connection = new Connection(session.get());
    this.clocks = new Clocks(findAll(".player"), () => this.connection.wish("flag"));
    this.navigation = new Navigation(this);
    this.moves = new MoveList(find(".moves"), (node) => this.goTo(node));
    this.chart = new Chart(find(".chart"), (ply) => this.goTo([this.record.root, ...this.record.line][ply]));
    this.thinking = new Thinking(find(".thinking"), {
      hover: (line) => this.hover(line),
      play: (line) => this.mayMove() && line.moves.length && this.play(line.moves[0]),
    });
    this.outline = new Outline(find(".outline"), this);
    this.tabs = new Tabs(find(".aside"), (name) => this.panels.tell("opened", name));
    this.panels = new Panels(this);
    this.help = new Help(find(".switches"));
    this.setup = new Setup(find(".setup"), (wish) => this.begin(wish));
    this.listen();
  }

  listen() {
    const on = (kind, listener) => this.connection.on(kind, listener);
    on("welcome", (welcome) => this.welcome(welcome));
    on("lost", ({ before }) => this.lost(before));
    on("board", (board) => this.takeBoard(board));
    on("position", (position) => this.takePosition(position));
    on("search", (search) => this.takeSearch(search));
    on("report", (report) => this.takeReport(report));
    on("error", ({ message }) => this.complain(message));
    addEventListener("hashchange", () => this.route());
    addEventListener("keydown", (event) => this.key(event));
    for (const button of findAll("[data-do]")) button.addEventListener("click", () => this.act(button.dataset.do));
    for (const name of ["lines", "algorithm"]) find(`[name=${name}]`).addEventListener("change", () => this.analysing && this.analyse(true));
    find(".notice button").addEventListener("click", () => this.complain(""));
    this.route();
  }

  // Connecting and disconnecting

  welcome(welcome) {
    session.set(welcome.session);
    this.welcomed = welcome;
    document.body.dataset.connection = "open";
    say(find(".connection"), "");
    this.setup.welcome(welcome);
    this.thinking.restart();
    this.complain("");
    pages.connected?.(this);
    this.takeWanted();
    if (!this.record.setup) this.record.setup = usual(welcome.first);
    if (GAME_PAGES.includes(this.page)) this.resume();
  }

  // If the address names another game or a position, open that.
  takeWanted() {
    const { game } = parse();
    const known = this.welcomed.games.some(({ id }) => id === game);
    const place = known ? wanted() : null;
    if (!known || (place ? this.has(place) : game === this.record.setup?.game)) return false;
    this.record = new GameRecord();
    this.record.setup = { ...usual(game), ...(place ? { ...place, people: [0, 1] } : {}) };
    this.linked = this.record.root;
    this.position = null;
    return true;
  }

  // Whether the current tree contains the position that an address names; if so, go there.
  has({ game, settings, position, line }) {
    const { setup } = this.record;
    if (setup?.game !== game || (setup.position ?? "") !== position || JSON.stringify(setup.settings ?? {}) !== JSON.stringify(settings)) return false;
    const node = nodeOf(this.record, line);
    if (node && node !== this.record.here) {
      if (this.analyses && this.page === "analyse") this.navigation.goTo(node);
      else this.record.path = this.record.pathTo(node);
    }
    return Boolean(node);
  }

  // Send the server the game stored in this tab; it checks every move again.
  resume() {
    const mode = this.mode();
    const kept = this.taken?.moves;
    this.taken = null;
    const moves = kept ?? (mode === "play" ? this.record.setup.played ?? this.record.moves : this.record.moves);
    this.open(this.record.setup, moves, mode).catch(async (problem) => {
      if (!this.connection.isOpen) return;
      // The game, its file or its moves have changed: start over, and if that fails too, open another game.
      this.record.clear();
      const anew = { ...this.record.setup, position: "", line: "", settings: {}, played: null, resigned: null };
      try {
        await this.open(anew, [], mode);
      } catch {
        await this.open({ ...anew, game: "tictactoe" }, [], mode).catch(() => {});
      }
      this.complain(problem.message);
    });
  }

  lost(before) {
    document.body.dataset.connection = "lost";
    this.navigation.told = null;
    say(find(".connection"), before ? "Connection lost. Trying again …" : "The studio does not respond. Trying again …");
    this.clocks.stop();
    this.board.mark({ ...this.board.marks, starts: new Set(), targets: new Set(), selected: [] });
  }

  mode() {
    return this.page === "play" ? "play" : "analyse";
  }

  open(setup, moves, mode) {
    const { played, left, ...wish } = setup;
    const clocks = left && moves.length ? { left } : {};
    const { record } = this;
    const before = record.setup;
    record.setup = setup;
    this.thinking.reset();
    this.opening = { record, node: record.here };
    return this.connection.ask("open", { ...wish, ...clocks, moves, mode }).then((position) => {
      delete setup.line;
      if (mode === "analyse" && this.analysing) this.analyse(true);
      return position;
    }, (problem) => {
      record.setup = before;
      throw problem;
    });
  }

  // Resume a stored game: play it if it is not over, otherwise analyse it.
  takeUp({ setup, moves, over }) {
    this.record = new GameRecord();
    this.record.setup = { ...setup, played: moves };
    this.position = null;
    const page = over ? "analyse" : "play";
    const address = link(page, { game: setup.game });
    this.taken = { moves };
    if (location.hash === address) this.route();
    else location.hash = address;
  }

  async begin(wish) {
    const { text, ...setup } = wish;
    let moves = [];
    let position = setup.position ?? "";
    const before = this.record;
    this.record = new GameRecord();
    try {
      if (text) {
        this.record.setup = setup;
        await this.connection.ask("open", { ...setup, mode: "analyse" });
        const reading = await this.connection.ask("read", { text });
        ({ moves, position } = reading);
        this.record = new GameRecord();
      }
      await this.open({ ...setup, position, resigned: null, played: null }, moves, this.mode());
    } catch (problem) {
      this.record = before;
      if (text) this.resume();
      throw problem;
    }
    this.seat();
    this.takePosition(this.position, true);
    this.complain("");
  }

  // The same game again, with sides swapped.
  rematch() {
    const { game, settings, people, strength, clock, position, resigns } = this.record.setup;
    return this.begin({ game, settings, people: people.map((side) => 1 - side), strength, clock, position, resigns });
  }

  route() {
    arrived();
    const { page: wanted, path, query } = parse();
    const page = GAME_PAGES.includes(wanted) || pages[wanted]?.show ? wanted : "lobby";
    const before = this.page;
    this.page = page;
    document.body.dataset.page = page;
    for (const a of findAll("nav a[data-page]")) {
      if (a.dataset.page === page) {
        a.setAttribute("aria-current", "page");
        a.parentElement.scrollLeft = a.offsetLeft - a.parentElement.offsetLeft - 60; // on phones the row of page links scrolls
      } else a.removeAttribute("aria-current");
    }
    for (const part of findAll("[class*='for-']")) {
      const names = [...part.classList].filter((name) => name.startsWith("for-")).map((name) => name.slice(4));
      const fits = names.includes(page) || (names.includes("game") && GAME_PAGES.includes(page)) || names.includes("players");
      part.classList.toggle("off", !fits);
    }
    const isGame = GAME_PAGES.includes(page);
    if (page !== "analyse" && this.editing) this.tabs.open("review");
    show(find(".game"), isGame);
    show(find("main > .side"), isGame);
    show(find("#other"), !isGame);
    if (isGame) find("#other").replaceChildren();
    document.title = `${page[0].toUpperCase()}${page.slice(1)} · zerosum studio`;
    if (!isGame) {
      // The analysis is not visible on that page.
      if (this.analysing && this.position?.mode === "analyse" && this.connection.isOpen) this.connection.wish("stop");
      pages[page].show(find("#other"), this, path, query);
    } else if (before && this.connection.isOpen) {
      const mode = this.mode();
      if (this.takeWanted() || this.position?.mode !== mode) this.resume();
      else this.refresh();
      if (page !== "play" && (!this.analysing || before !== page)) this.analyse(true);
    } else if (page !== "play") this.analysing = true;
    if (page === "play") this.showAnalysing(false);
    else this.showAnalysing(this.analysing);
  }

  // Messages from the server

  takeBoard(board) {
    const sameGame = this.drawn === JSON.stringify(board.layout) && board.layout;
    this.layout = board.layout;
    this.players = board.players;
    this.draws = board.draws;
    this.drawn = JSON.stringify(board.layout);
    say(find(".title"), board.title);
    find(".title").dataset.game = board.id;
    if (GAME_PAGES.includes(this.page) && parse().game !== board.id) readdress(link(this.page, { game: board.id }));
    if (this.layout) {
      if (!sameGame) {
        find(".board").classList.remove("text");
        this.board.setLayout(this.layout, board.game);
        this.seat();
      }
    } else {
      find(".board").classList.add("text");
      find(".board").removeAttribute("style");
      find(".game").style.setProperty("--shape", 1.3);
      find(".board").replaceChildren(make("pre", { "aria-label": "Board" }));
    }
    this.panels.tell("takeBoard", board);
    find("[data-do=flip]").disabled = !this.layout || this.layout.turns === false;
  }

  // Turn the board so that the user plays from the bottom.
  seat() {
    const people = this.record.setup?.people ?? [];
    const turns = this.layout && this.layout.turns !== false;
    this.board.flip(Boolean(turns && people.length === 1 && people[0] !== (this.layout.near ?? 0)));
  }

  takePosition(position, still = false) {
    const before = this.position;
    this.position = position;
    if (position.clock) this.record.setup.left = position.clock.left;
    if (position.mode === "play") this.record.setup.resigned = position.resigned ?? null;
    if (!still) {
      const { record, navigation } = this;
      // If the user has moved on since the game was opened, stay where they are.
      const stands = position.mode === "play" || this.opening?.record !== record || this.opening.node === record.here;
      const node = record.take(position, stands);
      if (position.mode === "analyse") node.board = position; // a game may end by resignation, which no board shows
      navigation.standsAt(node);
      if (!stands) {
        this.showHere();
        navigation.follow();
        return;
      }
      this.opening = null;
    }
    const forward = position.ply > (before?.ply ?? 0);
    this.arrive();
    this.refresh(forward && !still);
    this.panels.tell("takePosition", position, before);
  }

  // Discard everything that belongs to the previous position.
  arrive() {
    const { position, record } = this;
    this.hint = null;
    this.preview = null;
    this.among = null;
    this.early = []; // cells clicked before the moves were known
    this.complain("");
    if (position.over) record.here.evaluation = final(position);
    if (position.mode === "analyse") this.thinking.moved(position.over ? position.words : record.here.evaluation?.words, position.over);
  }

  get editing() {
    return document.body.classList.contains("editing");
  }

  get analyses() {
    return this.position?.mode === "analyse";
  }

  // Show the current node of the tree; `told`: the server has sent more about it.
  showHere(told = false) {
    const { record, position: before } = this;
    const node = record.here;
    const ply = record.path.length;
    const missing = { ...before, moves: [], position: null, over: false, words: "", turn: node.children[0]?.turn ?? 1 - (node.turn ?? 1), missing: true };
    this.position = { ...(node.board ?? missing), ply, moves: node.board?.moves ?? [] };
    if (told && !before.missing) {
      // The board already shows this position, and may still be animating.
      if (this.position.over) this.arrive();
      this.refresh(false, false);
      for (const cell of this.early.splice(0)) this.pick(cell);
      return;
    }
    this.arrive();
    this.refresh(node.parent !== null && (before.missing || before.ply === ply - 1));
    if (node.board) this.panels.tell("takePosition", this.position, before);
  }

  // The user has paused for a moment: panels may now query the server.
  settled() {
    this.panels.tell("settled", this.position);
  }

  refresh(animate = false, pieces = true) {
    const { position, record } = this;
    if (!position) return;
    this.choice = new Choice(this.mayMove() ? position.moves : []);
    if (position.missing || !pieces || this.editing) {
      // The board stays as it is.
    } else if (this.layout) {
      const way = position.ply ? record.here.way : [];
      this.board.setPieces(this.withDice(position.pieces), way, animate);
    } else say(find(".board pre"), position.text);
    this.markBoard();
    this.showChoices();
    say(find(".turn"), this.status());
    find(".turn").classList.toggle("over", position.over);
    const near = this.layout?.near ?? 0;
    this.clocks.show(this.players, position, this.board.flipped ? 1 - near : near, namesOf(record, position));
    this.moves.update(record, { editable: position.mode === "analyse" });
    this.chart.update(record, this.players);
    find("[data-do=undo]").disabled = !position.ply;
    // While the engine is thinking, the same button makes it move now.
    const waits = position.mode === "play" && !position.over && !this.mayMove() && position.turn !== 2;
    say(find("[data-do=hint]"), waits ? "Move now" : "Hint");
    find("[data-do=hint]").disabled = !waits && !this.mayMove();
    find("[data-do=resign]").disabled = position.over || !position.people.length;
    show(find("[data-do=draw]"), this.draws && position.people.length === 1);
    find("[data-do=draw]").disabled = position.over;
    find("[data-do=save]").disabled = !position.ply;
    for (const name of ["first", "back"]) find(`[data-do=${name}]`).disabled = !position.ply;
    for (const name of ["on", "last"]) find(`[data-do=${name}]`).disabled = !record.here.children.length;
    if (document.activeElement !== find("#position") && position.position !== null) find("#position").value = position.position;
    if (this.page === "tree") this.outline.reset();
  }

  // Where positions do not store the dice, show the last roll.
  withDice(pieces) {
    const cells = this.layout.dice ?? [];
    const thrown = cells.length ? this.record.path.findLast((node) => node.turn === 2) : null;
    if (!thrown) return pieces;
    const faces = [...thrown.text].filter((sign) => /[1-6]/.test(sign));
    return [...pieces, ...faces.slice(0, cells.length).map((face, place) => ({ cell: cells[place], glyph: `die-${face}`, label: `die ${face}` }))];
  }

  status() {
    const { over, words, turn, mode, people } = this.position;
    if (over) return words;
    if (turn === 2) return mode === "analyse" ? "Chance to move: choose an outcome." : "Rolling the dice …";
    const name = this.players[turn];
    if (mode === "analyse") return `${name} to move`;
    if (people.includes(turn)) return people.length === 1 ? `Your turn (${name})` : `${name} to move`;
    return `The engine is thinking (${name})`;
  }

  mayMove() {
    const { position } = this;
    if (!position || position.over) return false;
    return position.mode === "analyse" || position.people.includes(position.turn);
  }

  takeSearch(search) {
    if (search.state === "failed") this.complain(search.problem);
    this.panels.tell("takeSearch", search);
    if (ASIDE.includes(search.purpose)) return;
    this.thinking.state(search);
    if (search.purpose === "hint" && search.state === "done" && this.thinking.report) {
      this.hint = this.thinking.report.lines[0];
      this.markBoard();
      say(find(".turn"), `Hint: ${this.hint?.texts[0]}. ${sentence(this.thinking.report.words)}.`);
    }
  }

  // Whether a message from the server is about the position on the board.
  isHere({ ply, position }) {
    return ply === this.position?.ply && position === this.position.position;
  }

  takeReport(report) {
    if (!this.isHere(report) || this.position.over) return;
    this.panels.tell("takeReport", report);
    if (ASIDE.includes(report.purpose)) return;
    this.thinking.take(report);
    if (this.thinking.report !== report) return;
    const { value, won, distance, words } = report;
    this.record.here.evaluation = { value, won, distance, words };
    this.chart.update(this.record, this.players);
    this.markBoard();
    if (this.page === "tree") this.outline.update();
    this.panels.tell("evaluated");
  }

  // The board

  markBoard() {
    if (!this.layout || this.editing) return;
    const { record, choice } = this;
    const lines = this.analyses && this.thinking.report && this.isHere(this.thinking.report) ? this.thinking.report.lines : [];
    const arrows = this.preview
      ? [{ way: this.preview.way, kind: "best" }]
      : [...lines.map((line, place) => ({ way: line.way, kind: place ? "other" : "best", weight: 1 - place * 0.25 })).reverse(),
        ...(this.hint ? [{ way: this.hint.way, kind: "hint" }] : []), ...this.panels.arrows()];
    this.board.mark({
      last: this.position?.ply ? record.here.way : [],
      selected: choice.prefix,
      targets: choice.targets(),
      starts: this.panels.premove.takes() ? new Set(this.board.cells.keys()) : choice.starts(),
      premove: this.panels.premove.cells,
      won: this.position?.line ?? [],
      arrows,
    });
  }

  pick(cell, dropped = false) {
    const { premove, editor } = this.panels;
    if (editor.pick(cell)) return;
    if (this.analyses && this.record.here.board && !this.record.here.board.moves) {
      // The board is shown but its moves have not arrived yet: remember the click.
      this.early.push(cell);
      return;
    }
    if (cell === null) {
      this.choice.clear();
      premove.clear();
    } else if (premove.takes()) premove.pick(cell);
    else if (this.mayMove() && this.connection.isOpen) {
      const found = this.choice.pick(cell);
      if (found.play) {
        this.play(found.play.move, dropped);
        return;
      }
      this.among = found.among ?? null;
      this.showChoices();
      if (this.among && !found.more) find(".choose button")?.focus();
    }
    this.markBoard();
    if (cell === null || !this.choice.prefix.length) {
      this.among = null;
      this.showChoices();
    }
    if (this.layout && this.position) {
      this.board.setPieces(this.board.underWay(this.withDice(this.position.pieces), this.choice.prefix), [], false);
    }
  }

  // Moves offered as buttons: those that touch no cell, and those that share a path.
  showChoices() {
    const moves = this.among ?? (this.position && this.mayMove() ? this.choice.buttons : []);
    const place = find(".choose");
    place.classList.toggle("many", moves.length > 8);
    const over = Boolean(this.position?.over);
    show(place, !over);
    show(find(".result"), over);
    if (over) find(".result").replaceChildren(this.banner());
    place.replaceChildren(...moves.map((move) => make("button", {
      type: "button", class: "main", onclick: () => this.play(move.move),
    }, move.text)));
  }

  // The result of the game, and what to do next.
  banner() {
    const { mode, words, winner, people } = this.position;
    const one = mode === "play" && people.length === 1;
    const mood = winner === null || !one ? "" : people.includes(winner) ? "You won." : "The engine won.";
    return make("p", { class: "banner" }, make("strong", {}, words), ` ${mood} `,
      one ? make("button", { type: "button", class: "main", "data-do": "rematch", onclick: () => this.rematch() }, "Rematch with sides swapped") : null,
      make("button", { type: "button", class: one ? "" : "main", onclick: () => this.act("new") }, "New game"),
      mode === "play" ? make("a", { href: link("analyse", { game: this.record.setup.game }) }, "Analyse the game") : null);
  }

  play(move, dropped = false) {
    this.among = null;
    this.choice.clear();
    const { ply, turn, moves } = this.position;
    if (this.analyses) {
      const { here } = this.record;
      const { text, ways } = moves.find((one) => one.move === move);
      this.goTo(here.child(move) ?? this.record.add(here, { move, text, turn, way: ways[0] ?? [] }));
      return;
    }
    this.connection.ask("move", { ply, move }).catch((problem) => {
      this.complain(problem.message);
      this.refresh();
    });
    if (dropped) this.board.mark({ ...this.board.marks, selected: [] });
  }

  hover(line) {
    if (!line || !line.moves.length || !this.position) {
      this.preview = null;
      if (this.layout && this.position) this.board.setPieces(this.withDice(this.position.pieces), [], false);
      else if (this.position) say(find(".board pre"), this.position.text);
      this.markBoard();
      return;
    }
    const { ply } = this.position;
    this.preview = line;
    this.markBoard();
    if (this.analyses && this.navigation.told !== this.record.here) return;
    this.connection.ask("look", { ply, moves: line.moves }).then((look) => {
      if (this.preview !== line || this.position.ply !== ply) return;
      if (this.layout) {
        this.board.setPieces(look.pieces, [], false);
        this.board.mark({ ...this.board.marks, last: look.way, starts: new Set(), targets: new Set() });
      } else say(find(".board pre"), look.text);
    }, () => {});
  }

  // Navigation

  goTo(node) {
    if (!node) return;
    const path = this.record.pathTo(node);
    if (this.position?.mode === "play") {
      // Looking at an earlier position switches to analysis.
      if (path.length === this.record.path.length) return;
      this.record.path = path;
      location.hash = link("analyse", { game: this.record.setup.game });
      return;
    }
    this.navigation.goTo(node);
  }

  act(what) {
    const { record, connection } = this;
    if (what === "new") this.setup.open(record.setup, this.players);
    else if (what === "undo") connection.wish(what);
    else if (what === "hint") connection.wish(this.mayMove() ? "hint" : "stop");
    else if (what === "resign") this.resign();
    else if (what === "draw") this.offerDraw();
    else if (what === "first") this.goTo(record.root);
    else if (what === "back") this.goTo(record.here.parent);
    else if (what === "on") this.goTo(record.here.children[0]);
    else if (what === "last") this.goTo(record.line.at(-1));
    else if (what === "flip") {
      this.board.flip(!this.board.flipped);
      this.refresh();
    } else if (what === "analyse") this.analyse(!this.analysing);
    else if (what === "from-here") {
      Object.assign(record.setup, { played: null, resigned: null, left: null });
      location.hash = link("play", { game: this.record.setup.game });
    } else if (what === "read") this.read(find("#position").value);
    else this.panels.tell("act", what);
  }

  async resign() {
    if (!await ask("Resign this game?", { yes: "Resign", no: "Keep playing" })) return;
    this.connection.wish("resign");
  }

  offerDraw() {
    this.connection.ask("offer-draw").then(({ agreed }) => agreed || this.complain("The engine declines: it thinks that it is better, or that it is too early for a draw."),
      (problem) => this.complain(problem.message));
  }

  analyse(wanted) {
    this.showAnalysing(wanted);
    this.analysing = wanted;
    // The tree shows a search for the best move only.
    const lines = this.page === "tree" ? 1 : Number(find("[name=lines]").value);
    // It reads the table that alpha-beta fills.
    const algorithm = this.page === "tree" ? "alphabeta" : find("[name=algorithm]").value;
    if (wanted) this.connection.wish("analyse", { lines, algorithm });
    else this.connection.wish("stop");
  }

  showAnalysing(running) {
    const button = find("[data-do=analyse]");
    button.setAttribute("aria-pressed", running);
    say(button, running ? "Stop" : "Analyse");
  }

  read(text) {
    this.connection.ask("read", { text }).then(({ position, nodes, players, result, notes }) => this.openPosition(position, { players, result, notes }, nodes))
      .catch((problem) => this.complain(problem.message));
  }

  // Analyse from another position, optionally with moves from there.
  async openPosition(position, about = {}, nodes = []) {
    const { record } = this;
    record.clear();
    record.about = about;
    await this.open({ ...record.setup, position, names: about.players?.some(Boolean) ? about.players : null, resigned: null, played: null }, [], "analyse");
    record.grow(nodes);
    this.refresh();
    this.navigation.settle();
  }

  complain(message) {
    const notice = find(".notice");
    show(notice, Boolean(message));
    say(find("span", notice), message);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || find("dialog[open]")) return;
    if (event.target.closest("input, textarea, select, .outline, #other, [role=tablist]")) return;
    const names = { n: "new", f: "flip" };
    const playing = { u: "undo", h: "hint" };
    const analysing = { x: "threat", m: "mistake-on", Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };
    const what = { ...names, ...(this.page === "play" ? playing : analysing) }[event.key];
    const button = what && find(`[data-do=${what}]`);
    if (!button || button.disabled || button.closest("[hidden]") || !GAME_PAGES.includes(this.page)) return;
    event.preventDefault();
    this.act(what);
  }
}

// The value of a finished game.
function final({ winner, words }) {
  const won = winner === null ? 0 : winner === 0 ? 1 : -1;
  return { value: won, won, distance: 0, words, final: true };
}

translate(document.body);
window.studio = new App();
