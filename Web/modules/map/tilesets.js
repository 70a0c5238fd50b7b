// Which maps of tiles there are, from below: the world's lines, the streets that a network gives, other bundled ones,
// the one that the operator has chosen, those of imported datasets.
import { read } from "../server/api.js";
import { choices, isChosen, onChoices } from "../server/choices.js";
import { onNameLanguage } from "../ground/language.js";
import { settings } from "../server/settings.js";
import { meet, unitBox } from "../paint/shapes.js";
import { give, tell } from "./painting.js";
import { tileLoads } from "./tileloads.js";

// {path, box, from, to, level, pixels, version, attribution, isForeign, isLive, isDetail}; box in units of the world.
// `streets` is that of a network, if one is on.
let sets = [];
let own = [];
let others = [];
let streets;
let tellStreets = (_text, _since) => {};
let toldSince = 0;
let seen;
const loads = tileLoads(() => sets, tellAge);

// Begins with the first of the bundled ones, and goes on after `first`; `listenerOfStreets` is called with the
// attribution of the streets that a network gives, or without when it is off, and since when they are old, where they
// are.
// Returns the attributions to show with the others.
export async function startTileSets(bundled, listenerOfStreets, first) {
  tellStreets = listenerOfStreets;
  own = bundled.slice(0, 1).map(bundledSet);
  show();
  await first;
  onNameLanguage(loads.forgetNames);
  own = bundled.map(bundledSet).flatMap(withDetails);
  show();
  findStreets();
  onChoices(findStreets);
  document.addEventListener("networkschange", findStreets);
  const [{ datasets = [] }] = await Promise.all([
    read("places.v1.PlacesService/ListDatasets", { pageSize: 1000 }),
    choices().catch(() => {}), // Without them names are in the reader's language.
  ]);
  const { basemap } = await settings();
  const imported = datasets.filter(({ tiles }) => tiles?.box).map(setOf).flatMap(withDetails);
  const foreign = basemap ? [foreignSet(basemap)] : [];
  others = [...(basemap?.hasDetails ? foreign.flatMap(withDetails) : foreign), ...imported];
  show();
  return others.map(({ attribution }) => attribution).filter(Boolean);
}

function show() {
  sets = [...own.slice(0, 1), streets, ...own.slice(1), ...others].filter(Boolean);
  tell({ kind: "sets", sets });
  if (seen) needTiles(...seen);
}

// Those of a network that is on, and that the account has chosen.
async function findStreets() {
  let found;
  try {
    const [{ networks = [] }, chosen] = await Promise.all([read("places.v1.PlacesService/ListNetworks"), choices()]);
    found = networks.find(({ name, on, gives = [] }) => on && gives.includes("maps") && isChosen(chosen, name));
  } catch {
    return; // As they were.
  }
  if (found?.attribution === streets?.attribution && found?.name === streets?.name) return;
  streets = found && liveSet(found);
  toldSince = 0;
  tellStreets(streets?.attribution, toldSince);
  show();
  give({ kind: "again" });
}

// Tiles of others are made to be drawn 512 pixels wide. Farther away the bundled lines are enough.
function liveSet({ name, attribution }) {
  return {
    name, path: `/tiles/${name}`, attribution, box: [0, 0, 1, 1], from: 8, to: 14, pixels: 512, isForeign: true,
    isLive: true,
  };
}

function bundledSet({ name, tiles: { edition: version, box, zooms: [from, to], pixels } }) {
  return { path: `/map/${name}`, box: unitBox(box), from, to, pixels, version, isWorld: name === "world" };
}

// Named things and numbers of houses, which only a close look needs, are in tiles of their own.
const withDetails = (set) =>
  (set.isWorld ? [set] : [set, { ...set, attribution: undefined, from: 16, level: set.to + 1, isDetail: true }]);

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
  loads.need(box, zoom);
  tellAge();
}

function tellAge() {
  const since = loads.oldSince();
  if (since === toldSince) return;
  toldSince = since;
  tellStreets(streets?.attribution, since);
}

// Whether one of them may have streets at a point, in units of the world.
export const haveStreets = (x, y) => sets.some(({ isWorld, box }) => !isWorld && meet(box, [x, y, x, y]));

// All of them, from below.
export const tileSets = () => sets;
