// What the server has in the part of the map that is seen, and around it, in few marks.
import { LIMITS } from "../ground/limits.js";
import { L } from "./leaflet.js";
import { read } from "../server/api.js";
import { map } from "./map.js";

// How far beyond the screen, as a part of it: for dragging the map.
const BESIDE = 0.5;
// In how many milliseconds the map must have rested, or changed, before it is asked.
const REST = 120;
// After how many milliseconds a part that failed is asked for again.
const AGAIN = 3000;
// As many as the server gives at most of each kind.
const [, MAXIMUM] = LIMITS.ViewportRequest.max;
const WORLD = 256;

// Calls `take(answer)` with the clusters of `branches()`, and again when the map has moved. None: nothing is asked.
export function viewport(branches, take) {
  let timer;
  let asking;
  let last = "";

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(ask, REST);
  }

  function later() {
    last = "";
    clearTimeout(timer);
    timer = setTimeout(ask, AGAIN);
  }

  // Again, also when the map has not moved.
  function again() {
    last = "";
    soon();
  }

  async function ask() {
    const wanted = branches();
    if (wanted.length === 0) return;
    const request = { box: seen(), zoom: Math.floor(map.getZoom()), max: MAXIMUM, branches: wanted };
    const key = JSON.stringify(request);
    if (key === last) return;
    last = key;
    asking?.abort();
    const own = new AbortController();
    asking = own;
    try {
      const answer = await read("gateway.v1.ExploreService/Viewport", request, undefined, own.signal);
      if (own.signal.aborted) return;
      take(answer);
      if (answer.branches?.some(({ code }) => code)) later();
    } catch {
      if (!own.signal.aborted) later();
    }
  }

  map.on("moveend", soon);
  again();
  return {
    again,
    close() {
      map.off("moveend", soon);
      clearTimeout(timer);
      asking?.abort();
    },
  };
}

// In steps of a part of a tile, so that a small move asks for the same.
function seen() {
  const { min, max } = map.getPixelBounds();
  const size = max.subtract(min);
  const step = WORLD / 2;
  const [low, high] = [min.subtract(size.multiplyBy(BESIDE)), max.add(size.multiplyBy(BESIDE))].map((point, side) => {
    const round = side === 0 ? Math.floor : Math.ceil;
    return L.point(round(point.x / step) * step, round(point.y / step) * step);
  });
  const world = WORLD * 2 ** map.getZoom();
  const [west, east] = high.x - low.x >= world ? [-180, 180] : [low, high].map(({ x }) => wrapped(x / world));
  const [north, south] = [low, high].map(({ y }) => latitude(Math.min(world, Math.max(0, y)) / world));
  return { southWest: { latitude: south, longitude: west }, northEast: { latitude: north, longitude: east } };
}

const wrapped = (turns) => (turns - Math.floor(turns)) * 360 - 180;

// The map's own edge is not the pole.
const latitude = (y) => (y === 0 ? 90 : y === 1 ? -90 : (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI);
