// Draws maps from vector tiles: which tiles a view needs, and where they are kept.
import { meet, surrounds } from "./shapes.js";
import { breathe } from "./breath.js";
import { drawVectorTile } from "./vectordraw.js";
import { drawWorld } from "./world.js";
import { readTile } from "./vectortile.js";

// After how many milliseconds a tile that couldn't be fetched is retried, and in how many several are drawn at once.
// One of a server elsewhere, which may be away for long, twice as late each time, up to a minute.
const AGAIN = 3000;
const LATEST = 60000;
// In how many milliseconds one is asked for again that is old, as its server did not answer.
const RENEW = 300000;
const TOGETHER = 100;
// Tiles that are kept.
const MAXIMUM = 160;
// Tiles that are fetched at the same time.
const AT_ONCE = 6;

// `sets` gives those that there are, from below.
export function vectorMap(sets, changed) {
  const tiles = new Map(); // "set/z/x/y" → {set, z, x, y, content, since}; content is null where the map has nothing.
  const lost = new Map(); // How often those of servers elsewhere could not be fetched.
  let wanted = [];
  let seen = []; // What the view needed last: [box, zoom].
  let loading = 0;
  let news;

  function need(box, zoom) {
    seen = [box, zoom];
    wanted = sets().flatMap((set) => tilesIn(set, box, zoom)).filter(({ key }) => !tiles.has(key));
    fetchMore();
  }

  function fetchMore() {
    while (loading < AT_ONCE && wanted.length > 0) load(wanted.shift());
  }

  async function load(tile) {
    if (tiles.has(tile.key)) return;
    loading += 1;
    tiles.set(tile.key, tile);
    const { set } = tile;
    try {
      await fill(tile);
      lost.delete(tile.key);
      forgetOld();
      news ??= setTimeout(tell, TOGETHER);
    } catch {
      setTimeout(() => {
        tiles.delete(tile.key);
        if (!sets().some(({ path }) => path === set.path)) return;
        wanted.push(tile);
        fetchMore();
      }, set.isLive ? lose(tile.key) : AGAIN);
    }
    loading -= 1;
    fetchMore();
  }

  async function fill(tile) {
    const { set, z, x, y } = tile;
    const response = await fetch(`${set.path}/${z}/${x}/${y}${set.version ? `?v=${set.version}` : ""}`);
    if (!response.ok) throw new Error(response.statusText);
    const bytes = new Uint8Array(await response.arrayBuffer());
    await breathe();
    tile.content = bytes.length > 0 ? await readTile(bytes, tile).catch(nothingOf) : null;
    tile.since = Number(response.headers.get("waymark-old-since") ?? 0);
    if (tile.since) setTimeout(renew, RENEW, tile);
  }

  async function renew(tile) {
    if (tiles.get(tile.key) !== tile) return;
    await fill(tile).catch(() => setTimeout(renew, RENEW, tile));
    news ??= setTimeout(tell, TOGETHER);
  }

  // In how many milliseconds it is tried again. What lies below it is seen meanwhile.
  function lose(key) {
    const count = lost.get(key) ?? 0;
    lost.set(key, count + 1);
    news ??= setTimeout(tell, TOGETHER);
    return Math.min(LATEST, AGAIN * 2 ** count);
  }

  function tell() {
    news = undefined;
    changed();
  }

  // Those that were used last stay.
  function forgetOld() {
    for (const [key, { content }] of tiles) {
      if (tiles.size <= MAXIMUM) return;
      if (content !== undefined) tiles.delete(key);
    }
  }

  function use(key) {
    const tile = tiles.get(key);
    if (tile?.content === undefined) return undefined;
    tiles.delete(key);
    tiles.set(key, tile);
    return tile;
  }

  // The loaded tile of a set that a view lies in: its own, or a coarser one that stands in for it.
  function tileAt(set, { zoom, left, top, size }) {
    const [x, y] = [left / size, top / size];
    for (let z = levelOf(set, zoom); z >= set.from; z -= 1) {
      const tile = use(keyOf(set, z, x >> (zoom - z), y >> (zoom - z)));
      if (tile) return tile;
    }
    return undefined;
  }

  function isLost(set, { zoom, left, top, size }) {
    const z = levelOf(set, zoom);
    return lost.has(keyOf(set, z, (left / size) >> (zoom - z), (top / size) >> (zoom - z)));
  }

  return {
    need,
    // Reads all tiles with names again: they are in another language.
    forget() {
      for (const [key, { set }] of tiles) if (!set.isWorld) tiles.delete(key);
      need(...seen);
    },
    // Since when the oldest tile of the view has not been asked for, in seconds since 1970; 0 when none is old.
    oldSince() {
      const live = seen.length > 0 ? sets().filter(({ isLive }) => isLive) : [];
      const old = live.flatMap((set) => tilesIn(set, seen[0], seen[1]))
        .map(({ key }) => tiles.get(key)?.since).filter(Boolean);
      return old.length > 0 ? Math.min(...old) : 0;
    },
    draw(pen, view, colour) {
      for (const set of sets()) {
        if (set.isDetail || view.zoom < set.from || !meet(set.box, view.box)) continue;
        const tile = tileAt(set, view);
        if (!tile && !isLost(set, view)) hide(pen, view, set, colour);
        if (set.isWorld) drawWorld(pen, view, tile, colour);
        else if (tile?.content) drawVectorTile(pen, view, tile, colour);
      }
    },
    // {layers, isWorld, isThere, has}: of a point in units of the world `isThere(x, y)` says whether the tile has data
    // there, and `has(x, y)` whether it is the one that is seen. Those of the sets above come first: of the same name
    // in two it is theirs that is written.
    named(zoom) {
      const order = new Map(sets().map(({ path }, index) => [path, index]));
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
    },
  };
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

// A tile that is damaged will be so again: it counts as one with nothing on it.
function nothingOf(error) {
  if (!(error instanceof RangeError)) throw error;
  return null;
}

// Where a set has not said yet what is there, what lies below it is too coarse to stand for it: a bay of the world's
// lines may be a town.
function hide(pen, { world, left, top, size }, { box }, colour) {
  const inView = (value, start) => Math.max(0, Math.min(size, value * world - start));
  const [west, north, east, south] = box.map((value, side) => inView(value, side % 2 === 0 ? left : top));
  pen.fillStyle = colour.unknown;
  pen.fillRect(west, north, east - west, south - north);
}

const keyOf = (set, z, x, y) => `${set.path}/${z}/${x}/${y}`;

// The zoom level of the tiles that are drawn: some sets have tiles that are wider than usual.
const levelOf = ({ from, to, level, pixels = 256 }, zoom) =>
  level ?? Math.max(from, Math.min(to, zoom - Math.log2(pixels / 256)));

// The tiles of a set that a view shows, those in its middle first. A view over the antimeridian goes on at the other
// end of the world.
const tilesIn = (set, [left, top, right, bottom], zoom) =>
  [0, -1, 1].flatMap((turn) => tilesOnPlane(set, [left + turn, top, right + turn, bottom], zoom));

function tilesOnPlane(set, box, zoom) {
  if (zoom < set.from || !meet(set.box, box)) return [];
  const z = levelOf(set, zoom);
  const size = 2 ** z;
  const place = (value) => Math.min(size - 1, Math.max(0, Math.floor(value * size)));
  const [left, top, right, bottom] = box.map((value, side) =>
    place(side < 2 ? Math.max(value, set.box[side]) : Math.min(value, set.box[side])));
  const found = [];
  for (let x = left; x <= right; x += 1) {
    for (let y = top; y <= bottom; y += 1) found.push({ set, z, x, y, key: keyOf(set, z, x, y) });
  }
  const [middle, centre] = [0, 1].map((axis) => ((box[axis] + box[axis + 2]) / 2) * size);
  const far = ({ x, y }) => Math.hypot(x + 0.5 - middle, y + 0.5 - centre);
  return found.sort((a, b) => far(a) - far(b));
}
