// The vector tiles that there are, and what a view shows of them. The page fetches them, and says which.
import { meet, surrounds } from "./shapes.js";
import { keyOf, levelOf } from "./tilekeys.js";
import { drawVectorTile } from "./vectordraw.js";
import { drawWorld } from "./world.js";
import { readTile } from "./vectortile.js";

const tiles = new Map(); // "set/z/x/y" → {set, z, x, y, content}; content is null where the map has nothing.
const coming = new Map(); // Those that are read: the last one of each key counts.
let lost = new Set(); // Keys of tiles of servers elsewhere that could not be fetched.
let sets = []; // From below.
let seen; // The box that the view showed last, in units of the world.

export function useSets(next) {
  sets = next;
}

export function lookAt(box) {
  seen = box;
}

export const seenBox = () => seen;

export function useLost(keys) {
  lost = new Set(keys);
}

// What is damaged will be so again: it counts as one with nothing on it. Resolves to whether it is still wanted.
export async function takeTile(tile, bytes) {
  coming.set(tile.key, tile);
  const content = bytes.length > 0 ? await readTile(bytes, tile).catch(nothingOf) : null;
  if (coming.get(tile.key) !== tile) return false;
  coming.delete(tile.key);
  tiles.set(tile.key, { ...tile, content });
  return true;
}

function nothingOf(error) {
  if (!(error instanceof RangeError)) throw error;
  return null;
}

export function forgetTiles(keys) {
  for (const key of keys) for (const kept of [tiles, coming]) kept.delete(key);
}

export function drawTiles(pen, view, colour) {
  for (const set of sets) {
    if (set.isDetail || view.zoom < set.from || !meet(set.box, view.box)) continue;
    const tile = tileAt(set, view);
    if (!tile && !isLost(set, view)) hide(pen, view, set, colour);
    if (set.isWorld) drawWorld(pen, view, tile, colour);
    else if (tile?.content) drawVectorTile(pen, view, tile, colour);
  }
}

// What of the tiles has a name: {layers, isWorld, isThere, has}: of a point in units of the world `isThere(x, y)` says
// whether the tile has data there, and `has(x, y)` whether it is the one that is seen. Those of the sets above come
// first: of the same name in two it is theirs that is written.
export function namedTiles(zoom) {
  const order = new Map(sets.map(({ path }, index) => [path, index]));
  const found = [...tiles.values()]
    .filter(({ set, z, content }) => content && zoom >= set.from && z === levelOf(set, zoom) && order.has(set.path))
    .sort((a, b) => order.get(b.set.path) - order.get(a.set.path));
  const covers = found.map(coverOf);
  return found.map(({ set, content }, index) => {
    const above = covers.filter((_, other) => order.get(found[other].set.path) > order.get(set.path));
    const isThere = covers[index];
    return {
      layers: content.named, isWorld: set.isWorld === true, isThere,
      has: (x, y) => isThere(x, y) && !above.some((other) => other(x, y)),
    };
  });
}

// The loaded tile of a set that a view lies in: its own, or a coarser one that stands in for it.
function tileAt(set, { zoom, left, top, size }) {
  const [x, y] = [left / size, top / size];
  for (let z = levelOf(set, zoom); z >= set.from; z -= 1) {
    const tile = tiles.get(keyOf(set, z, x >> (zoom - z), y >> (zoom - z)));
    if (tile) return tile;
  }
  return undefined;
}

function isLost(set, { zoom, left, top, size }) {
  const z = levelOf(set, zoom);
  return lost.has(keyOf(set, z, (left / size) >> (zoom - z), (top / size) >> (zoom - z)));
}

// Whether a tile is seen at a point, in units of the world: within its edge, and where it has data.
function coverOf({ set, z, x: column, y: row, content }) {
  const covered = content.groups.get("coverage ");
  return (x, y) => {
    const [right, down] = [x * 2 ** z - column, y * 2 ** z - row];
    if (right < 0 || down < 0 || right >= 1 || down >= 1) return false;
    if (!covered) return set.isForeign === true;
    return covered.parts.some(({ points, box }) => {
      const [across, along] = [right * covered.extent, down * covered.extent];
      return meet(box, [across, along, across, along]) && surrounds(points, across, along);
    });
  };
}

// Where a set has not said yet what is there, what lies below it is too coarse to stand for it: a bay of the world's
// lines may be a town.
function hide(pen, { world, left, top, size }, { box }, colour) {
  const inView = (value, start) => Math.max(0, Math.min(size, value * world - start));
  const [west, north, east, south] = box.map((value, side) => inView(value, side % 2 === 0 ? left : top));
  pen.fillStyle = colour.unknown;
  pen.fillRect(west, north, east - west, south - north);
}
