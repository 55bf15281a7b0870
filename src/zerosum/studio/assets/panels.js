// Independent panels beside the board. To add one, write its card in index.html and a file, and add a line here.
//
// A panel implements the methods it needs: takeBoard(board), takePosition(position, before) when the position changes,
// settled(position) when it has not changed for a moment, takeSearch(search), takeReport(report) for the position on the
// board, evaluated() when the value of the position on the board changes, opened(name) when a tab is chosen, and act(what)
// when a button of its card is pressed. Panels query the server themselves, once the position has settled. The result of
// arrows() is drawn on the board.

import { Announcer } from "./announce.js";
import { Beside } from "./beside.js";
import { DatabaseVerdict } from "./database.js";
import { find } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Editor } from "./editor.js";
import { Explorer } from "./explorer.js";
import { Gauge } from "./gauge.js";
import { Premove } from "./premove.js";
import { Recent } from "./recent.js";
import { Review } from "./review.js";
import { Rollout } from "./rollout.js";
import { Second } from "./second.js";
import { Share } from "./share.js";
import { Threat } from "./threat.js";
import { Variations } from "./variations.js";
import { Watch } from "./watch.js";

export class Panels {
  constructor(app) {
    this.premove = new Premove(app);
    this.editor = new Editor(find("#panel-editor"), app);
    this.all = [
      this.premove,
      new Watch(app),
      new Announcer(app),
      new Beside(app),
      new Gauge(find(".gauge"), app),
      new Recent(app),
      new Rollout(find(".rollout"), app),
      new DatabaseVerdict(find(".verdict"), app),
      new Variations(find(".move-tools"), app),
      new Drawing(find(".board"), app),
      new Second(find(".second"), app),
      new Threat(find("[data-do=threat]"), find(".threat"), app),
      new Review(find("#panel-review"), app),
      new Explorer(find("#panel-explorer"), app),
      this.editor,
      new Share(find("#panel-share"), app),
    ];
  }

  arrows() {
    return this.all.flatMap((panel) => panel.arrows?.() ?? []);
  }

  tell(method, ...what) {
    for (const panel of this.all) panel[method]?.(...what);
  }
}
