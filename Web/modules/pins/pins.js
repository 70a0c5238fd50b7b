// The pins on the map: one marker each, in clusters when there are many; drag one to move it.
import { L } from "../map/leaflet.js";
import { coordinate, latLng, map } from "../map/map.js";
import { isCrowd, onPins, pinOf, putPin } from "./store.js";
import { change } from "../server/api.js";
import { reveal, showBounds } from "../map/sight.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { partLabels } from "../map/overlaps.js";
import { APART, pinGroup } from "./pingroup.js";
import { drawPins } from "./pinpictures.js";
import { clusterIcon, nameCluster, pinIcon, pinLabel, pinMarker, pinPane } from "./pinmark.js";
import { complain, say } from "../ground/notices.js";
import { laterPages } from "../ground/later.js";
import { stateOf } from "./pinstate.js";
import { t } from "../ground/text.js";

let group;
let alone; // Of a crowd: ids of the pins that are in no cluster.
const markers = new Map();
let selected;
let tapped = (_pin) => {};
let fresh;
// What lists say: which of them a pin has a dot of, and whether it is hidden.
let layers = { marksOf: (_pin) => [], hides: (_pin) => false };

export function showPins(onTap) {
  tapped = onTap;
  drawPins();
  group = pinGroup(clusterMark, partLabels, pinPane);
  map.on("moveend", partLabels);
  onPins(({ changed, removed }) => {
    if (isCrowd() && !alone) becomeCrowd();
    for (const id of removed) remove(id);
    for (const id of changed) if (isDrawn(id)) put(pinOf(id));
    partLabels();
  });
}

function becomeCrowd() {
  alone = new Set();
  for (const id of markers.keys()) remove(id);
  // The server makes the clusters (crowd.js), and these are the pins beside them.
  group.spread();
  laterPages().then((pages) => pages.startCrowd(), (error) => complain(t("The pins can't be shown."), error));
}

// Of a crowd, the pins that are in no cluster.
export function drawAlone(pins) {
  alone = new Set(pins.map(({ id }) => id));
  for (const id of [...markers.keys()]) if (!isDrawn(id)) remove(id);
  for (const pin of pins) put(pinOf(pin.id) ?? pin);
  partLabels();
}

// One that is selected or new is drawn beside the cluster that it is in.
const isDrawn = (id) => !alone || alone.has(id) || id === selected || id === fresh || pinOf(id)?.isNew;

// Makes a pin visible, out of its cluster if it is in one; without animation, since its callout opens there.
export function showPin(id, zoom = map.getZoom()) {
  const marker = markers.get(id);
  if (!marker) return;
  place([marker]);
  reveal(marker.getLatLng(), group.aloneFrom(marker, Math.round(zoom)), {});
  group.draw();
}

export const markerOf = (id) => markers.get(id);

// The next pin with this id drops onto the map with an animation. It may be there already: the event stream can be
// faster than the answer.
export const markFresh = (id) => { fresh = markers.has(id) ? undefined : id; };

export function select(id) {
  if (selected === id) return;
  const before = selected;
  mark(before, false);
  selected = id;
  if (before && !isDrawn(before)) remove(before);
  if (id && !markers.has(id) && pinOf(id)) put(pinOf(id));
  place([markers.get(before), markers.get(id)].filter(Boolean));
  mark(selected, true);
  partLabels();
}

function mark(id, on) {
  const marker = markers.get(id);
  marker?.getElement()?.classList.toggle("selected", on);
  marker?.setZIndexOffset(on ? 1000 : 0);
}

// Shows the pins as lists want it: `marksOf(id)` gives {id, name, colour} of lists, `hides(id)` whether it is hidden.
export function showLayers(next) {
  layers = next;
  const changed = [...markers.values()].filter((marker) => {
    const before = keyOf(marker.marks);
    marker.marks = layers.marksOf(marker.pin.id);
    return keyOf(marker.marks) !== before;
  });
  for (const marker of changed) {
    marker.setIcon(pinIcon(marker.pin, marker.marks));
    dress(marker);
  }
  place([...markers.values()]);
  group.refresh(changed);
  partLabels();
}

const keyOf = (marks) => JSON.stringify(marks);

// Puts markers onto the map, or takes away those that are hidden. The one that is selected never is.
function place(some) {
  const isHidden = ({ pin }) => pin.id !== selected && layers.hides(pin.id);
  for (const marker of some) {
    if (isHidden(marker)) group.remove(marker);
    else group.add(marker);
  }
}

function remove(id) {
  const marker = markers.get(id);
  if (marker) group.remove(marker);
  letGo(marker);
  markers.delete(id);
}

function put(pin) {
  const marker = markers.get(pin.id);
  if (!marker) return add(pin);
  const before = marker.pin;
  marker.pin = pin;
  const point = near(latLng(pin.position));
  if (!marker.dragging?._draggable?._moving && !marker.getLatLng().equals(point)) marker.setLatLng(point);
  const turned = stateOf(before).key !== stateOf(pin).key || before.waits !== pin.waits;
  if (turned || before.name !== pin.name) redraw(marker, turned);
  if (turned) tellState(pin);
  return marker;
}

function add(pin) {
  const marks = layers.marksOf(pin.id);
  const icon = pinIcon(pin, marks);
  const marker = pinMarker(near(latLng(pin.position)), { icon, draggable: true, riseOnHover: true });
  Object.assign(marker, { pin, marks });
  markers.set(pin.id, marker);
  marker.on("click", () => tapped(marker.pin));
  marker.on("keypress", (event) => {
    if (event.originalEvent.key === "Enter") tapped(marker.pin);
  });
  marker.on("dragend", () => move(marker));
  marker.on("add", () => dress(marker));
  keepNear(marker);
  if (pin.id === fresh || !layers.hides(pin.id)) group.add(marker);
}

function redraw(marker, turned) {
  marker.setIcon(pinIcon(marker.pin, marker.marks));
  dress(marker);
  if (turned) marker.getElement()?.classList.add("turned");
  group.refresh([marker]);
}

// Label and style of a marker's element; the element is created again each time that the marker appears.
function dress(marker) {
  const element = marker.getElement();
  if (!element) return;
  const { pin } = marker;
  element.dataset.state = stateOf(pin).key;
  element.dataset.pin = pin.id;
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", pinLabel(pin, marker.marks));
  element.classList.toggle("selected", pin.id === selected);
  if (pin.id === fresh) {
    element.classList.add("fresh");
    fresh = undefined;
  }
}

function clusterMark(pins, point) {
  const mark = pinMarker(point, { icon: clusterIcon(pins) });
  const open = () => showBounds(L.latLngBounds(pins.map((marker) => marker.getLatLng())), { maxZoom: APART });
  mark.on("click", open);
  mark.on("keypress", ({ originalEvent }) => originalEvent.key === "Enter" && open());
  mark.renew = () => mark.setIcon(clusterIcon(pins));
  return nameCluster(mark, String(pins.length));
}

function tellState(pin) {
  const { key, sentence } = stateOf(pin);
  if (key === "ready") say(t("{name} is complete.", { name: pin.name }));
  else if (!["new", "partial", "unopened"].includes(key)) say(`${pin.name}: ${sentence}.`);
}

// Moves a pin to where its marker was dragged; back to where it was if that fails.
async function move(marker) {
  await movePin(marker.pin, marker.getLatLng()).catch(() => marker.setLatLng(near(latLng(marker.pin.position))));
}

export async function movePin(pin, point) {
  try {
    const answer = await change("pins.v1.PinService/MovePin", { id: pin.id, position: coordinate(point) });
    if (answer.waits) return say(t("{name} moved. That waits for the server.", { name: pin.name }));
    putPin(answer.pin);
    say(t("{name} moved. Searching around it again.", { name: answer.pin.name }));
  } catch (error) {
    complain(t("The pin could not be moved."), error);
    throw error;
  }
}
