// Fetches the vector tiles that a view needs, and gives them to what draws them.
import { give, onNewPainter, tell } from "./painting.js";
import { meet } from "../paint/shapes.js";
import { keyOf, levelOf } from "../paint/tilekeys.js";

// After how many milliseconds a tile that couldn't be fetched is retried. One of a server elsewhere, which may be away
// for long, twice as late each time, up to a minute.
const AGAIN = 3000;
const LATEST = 60000;
// In how many milliseconds one is asked for again that is old, as its server did not answer.
const RENEW = 300000;
// Tiles that are kept.
const MAXIMUM = 160;
// Tiles that are fetched at the same time.
const AT_ONCE = 6;

// `sets` gives those that there are, from below; `changed()` is called when tiles have come, or were lost.
export function tileLoads(sets, changed) {
  const tiles = new Map(); // "set/z/x/y" → {set, z, x, y, isThere, since}, those that were needed last at the end.
  const lost = new Map(); // How often those of servers elsewhere could not be fetched.
  let wanted = [];
  let seen = []; // What the view needed last: [box, zoom].
  let loading = 0;
  onNewPainter(forget);

  function need(box, zoom) {
    seen = [box, zoom];
    tell({ kind: "view", box });
    const needed = sets().flatMap((set) => tilesIn(set, box, zoom));
    wanted = needed.filter(({ key }) => !tiles.has(key));
    for (const { key } of needed) use(key);
    fetchMore();
  }

  function use(key) {
    const tile = tiles.get(key);
    if (tile && tiles.delete(key)) tiles.set(key, tile);
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
      if (lost.delete(tile.key)) tellLost();
      forgetOld();
    } catch {
      setTimeout(() => {
        if (tiles.get(tile.key) === tile) tiles.delete(tile.key);
        if (!sets().some(({ path }) => path === set.path)) return;
        wanted.push(tile);
        fetchMore();
      }, set.isLive ? lose(tile.key) : AGAIN);
    }
    loading -= 1;
    fetchMore();
  }

  async function fill(tile) {
    const { set, z, x, y, key } = tile;
    const response = await fetch(`${set.path}/${z}/${x}/${y}${set.version ? `?v=${set.version}` : ""}`);
    if (!response.ok) throw new Error(response.statusText);
    const bytes = await response.arrayBuffer();
    if (tiles.get(key) !== tile) return;
    tile.isThere = true;
    tile.since = Number(response.headers.get("waymark-old-since") ?? 0);
    give({ kind: "tile", tile: { set, z, x, y, key }, bytes }, [bytes]);
    if (tile.since) setTimeout(renew, RENEW, tile);
    changed();
  }

  async function renew(tile) {
    if (tiles.get(tile.key) === tile) await fill(tile).catch(() => setTimeout(renew, RENEW, tile));
  }

  // In how many milliseconds it is tried again. What lies below it is seen meanwhile.
  function lose(key) {
    const count = lost.get(key) ?? 0;
    lost.set(key, count + 1);
    tellLost();
    return Math.min(LATEST, AGAIN * 2 ** count);
  }

  function tellLost() {
    tell({ kind: "lost", keys: [...lost.keys()] });
    changed();
  }

  function forgetOld() {
    for (const [key, { isThere }] of tiles) {
      if (tiles.size <= MAXIMUM) return;
      if (isThere && tiles.delete(key)) give({ kind: "gone", keys: [key] });
    }
  }

  // Reads all tiles with names again: they are in another language; or all, of a painter that has none.
  function forget(isMeant = (_set) => true) {
    const keys = [...tiles].filter(([, { set }]) => isMeant(set)).map(([key]) => key);
    for (const key of keys) tiles.delete(key);
    give({ kind: "gone", keys });
    if (seen.length > 0) need(...seen);
  }

  return {
    need,
    forgetNames: () => forget(({ isWorld }) => !isWorld),
    // Since when the oldest tile of the view has not been asked for, in seconds since 1970; 0 when none is old.
    oldSince() {
      const live = seen.length > 0 ? sets().filter(({ isLive }) => isLive) : [];
      const old = live.flatMap((set) => tilesIn(set, seen[0], seen[1]))
        .map(({ key }) => tiles.get(key)?.since).filter(Boolean);
      return old.length > 0 ? Math.min(...old) : 0;
    },
  };
}

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
