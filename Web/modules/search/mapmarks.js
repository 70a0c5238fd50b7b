// All places and all photos on the map, if one wants to see them: those that stand alone, and how many the others are.
// Which are shown is remembered in this browser.
import { L } from "../map/leaflet.js";
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { countIcon, dotIcon } from "../places/dotmark.js";
import { coverOf, forgetCovers } from "./clusterphotos.js";
import { showFound } from "./foundcard.js";
import { closeStrip, openStrip } from "./photostrip.js";
import { copyLink } from "../ground/copy.js";
import { visibleMiddle } from "../map/free.js";
import { partLabels } from "../map/overlaps.js";
import { coordinate, latLng, map } from "../map/map.js";
import { frame, show } from "../photos/picture.js";
import { go, linkTo, onRoute } from "../ground/router.js";
import { openCluster } from "../map/sight.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { canTake } from "../taken/takenareas.js";
import { wishArea } from "../taken/takenalong.js";
import { viewport } from "../map/viewport.js";
import { number, t, tn } from "../ground/text.js";
import { shortNumber } from "../ground/words.js";

const KEY = "waymark.marks";
const KINDS = { places: t("All places"), photos: t("All photos") };
const PHOTO = 46;
const SIGN = 26;
const layer = L.layerGroup();
/** @type {Map<string, {kind: string, marker: any, cover?: (key: string) => void}>} */
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
  onRoute(leaveStrip);
  view ??= viewport(() => shown, draw);
  view.again();
}

// It belongs to the map, and not to another page.
const leaveStrip = ({ view: name, pin }) => (name !== "home" || pin) && closeStrip();

// Opens what one chooses them with, beside its button, or closes it.
export function mapMarks(button) {
  if (menu) return closeMenu();
  const outside = ({ target }) => !menu.element.contains(target) && !button.contains(target) && closeMenu();
  const escape = (event) => event.key === "Escape" && (event.preventDefault(), closeMenu(), button.focus());
  menu = {
    element: el("div", { class: "marks-menu", role: "dialog", "aria-label": t("On the map") }), button, outside,
  };
  menu.element.addEventListener("keydown", escape);
  addEventListener("pointerdown", outside, true);
  button.setAttribute("aria-expanded", "true");
  const { top, left, right } = button.getBoundingClientRect();
  menu.element.style.top = `${top}px`;
  if (document.documentElement.dir === "rtl") menu.element.style.left = `${right + 10}px`;
  else menu.element.style.right = `${innerWidth - left + 10}px`;
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
  replace(menu.element, el("h2", {}, t("On the map")), Object.entries(KINDS).map(([kind, word]) => el(
    "button", {
      class: "chip", "data-kind": kind, "aria-pressed": String(shown.includes(kind)), onclick: () => turn(kind),
    },
    icon("check"), word, el("b", {}, shown.includes(kind) ? tallies[kind] ?? "…" : ""),
  )), el("button", { class: "quiet-link", onclick: copyView }, icon("link"), t("Copy a link to this view")),
  canTake() && el("button", { class: "quiet-link", onclick: takeView }, icon("download"), t("Take this area along")));
  if (focused) menu.element.querySelector(`[data-kind="${focused}"]`)?.focus();
}

function copyView() {
  closeMenu();
  const middle = coordinate(map.containerPointToLatLng(visibleMiddle()));
  copyLink(location.href.split("#")[0] + linkTo({ ...middle, zoom: map.getZoom() }));
}

function takeView() {
  closeMenu();
  wishArea();
  go({ view: "settings" });
}

function turn(kind) {
  shown = shown.includes(kind) ? shown.filter((other) => other !== kind) : [...shown, kind];
  store();
  if (!shown.includes("photos")) closeStrip();
  if (shown.length > 0) begin();
  else draw({});
  drawMenu();
}

function draw(answer) {
  tallies = Object.fromEntries(
    (answer.branches ?? []).map(({ name, code, count = 0 }) => [name, code ? "!" : number(count)]),
  );
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
  forgetCovers();
  for (const [key, what] of wanted) if (!drawn.has(key)) drawn.set(key, put(...what));
  for (const [key, { cover }] of drawn) cover?.(key);
  partLabels();
  drawMenu();
}

const keyOf = (kind, { count, position, mark, cover }) =>
  JSON.stringify([kind, count, position, mark?.id, kind === "photos" && Boolean((mark ?? cover)?.pictureUrl)]);

function put(kind, cluster) {
  if (kind === "photos") return putPhotos(cluster);
  const options = { icon: iconOf(cluster), pane: "places", keyboard: false, zIndexOffset: -300 };
  const marker = L.marker(near(latLng(cluster.position)), options);
  marker.on("click", () => (cluster.mark ? openPlace(cluster) : openCluster(cluster)));
  return { kind, marker: keepNear(marker).addTo(layer) };
}

// There is no list of them beside the map: so these are reached by keyboard, and have names.
function putPhotos(cluster) {
  const { count, mark } = cluster;
  const box = frame({ small: true });
  const { id, pictureUrl } = mark ?? cluster.cover ?? {};
  show(box, { id, smallUrl: pictureUrl });
  const html = mark ? box : el("div", { class: "pile" }, box, el("b", {}, shortNumber(count)));
  // Without a picture it is a sign.
  const isSign = mark && !mark.pictureUrl;
  const [className, size] = mark ? [
    isSign ? "photo-dot sign" : "photo-dot photo-mark", isSign ? SIGN : PHOTO,
  ] : ["photo-pile photo-mark", PHOTO];
  const marker = L.marker(near(latLng(cluster.position)), {
    icon: L.divIcon({ className, html, iconSize: [size, size] }), zIndexOffset: isSign ? -400 : -300,
  });
  const open = () => (mark ? go({ view: "home", photo: mark.id }) : openStrip(cluster, marker));
  marker.on("click", open);
  marker.on("keypress", ({ originalEvent: { key } }) => key === "Enter" && open());
  const name = mark ? mark.name || t("Photo") : tn(count, "{n} photo", "{n} photos");
  marker.on("add", () => {
    const element = marker.getElement();
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", name);
    element.title = name;
  });
  keepNear(marker).addTo(layer);
  // Where the server names none, one of those that are on the screen.
  const cover = mark || pictureUrl ? undefined : (key) => {
    if (!map.getBounds().contains(marker.getLatLng()) || box.querySelector("img")) return;
    coverOf(key, cluster).then((photo) => {
      if (!photo || !box.isConnected) return;
      show(box, photo);
    });
  };
  return { kind: "photos", marker, cover };
}

const iconOf = ({ count, mark }) => (mark ? dotIcon({ categories: [mark.category] }) : countIcon(count));

function openPlace({ mark: { id, name, category }, position }) {
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
