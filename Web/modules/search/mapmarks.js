// All places and all photos on the map, if one wants to see them: those that stand alone, and how many the others are.
// Which are shown is remembered in this browser.
import { L } from "../map/leaflet.js";
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { countIcon, dotIcon } from "../places/dotmark.js";
import { showFound } from "./foundcard.js";
import { latLng, map } from "../map/map.js";
import { frame, show } from "../photos/picture.js";
import { go } from "../ground/router.js";
import { openCluster } from "../map/sight.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { viewport } from "../map/viewport.js";
import { number, shortNumber } from "../ground/words.js";

const KEY = "waymark.marks";
const KINDS = { places: "All places", photos: "All photos" };
const PHOTO = 46;
const layer = L.layerGroup();
const drawn = new Map();
let shown = stored();
let view;
let tallies = {};
let menu;

export function startMarks() {
  if (shown.length > 0) begin();
}

function begin() {
  layer.addTo(map);
  view ??= viewport(() => shown, draw);
  view.again();
}

// Opens what one chooses them with, beside its button, or closes it.
export function mapMarks(button) {
  if (menu) return closeMenu();
  const outside = ({ target }) => !menu.element.contains(target) && !button.contains(target) && closeMenu();
  const escape = (event) => event.key === "Escape" && (event.preventDefault(), closeMenu(), button.focus());
  menu = { element: el("div", { class: "marks-menu", role: "dialog", "aria-label": "On the map" }), button, outside };
  menu.element.addEventListener("keydown", escape);
  addEventListener("pointerdown", outside, true);
  button.setAttribute("aria-expanded", "true");
  const { top, left } = button.getBoundingClientRect();
  menu.element.style.top = `${top}px`;
  menu.element.style.right = `${innerWidth - left + 10}px`;
  document.body.append(menu.element);
  drawMenu();
  menu.element.querySelector("button").focus();
}

function closeMenu() {
  menu.element.remove();
  menu.button.setAttribute("aria-expanded", "false");
  removeEventListener("pointerdown", menu.outside, true);
  menu = undefined;
}

function drawMenu() {
  if (!menu) return;
  const focused = document.activeElement?.dataset.kind;
  replace(menu.element, el("h2", {}, "On the map"), Object.entries(KINDS).map(([kind, word]) => el(
    "button", { class: "chip", "data-kind": kind, "aria-pressed": String(shown.includes(kind)), onclick: () => turn(kind) },
    icon("check"), word, el("b", {}, shown.includes(kind) ? tallies[kind] ?? "…" : ""),
  )));
  if (focused) menu.element.querySelector(`[data-kind="${focused}"]`)?.focus();
}

function turn(kind) {
  shown = shown.includes(kind) ? shown.filter((other) => other !== kind) : [...shown, kind];
  store();
  if (shown.length > 0) begin();
  else draw({});
  drawMenu();
}

function draw(answer) {
  tallies = Object.fromEntries((answer.branches ?? []).map(({ name, code, count = 0 }) => [name, code ? "!" : number(count)]));
  const wanted = new Map();
  for (const kind of shown) {
    // What a service did not say stays as it was.
    const isThere = tallies[kind] !== "!";
    for (const cluster of isThere ? answer[kind] ?? [] : []) wanted.set(keyOf(kind, cluster), [kind, cluster]);
    if (!isThere) for (const [key, { kind: old }] of drawn) if (old === kind) wanted.set(key, undefined);
  }
  for (const [key, { marker }] of drawn) {
    if (wanted.has(key)) continue;
    letGo(marker.remove());
    drawn.delete(key);
  }
  for (const [key, what] of wanted) if (!drawn.has(key)) drawn.set(key, put(...what));
  drawMenu();
}

const keyOf = (kind, { count, position, mark }) => JSON.stringify([kind, count, position, mark?.id]);

function put(kind, cluster) {
  const pane = kind === "places" ? "places" : "markerPane";
  const options = { icon: iconOf(kind, cluster), pane, keyboard: false, zIndexOffset: -300 };
  const marker = L.marker(near(latLng(cluster.position)), options);
  marker.on("click", () => (cluster.mark ? open(kind, cluster) : openCluster(cluster)));
  return { kind, marker: keepNear(marker).addTo(layer) };
}

function iconOf(kind, { count, mark }) {
  if (kind === "places") return mark ? dotIcon({ categories: [mark.category] }) : countIcon(count);
  if (!mark) {
    const html = el("div", { class: "photo-count", "aria-hidden": "true" }, icon("photo"), shortNumber(count));
    return L.divIcon({ className: "photo-counts", html, iconSize: [PHOTO, PHOTO] });
  }
  const box = frame({ small: true });
  box.setAttribute("aria-hidden", "true");
  if (mark.pictureUrl) show(box, { id: mark.id, state: "PHOTO_STATE_READY", thumbnailUrl: mark.pictureUrl });
  else box.append(icon("photo"));
  return L.divIcon({ className: "photo-dot", html: box, iconSize: [PHOTO, PHOTO] });
}

function open(kind, { mark, position }) {
  if (kind === "photos") return go({ view: "home", photo: mark.id });
  const { id, name, category } = mark;
  return showFound({ kind: "FIND_KIND_PLACE", placeId: id, name, categories: [category], position }, () => {});
}

function stored() {
  try {
    const names = JSON.parse(localStorage.getItem(KEY)) ?? [];
    return Array.isArray(names) ? names.filter((name) => KINDS[name]) : [];
  } catch {
    return [];
  }
}

function store() {
  try {
    if (shown.length > 0) localStorage.setItem(KEY, JSON.stringify(shown));
    else localStorage.removeItem(KEY);
  } catch {
    // Then it is remembered as long as the page is open.
  }
}
