// Names on the base map. Their positions are decided once for a whole zoom level, the important ones first, and not
// tile by tile: so a name that crosses the edge of a tile fits together, and none covers another.
import { namesOf } from "./mapdata.js";
import { project } from "./shapes.js";
import { streetStyle, widthAt } from "./mapstyle.js";
import { Taken } from "./taken.js";
import { namedTiles } from "./tilesets.js";

const SERIF = '"Iowan Old Style", "Palatino Linotype", P052, Palatino, Georgia, serif';
const SANS = 'Inter, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
// How much longer than straight a piece of a street may be that a name is written along.
const BEND = 0.04;
const byZoom = new Map();

export function forgetLabels() {
  byZoom.clear();
}

export function drawLabels(pen, view, colour) {
  if (!byZoom.has(view.zoom)) byZoom.set(view.zoom, place(pen, view.zoom, view.world));
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  for (const label of byZoom.get(view.zoom)) {
    const reach = label.width / 2 + 14;
    const x = label.x - view.left;
    const y = label.y - view.top;
    if (x > -reach && y > -reach && x < view.size + reach && y < view.size + reach) write(pen, label, x, y, colour);
  }
}

function write(pen, label, x, y, colour) {
  pen.save();
  pen.translate(x, y);
  if (label.dot) dot(pen, colour);
  pen.translate(0, label.below ?? 0);
  pen.rotate(label.angle ?? 0);
  pen.font = label.font;
  pen.letterSpacing = label.spacing ?? "0px";
  pen.lineWidth = 3.5;
  pen.strokeStyle = colour[label.halo ?? "halo"];
  pen.strokeText(label.text, 0, 0);
  pen.fillStyle = colour[label.ink];
  pen.fillText(label.text, 0, 0);
  pen.restore();
}

function dot(pen, colour) {
  pen.beginPath();
  pen.arc(0, 0, 2.3, 0, 7);
  pen.fillStyle = colour.halo;
  pen.fill();
  pen.lineWidth = 1.4;
  pen.strokeStyle = colour.town;
  pen.stroke();
}

// Capitals and room between letters suit scripts that have capitals; Arabic letters must join.
const HAS_CAPITALS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\P{L}]*$/u;

function capitals(text, spacing) {
  return HAS_CAPITALS.test(text) ? { text: text.toUpperCase(), spacing } : { text };
}

// All labels of a zoom level, in pixels of its world.
function place(pen, zoom, size) {
  const taken = new Taken();
  const named = namedTiles(zoom);
  // Where a map of its own begins, its names of towns are the better ones.
  const own = zoom < 8 ? [] : placePlaces(pen, zoom, size, taken, named);
  return [
    ...own, ...placeCountries(pen, zoom, size, taken), ...placeTowns(pen, zoom, size, taken),
    ...placeCity(pen, zoom, size, taken, named),
  ];
}

function measured(pen, label) {
  pen.font = label.font;
  pen.letterSpacing = label.spacing ?? "0px";
  return { ...label, width: pen.measureText(label.text).width };
}

function placeCountries(pen, zoom, size, taken) {
  if (zoom < 3) return [];
  return namesOf("countries", zoom).flatMap(([name, latitude, longitude, rank]) => {
    if (rank > zoom) return [];
    const [x, y] = project(longitude, latitude);
    const label = measured(pen, {
      ...capitals(name, "2px"), x: x * size, y: y * size, ink: "country",
      font: `500 ${zoom < 5 ? 10 : 12}px ${SANS}`,
    });
    return taken.claim(label.x, label.y, label.width + 10, 18) ? [label] : [];
  });
}

// The largest come first; the number of candidates grows with the zoom.
function placeTowns(pen, zoom, size, taken) {
  return namesOf("towns", zoom).slice(0, 50 * 2.4 ** (zoom - 3))
    .flatMap(([text, latitude, longitude, rank]) => {
      const [x, y] = project(longitude, latitude);
      const points = (rank < 90 ? 13.5 : rank < 400 ? 12.5 : 11.5) + (zoom > 8 ? 3 : 0);
      const label = measured(pen, {
        text, x: x * size, y: y * size, ink: "town", dot: true, below: points * 0.95, font: `600 ${points}px ${SERIF}`,
      });
      return taken.claim(label.x, label.y + points / 2, label.width + 10, points + 14, text) ? [label] : [];
    });
}

// Towns and their parts, as the map of a dataset has them: the zoom levels that show them, and their letters.
const PLACES = {
  city: { from: 0, to: 15, points: 15.5 }, town: { from: 0, to: 15, points: 14 },
  island: { from: 11, to: 15, points: 13 }, village: { from: 11, to: 16, points: 13 },
  suburb: { from: 12, to: 17, points: 10.5, isPart: true }, hamlet: { from: 14, to: 17, points: 11.5 },
  quarter: { from: 14, to: 17, points: 10, isPart: true },
  neighbourhood: { from: 15, to: 18, points: 10, isPart: true },
};
const KINDS = Object.keys(PLACES);

function placePlaces(pen, zoom, size, taken, named) {
  const isShown = ({ class: kind }) => PLACES[kind] && zoom >= PLACES[kind].from && zoom <= PLACES[kind].to;
  const places = named.flatMap(({ layers }) => layers.places ?? []).filter(isShown);
  const rank = (place) => KINDS.indexOf(place.class);
  places.sort((a, b) => rank(a) - rank(b) || b.population - a.population || (a.name < b.name ? -1 : 1));
  return places.flatMap(({ name, class: kind, rings: [[x, y]] }) => {
    const { points, isPart } = PLACES[kind];
    const look = isPart
      ? { ...capitals(name, "1.2px"), ink: "country", font: `500 ${points}px ${SANS}` }
      : { text: name, ink: "town", font: `600 ${points}px ${SERIF}` };
    const label = measured(pen, { ...look, x: x * size, y: y * size });
    return taken.claim(label.x, label.y, label.width + 10, points + 8, name) ? [label] : [];
  });
}

function placeCity(pen, zoom, size, taken, all) {
  return all.flatMap(({ layers: { streets = [], parks = [], squares = [], water = [], buildings = [] } }) => [
    ...placeStreets(pen, zoom, size, taken, streets),
    ...placeAreas(pen, zoom, size, taken, [...parks, ...squares], "parkname"),
    ...placeAreas(pen, zoom, size, taken, water, "coast"),
    ...(zoom > 16 ? placeAreas(pen, zoom, size, taken, buildings, "buildingname") : []),
  ]);
}

// A name is placed in its area if it fits there.
function placeAreas(pen, zoom, size, taken, shapes, ink) {
  return shapes.filter((shape) => shape.name).flatMap((shape) => {
    const [left, top, right, bottom] = shape.box.map((value) => value * size);
    const font = `italic 500 ${zoom > 16 ? 13 : 12}px ${SERIF}`;
    const label = measured(pen, { text: shape.name, x: (left + right) / 2, y: (top + bottom) / 2, ink, font });
    if (label.width > (right - left) * 1.15 || bottom - top < 14) return [];
    return taken.claim(label.x, label.y, label.width + 6, 16, shape.name) ? [label] : [];
  });
}

// Wide ones first.
function placeStreets(pen, zoom, size, taken, streets) {
  if (zoom < 15) return [];
  const font = `500 ${zoom > 16 ? 11.5 : 10.5}px ${SANS}`;
  const width = (shape) => widthAt(streetStyle(shape.class), zoom);
  const wide = streets.filter((shape) => streetStyle(shape.class) && width(shape) > 4);
  return wide.sort((a, b) => width(b) - width(a)).flatMap((shape) => {
    const label = measured(pen, { text: shape.name, ink: "streetname", halo: "streethalo", font });
    return spots(shape.rings, size, label.width + 14).flatMap(({ x, y, angle }) => {
      const wide = Math.abs(Math.cos(angle)) * label.width + 16;
      const high = Math.abs(Math.sin(angle)) * label.width + 16;
      return taken.claim(x, y, wide, high, shape.name) ? [{ ...label, x, y, angle }] : [];
    });
  });
}

// The middle and the direction of each piece of the lines that is long enough for a name and hardly bends.
function spots(rings, size, wanted) {
  const found = [];
  for (const ring of rings) {
    for (let i = 0; i < ring.length - 2;) {
      const spot = straight(ring, i, size, wanted);
      if (spot) found.push(spot);
      i = spot?.to ?? i + 2;
    }
  }
  return found;
}

function straight(ring, from, size, wanted) {
  let length = 0;
  for (let to = from + 2; to < ring.length; to += 2) {
    const dx = (ring[to] - ring[from]) * size;
    const dy = (ring[to + 1] - ring[from + 1]) * size;
    length += Math.hypot(ring[to] - ring[to - 2], ring[to + 1] - ring[to - 1]) * size;
    if (length - Math.hypot(dx, dy) > Math.max(3, BEND * length)) return undefined;
    if (length < wanted) continue;
    const angle = Math.atan(dy / dx); // Between -90 and 90 degrees: never upside down.
    return { x: ring[from] * size + dx / 2, y: ring[from + 1] * size + dy / 2, angle, to };
  }
  return undefined;
}
