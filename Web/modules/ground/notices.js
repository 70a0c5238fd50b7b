// Short messages at the edge of the map, and announcements for screen readers.
import { el } from "./dom.js";
import { keepFocus, loseFocus } from "./focus.js";
import { icon } from "./icons.js";
import { t } from "./text.js";
import { plain } from "./words.js";

const SECONDS = 7;
// How many lines there may be at once.
const MAXIMUM = 3;

// Announces a text to screen readers only.
export function say(text) {
  document.getElementById("spoken").textContent = text;
}

const open = [];

// Shows a line for some seconds, with an action if there is one: notice("1 photo removed", {label: "Undo", run}). When
// it disappears and the action was not taken, `ended` is called. An action that `isNext` takes the focus.
export function notice(text, action, ended = () => {}) {
  let timer;
  const close = () => {
    if (!open.includes(close)) return;
    open.splice(open.indexOf(close), 1);
    clearTimeout(timer);
    const hadFocus = line.contains(document.activeElement);
    line.classList.add("leaving");
    line.addEventListener("transitionend", () => line.remove(), { once: true });
    setTimeout(() => line.remove(), 400);
    if (hadFocus) loseFocus();
    ended();
    if (hadFocus) keepFocus();
  };
  const act = () => {
    // What is done puts the focus where it belongs, or nowhere.
    ended = action.run;
    close();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(close, SECONDS * 1000);
  };
  const line = el(
    "div", { class: "notice", role: "status" },
    el("span", {}, text),
    action && el("button", { class: "notice-action", onclick: act }, action.label),
    el("button", { class: "notice-close", "aria-label": t("Close"), onclick: close }, icon("close")),
  );
  // A user who is about to press Undo is not hurried.
  for (const name of ["pointerenter", "focusin"]) line.addEventListener(name, () => clearTimeout(timer));
  for (const name of ["pointerleave", "focusout"]) line.addEventListener(name, wait);
  open.push(close);
  while (open.length > MAXIMUM) open[0]();
  document.getElementById("notices").append(line);
  wait();
  say(text);
  // Who goes by keyboard is led to it: it lies far from everything.
  if (action?.isNext) line.querySelector(".notice-action").focus();
  return close;
}

// What went wrong, in words for a person; the server's own sentence says which field and why.
const REASONS = {
  not_found: t("It is not there any more."),
  unavailable: t("The server did not answer."),
  unauthenticated: t("You are not logged in."),
};
export const reasonOf = (error) => REASONS[error.code] ?? plain(error.message, t("The server could not do it."));

export function complain(what, error) {
  notice(`${what} ${reasonOf(error)}`);
}
