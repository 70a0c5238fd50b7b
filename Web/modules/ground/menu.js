// What can be done besides, behind one button: a small menu of words beside it.
import { el } from "./dom.js";
import { icon } from "./icons.js";

// `items` are buttons. One that asks whether one is sure leaves the menu open.
export function menu(label, ...items) {
  const list = el("div", { class: "menu", role: "group", "aria-label": label, hidden: true }, items);
  const button = el("button", {
    class: "round", "aria-label": label, title: label, "aria-expanded": "false", onclick: () => turn(list.hidden),
  }, icon("more"));
  const element = el("div", { class: "menu-holder" }, button, list);
  const outside = ({ target }) => !element.contains(target) && turn(false);

  function turn(on) {
    const hadFocus = list.contains(document.activeElement);
    list.hidden = !on;
    button.setAttribute("aria-expanded", String(on));
    const listen = on ? addEventListener : removeEventListener;
    listen("pointerdown", outside, true);
    if (on) stand();
    else if (hadFocus) button.focus();
  }

  // Below its button, or above it where the screen ends.
  function stand() {
    const { top, bottom, right } = button.getBoundingClientRect();
    const isLow = bottom + list.offsetHeight + 12 > innerHeight;
    list.style.top = `${isLow ? top - list.offsetHeight - 4 : bottom + 4}px`;
    list.style.left = `${Math.max(8, right - list.offsetWidth)}px`;
    list.querySelector("button").focus({ preventScroll: true });
  }

  list.addEventListener("click", (event) => {
    const item = event.target.closest("button");
    if (item && !item.classList.contains("sure")) turn(false);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || list.hidden) return;
    event.preventDefault();
    turn(false);
    button.focus();
  });
  return element;
}

export const menuItem = (label, mark, run) =>
  el("button", { class: "menu-item", onclick: run }, icon(mark), el("span", {}, label));
