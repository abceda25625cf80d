// A search by name on a static site. It works from disk, where nothing can be fetched: for the first
// two letters of a word there is a small script, search/61-64.js for "ad", which calls siteFound.
//
//   <form data-site-search data-up="../" hidden><input> <ul data-found></ul> <p data-said></p></form>
"use strict";

(() => {
  const MOST = 50;
  const form = document.querySelector("[data-site-search]");
  if (!form) return;
  const [box, list, said] = [
    form.querySelector("input"), form.querySelector("[data-found]"), form.querySelector("[data-said]")];
  const shelf = new Map(); // what was read, by the key of its script

  const words = (name) =>
    name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];

  const keyOf = (word) =>
    [...word].slice(0, 2).map((letter) => letter.codePointAt(0).toString(16)).join("-");

  window.siteFound = (key, rows) => shelf.set(key, rows);

  const read = (key) => new Promise((done) => {
    if (shelf.has(key)) return done();
    const script = document.createElement("script");
    script.src = `${form.dataset.up}search/${key}.js`;
    script.onload = done;
    script.onerror = () => { shelf.set(key, []); done(); };
    document.head.append(script);
  });

  let asked = 0;
  const look = async () => {
    const number = ++asked;
    const wanted = words(box.value);
    const first = wanted.find((word) => [...word].length > 1) || wanted[0];
    list.replaceChildren();
    said.textContent = "";
    if (!first || /^[ -~]$/.test(first)) return;
    const key = keyOf(first);
    await read(key);
    if (number !== asked) return;
    const fits = (name) => {
      const has = words(name);
      return wanted.every((word) => has.some((each) => each.startsWith(word)));
    };
    const found = shelf.get(key).filter(([name]) => fits(name)).slice(0, MOST);
    list.replaceChildren(...found.map(([name, path, games]) => {
      const [item, link, count] = ["li", "a", "span"].map((tag) => document.createElement(tag));
      link.href = form.dataset.up + path;
      link.textContent = name;
      count.className = "muted";
      count.textContent = games;
      item.append(link, " ", count);
      return item;
    }));
    said.textContent = found.length ? "" : said.dataset.none;
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("input", look);
  if (box.value) look(); // after going back
})();
