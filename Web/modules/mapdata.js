// The bundled map in pieces, as /map/index.json lists them: the world's coarse lines for low zoom levels, cells of
// finer ones and a city's streets for high ones.
import { loadStyles } from "./mapstyle.js";
import { meet, project, shapesOf } from "./shapes.js";

// After how many milliseconds a piece that couldn't be fetched is retried.
const AGAIN = 3000;
// The zoom up to which towns have their names.
export const TOWNS_TO = 13;
// What comes first: the coast of the world, then that of a city, then what lies on the land.
const SHORE = ["land", "water"];
const STEPS = [
  ({ name, city }) => !city && ["land", "fine"].includes(name),
  ({ name, city }) => city && SHORE.includes(name),
  () => true,
];

const pieces = []; // {name, kind, city, zoom, file, box, shapes | labels, isAsked}
const listeners = new Set();
let sets = [];
let seen; // What the view needed last: [box, zoom].
let details; // Until then nothing but the coast of the world is fetched.

export const onMapData = (listener) => listeners.add(listener);

// Finer pieces than the coast of the world wait for `first`.
export async function startMapData(first) {
  details = first;
  const [response] = await Promise.all([fetch("/map/index.json"), loadStyles()]);
  if (!response.ok) throw new Error("the map's own data is missing");
  sets = (await response.json()).sets;
  for (const set of sets) {
    const box = unitBox(set.box);
    for (const layer of set.layers.flatMap(cellsOf)) {
      pieces.push({ box, ...layer, city: set.name !== "world", isAsked: false });
    }
  }
}

// Attributions to show with the map: [{text, href}].
export const attributions = () =>
  sets.flatMap((set) => Object.entries(set.links).map(([text, href]) => ({ text, href })));

// Each cell of a layer as a piece with its own box.
function cellsOf({ cells, degrees, ...layer }) {
  return (cells ?? [layer]).map((name) => {
    if (!cells) return layer;
    const [west, south] = name.split("_").map(Number);
    const box = unitBox([west, south, west + degrees, south + degrees]);
    return { ...layer, box, file: layer.file.replace("{}", name) };
  });
}

// The loaded part of the world's coarse outlines; they stand in for a finer cell that is still loading.
export const coarse = (name) =>
  pieces.filter((piece) => !piece.city && piece.name === name && isThere(piece)).flatMap((piece) => piece.shapes);

// The loaded pieces of a layer of the world, for a zoom level.
export const world = (name, zoom) =>
  pieces.filter((piece) => !piece.city && piece.name === name && isThere(piece) && inZoom(piece, zoom));

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

// Fetches what a view needs and isn't loaded yet, step by step; box in units of the world.
export async function needMapData(box, zoom) {
  seen = [box, zoom];
  for (const isInStep of STEPS) {
    // Of what is seen by now.
    await Promise.all(pieces.filter((piece) => isInStep(piece) && isNeeded(piece, ...seen)).map(load));
    await details;
  }
}

function isNeeded(piece, box, zoom) {
  if (piece.isAsked || (piece.name === "towns" && zoom > TOWNS_TO)) return false;
  // A view over the antimeridian goes on at the other end of the world.
  const boxes = [-1, 0, 1].map((turn) => [box[0] + turn, box[1], box[2] + turn, box[3]]);
  if (!boxes.some((one) => meet(piece.box, one))) return false;
  // A city a level before it is seen, so that it is there in time.
  return inZoom(piece, zoom) || (piece.city && inZoom(piece, zoom + 1));
}

async function load(piece) {
  piece.isAsked = true;
  try {
    const response = await fetch(`/map/${piece.file}`);
    if (!response.ok) throw new Error(response.statusText);
    const content = await response.json();
    if (piece.kind === "label") piece.labels = content;
    else piece.shapes = shapesOf(content);
    for (const listener of listeners) listener();
  } catch {
    // The map stays without this piece until then, or doesn't need it any more if the view has moved.
    setTimeout(() => {
      piece.isAsked = false;
      needMapData(...seen);
    }, AGAIN);
  }
}

const isThere = (piece) => piece.shapes !== undefined || piece.labels !== undefined;
const inZoom = ({ zoom: [from, to] }, zoom) => zoom >= from && zoom <= to;

function unitBox([west, south, east, north]) {
  const [left, bottom] = project(west, south);
  const [right, top] = project(east, north);
  return [left, top, right, bottom];
}
