// Asks for the figures again every few seconds, and says when there was no answer. The server makes all of it.
"use strict";

const EVERY = 3000;
const STALE = 12;
const wall = document.getElementById("wall");
const stale = document.getElementById("stale");
let heard = Date.now();

async function renew() {
  try {
    const answer = await fetch(wall.dataset.from, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(EVERY * 3) });
    if (!answer.ok) throw new Error(String(answer.status));
    const top = document.activeElement.closest("#wall a");
    const at = top && top.getAttribute("href");
    wall.innerHTML = await answer.text();
    if (at) wall.querySelector(`a[href="${CSS.escape(at)}"]`)?.focus();
    heard = Date.now();
  } catch (error) {
    console.warn("no figures:", error.message);
  }
  const seconds = Math.round((Date.now() - heard) / 1000);
  stale.hidden = seconds < STALE;
  stale.querySelector("span").textContent = String(seconds);
  setTimeout(renew, EVERY);
}

setTimeout(renew, EVERY);
