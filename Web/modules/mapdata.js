// The bundled map in pieces, as /map/index.json lists them: the world's coarse lines at once, finer ones and a city's
// streets when one comes near.
import { meet, project, shapesOf } from "./shapes.js";

// Finer lines of the world are large and nothing waits for them: they come after the first picture stands.
const LATER = 1500;
// After how many milliseconds a piece that couldn't be fetched is asked for again.
const AGAIN = 3000;
// The zoom up to which towns have their names.
export const TOWNS_TO = 13;

const pieces = []; // {name, city, zoom, file, box, shapes | labels, isAsked}
const listeners = new Set();
let sets = [];
let seen; // What the view needed last: [box, zoom].

export const onMapData = (listener) => listeners.add(listener);

export async function startMapData() {
  const response = await fetch("/map/index.json");
  if (!response.ok) throw new Error("the map's own data is missing");
  sets = (await response.json()).sets;
  for (const set of sets) {
    const box = unitBox(set.box);
    for (const layer of set.layers) pieces.push({ ...layer, city: set.name !== "world", box, isAsked: false });
  }
}

// What is to be shown besides the map: [{text, href}].
export const attributions = () =>
  sets.flatMap((set) => Object.entries(set.links).map(([text, href]) => ({ text, href })));

// The loaded pieces of a layer of the world for a zoom level; a coarser one stands in for one that is on its way.
export function world(name, zoom) {
  const there = pieces.filter((piece) => !piece.city && piece.name === name && isThere(piece));
  const fitting = there.filter((piece) => inZoom(piece, zoom));
  return fitting.length > 0 ? fitting : there.filter((piece) => piece.zoom[1] < zoom && hasFiner(piece));
}

// The loaded pieces of cities, by their boxes: [{box, layers: {streets: [piece]…}}].
export function cities(zoom, box) {
  const byBox = new Map();
  for (const piece of pieces) {
    if (!piece.city || !isThere(piece) || !inZoom(piece, zoom) || !meet(piece.box, box)) continue;
    if (!byBox.has(piece.box)) byBox.set(piece.box, { box: piece.box, layers: {} });
    byBox.get(piece.box).layers[piece.name] = piece.shapes;
  }
  return [...byBox.values()];
}

// Fetches what a view needs and isn't there yet; box in units of the world.
export function needMapData(box, zoom) {
  seen = [box, zoom];
  for (const piece of pieces) {
    if (piece.isAsked || !meet(piece.box, box) || (piece.name === "towns" && zoom > TOWNS_TO)) continue;
    const isFine = !piece.city && piece.zoom[0] > 0 && piece.kind !== "label";
    // A city a level before it is seen, so that it is there in time; of the world, coarse land until the fine one came.
    const standsIn = piece.name === "land" && hasFiner(piece);
    if (inZoom(piece, zoom) || (piece.city ? inZoom(piece, zoom + 1) : standsIn)) {
      piece.isAsked = true;
      setTimeout(load, isFine ? LATER : 0, piece);
    }
  }
}

async function load(piece) {
  try {
    const response = await fetch(`/map/${piece.file}`);
    if (!response.ok) throw new Error(response.statusText);
    const content = await response.json();
    if (piece.kind === "label") piece.labels = content;
    else piece.shapes = shapesOf(content);
    for (const listener of listeners) listener();
  } catch {
    // The map stays without this piece until then, or does well without it if the view has moved on.
    setTimeout(() => {
      piece.isAsked = false;
      needMapData(...seen);
    }, AGAIN);
  }
}

const isThere = (piece) => piece.shapes !== undefined || piece.labels !== undefined;
const inZoom = ({ zoom: [from, to] }, zoom) => zoom >= from && zoom <= to;
const hasFiner = (piece) =>
  pieces.some(({ city, name, zoom }) => !city && name === piece.name && zoom[0] > piece.zoom[1]);

function unitBox([west, south, east, north]) {
  const [left, bottom] = project(west, south);
  const [right, top] = project(east, north);
  return [left, top, right, bottom];
}
