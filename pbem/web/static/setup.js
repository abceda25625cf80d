// Arranging a set-up: eight slots whose pieces are swapped by dragging, tapping or the keyboard.
//
// The page works without this script: the text box is the form. The script shows the slots and
// keeps the box in step with them, both ways; the preview under it is board.js's.
//
//   <div data-setup data-verb="setup" data-slot="Slot %n: %s" data-picked="Picked up. …"
//        data-swapped="Swapped." hidden>
//     <ol><li><button data-cell="H1" data-letter="W" data-name="Wind">…svg…</button></li> …</ol>
//     <p data-said></p>
//   </div>
//   <textarea data-orders></textarea>
"use strict";

(() => {
  const FAR = 6; // pixels a pointer moves before a tap is a drag

  class Setup {
    constructor(root, box) {
      this.root = root;
      this.box = box;
      this.said = root.querySelector("[data-said]");
      this.slots = [...root.querySelectorAll("[data-letter]")];
      this.picked = null;
      this.drag = null;
      root.hidden = false;
      for (const slot of this.slots) this.listen(slot);
      const board = document.querySelector("[data-board]");
      board?.addEventListener("click", (event) => this.touch(event.target));
      board?.addEventListener("drawn", () => this.pick(this.picked));
      box.addEventListener("input", () => this.read());
      if (!this.read()) this.write();
    }

    listen(slot) {
      slot.addEventListener("click", () => {
        if (this.wasDragged) this.wasDragged = false;
        else this.tap(slot);
      });
      slot.addEventListener("keydown", (event) => this.key(slot, event));
      slot.addEventListener("pointerdown", (event) => {
        this.wasDragged = false;
        if (event.button !== 0) return;
        this.drag = { slot, x: event.clientX, y: event.clientY };
        slot.setPointerCapture(event.pointerId); // all that follows comes to this slot
      });
      slot.addEventListener("pointermove", (event) => this.move(slot, event));
      slot.addEventListener("pointerup", (event) => this.drop(slot, event));
      slot.addEventListener("pointercancel", () => this.letGo());
    }

    // -- tapping and keys ------------------------------------------------------------------------

    tap(slot) {
      if (this.picked && this.picked !== slot) {
        this.swap(this.picked, slot);
        this.pick(null);
      } else {
        this.pick(this.picked ? null : slot);
      }
    }

    // On the board a warrior stands where its slot is.
    touch(element) {
      const { on, hex } = element.closest("[data-on], [data-hex]")?.dataset ?? {};
      const slot = this.slots.find((each) => each.dataset.cell === (on ?? hex));
      if (slot) this.tap(slot);
    }

    pick(slot) {
      this.picked = slot;
      for (const each of this.slots) each.setAttribute("aria-pressed", String(each === slot));
      for (const cell of document.querySelectorAll("[data-board] [data-on], [data-board] [data-hex]")) {
        const at = cell.dataset.on ?? cell.dataset.hex;
        cell.classList.toggle("is-picked", at === slot?.dataset.cell);
      }
      if (slot) this.said.textContent = this.root.dataset.picked;
    }

    key(slot, event) {
      if (event.key === "Escape") return this.pick(null);
      const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
      const at = { Home: 0, End: this.slots.length - 1 }[event.key]
        ?? (steps[event.key] && this.slots.indexOf(slot) + steps[event.key]);
      if (at === undefined) return;
      event.preventDefault();
      this.slots[at]?.focus();
    }

    // -- dragging --------------------------------------------------------------------------------

    move(slot, event) {
      if (!this.drag || this.drag.slot !== slot) return;
      const [dx, dy] = [event.clientX - this.drag.x, event.clientY - this.drag.y];
      if (!this.drag.isFar) {
        if (Math.hypot(dx, dy) < FAR) return;
        this.drag.isFar = true;
        slot.classList.add("is-dragged");
      }
      slot.style.transform = `translate(${dx}px, ${dy}px)`;
      const over = this.under(event);
      for (const each of this.slots) each.classList.toggle("is-over", each === over);
    }

    under(event) {
      const found = this.slots.find((slot) => {
        const box = slot.parentElement.getBoundingClientRect();
        return event.clientX >= box.left && event.clientX < box.right
          && event.clientY >= box.top - box.height && event.clientY < box.bottom + box.height;
      });
      return found && found !== this.drag?.slot ? found : null;
    }

    drop(slot, event) {
      if (this.drag?.isFar) {
        const over = this.under(event);
        this.wasDragged = true;
        if (over) this.swap(slot, over);
        this.pick(null);
      }
      this.letGo();
    }

    letGo() {
      for (const slot of this.slots) {
        slot.style.transform = "";
        slot.classList.remove("is-dragged", "is-over");
      }
      this.drag = null;
    }

    // -- slots and text --------------------------------------------------------------------------

    swap(one, other) {
      this.exchange(one, other);
      this.said.textContent = this.root.dataset.swapped;
      this.write();
      other.focus();
    }

    exchange(one, other) {
      for (const name of ["letter", "name"]) {
        [one.dataset[name], other.dataset[name]] = [other.dataset[name], one.dataset[name]];
      }
      const kept = [...one.childNodes];
      one.replaceChildren(...other.childNodes);
      other.replaceChildren(...kept);
    }

    label() {
      this.slots.forEach((slot, index) => {
        const label = this.root.dataset.slot
          .replace("%n", index + 1).replace("%s", slot.dataset.name);
        const name = slot.dataset.letter + (index + 1);
        slot.setAttribute("aria-label", `${name}, ${label}`);
        const text = slot.querySelector("text");
        if (text) text.textContent = name;
      });
    }

    write() {
      this.label();
      const letters = this.slots.map((slot) => slot.dataset.letter).join("");
      this.box.value = `${this.root.dataset.verb} ${letters}`;
      this.box.dispatchEvent(new CustomEvent("written", { bubbles: true }));
    }

    // What was typed is taken over as soon as it names each of the pieces.
    read() {
      const words = this.box.value.trim().toUpperCase().split(/\s+/);
      const letters = words.slice(1).join("");
      const sorted = (text) => [...text].sort().join("");
      const own = this.slots.map((slot) => slot.dataset.letter).join("");
      if (sorted(letters) !== sorted(own)) return false;
      [...letters].forEach((letter, index) => {
        const slot = this.slots[index];
        if (slot.dataset.letter === letter) return;
        const from = this.slots.slice(index + 1).find((each) => each.dataset.letter === letter);
        this.exchange(slot, from);
      });
      this.label();
      return true;
    }
  }

  const start = () => {
    const box = document.querySelector("[data-orders]");
    const root = document.querySelector("[data-setup]");
    if (box && root) new Setup(root, box);
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
