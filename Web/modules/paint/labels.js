// Names on the base map. Their positions are decided once for a whole zoom level, the important ones first, and not
// tile by tile: so a name that crosses the edge of a tile fits together, and none covers another.
import { meet } from "./shapes.js";
import { placeAreas, placeFirstMarks, placeNumbers, placeOtherMarks } from "./marknames.js";
import { placeArrows, placeShields, placeStreets } from "./streetnames.js";
import { placeCountries, placePlaces, placeTowns } from "./townnames.js";
import { Taken } from "./taken.js";
import { namedTiles, seenBox } from "./drawntiles.js";
import { writeLabel } from "./labelpen.js";

// From this zoom on tiles have much more than is seen: what is around the view is placed alone.
const AROUND_FROM = 16;
const byZoom = new Map(); // Zoom → {labels, within}
let kept = { zoom: undefined, boxes: [] };

// Blocks of houses and their like have no names like those of parks.
const BUILT = new Set(["residential", "industrial", "campus", "parking", "airfield"]);
const isGreen = (area) => !BUILT.has(area.class);

export const forgetLabels = () => byZoom.clear();

// Whether all have been decided once more, and what is drawn already is to be drawn again.
export function drawLabels(pen, view, colour) {
  const isNew = !isPlaced(view.zoom);
  const isAnother = isNew && byZoom.has(view.zoom);
  if (isNew) byZoom.set(view.zoom, place(pen, view.zoom, view.world));
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  const covers = kept.zoom === view.zoom ? nearBoxes(view) : [];
  for (const label of byZoom.get(view.zoom).labels) {
    const reach = label.width / 2 + 34;
    const x = label.x - view.left;
    const y = label.y - view.top;
    const isSeen = x > -reach && y > -reach && x < view.size + reach && y < view.size + reach;
    if (isSeen && !covers.some((box) => meet(box, boxOf(label)))) writeLabel(pen, label, x, y, colour);
  }
  return isAnother;
}

// What stands on the map, as boxes in pixels of the zoom's world: no name is written below it. Returns what has
// changed.
export function keepClear(zoom, boxes) {
  const before = kept;
  kept = { zoom, boxes };
  if (before.zoom !== zoom) return boxes;
  const key = (box) => box.map(Math.round).join();
  const [old, now] = [before.boxes, boxes].map((list) => new Set(list.map(key)));
  return [...before.boxes.filter((box) => !now.has(key(box))), ...boxes.filter((box) => !old.has(key(box)))];
}

export const keptClear = () => kept.boxes;

// The longest name reaches so far from its middle, in pixels.
export const REACH = 110;

function nearBoxes({ left, top, size }) {
  const around = [left - 2 * REACH, top - 2 * REACH, left + size + 2 * REACH, top + size + 2 * REACH];
  return kept.boxes.filter((box) => meet(box, around));
}

function boxOf({ x, y, width, angle = 0, below = 0, lines = [], icon }) {
  const [across, along] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const wide = (across * width + along * 14) / 2;
  const high = (along * width + across * 14) / 2;
  const bottom = below + Math.max(0, lines.length - 1) * 12;
  return [x - wide, Math.min(y + below - high, icon ? y - 9 : Infinity), x + wide, y + bottom + high];
}

function isPlaced(zoom) {
  const placed = byZoom.get(zoom);
  const seen = seenBox();
  if (!placed?.within || !seen) return placed !== undefined;
  return seen[0] >= placed.within[0] && seen[1] >= placed.within[1] && seen[2] <= placed.within[2]
    && seen[3] <= placed.within[3];
}

// All labels of a zoom level, in pixels of its world.
function place(pen, zoom, size) {
  const taken = new Taken();
  const within = zoom < AROUND_FROM ? undefined : around(seenBox());
  const near = (shapes = []) => (within ? shapes.filter(({ box }) => meet(box, within)) : shapes);
  const named = namedTiles(zoom).map(({ layers, ...tile }) => ({
    ...tile, layers: Object.fromEntries(Object.entries(layers).map(([name, shapes]) => [name, near(shapes)])),
  }));
  const each = (body) => named.flatMap(({ layers, has }) => body(layers, has));
  const labels = [
    ...placePlaces(pen, zoom, size, taken, named), ...placeCountries(pen, zoom, size, taken),
    ...placeTowns(pen, zoom, size, taken, named),
    ...each(({ marks = [] }, has) => placeFirstMarks(pen, zoom, size, taken, marks, has)),
    ...each(({ streets = [] }, has) => placeShields(pen, zoom, size, taken, streets, has)),
    ...each(({ streets = [] }, has) => placeStreets(pen, zoom, size, taken, streets, has)),
    ...each(({ parks = [], squares = [] }, has) =>
      placeAreas(pen, zoom, size, taken, [...parks.filter(isGreen), ...squares], has, "parkname")),
    ...each(({ parks = [] }, has) =>
      placeAreas(pen, zoom, size, taken, parks.filter((area) => !isGreen(area)), has, "buildingname")),
    ...each(({ water = [] }, has) => placeAreas(pen, zoom, size, taken, water, has, "coast")),
    ...each(({ marks = [] }, has) => placeOtherMarks(pen, zoom, size, taken, marks, has)),
    ...(zoom > 16 ? each(({ buildings = [] }, has) =>
      placeAreas(pen, zoom, size, taken, buildings, has, "buildingname")) : []),
    ...each(({ oneways = [] }, has) => placeArrows(zoom, size, taken, oneways, has)),
    ...each(({ numbers = [] }, has) => placeNumbers(pen, zoom, size, taken, numbers, has)),
  ];
  return { labels, within };
}

// A box and as much on each side.
function around(box) {
  if (!box) return undefined;
  const [wide, high] = [box[2] - box[0], box[3] - box[1]];
  return [box[0] - wide, box[1] - high, box[2] + wide, box[3] + high];
}
