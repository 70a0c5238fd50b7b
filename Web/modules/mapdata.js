// The bundled map, as /map/index.json lists it: the world's coarse lines for low zoom levels and cells of finer ones,
// and sets of tiles.
import { loadStyles } from "./mapstyle.js";
import { meet, shapesOf, unitBox } from "./shapes.js";

// After how many milliseconds a piece that couldn't be fetched is retried.
const AGAIN = 3000;
// The zoom up to which towns have their names.
export const TOWNS_TO = 13;
// What comes first: the coast of the world.
const STEPS = [({ name }) => ["land", "fine"].includes(name), () => true];

const pieces = []; // {name, kind, zoom, file, box, shapes | labels, isAsked}
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
    const box = set.box && unitBox(set.box);
    for (const layer of (set.layers ?? []).flatMap(cellsOf)) pieces.push({ box, ...layer, isAsked: false });
  }
}

// Attributions to show with the map: [{text, href}].
export const attributions = () =>
  sets.flatMap((set) => Object.entries(set.links).map(([text, href]) => ({ text, href })));

// The sets of tiles.
export const bundledTiles = () => sets.filter(({ tiles }) => tiles);

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
  pieces.filter((piece) => piece.name === name && isThere(piece)).flatMap((piece) => piece.shapes);

// The loaded pieces of a layer of the world, for a zoom level.
export const world = (name, zoom) =>
  pieces.filter((piece) => piece.name === name && isThere(piece) && inZoom(piece, zoom));

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
  return inZoom(piece, zoom) && boxes.some((one) => meet(piece.box, one));
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
