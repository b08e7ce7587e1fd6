// Keys for lists and forms. Everything works without this file; with it, without a mouse.
"use strict";

const rows = () => [...document.querySelectorAll("[data-row]")];

function typing(target) {
  return target.closest("input, select, textarea") !== null;
}

function step(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(document.activeElement.closest("[data-row]"));
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  next.querySelector("a").focus();
}

function press(key) {
  const wanted = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!wanted) return false;
  if (wanted.matches("input, select, textarea")) wanted.focus();
  else wanted.click();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "?") location.assign("/staff#keys");
  else if (!press(event.key)) return;
  event.preventDefault();
});
