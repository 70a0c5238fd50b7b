// Which files a part of the map is made of: the tiles of all its maps down to the closest, and small pictures of the
// photos of its pins that are made already.
import { map } from "../map/map.js";
import { tileSets } from "../map/tilesets.js";

// How many tiles an area has at most: of this server's own maps, and of those of a server elsewhere, which is not to be
// emptied.
export const MAXIMUM = 3000;
export const MAXIMUM_LENT = 250;

// What the map shows, in units of the world.
export function boxSeen() {
  const { min, max } = map.getPixelBounds();
  const world = 256 * 2 ** map.getZoom();
  return [min.x / world, Math.max(0, min.y / world), max.x / world, Math.min(1, max.y / world)];
}

// {tiles: [path], lent}: the coarse ones first; `lent` is how many are of a server elsewhere.
/** @param {number[]} box */
export function tilesOf(box) {
  const sets = tileSets().map((set) => ({ set, paths: pathsOf(set, box) }));
  const lent = sets.filter(({ set }) => set.isLive).reduce((sum, { paths }) => sum + paths.length, 0);
  return { tiles: sets.flatMap(({ paths }) => paths), lent };
}

function pathsOf(set, box) {
  const query = [set.version && `v=${set.version}`, set.isLive && "ahead"].filter(Boolean).join("&");
  const paths = [];
  for (let z = set.level ?? set.from; z <= (set.level ?? set.to) && paths.length <= MAXIMUM; z += 1) {
    const size = 2 ** z;
    const [west, north, east, south] = box.map((value) => Math.floor(value * size));
    for (let column = west; column <= Math.min(east, west + size - 1); column += 1) {
      const x = ((column % size) + size) % size;
      if ((x + 1) / size < set.box[0] || x / size > set.box[2]) continue;
      for (let y = north; y <= Math.min(south, size - 1) && paths.length <= MAXIMUM; y += 1) {
        if ((y + 1) / size < set.box[1] || y / size > set.box[3]) continue;
        paths.push(`${set.path}/${z}/${x}/${y}${query && `?${query}`}`);
      }
    }
  }
  return paths;
}

// Those that are not made yet would have to be fetched from their network.
export const picturesOf = (photos) => [...new Set(photos.filter(({ thumbnailUrl }) => thumbnailUrl)
  .flatMap(({ smallUrl, thumbnailUrl }) => [smallUrl ?? thumbnailUrl, thumbnailUrl]))];
