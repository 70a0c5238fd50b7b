// Which maps of tiles there are, from below: the world's lines and other bundled ones, the one that the operator has
// chosen, those of imported datasets. What draws them is a script of its own (vector.js).
import { read } from "../server/api.js";
import { choices } from "../server/choices.js";
import { onNameLanguage } from "../ground/language.js";
import { settings } from "../server/settings.js";
import { unitBox } from "./shapes.js";

// After how many milliseconds the script is fetched again.
const AGAIN = 3000;

let sets = []; // {path, box, from, to, pixels, version, attribution, isForeign}; box in units of the world
let vector;
let asked = false;
let changed = () => {};
let seen;

// Begins with the first of the bundled ones, and goes on after `first`; `listener` is called when there is more to
// draw. Returns the attributions to show with the others.
export async function startTileSets(bundled, listener, first) {
  changed = listener;
  const own = bundled.map(bundledSet);
  show(own.slice(0, 1));
  await first;
  onNameLanguage(() => vector?.forget());
  show(own);
  const [{ datasets = [] }] = await Promise.all([
    read("places.v1.PlacesService/ListDatasets", { pageSize: 1000 }),
    choices().catch(() => {}), // Without them names are in the reader's language.
  ]);
  const { basemap } = await settings();
  show([
    ...own, basemap && foreignSet(basemap), ...datasets.filter(({ tiles }) => tiles?.box).map(setOf),
  ].filter(Boolean));
  return sets.map(({ attribution }) => attribution).filter(Boolean);
}

function show(all) {
  sets = all;
  if (seen) needTiles(...seen);
}

function bundledSet({ name, tiles: { edition: version, box, zooms: [from, to], pixels } }) {
  return { path: `/map/${name}`, box: unitBox(box), from, to, pixels, version, isWorld: name === "world" };
}

function setOf({ name, attribution, tiles: { box, minimumZoom = 0, maximumZoom, version } }) {
  const { southWest: low = {}, northEast: high = {} } = box;
  const degrees = [low.longitude ?? 0, low.latitude ?? 0, high.longitude ?? 0, high.latitude ?? 0];
  return { path: `/tiles/${name}`, attribution, box: unitBox(degrees), from: minimumZoom, to: maximumZoom, version };
}

function foreignSet({ box, minimumZoom: from, maximumZoom: to, version, attribution }) {
  return { path: "/basemap", attribution, box: unitBox(box), from, to, version, isForeign: true };
}

// Fetches what a view shows; box in units of the world.
export function needTiles(box, zoom) {
  seen = [box, zoom];
  if (vector) vector.need(box, zoom);
  else if (!asked) load();
}

async function load() {
  asked = true;
  try {
    const { vectorMap } = await import("./vector.js");
    vector = vectorMap(() => sets, changed);
    vector.need(...seen);
  } catch {
    setTimeout(load, AGAIN);
  }
}

export const drawTiles = (pen, view, colour) => vector?.draw(pen, view, colour);

// What of the loaded tiles has a name: [{layers: {streets: [shape]…}}].
export const namedTiles = (zoom) => vector?.named(zoom) ?? [];
