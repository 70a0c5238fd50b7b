// The bundled map, as /map/index.json lists it: sets of tiles, and the names of countries.
import { give, tell } from "./painting.js";

// After how many milliseconds names that couldn't be fetched are asked for again.
const AGAIN = 3000;

let sets = [];
let lists = []; // {name, file, zoom, labels, isAsked}
let seen; // The zoom at which names were needed last.
let details; // Until then there are no names.

// Names wait for `first`.
export async function startMapData(first) {
  details = first;
  const [index, styles] = await Promise.all(["index", "styles"].map(fetchOwn));
  tell({ kind: "styles", styles });
  sets = index.sets;
  lists = sets.flatMap(({ labels = [] }) => labels).filter(({ isOfPictures }) => !isOfPictures);
}

// /map/styles.json says how the map is drawn; by it the server draws its pictures of the map too.
async function fetchOwn(name) {
  const response = await fetch(`/map/${name}.json`);
  if (!response.ok) throw new Error("the map's own data is missing");
  return response.json();
}

// The sets of tiles, from below.
export const bundledTiles = () => sets;

// Attributions to show with the map: [{text, href}].
export const attributions = () =>
  sets.flatMap((set) => Object.entries(set.links).map(([text, href]) => ({ text, href })));

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
    const there = lists.filter(({ labels }) => labels).map(({ name, zoom, labels }) => ({ name, zoom, labels }));
    tell({ kind: "names", lists: there });
    give({ kind: "again" });
  } catch {
    // The map stays without them until then, or doesn't need them any more if the view has moved.
    setTimeout(() => {
      list.isAsked = false;
      needNames(seen);
    }, AGAIN);
  }
}

const isSeen = ({ zoom: [from, to] }, zoom) => zoom >= from && zoom <= to;
