// The panel next to the map; on a phone a sheet that is pulled up and down.
import { el, replace } from "../ground/dom.js";
import { isPhone } from "./map.js";
import { t } from "../ground/text.js";

// What a finger uses, so that it does not pull the sheet.
const USED = "a, input, textarea, select, label, summary, button:not(.grip)";

const panel = document.getElementById("panel");
// It can be scrolled by keyboard, also when nothing in it can be focused.
const body = el("div", { class: "panel-body", role: "group", tabindex: 0 });
const grip = el("button", { class: "grip", "aria-label": t("Make the panel larger or smaller") });

// How high the sheet may stand.
const STANDS = {
  low: () => least,
  half: () => Math.round(innerHeight * 0.54),
  full: () => innerHeight - 64,
};
const ORDER = ["low", "half", "full"];
const LEAST = 148;
let least = LEAST;
let stand = "low";

export const panelBody = body;

// Shows a view: {head, content, foot, label, stand, isShort}. `isShort` panels are as high as their content.
/** @param {{head: Node, content: Node, foot?: Node, label: string, stand?: string, isShort?: boolean}} parts */
export function showPanel({ head, content, foot, label, stand: wanted = "half", isShort = false }) {
  panel.setAttribute("aria-label", label);
  body.setAttribute("aria-label", t("{label}, contents", { label }));
  panel.classList.toggle("short", isShort);
  replace(body, content);
  replace(panel, grip, head, body, foot);
  least = LEAST;
  body.scrollTop = 0;
  setStand(wanted);
}

export function setStand(name) {
  stand = name;
  setHeight(STANDS[name]());
}

// How much of a view is visible when the sheet is low.
export function setLeast(pixels = LEAST) {
  least = pixels;
  if (stand === "low") setStand("low");
}

// A sheet over the whole map comes down when something on the map is to be seen.
export function makeRoom() {
  if (isPhone() && stand === "full") setStand("half");
}

function setHeight(pixels) {
  document.documentElement.style.setProperty("--sheet", `${pixels}px`);
}

// The sheet follows the finger, and snaps to the nearest position when it is released.
export function startPanel() {
  let pull;
  panel.addEventListener("pointerdown", (event) => {
    const { target } = event;
    if (!isPhone() || !target.closest(".grip, .panel-head") || target.closest(USED)) return;
    pull = { y: event.clientY, height: panel.offsetHeight, moved: false };
    panel.setPointerCapture(event.pointerId);
  });
  panel.addEventListener("pointermove", (event) => {
    if (!pull) return;
    const height = pull.height + pull.y - event.clientY;
    pull.moved ||= Math.abs(event.clientY - pull.y) > 5;
    if (!pull.moved) return;
    panel.classList.add("dragged");
    setHeight(Math.max(90, Math.min(STANDS.full(), height)));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    panel.addEventListener(name, () => {
      if (pull?.moved) settle();
      else if (pull) next();
      pull = undefined;
    });
  }
  grip.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step) setStand(ORDER[Math.max(0, Math.min(2, ORDER.indexOf(stand) + step))]);
  });
  // Without a pointer: by Enter, by Space, by a screen reader.
  grip.addEventListener("click", (event) => event.detail === 0 && next());
  addEventListener("resize", () => setStand(stand));
}

const next = () => setStand(ORDER[(ORDER.indexOf(stand) + 1) % 3]);

function settle() {
  panel.classList.remove("dragged");
  const height = panel.offsetHeight;
  setStand(ORDER.reduce((best, name) =>
    (Math.abs(STANDS[name]() - height) < Math.abs(STANDS[best]() - height) ? name : best)));
}

// Takes the focus, so that a keyboard or a screen reader continues in the new view.
export function focusPanel() {
  panel.focus({ preventScroll: true });
}
