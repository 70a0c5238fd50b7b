// Lists as layers of the map: pins of a list that is shown have a dot of its colour; of one list alone, the others are
// hidden. Which lists are shown is remembered in this browser.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { onWipe } from "../offline/kept.js";
import { colourOf, listDot, listOf, loadLists, onLists, pinsOf } from "./lists.js";
import { complain, say } from "../ground/notices.js";
import { showLayers } from "../pins/pins.js";
import { t } from "../ground/text.js";

const KEY = "waymark.layers";
// After how many milliseconds what did not come is asked for again.
const AGAIN = 30_000;
const bar = el("div", { id: "layerbar", role: "status", hidden: true });
document.body.append(bar);

let { shown, only } = stored(); // ids of lists; the one that is shown alone
const members = new Map(); // id of a list → its pins

export const isShown = (id) => shown.includes(id);
export const isAlone = (id) => only === id;

// Begins with what was shown last. Resolves when it is on the map, or what came of it; the rest is asked for again. A
// list is forgotten when the server says that it is gone, not because an answer that was kept lacks it.
export async function startLayers() {
  if (shown.length === 0) return;
  const came = await Promise.allSettled([loadLists(), ...shown.map((id) => fetchPins(id).catch((error) => {
    if (error.code !== "not_found") throw error;
    forget(id);
  }))]);
  apply();
  if (came.some(({ status }) => status === "rejected")) setTimeout(startLayers, AGAIN);
}

function forget(id) {
  shown = shown.filter((other) => other !== id);
  if (only === id) only = undefined;
  members.delete(id);
}

export async function showLayer(id, on) {
  shown = shown.filter((other) => other !== id);
  if (on) shown = [...shown, id];
  else if (only === id) only = undefined;
  await bring(id, on);
  say(on ? t("{list} is shown on the map.", { list: listOf(id)?.name }) : t("It is not shown on the map any more."));
}

export async function showAlone(id, on) {
  only = on ? id : undefined;
  if (on && !isShown(id)) shown = [...shown, id];
  await bring(id, on);
}

async function bring(id, on) {
  try {
    if (on) await fetchPins(id);
  } catch (error) {
    forget(id);
    complain(t("The list can't be shown on the map."), error);
  }
  apply();
}

async function fetchPins(id) {
  members.set(id, new Set(await pinsOf(id)));
}

function apply() {
  store();
  const layers = shown.filter((id) => members.has(id) && listOf(id)).map((id) => ({ pins: members.get(id), id }));
  const alone = members.get(only);
  showLayers({
    marksOf: (pin) => layers.filter(({ pins }) => pins.has(pin)).map(({ id }) => {
      const list = listOf(id);
      return { id, name: list.name, colour: colourOf(list) };
    }),
    hides: (pin) => Boolean(alone && !alone.has(pin)),
  });
  const list = alone && listOf(only);
  bar.hidden = !list;
  if (!list) return;
  const all = el("button", { class: "quiet-link", onclick: () => showAlone(only, false) }, t("Show all pins"));
  replace(bar, listDot(list), el("span", { class: "layerbar-name" }, t("Only “{list}”", { list: list.name })), all);
}

onLists(async ({ id, pins }) => {
  if (!id || !isShown(id)) return;
  if (!listOf(id)) {
    forget(id);
  } else if (pins) {
    await fetchPins(id).catch(() => {});
  }
  apply();
});

// A switch for a list as a layer; `changed()` is called when it is another one.
export function layerSwitch(list, changed = () => {}) {
  const button = el(
    "button", {
      class: "chip layer", "aria-label": t("Show {list} on the map", { list: list.name }), "data-tool": "layer",
    },
    icon("check"), t("On the map"),
  );
  const draw = () => button.setAttribute("aria-pressed", String(isShown(list.id)));
  button.addEventListener("click", async () => {
    await showLayer(list.id, !isShown(list.id));
    draw();
    changed();
  });
  draw();
  return button;
}

function stored() {
  try {
    const { shown, only } = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return { shown: Array.isArray(shown) ? shown : [], only };
  } catch {
    return { shown: [], only: undefined };
  }
}

function store() {
  try {
    if (shown.length > 0) localStorage.setItem(KEY, JSON.stringify({ shown, only }));
    else localStorage.removeItem(KEY);
  } catch {
    // Then it is remembered as long as the page is open.
  }
}

// They were of the account that has left.
onWipe(() => {
  [shown, only] = [[], undefined];
  members.clear();
  apply();
});
