// What is written along streets: their names, shields with their numbers, and arrows where one may drive in one
// direction only.
import { mapStyles, streetStyle, widthAt } from "./mapstyle.js";
import { SANS, measured } from "./textsize.js";

// How much longer than straight a piece of a street may be that a name is written along.
const BEND = 0.04;
// The first zoom level with names and arrows.
const NAMES_FROM = 15;
const ARROWS_FROM = 16;
// Pixels between two arrows, and between two shields; and of a line that has one.
const ARROWS_APART = 150;
const SHIELDS_APART = 240;
const LEAST = 28;
// Of a road's number.
const LONGEST_NUMBER = 8;

// Wide ones first.
export function placeStreets(pen, zoom, size, taken, streets, has) {
  if (zoom < NAMES_FROM) return [];
  const font = `500 ${zoom > 16 ? 11.5 : 10.5}px ${SANS}`;
  const width = (shape) => widthAt(streetStyle(shape.class), zoom);
  const wide = streets.filter((shape) => shape.name && streetStyle(shape.class) && width(shape) > 4);
  return wide.sort((a, b) => width(b) - width(a)).flatMap((shape) => {
    const label = measured(pen, { text: shape.name, ink: "streetname", halo: "streethalo", font });
    return spots(shape.rings, size, label.width + 14).flatMap(({ x, y, angle }) => {
      if (!has(x / size, y / size)) return [];
      const wide = Math.abs(Math.cos(angle)) * label.width + 16;
      const high = Math.abs(Math.sin(angle)) * label.width + 16;
      return taken.claim(x, y, wide, high, shape.name) ? [{ ...label, x, y, angle }] : [];
    });
  });
}

// Of several numbers the first.
export function placeShields(pen, zoom, size, taken, streets, has) {
  const font = `600 9.5px ${SANS}`;
  const { shields } = mapStyles();
  const rank = (shape) => shields[shape.class];
  const numbered = streets.filter((shape) => shape.ref && zoom >= (rank(shape) ?? Infinity));
  return numbered.sort((a, b) => rank(a) - rank(b)).flatMap((shape) => {
    const text = shape.ref.split(";")[0].trim();
    if (text === "" || text.length > LONGEST_NUMBER) return [];
    const isMain = shape.class === "motorway";
    const label = measured(pen, {
      text, font, shield: isMain ? "main" : "plain", ink: isMain ? "mainshieldink" : "shieldink", below: 0.5,
    });
    const isFree = ({ x, y }) =>
      has(x / size, y / size) && taken.claim(x, y, label.width + 18, 22, `shield ${text}`);
    return shape.rings.flatMap((ring) => along(ring, size, SHIELDS_APART, LEAST)).filter(isFree)
      .map(({ x, y }) => ({ ...label, x, y }));
  });
}

export function placeArrows(zoom, size, taken, oneways, has) {
  if (zoom < ARROWS_FROM) return [];
  return oneways.flatMap(({ class: kind, rings }) => {
    const style = streetStyle(kind);
    if (!style || widthAt(style, zoom) < 3.5) return [];
    const isFree = ({ x, y }) => has(x / size, y / size) && taken.claim(x, y, 14, 14);
    return rings.flatMap((ring) => along(ring, size, ARROWS_APART, LEAST)).filter(isFree)
      .map((spot) => ({ ...spot, arrow: true, width: 12 }));
  });
}

// Points of a line with its direction there, so many pixels apart: one in its middle, unless the line is shorter than
// `least`.
function along(ring, size, apart, least) {
  const lengths = [];
  let length = 0;
  for (let i = 2; i < ring.length; i += 2) {
    lengths.push(Math.hypot(ring[i] - ring[i - 2], ring[i + 1] - ring[i - 1]) * size);
    length += lengths.at(-1);
  }
  if (length < least) return [];
  const count = Math.max(1, Math.floor(length / apart));
  const found = [];
  let passed = 0;
  lengths.forEach((step, index) => {
    while (found.length < count) {
      const rest = ((found.length + 0.5) * length) / count - passed;
      if (rest > step) break;
      const [x, y, nextX, nextY] = ring.subarray(2 * index, 2 * index + 4);
      const share = step > 0 ? rest / step : 0;
      const angle = Math.atan2(nextY - y, nextX - x);
      found.push({ x: (x + (nextX - x) * share) * size, y: (y + (nextY - y) * share) * size, angle });
    }
    passed += step;
  });
  return found;
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
