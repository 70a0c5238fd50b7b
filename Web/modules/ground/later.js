// What the first look at the map does not need: pages, and what the search field does. Its script comes later; main.js
// says how it is fetched, so that what stands below knows nothing of what it has.
import { el } from "./dom.js";
import { nothing } from "./states.js";
import { t } from "./text.js";

let fetchThem; // resolves with the pages
let pages;

export function comeLater(fetching) {
  fetchThem = fetching;
}

// All of them, when their script is there; throws when it does not come.
export async function laterPages() {
  pages ??= await fetchThem();
  return pages;
}

// Those that are there already; undefined before.
export const pagesSoFar = () => pages;

// Fetches them when the page is used for the first time, so that they are there before they are needed.
export function fetchPages() {
  for (const name of ["pointerdown", "keydown"]) {
    addEventListener(name, () => laterPages().catch(() => {}), { once: true, capture: true });
  }
}

// A browser may keep that a script did not come, and not ask for it again: only a new page does.
export const failure = (title = t("This page did not come")) => nothing(
  "unplugged", title, t("The server did not answer."),
  el("button", { class: "button", onclick: () => location.reload() }, t("Try again")),
);
