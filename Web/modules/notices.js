// Short messages at the edge of the map, and what a screen reader is told.
import { el, icon } from "./dom.js";
import { plain } from "./words.js";

const SECONDS = 7;

// Says it to a screen reader alone.
export function say(text) {
  document.getElementById("spoken").textContent = text;
}

// Shows a line for some seconds, with an action if there is one: notice("1 photo removed", {label: "Undo", run}).
export function notice(text, action) {
  const close = () => {
    clearTimeout(timer);
    line.classList.add("leaving");
    line.addEventListener("transitionend", () => line.remove(), { once: true });
    setTimeout(() => line.remove(), 400);
  };
  const line = el(
    "div", { class: "notice", role: "status" },
    el("span", {}, text),
    action && el("button", { class: "notice-action", onclick: () => { close(); action.run(); } }, action.label),
    el("button", { class: "notice-close", "aria-label": "Close", onclick: close }, icon("close")),
  );
  let timer = setTimeout(close, SECONDS * 1000);
  // Whoever is about to press Undo is not hurried.
  line.addEventListener("pointerenter", () => clearTimeout(timer));
  line.addEventListener("focusin", () => clearTimeout(timer));
  line.addEventListener("pointerleave", () => { timer = setTimeout(close, SECONDS * 1000); });
  const place = document.getElementById("notices");
  while (place.children.length > 2) place.firstChild.remove();
  place.append(line);
  say(text);
  return close;
}

// What went wrong, in words for a person; the server's own sentence says which field and why.
const REASONS = {
  not_found: "It is not there any more.",
  unavailable: "The server did not answer.",
  unauthenticated: "You are not logged in.",
};
export const reasonOf = (error) => REASONS[error.code] ?? plain(error.message, "The server could not do it.");

export function complain(what, error) {
  notice(`${what} ${reasonOf(error)}`);
}
