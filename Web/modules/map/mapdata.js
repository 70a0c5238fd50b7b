// The bundled map, as /map/index.json lists it: sets of tiles, and the names of countries.
import { loadStyles } from "./mapstyle.js";

// After how many milliseconds names that couldn't be fetched are asked for again.
const AGAIN = 3000;

const listeners = new Set();
let sets = [];
let lists = []; // {name, file, zoom, labels, isAsked}
let seen; // The zoom at which names were needed last.
let details; // Until then there are no names.

export const onMapData = (listener) => listeners.add(listener);

// Names wait for `first`.
export async function startMapData(first) {
  details = first;
  const [response] = await Promise.all([fetch("/map/index.json"), loadStyles()]);
  if (!response.ok) throw new Error("the map's own data is missing");
  sets = (await response.json()).sets;
  lists = sets.flatMap(({ labels = [] }) => labels).filter(({ isOfPictures }) => !isOfPictures);
}

// The sets of tiles, from below.
export const bundledTiles = () => sets;

// Attributions to show with the map: [{text, href}].
export const attributions = () =>
  sets.flatMap((set) => Object.entries(set.links).map(([text, href]) => ({ text, href })));

// The names of a list that there are for a zoom level: [name, latitude, longitude, rank, code], the most important
// first.
export const namesOf = (name, zoom) =>
  lists.filter((list) => list.name === name && isSeen(list, zoom)).flatMap(({ labels }) => labels ?? []);

// Fetches the names that a zoom level needs.
export async function needNames(zoom) {
  seen = zoom;
  await details;
  for (const list of lists) if (!list.isAsked && isSeen(list, seen)) load(list);
}

async function load(list) {
  list.isAsked = true;
  try {
    const response = await fetch(`/map/${list.file}`);
    if (!response.ok) throw new Error(response.statusText);
    list.labels = await response.json();
    for (const listener of listeners) listener();
  } catch {
    // The map stays without them until then, or doesn't need them any more if the view has moved.
    setTimeout(() => {
      list.isAsked = false;
      needNames(seen);
    }, AGAIN);
  }
}

const isSeen = ({ zoom: [from, to] }, zoom) => zoom >= from && zoom <= to;
