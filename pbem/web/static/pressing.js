// What somebody is pressing must not be replaced: a button that is another one when the finger is
// lifted is never clicked. Scripts that put something new in place of the old wait for that:
//
//   const found = await ask(…);
//   await window.untilReleased();
"use strict";

(() => {
  // Milliseconds: after this long we wait no more, should the end not have been heard; and within
  // which a click follows when a key, a mouse or a finger is lifted, if it does.
  const LONGEST_HELD = 5000;
  const CLICK_FOLLOWS = 50;
  const TAP_FOLLOWS = 400;

  let held = Promise.resolve();
  let release = () => {};

  const hold = () => {
    release();
    held = new Promise((resolve) => {
      release = resolve;
      setTimeout(resolve, LONGEST_HELD);
    });
  };

  window.addEventListener("pointerdown", (event) => {
    if (event.isPrimary && event.button === 0) hold();
  });
  window.addEventListener("pointerup", (event) => {
    const wait = event.pointerType === "touch" ? TAP_FOLLOWS : CLICK_FOLLOWS;
    if (event.isPrimary) setTimeout(release, wait);
  });
  // The space bar presses a button while it is down.
  window.addEventListener("keydown", (event) => {
    if (event.key === " " && !event.repeat && event.target.matches("button")) hold();
  });
  window.addEventListener("keyup", () => setTimeout(release, CLICK_FOLLOWS));
  for (const name of ["click", "pointercancel", "contextmenu", "blur"]) {
    window.addEventListener(name, () => release());
  }

  window.untilReleased = async () => {
    for (let waited = null; waited !== held;) {
      waited = held;
      await waited;
    }
  };
})();
