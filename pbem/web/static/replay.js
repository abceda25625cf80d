// Going through a game: keys, slider, list, and the board that shows each moment.
//
// The page works without this script: every order is a link. Nothing of the game is known here; the
// film of it says which fragments lie where (pbem/diagrams/film.py).
//
//   <script type="application/json" id="replay-data">{"words", "sprites", "items", "frames",
//     "before", "told"}</script>
//   <div data-replay>  <div data-board>…svg…</div>  <a data-go="first|prev|next|last|flip">
//     <div data-slide><input type="range"></div>  <div data-now>…  <div data-moves>… <a data-n="7">
//   </div>
//
// Every new moment is told by the event "moment" on [data-replay]: detail {number, place, isMain}.
// Somebody else may go to one by dispatching "go" there, with the number or the place as detail.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const FIRST_LETTER = 0xe000;
  const round = (number) => Math.round(number * 100) / 100;

  // -- the film ----------------------------------------------------------------------------------

  class Film {
    constructor(data) {
      this.data = data;
      this.there = []; // the items of each frame, found when they are wanted
      this.fragments = [];
    }

    // What lies on the board in a frame, from the bottom up.
    items(number) {
      const found = [...this.gather(number)];
      const layer = (item) => this.data.sprites[this.data.items[item][0]][3];
      return found.sort((one, other) => layer(one) - layer(other) || one - other);
    }

    gather(number) {
      // Without recursion: a game may be long.
      const way = [];
      for (let at = number; at !== null && !this.there[at]; at = this.data.before[at]) way.push(at);
      for (const at of way.reverse()) {
        const before = this.data.before[at];
        const items = new Set(before === null ? [] : this.there[before]);
        const [less, more] = this.data.frames[at];
        for (const item of less) items.delete(item);
        for (const item of more) items.add(item);
        this.there[at] = items;
      }
      return this.there[number];
    }

    // Letters for private use stand for words, which may have such letters again.
    spell(text) {
      return text.replace(/[\ue000-\uf8ff]/g, (letter) =>
        this.spell(this.data.words[letter.charCodeAt(0) - FIRST_LETTER]));
    }

    fragment(sprite) {
      if (!this.fragments[sprite]) {
        const text = this.spell(this.data.sprites[sprite][0]);
        // Parsed as a picture, so nothing in it can run.
        const parsed = new DOMParser().parseFromString(
          `<svg xmlns="${SVG}"><g>${text}</g></svg>`, "image/svg+xml");
        const group = document.importNode(parsed.documentElement.firstChild, true);
        const data = this.data.sprites[sprite].slice(4);
        for (let at = 0; at < data.length; at += 2) group.dataset[data[at]] = data[at + 1];
        this.fragments[sprite] = group;
      }
      return this.fragments[sprite].cloneNode(true);
    }
  }

  // -- the board ---------------------------------------------------------------------------------

  class Board {
    constructor(svg, film) {
      this.svg = svg;
      this.film = film;
      this.side = 0;
      this.shown = new Map();
      this.cells = new Map();
      for (const path of svg.querySelectorAll("[data-hex]")) {
        const [, x, y] = /^M([\d.]+) ([\d.]+)/.exec(path.getAttribute("d"));
        const height = path.getBBox().height;
        this.cells.set(path.dataset.hex, [Math.floor(Number(x)), Number(y) + height / 2]);
      }
      const places = [...this.cells.values()];
      const middle = (axis) => {
        const all = places.map((place) => place[axis]);
        return (Math.min(...all) + Math.max(...all)) / 2;
      };
      this.middle = [middle(0), middle(1)];
      // The floor is what lies below the names; all that lies above them is the film's.
      const names = svg.querySelector(".names");
      this.floor = document.createElementNS(SVG, "g");
      const below = [...svg.children].slice(0, [...svg.children].indexOf(names));
      const floor = below.filter((part) => part.matches("g"));
      floor[0].before(this.floor);
      this.floor.append(...floor);
      while (names.nextSibling) names.nextSibling.remove();
      this.layer = document.createElementNS(SVG, "g");
      svg.append(this.layer);
      this.names = [...names.querySelectorAll("text")];
      this.title = svg.querySelector("title");
    }

    place(cell) {
      const [x, y] = this.cells.get(cell);
      return this.side ? [2 * this.middle[0] - x, 2 * this.middle[1] - y] : [x, y];
    }

    transform(item) {
      const [sprite, cell, degrees] = item;
      const [, across, down] = this.film.data.sprites[sprite];
      if (typeof cell === "string") {
        const [x, y] = this.place(cell);
        const turned = degrees === undefined ? "" : ` rotate(${degrees + 180 * this.side})`;
        return `translate(${round(x + across)} ${round(y + down)})${turned}`;
      }
      const [x, y] = item.slice(1 + 2 * this.side, 3 + 2 * this.side);
      return `translate(${round(x + across)} ${round(y + down)})`;
    }

    show(number) {
      const items = this.film.items(number);
      const shown = new Map();
      for (const at of items) {
        const item = this.film.data.items[at];
        let element = this.shown.get(at);
        if (!element) {
          element = this.film.fragment(item[0]);
          if (typeof item[1] === "string") element.dataset.on = item[1];
          else if (element.dataset.piece) element.dataset.on = "";
          element.setAttribute("transform", this.transform(item));
        }
        shown.set(at, element);
      }
      this.shown = shown;
      this.layer.replaceChildren(...shown.values());
    }

    flip() {
      this.side = 1 - this.side;
      const [x, y] = this.middle;
      this.floor.setAttribute("transform", this.side ? `rotate(180 ${x + 0.5} ${y})` : "");
      for (const name of this.names) {
        const [from, to] = [this.cells.get(name.textContent), this.place(name.textContent)];
        name.setAttribute("transform", `translate(${to[0] - from[0]} ${to[1] - from[1]})`);
      }
      for (const [at, element] of this.shown) {
        element.setAttribute("transform", this.transform(this.film.data.items[at]));
      }
    }

    // The board in words: what stands beside it, then the pieces of each seat and their cells.
    words(line) {
      const said = [];
      const pieces = [[], []];
      for (const element of this.shown.values()) {
        const { piece, seat, on: cell } = element.dataset;
        if (piece && cell) pieces[seat].push(line.replace("{warrior}", piece).replace("{hex}", cell));
        else if (!cell && element.textContent) {
          const parts = [...element.querySelectorAll("text, tspan")]
            .filter((part) => !part.children.length);
          said.push(parts.map((part) => part.textContent).join(" "));
        }
      }
      return [...said, ...pieces.map((each) => each.join(", "))].filter(Boolean);
    }
  }

  // -- the replay --------------------------------------------------------------------------------

  class Replay {
    constructor(root, data) {
      this.root = root;
      this.data = data;
      this.links = [];
      this.moves = root.querySelector("[data-moves]");
      for (const link of this.moves.querySelectorAll("a[data-n]")) this.links[link.dataset.n] = link;
      this.places = this.links.map((link) => this.placeOf(link));
      this.places[0] = "start";
      this.follow = data.before.map(() => []);
      data.before.forEach((before, number) => {
        if (before !== null) this.follow[before].push(number);
      });
      this.board = new Board(root.querySelector("[data-board] svg"), new Film(data));
      this.slider = root.querySelector("[data-slide] input");
      this.slider.parentElement.hidden = false;
      this.told = root.querySelector("[data-told]");
      this.said = root.querySelector("[data-said]");
      this.chart = document.querySelector("[data-chart] svg");
      for (const hidden of root.querySelectorAll("[data-go=flip], [data-keys]")) hidden.hidden = false;
      this.listen();
      const asked = this.asked();
      const current = this.moves.querySelector("a[aria-current]");
      this.show(asked ?? (current ? Number(current.dataset.n) : 0), { isFirst: true });
    }

    placeOf(link) {
      return decodeURIComponent(/(?:[?&]at=|#)([^#]*)/.exec(link.getAttribute("href"))[1]);
    }

    // The moment that the address asks for.
    asked() {
      return this.find(decodeURIComponent(location.hash.slice(1)));
    }

    find(place) {
      for (const name of [place, `${place}.1`]) {
        const number = this.places.indexOf(name);
        if (number >= 0) return number;
      }
      return undefined;
    }

    // -- where one can go ------------------------------------------------------------------------

    line() {
      const line = [];
      for (let at = this.at; at !== null; at = this.data.before[at]) line.unshift(at);
      for (let at = this.follow[this.at][0]; at !== undefined; at = this.follow[at][0]) line.push(at);
      return line;
    }

    go(where) {
      const line = this.line();
      const siblings = this.at ? this.follow[this.data.before[this.at]] : [0];
      const beside = siblings.indexOf(this.at);
      switch (where) {
        case "first": return this.show(0);
        case "prev": return this.show(this.data.before[this.at] ?? 0);
        case "next": return this.show(this.follow[this.at][0] ?? this.at);
        case "last": return this.show(line[line.length - 1]);
        case "down": return this.show(siblings[(beside + 1) % siblings.length]);
        case "up": return this.show(siblings[(beside + siblings.length - 1) % siblings.length]);
        case "flip": return this.board.flip();
        default: return undefined;
      }
    }

    listen() {
      const keys = {
        ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last",
        ArrowUp: "up", ArrowDown: "down", f: "flip",
      };
      document.addEventListener("keydown", (event) => {
        const where = keys[event.key];
        if (!where || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
        if (event.target !== this.slider && event.target.closest("input, textarea, select, [contenteditable]")) return;
        const isBeside = where === "up" || where === "down";
        // Without another variation the page, or the list, is scrolled as ever.
        if (isBeside && event.target !== this.slider && !this.hasOthers()) return;
        event.preventDefault();
        this.go(where);
      });
      this.root.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        const button = event.target.closest("[data-go]");
        const link = event.target.closest("a[data-n]");
        if (!button && !link) return;
        event.preventDefault();
        if (button) this.go(button.dataset.go);
        else this.show(Number(link.dataset.n));
      });
      this.slider.addEventListener("input", () => this.show(this.line()[this.slider.value]));
      window.addEventListener("hashchange", () => {
        const asked = this.asked();
        if (asked !== undefined) this.show(asked);
      });
      this.root.addEventListener("go", (event) => {
        const to = typeof event.detail === "number" ? event.detail : this.find(event.detail);
        if (to !== undefined && this.data.before[to] !== undefined) this.show(to);
      });
      this.root.querySelector("[data-words]")?.addEventListener("toggle", () => this.speak());
      this.chart?.addEventListener("click", (event) => this.clickChart(event));
    }

    hasOthers() {
      return this.at !== 0 && this.follow[this.data.before[this.at]].length > 1;
    }

    // -- showing ---------------------------------------------------------------------------------

    show(number, { isFirst = false } = {}) {
      if (number === this.at) return;
      this.links[this.at]?.removeAttribute("aria-current");
      this.at = number;
      const link = this.links[number];
      if (isFirst) for (const lit of this.moves.querySelectorAll("[aria-current]")) lit.removeAttribute("aria-current");
      link?.setAttribute("aria-current", "step");
      this.board.show(number);
      this.describe(link);
      const line = this.line();
      this.slider.max = line.length - 1;
      this.slider.value = line.indexOf(number);
      this.slider.setAttribute("aria-valuetext", this.label(link));
      this.steer();
      this.scroll(link);
      this.pointChart();
      this.speak();
      if (!isFirst) {
        const place = number ? `#${this.places[number]}` : " ";
        history.replaceState(null, "", number ? place : location.pathname + location.search);
        this.said.textContent = [this.label(link), this.data.told[number], ...this.notes(link).map((note) => note.textContent)].join(" ");
      }
      this.root.dispatchEvent(new CustomEvent("moment", {
        bubbles: true,
        detail: { number, place: this.places[number], isMain: !link || !link.closest(".line") },
      }));
    }

    label(link) {
      if (!link) return this.root.dataset.start;
      return `${link.closest(".turn").querySelector(".label").textContent} ${link.textContent}`;
    }

    // The comments on an order: they stand behind it, before the next one.
    notes(link) {
      const notes = [];
      for (let next = link?.nextElementSibling; next && !next.matches("a, .line"); next = next.nextElementSibling) {
        if (next.matches(".note")) notes.push(next);
      }
      return notes;
    }

    describe(link) {
      const label = this.root.querySelector("[data-label]");
      if (link) {
        const turn = link.closest(".turn").querySelector(".label").cloneNode(true);
        turn.classList.remove("label");
        const order = document.createElement("span");
        order.className = "notation";
        order.textContent = link.textContent;
        label.replaceChildren(turn, " ", order);
      } else label.textContent = this.root.dataset.start;
      this.told.textContent = this.data.told[this.at];
      const notes = this.notes(link).map((note) => note.cloneNode(true));
      this.root.querySelector("[data-notes]").replaceChildren(...notes);
      const others = this.root.querySelector("[data-others]");
      others.replaceChildren();
      if (this.hasOthers()) {
        others.append(others.dataset.word, " ");
        for (const number of this.follow[this.data.before[this.at]]) {
          if (number !== this.at) others.append(this.links[number].cloneNode(true), " ");
        }
      }
    }

    steer() {
      const isEnd = !this.follow[this.at].length;
      const off = { first: !this.at, prev: !this.at, next: isEnd, last: isEnd };
      for (const [where, isOff] of Object.entries(off)) {
        const button = this.root.querySelector(`[data-go="${where}"]`);
        if (isOff) button.setAttribute("aria-disabled", "true");
        else button.removeAttribute("aria-disabled");
        if (!button.hasAttribute("href")) button.setAttribute("href", "#");
      }
    }

    // Only the list is scrolled, never the page.
    scroll(link) {
      const box = this.moves;
      if (!link || box.scrollHeight <= box.clientHeight) return;
      const [one, all] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
      if (one.top < all.top + 40) box.scrollTop += one.top - all.top - 80;
      else if (one.bottom > all.bottom - 40) box.scrollTop += one.bottom - all.bottom + 80;
    }

    speak() {
      const words = this.root.querySelector("[data-words]");
      if (!words || !words.open) return;
      const said = this.board.words(words.dataset.line);
      words.querySelector(".spoken").replaceChildren(
        ...said.flatMap((line) => [line, document.createElement("br")]));
    }

    // -- the chart -------------------------------------------------------------------------------

    // Turns of the game itself, in order; a variation belongs to the turn that it leaves.
    turns() {
      if (!this.ends) {
        this.ends = [0];
        for (const turn of this.moves.querySelectorAll(":scope > .turn")) {
          const orders = turn.querySelectorAll(":scope > a[data-n]");
          if (orders.length) this.ends.push(Number(orders[orders.length - 1].dataset.n));
        }
      }
      return this.ends;
    }

    pointChart() {
      const now = this.chart?.querySelector(".chart-now");
      if (!now) return;
      const turn = this.links[this.at]?.closest("[data-moves] > .turn");
      const turns = [...this.moves.querySelectorAll(":scope > .turn")].filter((each) => each.querySelector(":scope > a[data-n]"));
      const moment = turn ? turns.indexOf(turn) + 1 : 0;
      const { left, step } = this.chart.dataset;
      now.setAttribute("transform", `translate(${Number(left) + Number(step) * moment})`);
    }

    clickChart(event) {
      const { left, step } = this.chart.dataset;
      const box = this.chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * this.chart.viewBox.baseVal.width;
      const ends = this.turns();
      const moment = Math.round((x - Number(left)) / Number(step));
      this.show(ends[Math.max(0, Math.min(ends.length - 1, moment))]);
    }
  }

  // Sites without HTTPS have no clipboard: there the text is at least chosen.
  const copy = async (field) => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    const said = document.querySelector("[data-copied]");
    said.textContent = said.dataset.copied;
  };

  const start = () => {
    const [root, data] = [document.querySelector("[data-replay]"), document.getElementById("replay-data")];
    if (root && data) new Replay(root, JSON.parse(data.textContent));
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.hidden = false;
      button.addEventListener("click", () => copy(document.getElementById(button.dataset.copy)));
    }
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
