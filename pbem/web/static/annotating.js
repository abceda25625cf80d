// What is said about a moment, beside the replayed game: it follows the moment, and hexes are marked
// by clicking. The page works without this script: every order is a link, and the forms are plain.
//
// It stands before replay.js on a page, so that it hears of the first moment, too: an address such as
// /archive/7#3b.2 names one that the server was never told.
//
//   <div data-remarks="/archive/7/remarks" data-query="by=Ann&"> … <section data-panel data-place="3b.2">
//     <textarea data-comment>  <p data-marking hidden><button data-mark="mark|arrow">…
"use strict";

(() => {
  const replay = document.querySelector("[data-replay]");
  const root = () => document.querySelector("[data-remarks]");
  if (!replay || !root()) return;
  let asked = 0;
  let waiting = 0;
  let marking = null; // {kind, from}

  // Whatever somebody has begun to write stays, with the place it is about.
  const isWriting = () =>
    [...root().querySelectorAll("textarea")].some((box) => box.value !== box.defaultValue);

  const follow = async (place) => {
    const number = ++asked;
    if (isWriting()) return;
    const held = root();
    const url = `${held.dataset.remarks}?${held.dataset.query}at=${encodeURIComponent(place)}`;
    try {
      const answer = await fetch(url, { credentials: "same-origin" });
      await window.untilReleased();
      if (!answer.ok || number !== asked || isWriting()) return;
      // The server writes what is shown, escaped, as it does without a script.
      const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = parsed.querySelector("[data-remarks]");
      if (!fresh) return;
      root().replaceWith(document.importNode(fresh, true));
      ready();
    } catch (error) {
      // Without an answer the panel stays as it is, and says what it is about.
    }
  };

  replay.addEventListener("moment", (event) => {
    clearTimeout(waiting);
    const { place } = event.detail;
    if (place === root().querySelector("[data-panel]").dataset.place) asked += 1;
    else waiting = setTimeout(() => follow(place), 250);
  });

  // -- marks --------------------------------------------------------------------------------------

  const say = (text) => {
    const place = root().querySelector("[data-marking-said]");
    if (place) place.textContent = text;
  };

  const begin = (kind) => {
    marking = marking && marking.kind === kind ? null : { kind, from: null };
    const row = root().querySelector("[data-marking]");
    for (const button of row.querySelectorAll("[data-mark]")) {
      const isOn = marking !== null && button.dataset.mark === marking.kind;
      button.setAttribute("aria-pressed", String(isOn));
    }
    const words = { mark: row.dataset.sayMark, arrow: row.dataset.sayArrow };
    say(marking ? words[marking.kind] : "");
  };

  const write = (command) => {
    const box = root().querySelector("[data-comment]");
    box.value = `${box.value.trimEnd()} ${command}`.trimStart();
  };

  const hexOf = (element) => {
    const found = element.closest("[data-hex], [data-at]");
    return found ? found.dataset.hex || found.dataset.at : null;
  };

  // A piece lies on its hex: what is below the pointer is looked through for the hex.
  const hexBelow = (event) => {
    for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
      const hex = hexOf(element);
      if (hex) return hex;
    }
    return null;
  };

  const board = replay.querySelector("[data-board]");
  let pressed = null; // the hex where an arrow may be drawn from
  let isDrawn = false; // and whether it just was, so that the click behind it is none

  board.addEventListener("pointerdown", (event) => {
    pressed = marking && marking.kind === "arrow" ? hexBelow(event) : null;
    isDrawn = false;
  });

  board.addEventListener("pointerup", (event) => {
    const hex = pressed && hexBelow(event);
    if (!hex || hex === pressed) return;
    write(`[%arrow ${pressed} ${hex}]`);
    isDrawn = true;
    begin("arrow");
  });

  board.addEventListener("click", (event) => {
    if (isDrawn) isDrawn = false;
    else if (marking && root().querySelector("[data-comment]")) clicked(event);
  });

  const clicked = (event) => {
    const hex = hexBelow(event);
    if (!hex) return;
    if (marking.kind === "mark") write(`[%mark ${hex}]`);
    else if (marking.from === null) {
      marking.from = hex;
      return say(`${hex} → …`);
    } else if (marking.from !== hex) write(`[%arrow ${marking.from} ${hex}]`);
    begin(marking.kind);
  };

  const ready = () => {
    marking = null;
    const row = root().querySelector("[data-marking]");
    if (!row) return;
    row.hidden = false;
    for (const button of row.querySelectorAll("[data-mark]")) {
      button.addEventListener("click", () => begin(button.dataset.mark));
    }
  };

  ready();
})();
