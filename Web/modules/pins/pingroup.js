// Marks of many pins: those close to each other are one mark with their number. Which ones are together depends on the
// zoom and the pins alone, so that nothing changes while the map is moved. In the page are only the marks that are
// seen, and some beside; they are made a few in each frame. Those in the middle come first, the others all at once, and
// what they replace goes then.
import { L } from "../map/leaflet.js";
import { map } from "../map/map.js";

// How close pins are that are together, in pixels; and from which zoom on each is alone.
const NEAR = 46;
export const APART = 17;
// How far beyond the screen marks are drawn, as a part of it; and how often while it is dragged, in milliseconds.
const BESIDE = 0.3;
const OFTEN = 200;
// Milliseconds of a frame that drawing may take.
const SLICE = 4;
const WORLD = 256;
// Cells of a row of the closest zoom.
const ROW = 2 ** 24;

// `clusterMark(pins)` gives the layer for several markers, with `renew()` for when they have changed;
// `drawn()` is called when marks came or went; `pane` is that of the marks (markpane.js).
export function pinGroup(clusterMark, drawn, pane) {
  const members = new Set();
  const layer = L.layerGroup();
  /** @type {Map<number, {pins: any[], x: number, y: number}[]>} */
  const byZoom = new Map(); // Groups, in units of the world.
  const shown = new Map(); // The first marker of a group → {layer, pins, x, y}
  let waiting = []; // Groups that are to be drawn.
  let leaving = []; // Layers that go when they are.
  let isSpread = false;
  let soon;
  let frame;

  const group = {
    add(marker) {
      if (members.has(marker)) return;
      members.add(marker);
      marker.on("move dragend", moved);
      changed();
    },
    remove(marker) {
      if (!members.delete(marker)) return;
      marker.off("move dragend", moved);
      changed();
    },
    // Each is alone at every zoom.
    spread() {
      isSpread = true;
      changed();
    },
    // Of markers whose looks have changed.
    refresh(some) {
      const touched = new Set(some);
      for (const { layer: mark, pins } of shown.values()) {
        if (pins.length > 1 && pins.some((marker) => touched.has(marker))) mark.renew();
      }
    },
    // The first zoom from this one on at which a marker is in no cluster.
    aloneFrom(marker, zoom) {
      while (zoom < APART && !groupsAt(zoom).some(({ pins }) => pins.length === 1 && pins[0] === marker)) zoom += 1;
      return zoom;
    },
    // At once, so that what was changed is on the map.
    draw,
  };

  layer.addTo(map);
  map.on("moveend", draw);
  map.on("move", L.Util.throttle(() => Number.isInteger(map.getZoom()) && draw(), OFTEN));
  return group;

  function moved({ type, target }) {
    if (type === "dragend" || !target.dragging?._draggable?._moving) changed();
  }

  // Many may change in one turn.
  function changed() {
    byZoom.clear();
    soon ??= requestAnimationFrame(draw);
  }

  function groupsAt(zoom) {
    if (!byZoom.has(zoom)) byZoom.set(zoom, gather(members, zoom, isSpread || zoom >= APART));
    return byZoom.get(zoom);
  }

  function draw() {
    cancelAnimationFrame(soon);
    soon = undefined;
    const groups = groupsAt(Math.round(map.getZoom()));
    const wanted = new Map(inView(groups).map((each) => [each.pins[0], each]));
    leaving = leaving.filter((mark) => layer.hasLayer(mark));
    for (const [first, was] of shown) {
      if (isSame(was, wanted.get(first))) wanted.delete(first);
      else if (shown.delete(first)) leaving.push(was.layer);
    }
    waiting = [...wanted.values()];
    work();
  }

  function work() {
    cancelAnimationFrame(frame);
    const end = performance.now() + SLICE;
    let count = 0;
    while (waiting.length > 0 && (count === 0 || performance.now() < end)) {
      put(waiting.shift());
      count += 1;
    }
    if (waiting.length > 0) {
      pane.hold();
      frame = requestAnimationFrame(work);
      return;
    }
    pane.release();
    if (count + leaving.length === 0) return;
    leave();
    drawn();
  }

  function put({ pins, x, y }) {
    const [first] = pins;
    const mark = pins.length === 1 ? first : clusterMark(pins, map.unproject(L.point(x * WORLD, y * WORLD), 0));
    shown.set(first, { layer: mark, pins, x, y });
    layer.addLayer(mark);
  }

  // The focus stays on the map: on what has taken its place.
  function leave() {
    const kept = new Set([...shown.values()].map(({ layer: mark }) => mark));
    const gone = leaving.filter((mark) => !kept.has(mark));
    leaving = [];
    const focused = gone.find((mark) => mark.getElement()?.contains(document.activeElement));
    for (const mark of gone) layer.removeLayer(mark);
    if (focused) nearest(focused.getLatLng())?.getElement()?.focus({ preventScroll: true });
  }

  function nearest(point) {
    const far = (mark) => map.latLngToLayerPoint(mark.getLatLng()).distanceTo(map.latLngToLayerPoint(point));
    return [...shown.values()].map(({ layer: mark }) => mark).sort((one, other) => far(one) - far(other))[0];
  }
}

// Each marker joins the first group within reach, or else begins one; the group's point is the middle of its members.
function gather(members, zoom, isApart) {
  const size = WORLD * 2 ** zoom / NEAR; // Of the world, in cells.
  const cells = new Map();
  const groups = [];
  for (const marker of members) {
    const { x, y } = unitsOf(marker);
    const [column, row] = [Math.floor(x * size), Math.floor(y * size)];
    const group = isApart ? undefined : nearGroup(cells, x * size, y * size, column, row);
    if (group) {
      group.pins.push(marker);
      group.x += (x - group.x) / group.pins.length;
      group.y += (y - group.y) / group.pins.length;
      continue;
    }
    const own = { pins: [marker], x, y, at: [x * size, y * size] };
    groups.push(own);
    if (isApart) continue;
    const key = row * ROW + column;
    if (cells.has(key)) cells.get(key).push(own);
    else cells.set(key, [own]);
  }
  return groups;
}

function nearGroup(cells, x, y, column, row) {
  let found;
  let least = 1;
  for (let down = row - 1; down <= row + 1; down += 1) {
    for (let right = column - 1; right <= column + 1; right += 1) {
      for (const group of cells.get(down * ROW + right) ?? []) {
        const far = (group.at[0] - x) ** 2 + (group.at[1] - y) ** 2;
        if (far < least) [found, least] = [group, far];
      }
    }
  }
  return found;
}

// Where a marker is in units of the world; computed once for each place that it has.
function unitsOf(marker) {
  const point = marker.getLatLng();
  if (marker.unitsAt !== point) {
    const { x, y } = map.project(point, 0);
    marker.units = { x: x / WORLD, y: y / WORLD };
    marker.unitsAt = point;
  }
  return marker.units;
}

// Those in the middle first.
function inView(groups) {
  const { min, max } = map.getPixelBounds();
  const size = WORLD * 2 ** map.getZoom();
  const [wide, high] = [(max.x - min.x) * BESIDE, (max.y - min.y) * BESIDE];
  const [left, top, right, bottom] = [min.x - wide, min.y - high, max.x + wide, max.y + high]
    .map((each) => each / size);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const far = (group) => (group.x - x) ** 2 + (group.y - y) ** 2;
  return groups.filter((group) => group.x > left && group.x < right && group.y > top && group.y < bottom)
    .sort((one, other) => far(one) - far(other));
}

// The same markers at the same point; one alone moves itself.
const isSame = ({ pins, x, y }, other) =>
  other !== undefined && pins.length === other.pins.length && (pins.length === 1 || (x === other.x && y === other.y))
  && pins.every((each, index) => each === other.pins[index]);
