// The photos that a mark of several stands for: all of them when it is opened. The server says which one is its cover;
// of a mark where that one has no picture, some others are looked at when the mark is seen.
import { LIMITS } from "../ground/limits.js";
import { bestFirst } from "../photos/best.js";
import { hasPicture } from "../photos/picture.js";
import { read } from "../server/api.js";
import { latLng } from "../map/map.js";

// How many are looked at for the one that stands on the mark, and how many marks are asked for at the same time.
const [FEW, AT_ONCE] = [12, 4];
const KEPT = 400;
const [, FAR] = LIMITS.PhotosNearRequest.radiusM;
const [, MANY] = LIMITS.PhotosNearRequest.limit;
const covers = new Map();
/** @type {{key: string, run: () => Promise<void>}[]} */
const waiting = [];
let asking = 0;

// A photo with a picture, or undefined; resolves when it was asked for.
export function coverOf(key, cluster) {
  if (!covers.has(key)) {
    if (covers.size >= KEPT) covers.clear();
    const { promise, resolve } = Promise.withResolvers();
    covers.set(key, promise);
    const choose = (photos) => resolve(bestFirst(photos).find(hasPicture));
    waiting.push({ key, run: () => find(cluster, FEW).then(choose, () => {
      covers.delete(key);
      resolve(undefined);
    }) });
    next();
  }
  return covers.get(key);
}

// Those that are not wanted any more are not asked for.
export function forgetCovers() {
  for (const { key } of waiting.splice(0)) covers.delete(key);
}

async function next() {
  if (asking >= AT_ONCE || waiting.length === 0) return;
  asking += 1;
  await waiting.shift().run();
  asking -= 1;
  next();
}

// As many as one answer has, those in its middle first.
export const photosOf = (cluster) => find(cluster, MANY);

async function find({ position, box }, limit) {
  const [south, north] = [box?.southWest ?? position, box?.northEast ?? position];
  const reach = Math.max(...[south, north].map((corner) => latLng(position).distanceTo(latLng(corner))));
  const radiusM = Math.min(FAR, Math.ceil(reach) + 2);
  const { photos = [] } = await read("photos.v1.PhotoService/PhotosNear", { centre: position, radiusM, limit });
  const isInside = ({ position: { latitude = 0, longitude = 0 } }) =>
    latitude >= (south.latitude ?? 0) && latitude <= (north.latitude ?? 0)
      && longitude >= (south.longitude ?? 0) && longitude <= (north.longitude ?? 0);
  return box ? photos.filter(isInside) : photos;
}
