// The account's tracks, which came from files: asked for where the map is, and again where it goes.
import { lineOf } from "../ground/steps.js";
import { L } from "../map/leaflet.js";
import { map } from "../map/map.js";
import { act, read } from "../server/api.js";

const SERVICE = "pins.v1.TrackService";
// Remembered in this browser: whether there are any, so that a page asks at its start.
const KEY = "waymark.tracks";
// How far beyond the screen, as a part of it: for dragging the map.
const BESIDE = 0.5;
const REST = 200;
const AGAIN = 5000;
// As many pages as are shown at once, of 100 tracks each.
const PAGES = 5;

const listeners = new Set();
let shown = []; // [{id, name, listId, colour, lengthM, climbM, seconds, lines, areas}]
let asked; // {zoom, bounds} of what is shown; undefined before
let timer;
let isStarted = false;
let hasAny = true;

export const tracksShown = () => shown;

// Calls `listener()` when other tracks are shown.
export function onTracks(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startTracks() {
  if (isStarted) return;
  isStarted = true;
  map.on("moveend", soon);
  refreshTracks();
}

// After an import, say.
export function refreshTracks() {
  [asked, hasAny] = [undefined, true];
  soon();
}

export async function deleteTrack(id) {
  await act(`${SERVICE}/DeleteTrack`, { id });
  shown = shown.filter((track) => track.id !== id);
  tell();
}

// All that the account has, without the points that only a close look needs.
export async function allTracks(troubled) {
  return await pagesOf({ zoom: 0 }, Infinity, troubled);
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(ask, REST);
}

async function ask() {
  if (!hasAny) return;
  const [zoom, view] = [Math.ceil(map.getZoom()), map.getBounds()];
  if (asked && asked.zoom === zoom && asked.bounds.contains(view)) return;
  const wanted = { zoom, bounds: view.pad(BESIDE) };
  asked = wanted;
  try {
    const tracks = await pagesOf({ zoom, box: boxOf(wanted.bounds) }, PAGES);
    if (asked !== wanted) return;
    if (tracks.length === 0) await lookForAny();
    shown = tracks;
    tell();
  } catch {
    if (asked === wanted) asked = undefined;
    clearTimeout(timer);
    timer = setTimeout(ask, AGAIN);
  }
}

// An account without any is not asked again at each move of the map.
async function lookForAny() {
  const { tracks = [] } = await read(`${SERVICE}/ListTracks`, { zoom: 0 });
  hasAny = tracks.length > 0;
  try {
    if (hasAny) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Then it is asked a little later.
  }
}

async function pagesOf(request, most, troubled) {
  const tracks = [];
  let pageToken = "";
  for (let page = 0; page < most; page += 1) {
    const answer = await read(`${SERVICE}/ListTracks`, { ...request, pageToken }, troubled);
    tracks.push(...(answer.tracks ?? []).map(trackOf));
    pageToken = answer.nextPageToken ?? "";
    if (!pageToken) break;
  }
  return tracks;
}

function trackOf({ parts = [], duration, ...track }) {
  const lines = parts.map(({ steps = [] }) => lineOf(steps));
  const isArea = track.kind === "TRACK_KIND_AREA";
  // "5400s"
  const seconds = duration === undefined ? undefined : Number.parseFloat(duration);
  return { ...track, isArea, seconds, lines, areas: isArea ? areasOf(lines, parts) : [] };
}

// Each outline with the holes in it.
function areasOf(lines, parts) {
  const areas = [];
  lines.forEach((line, index) => {
    if (parts[index].isHole && areas.length > 0) areas.at(-1).push(line);
    else areas.push([line]);
  });
  return areas;
}

// None for what goes around the world.
function boxOf(bounds) {
  const [west, east] = [bounds.getWest(), bounds.getEast()];
  if (east - west >= 360) return undefined;
  const corner = (latitude, longitude) => ({ latitude, longitude: L.latLng(0, longitude).wrap().lng });
  return {
    southWest: corner(Math.max(-90, bounds.getSouth()), west), northEast: corner(Math.min(90, bounds.getNorth()), east),
  };
}

function tell() {
  try {
    if (shown.length > 0) localStorage.setItem(KEY, "1");
  } catch {
    // Then it is asked a little later.
  }
  for (const listener of listeners) listener();
}
