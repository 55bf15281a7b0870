// Steps through a trace. The drawing in the page shows the last step. The program that wrote the page has computed the
// look of each node at each step; this script only applies it.
//
// `page` is the element around everything, `keyboard` receives the key events, `wish` is like "#step=3&detail=full", and
// `told(step)` is called at every step. Returns a function that goes to a step.
function stepThrough(page, data, keyboard, wish, told) {
  "use strict";
  const find = (selector) => page.querySelector(selector);
  const stage = find(".stage");
  const nodes = Array.from(page.querySelectorAll(".sheet .node"));
  const slider = find("input[type=range]");
  const said = find(".said");
  let stops = []; // the number of events at the end of each step, at the chosen detail
  let entries = []; // the sentence of each step
  let list = null;
  let last = 0;
  let step = -1; // at the chosen detail
  let at = -1; // events so far
  let shown = nodes.map(() => -1); // the current look of each node
  let timer = null;

  // The looks after a number of events, from the start or from an earlier event.
  function looksAt(target) {
    const onward = at >= 0 && target >= at;
    const looks = onward ? shown.slice() : data.start.slice();
    for (let k = onward ? at : 0; k < target; k += 1) {
      const changes = data.steps[k];
      for (let c = 0; c < changes.length; c += 2) looks[changes[c]] = changes[c + 1];
    }
    return looks;
  }

  function write(node, selector, text) {
    const place = node.querySelector(selector);
    if (place && place.textContent !== text) place.textContent = text;
    return place;
  }

  function dress(node, look) {
    const [classes, value, size, upper, lower] = look;
    const kind = node.getAttribute("class").split(" ").slice(0, 2).join(" ");
    node.setAttribute("class", kind + " " + classes);
    const place = write(node, ".value", value);
    if (place) place.setAttribute("class", size);
    write(node, ".upper", upper);
    write(node, ".lower", lower);
  }

  // Scrolls a box, never the page, until `inner` is visible.
  function reveal(box, inner, smoothly) {
    const outside = box.getBoundingClientRect();
    const inside = inner.getBoundingClientRect();
    const margin = 24;
    let dx = 0;
    let dy = 0;
    if (inside.left < outside.left + margin) dx = inside.left - outside.left - margin;
    else if (inside.right > outside.right - margin) dx = inside.right - outside.right + margin;
    if (inside.top < outside.top + margin) dy = inside.top - outside.top - margin;
    else if (inside.bottom > outside.bottom - margin) dy = inside.bottom - outside.bottom + margin;
    if (dx || dy) box.scrollBy({ left: dx, top: dy, behavior: smoothly ? "smooth" : "instant" });
  }

  function go(target) {
    target = Math.max(0, Math.min(last, target));
    const events = target > 0 ? stops[target - 1] : 0;
    const looks = looksAt(events);
    looks.forEach((look, n) => {
      if (look !== shown[n]) dress(nodes[n], data.looks[look]);
    });
    if (step > 0 && entries[step - 1]) entries[step - 1].removeAttribute("aria-current");
    shown = looks;
    step = target;
    at = events;
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", "step " + step + " of " + last);
    find(".at").textContent = String(step);
    said.textContent = step > 0 ? entries[step - 1].textContent : data.before;
    find(".result").textContent = step === last ? data.result : "";
    find(".told").scrollTop = 0;
    find("[data-do=first]").disabled = find("[data-do=back]").disabled = step === 0;
    find("[data-do=next]").disabled = find("[data-do=last]").disabled = step === last;
    if (step > 0) {
      entries[step - 1].setAttribute("aria-current", "step");
      reveal(list, entries[step - 1].parentElement, false);
    } else {
      list.scrollTop = 0;
    }
    const now = find(".sheet .now .shape, .sheet .now .fan");
    if (now) reveal(stage, now, false);
    else stage.scrollTo(0, 0);
    if (step === last) pause();
    told(step);
  }

  function pause() {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    page.classList.remove("playing");
    find("[data-do=play]").setAttribute("aria-label", "Play");
    said.setAttribute("aria-live", "polite");
  }

  function play() {
    if (timer !== null) return pause();
    if (step === last) go(0);
    page.classList.add("playing");
    find("[data-do=play]").setAttribute("aria-label", "Pause");
    said.setAttribute("aria-live", "off"); // a screen reader should not read out every step while playing
    timer = setInterval(() => go(step + 1), 1200 / Number(find("select[name=speed]").value));
    return undefined;
  }

  // Changes the width of the drawing in the page; at first it fits, within limits.
  function zoom(factor) {
    const sheet = find(".sheet");
    const width = Math.max(160, Math.min(16000, sheet.getBoundingClientRect().width * factor));
    sheet.style.minWidth = sheet.style.maxWidth = Math.round(width) + "px";
  }

  const actions = {
    first: () => go(0),
    back: () => go(step - 1),
    play: play,
    next: () => go(step + 1),
    last: () => go(last),
    smaller: () => zoom(1 / 1.25),
    larger: () => zoom(1.25),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };

  const moves = { first: 1, back: 1, next: 1, last: 1 };

  function act(name) {
    if (name in moves) pause();
    actions[name]();
  }

  page.querySelectorAll("[data-do]").forEach((button) => {
    button.addEventListener("click", () => act(button.dataset.do));
  });
  // Switches to the brief or full list of steps, at the same moment.
  function tell(detail) {
    const moment = Math.max(at, 0);
    if (step > 0) entries[step - 1].removeAttribute("aria-current");
    page.querySelectorAll(".events").forEach((section) => {
      section.hidden = section.dataset.detail !== detail;
    });
    const section = find('.events[data-detail="' + detail + '"]');
    entries = Array.from(section.querySelectorAll("li button"));
    list = section.querySelector("ol");
    stops = data.stops[detail];
    last = stops.length;
    slider.max = String(last);
    find(".last").textContent = String(last);
    const reached = stops.findIndex((end) => end >= moment);
    step = 0;
    go(moment === 0 ? 0 : reached < 0 ? last : reached + 1);
  }

  page.querySelectorAll(".events").forEach((section) => {
    section.querySelectorAll("li button").forEach((entry, k) => {
      entry.addEventListener("click", () => {
        pause();
        go(k + 1);
      });
    });
  });
  find("select[name=detail]").addEventListener("change", (event) => {
    pause();
    tell(event.target.value);
  });
  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value));
  });
  find("select[name=speed]").addEventListener("change", () => {
    if (timer === null) return;
    pause();
    play();
  });
  keyboard.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    const on = event.target.tagName; // the document itself, if the surrounding page passes a key on
    if (on === "SELECT" || on === "INPUT" || (event.key === " " && on === "BUTTON")) return;
    event.preventDefault();
    act(keys[event.key]);
  });

  page.classList.add("ready");
  const wished = /[#&]detail=(brief|full)(?:&|$)/.exec(wish);
  const detail = wished === null ? "brief" : wished[1];
  find("select[name=detail]").value = detail;
  tell(detail);
  const asked = /[#&]step=(\d+|end)(?:&|$)/.exec(wish);
  go(asked === null ? 0 : asked[1] === "end" ? last : Number(asked[1]));
  return go;
}

(function () {
  const written = document.getElementById("zs-trace");
  if (written === null) return; // in a notebook, where the widget starts it
  stepThrough(document.querySelector(".zs-page"), JSON.parse(written.textContent), document, location.hash, () => {});
})();
