// A board that can be clicked: it writes the notation for you.
//
// The page works without this script: the text box is the form. The script asks the server what may
// follow (nothing of the rules is known here), marks it on the board, and puts the orders together.
//
//   <div data-builder data-choices="/games/k3f9/choices" data-preview="/games/k3f9/preview"
//        data-token="…" data-words='{"undo": "Undo", …}'>
//     <div data-board>…svg…</div>  <div data-tools></div>
//   </div>
//   <textarea data-orders></textarea>  <div data-outcomes></div>
//
// Without data-choices, as for a defence or a set-up, there is only the preview.
//
// A plan is a list of steps {order, branches}; branches is null or a list of {guard, label, steps}.
"use strict";

(() => {
  // -- a plan and its text (N2) -----------------------------------------------------------------

  const planText = (steps) =>
    steps
      .map((step) => {
        const written = (step.branches || []).filter((branch) => branch.steps.length);
        if (!written.length) return step.order;
        const inside = written.map((branch) => `${branch.guard}: ${planText(branch.steps)}`);
        return `${step.order} [${inside.join(" | ")}]`;
      })
      .join("; ");

  // Where the next order goes: a list of steps, and what has been assumed on the way there.
  const rootTrail = () => [];

  const listAt = (plan, trail) => {
    let steps = plan;
    for (const turn of trail) steps = steps[turn.step].branches[turn.branch].steps;
    return steps;
  };

  // The orders and assumed ends from the beginning of the turn to the end of the list at a trail.
  const pathTo = (plan, trail) => {
    const path = [];
    let steps = plan;
    for (const turn of trail) {
      for (const step of steps.slice(0, turn.step + 1)) path.push(step.order);
      const branch = steps[turn.step].branches[turn.branch];
      path.push(`[${branch.guard}]`);
      steps = branch.steps;
    }
    for (const step of steps) path.push(step.order);
    return path;
  };

  // -- small things ------------------------------------------------------------------------------

  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  const button = (text, act, attributes = {}) => {
    const made = make("button", text, { type: "button", ...attributes });
    made.addEventListener("click", act);
    return made;
  };

  const drawn = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  const ask = async (url, body, token) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify(body),
      credentials: "same-origin",
    });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };

  const draw = (holder, svg) => {
    // The server draws; it is parsed as a picture, so nothing in it can run.
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    if (parsed.nodeName === "svg") holder.replaceChildren(document.importNode(parsed, true));
  };

  // -- the builder -------------------------------------------------------------------------------

  class Builder {
    constructor(root, box) {
      this.root = root;
      this.box = box;
      this.board = root.querySelector("[data-board]");
      this.tools = root.querySelector("[data-tools]");
      this.words = JSON.parse(root.dataset.words);
      this.token = root.dataset.token;
      this.plan = [];
      this.trail = rootTrail();
      this.picked = null;
      this.target = null;
      this.found = { choices: [], forks: [] };
      this.asked = 0;
      this.early = []; // what was done before the answer to what was done last
      this.board.addEventListener("click", (event) => this.touch(event.target));
      this.board.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.touch(event.target);
      });
      root.addEventListener("keydown", (event) => {
        if (event.key === "Escape") this.pick(null);
      });
      box.addEventListener("input", () => this.typed());
      if (!box.value.trim()) this.look();
      else this.typed();
    }

    // What was typed is left alone: the board shows where it leads as long as it is a plain list.
    typed() {
      const text = this.box.value.trim();
      if (text === planText(this.plan)) return;
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => {
        const orders = text.split(/[;\n]/).map((order) => order.trim()).filter(Boolean);
        const isPlain = !/[[\]|]/.test(text);
        this.plan = isPlain ? orders.map((order) => ({ order, branches: null })) : [];
        this.trail = rootTrail();
        this.isTyped = Boolean(text);
        this.look();
      }, 300);
    }

    async look() {
      const number = ++this.asked;
      this.root.setAttribute("aria-busy", "true");
      try {
        const found = await ask(
          this.root.dataset.choices, { path: pathTo(this.plan, this.trail) }, this.token);
        await window.untilReleased();
        if (number !== this.asked) return; // an answer to an older question
        this.found = found;
        this.picked = this.target = null;
        const focused = this.focusedCell();
        if (found.svg) draw(this.board, found.svg);
        this.show();
        this.focusOn(focused);
      } catch (error) {
        await window.untilReleased();
        if (number !== this.asked) return;
        this.early = [];
        this.tools.replaceChildren(make("p", this.words.unreachable));
      } finally {
        if (number === this.asked) this.root.removeAttribute("aria-busy");
      }
      while (this.early.length && !this.isBusy()) this.early.shift()();
    }

    // -- the keyboard's place, which a new board would lose --------------------------------------

    focusedCell() {
      const at = document.activeElement;
      return this.board.contains(at) ? this.cellOf(at) : null;
    }

    focusOn(cell) {
      if (cell === null) return;
      const stops = [...this.board.querySelectorAll("[tabindex]")];
      const stop = stops.find((each) => this.cellOf(each) === cell) || stops[0];
      if (stop) stop.focus({ preventScroll: true });
      else this.tools.querySelector("button")?.focus();
    }

    // -- choosing --------------------------------------------------------------------------------

    cellOf(element) {
      const piece = element.closest("svg [data-piece], svg [data-token]"); // the page has tokens too
      if (piece) return piece.dataset.on || piece.dataset.piece;
      const cell = element.closest("[data-hex]");
      return cell ? cell.dataset.hex : null;
    }

    touch(element) {
      const cell = this.cellOf(element);
      if (cell) this.inTurn(() => this.touched(cell));
    }

    touched(cell) {
      if (this.target) {
        const landing = this.fitting().filter((choice) => choice.landing === cell);
        if (landing.length === 1) return this.take(landing[0]);
      }
      if (this.picked) {
        const aimed = this.found.choices.filter(
          (choice) => choice.sources.includes(this.picked) && choice.target === cell);
        if (aimed.length === 1) return this.take(aimed[0]);
        if (aimed.length) {
          this.target = cell;
          return this.show();
        }
      }
      this.pick(this.isSource(cell) && cell !== this.picked ? cell : null);
    }

    // At once, or as soon as it is known what may follow.
    inTurn(act) {
      if (this.isBusy()) this.early.push(act);
      else act();
    }

    isBusy() {
      return this.root.hasAttribute("aria-busy");
    }

    isSource(cell) {
      return this.found.choices.some((choice) => choice.sources.includes(cell));
    }

    pick(cell) {
      this.picked = cell;
      this.target = null;
      this.show();
    }

    fitting() {
      return this.found.choices.filter(
        (choice) =>
          choice.sources.includes(this.picked) && (!this.target || choice.target === this.target));
    }

    // A choice of the menu, if it is one still.
    choose(order) {
      const choice = this.found.choices.find((each) => each.order === order);
      if (choice) this.take(choice);
    }

    take(choice) {
      listAt(this.plan, this.trail).push({ order: choice.order, branches: null });
      this.write();
    }

    // -- plans -----------------------------------------------------------------------------------

    enter(guard) {
      const fork = this.found.forks.find((each) => each.guard === guard);
      if (!fork) return;
      const steps = listAt(this.plan, this.trail);
      const step = steps[steps.length - 1];
      step.branches = step.branches || [];
      let at = step.branches.findIndex((branch) => branch.guard === fork.guard);
      if (at < 0) at = step.branches.push({ guard: fork.guard, label: fork.label, steps: [] }) - 1;
      this.trail = [...this.trail, { step: steps.length - 1, branch: at }];
      this.write();
    }

    isPlanned(fork) {
      const [last] = listAt(this.plan, this.trail).slice(-1);
      return Boolean(last?.branches?.some(
        (branch) => branch.guard === fork.guard && branch.steps.length));
    }

    leave() {
      this.trail = this.trail.slice(0, -1);
      this.write();
    }

    undo() {
      const steps = listAt(this.plan, this.trail);
      if (steps.length) steps.pop();
      else this.trail = this.trail.slice(0, -1);
      this.write();
    }

    clear() {
      this.plan = [];
      this.trail = rootTrail();
      this.write();
    }

    write() {
      this.isTyped = false;
      this.box.value = planText(this.plan);
      this.box.dispatchEvent(new CustomEvent("written", { bubbles: true }));
      this.look();
    }

    // -- showing ---------------------------------------------------------------------------------

    show() {
      this.mark();
      const parts = [];
      if (this.trail.length) parts.push(this.whereabouts());
      if (this.found.forks.length) parts.push(this.forks());
      parts.push(this.picked ? this.menu() : this.hint());
      parts.push(this.buttons());
      const isInside = this.tools.contains(document.activeElement);
      this.tools.replaceChildren(...parts);
      if (isInside) this.tools.querySelector("button")?.focus({ preventScroll: true });
    }

    mark() {
      const sources = new Set(this.found.choices.flatMap((choice) => choice.sources));
      const fitting = this.picked ? this.fitting() : [];
      const targets = new Map();
      for (const choice of fitting) {
        const cell = this.target ? choice.landing : choice.target;
        const cost = targets.get(cell);
        if (cell && (cost === undefined || choice.cost < cost)) targets.set(cell, choice.cost);
      }
      for (const element of this.board.querySelectorAll("[data-hex], [data-piece], [data-token]")) {
        const cell = this.cellOf(element);
        const isTarget = targets.has(cell);
        const isSource = !this.picked && sources.has(cell);
        element.classList.toggle("is-source", isSource);
        element.classList.toggle("is-picked", cell === this.picked);
        element.classList.toggle("is-target", isTarget);
        const isStop = element.dataset.hex === undefined
          ? isSource || isTarget || cell === this.picked
          : isTarget && !this.board.querySelector(`[data-on="${cell}"]`);
        if (isStop) {
          element.setAttribute("tabindex", "0");
          element.setAttribute("role", "button");
          const label = element.dataset.piece ? `${element.dataset.piece} ${cell}` : cell;
          const cost = isTarget ? `, ${this.words.cost.replace("{cost}", targets.get(cell))}` : "";
          element.setAttribute("aria-label", label + cost);
        } else {
          element.removeAttribute("tabindex");
          element.removeAttribute("role");
          element.removeAttribute("aria-label");
        }
      }
      this.priceTags(targets);
      this.name();
    }

    // A picture with things to press in it is no picture any more: only those are read out.
    name() {
      const svg = this.board.querySelector("svg");
      if (!svg) return;
      svg.setAttribute("role", "group");
      for (const part of svg.children) {
        const isRead = part.matches("title, [tabindex]") || part.querySelector("[tabindex]");
        if (isRead) part.removeAttribute("aria-hidden");
        else part.setAttribute("aria-hidden", "true");
      }
    }

    priceTags(targets) {
      const svg = this.board.querySelector("svg");
      if (!svg) return;
      for (const old of svg.querySelectorAll(".price")) old.remove();
      for (const [cell, cost] of targets) {
        const hex = svg.querySelector(`[data-hex="${cell}"]`);
        if (!hex) continue;
        const box = hex.getBBox();
        // On a warrior it stands at the edge, so that both can be read.
        const aside = svg.querySelector(`[data-on="${cell}"]`) ? box.width * 0.36 : 0;
        const [x, y] = [box.x + box.width / 2 + aside, box.y + box.height / 2 - aside];
        const tag = drawn("g", { class: "price", transform: `translate(${x} ${y})` });
        const text = drawn("text", {});
        text.textContent = cost;
        tag.append(drawn("circle", { r: 12 }), text);
        svg.append(tag);
      }
    }

    tool(text, act, attributes) {
      return button(text, () => this.inTurn(act), attributes);
    }

    hint() {
      const isOver = !this.found.choices.length;
      return make("p", isOver ? this.words.over : this.words.pick, { class: "hint" });
    }

    menu() {
      const list = make("div", "", { class: "menu", role: "group" });
      const fitting = this.fitting();
      // Where to go is seen on the board; whom to attack is also said, and how if there are ways.
      const byOrder = this.target
        ? fitting : fitting.filter((choice) => choice.kind === "attack" || !choice.target);
      list.append(make("p", this.target ? this.words.which : this.words.aim, { class: "hint" }));
      for (const choice of byOrder) {
        const cost = this.words.cost.replace("{cost}", choice.cost);
        const made = this.tool(choice.order, () => this.choose(choice.order), {
          "aria-label": `${choice.order}, ${cost}`, title: cost });
        made.append(make("span", String(choice.cost), { class: "cost" }));
        list.append(made);
      }
      return list;
    }

    forks() {
      const group = make("div", "", { class: "forks", role: "group" });
      group.append(make("p", this.words.fork, { class: "hint" }));
      for (const fork of this.found.forks) {
        const made = this.tool(fork.label, () => this.enter(fork.guard));
        made.classList.toggle("is-planned", this.isPlanned(fork));
        group.append(made);
      }
      return group;
    }

    whereabouts() {
      let steps = this.plan;
      const said = [];
      for (const turn of this.trail) {
        const branch = steps[turn.step].branches[turn.branch];
        said.push(branch.label);
        steps = branch.steps;
      }
      const line = make("p", this.words.inside.replace("{ends}", said.join(", ")), { class: "hint" });
      line.append(" ", this.tool(this.words.leave, () => this.leave()));
      return line;
    }

    // What can be chosen but is nowhere on the board yet.
    beside() {
      if (this.picked) return [];
      const sources = new Set(this.found.choices.flatMap((choice) => choice.sources));
      for (const element of this.board.querySelectorAll("[data-hex], [data-piece]")) {
        sources.delete(this.cellOf(element));
      }
      return sources;
    }

    buttons() {
      const row = make("div", "", { class: "row" });
      const plain = this.found.choices.filter((choice) => !choice.sources.length);
      for (const choice of plain) {
        const label = choice.kind === "end" ? this.words.end : choice.order;
        row.append(this.tool(label, () => this.choose(choice.order)));
      }
      for (const source of this.beside()) {
        const label = this.words[`source ${source}`] || source;
        row.append(this.tool(label, () => this.pick(source)));
      }
      if (this.plan.length) {
        row.append(this.tool(this.words.undo, () => this.undo()));
        row.append(this.tool(this.words.clear, () => this.clear()));
      }
      return row;
    }
  }

  // -- the preview -------------------------------------------------------------------------------

  class Preview {
    constructor(root, box, holder) {
      this.url = root.dataset.preview;
      this.token = root.dataset.token;
      this.box = box;
      this.holder = holder;
      this.board = root.querySelector("[data-board]");
      this.hasBuilder = Boolean(root.dataset.choices);
      this.isSetup = Boolean(document.querySelector("[data-setup]"));
      this.asked = 0;
      box.addEventListener("input", () => this.later(400));
      box.addEventListener("written", () => this.later(50));
      if (box.value.trim()) this.later(0);
    }

    later(milliseconds) {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.look(), milliseconds);
    }

    // The one way it goes is seen on the board of the page, and needs no second one.
    showOnBoard() {
      const ways = this.holder.querySelectorAll("details");
      if (ways.length !== 1) return;
      if (this.isSetup) {
        this.board.replaceChildren(...ways[0].querySelector(".board").childNodes);
        this.board.dispatchEvent(new CustomEvent("drawn"));
        ways[0].remove();
      } else if (this.hasBuilder) ways[0].open = false;
    }

    async look() {
      const number = ++this.asked;
      const text = this.box.value;
      if (!text.trim()) return this.holder.replaceChildren();
      try {
        const found = await ask(this.url, { text }, this.token);
        await window.untilReleased();
        if (number !== this.asked) return;
        // The server writes what is shown, escaped, as it does without a script.
        const parsed = new DOMParser().parseFromString(found.html, "text/html");
        this.holder.replaceChildren(...parsed.body.childNodes);
        this.showOnBoard();
      } catch (error) {
        if (number === this.asked) this.holder.replaceChildren();
      }
    }
  }

  const start = () => {
    const box = document.querySelector("[data-orders]");
    if (!box) return;
    const root = document.querySelector("[data-builder]");
    const holder = document.querySelector("[data-outcomes]");
    if (root && root.dataset.choices) new Builder(root, box);
    if (root && holder) new Preview(root, box, holder);
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
