// Takes an area along: what it is made of is looked at first, and how much that is; then it comes, file by file, and
// stays until it is removed. One at a time, also while another page is open.
import { L } from "../map/leaflet.js";
import { coordinate, latLng, map } from "../map/map.js";
import { allPins } from "../pins/store.js";
import { read } from "../server/api.js";
import { boxSeen, MAXIMUM, MAXIMUM_LENT, picturesOf, tilesOf } from "./areafiles.js";
import { onWipe } from "../offline/kept.js";
import { removeArea, saveAnswer, saveArea, storeOf } from "./takenareas.js";

// How many pins and photos an area has at most, and bytes; and of how many places each pin has the photos of each.
const PINS = 200;
const PLACES = 30;
const PHOTOS = 1000;
const BYTES = 300e6;
const AT_ONCE = 3;
// How many of each kind are looked at to say how much all are.
const SOME = 3;
// After how many files in a row that did not come the server is taken for away, and after how many it is noted how far
// this is.
const FAILURES = 3;
const NOTED = 50;

const listeners = new Set();
/** @type {{area: any, all: number, done: number, isWiped: boolean, stop: () => void} | undefined} */
let work;

// Nothing stays of who has logged out.
onWipe(() => {
  if (!work) return;
  work.isWiped = true;
  work.stop();
});

export const onTaking = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
// {area, all, done, stop} of what is under way.
export const taking = () => work;
// How those ended that this page took: a browser without room may not have kept it.
const ended = new Map();
export const asEnded = (area) => ended.get(area.id) ?? area;

const tell = () => listeners.forEach((listener) => listener());

// {area, tiles, pins, pictures, byteCount} of what the map shows, or {isTooLarge} or {lent}: why it can't be.
export async function lookAtArea(signal) {
  const bounds = map.getBounds();
  return lookAt({
    id: crypto.getRandomValues(new Uint32Array(2)).join("-"), box: boxSeen(), zoom: map.getZoom(), time: Date.now(),
    middle: coordinate(map.getCenter()), byteCount: 0, missing: 0,
    edges: [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()],
  }, signal);
}

async function lookAt(area, signal) {
  const { tiles, lent } = tilesOf(area.box);
  if (lent > MAXIMUM_LENT) return { lent: MAXIMUM_LENT };
  if (tiles.length > MAXIMUM) return { isTooLarge: true };
  const { name } = await read("places.v1.PlacesService/ReverseGeocode", { position: area.middle }, undefined, signal);
  const [south, west, north, east] = area.edges;
  const bounds = L.latLngBounds([south, west], [north, east]);
  const isThere = ({ position, generation }) => generation > 0 && [0, 360, -360].some((turn) => {
    const { lat, lng } = latLng(position);
    return bounds.contains([lat, lng + turn]);
  });
  const pins = [];
  for (const pin of allPins().filter((each) => !each.isNew && isThere(each)).slice(0, PINS)) {
    pins.push(await contentsOf(pin, signal));
  }
  const pictures = picturesOf(pins.flatMap(({ photos }) => photos)).slice(0, 2 * PHOTOS);
  const byteCount = await sizeOf(tiles, signal) + await sizeOf(pictures, signal);
  return { area: { ...area, name: name || area.middle.latitude.toFixed(3) }, tiles, pins, pictures, byteCount };
}

// As its pages ask for it: {pin, places, albums, photos}; albums are [subject, answer].
async function contentsOf(pin, signal) {
  const request = { id: pin.id, pageSize: 1000 };
  const { places = [] } = await read("pins.v1.PinService/ListPinPlaces", request, undefined, signal);
  const pictured = places.filter(({ photoCount = 0 }) => photoCount > 0).slice(0, PLACES);
  const albums = [];
  for (const subject of [`pin/${pin.id}`, ...pictured.map(({ id }) => `place/${id}`)]) {
    // Not by OpenAlbum, which begins to fill one: what is there is taken along.
    const answer = await read("photos.v1.PhotoService/GetAlbum", { subject }, undefined, signal).catch(() => ({}));
    if (answer.album) albums.push([subject, answer]);
  }
  return { pin, places, albums, photos: albums.flatMap(([, { photos = [] }]) => photos) };
}

// Of some, the closest tiles among them, as most are like these.
async function sizeOf(paths, signal) {
  if (paths.length === 0) return 0;
  const some = Array.from({ length: Math.min(SOME, paths.length) }, (_, index) =>
    paths[paths.length - 1 - Math.floor((index * paths.length) / (2 * SOME))]);
  const sizes = await Promise.all(some.map(async (path) => {
    const response = await fetch(path, { signal });
    return response.ok ? (await response.arrayBuffer()).byteLength : 0;
  }));
  return (paths.length * sizes.reduce((sum, size) => sum + size, 0)) / sizes.length;
}

// Resolves when it is over; how it ended is in the area: `missing` and `why`, "stopped", "full", "away" or "large".
/** @param {any} found */
export async function takeAlong({ area, tiles, pins, pictures }) {
  const files = [...tiles, ...pictures];
  const stopping = new AbortController();
  const own = {
    area: { ...area, missing: files.length, why: "stopped" }, all: files.length, done: 0, isWiped: false,
    stop: () => stopping.abort(),
  };
  work = own;
  let failures = 0;
  let isAway = false;
  const end = (why) => {
    own.area.why = why;
    stopping.abort();
  };

  async function next(path) {
    try {
      const response = await fetch(path, { headers: { "waymark-take": storeOf(area) }, signal: stopping.signal });
      failures = 0;
      if (response.status === 507) return end("full");
      if (!response.ok) return;
      own.area.byteCount += (await response.arrayBuffer()).byteLength;
      own.area.missing -= 1;
      if (own.area.byteCount > BYTES) end("large");
    } catch {
      failures += 1;
      isAway = true;
      if (failures >= FAILURES && !stopping.signal.aborted) end("away");
    }
  }

  async function some() {
    while (own.done < files.length && !stopping.signal.aborted) {
      const path = files[own.done];
      own.done += 1;
      await next(path);
      if (own.done % NOTED === 0) await saveArea(own.area).catch(() => {});
      tell();
    }
  }

  tell();
  try {
    // The browser asks no one, or nothing; what it answers changes nothing here.
    navigator.storage?.persist?.().catch(() => {});
    await saveArea(own.area);
    for (const { pin, places, albums } of pins) {
      // Nothing is written after a log-out has removed what was kept.
      if (stopping.signal.aborted) break;
      own.area.byteCount += await saveAnswer(area, "pins.v1.PinService/WatchPin", { id: pin.id }, { pin, places });
      for (const [subject, answer] of albums) {
        own.area.byteCount += await saveAnswer(area, "photos.v1.PhotoService/OpenAlbum", { subject }, answer);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, some));
  } catch {
    end("full");
  }
  if (own.done >= files.length && !stopping.signal.aborted) own.area.why = isAway ? "away" : undefined;
  await (own.isWiped ? removeArea(own.area) : saveArea(own.area)).catch(() => {});
  work = undefined;
  ended.set(area.id, own.area);
  tell();
  return own.area;
}

// What is missing of an area: what is there is not fetched again.
export async function takeRest(area, signal) {
  const found = await lookAt({ ...area, byteCount: 0 }, signal);
  return found.area ? takeAlong({ ...found, area: { ...found.area, name: area.name } }) : area;
}
