// Named things at a point, by their importance: peaks, stations, museums, cafés; numbers of houses; names of areas.
import { mapStyles } from "./mapstyle.js";
import { SANS, SERIF, inLines, measured } from "./textsize.js";

// The first zoom level with numbers of houses.
const NUMBERS_FROM = 17;
// And with marks whose name has no room.
const NAMELESS_FROM = 17;
// Marks of so many of the first classes come before the names of streets.
const FIRST = 8;
const LEADING = 12;
const metres = new Intl.NumberFormat(undefined, { style: "unit", unit: "meter", maximumFractionDigits: 0 });

export const placeFirstMarks = (pen, zoom, size, taken, marks, has) =>
  placeMarks(pen, zoom, size, taken, marks, has, mapStyles().marks.slice(0, FIRST));

export const placeOtherMarks = (pen, zoom, size, taken, marks, has) =>
  placeMarks(pen, zoom, size, taken, marks, has, mapStyles().marks.slice(FIRST));

function placeMarks(pen, zoom, size, taken, marks, has, styles) {
  return styles.filter(({ from }) => zoom >= from).flatMap((style) =>
    marks.filter((mark) => mark.class === style.name).flatMap((mark) => {
      const [x, y] = mark.rings[0];
      if (!has(x, y)) return [];
      return style.name === "peak"
        ? placePeak(pen, mark, x * size, y * size, taken)
        : placeMark(pen, mark, style, x * size, y * size, zoom, taken);
    }));
}

// Its name below it; without it, from close by, where there is no room.
function placeMark(pen, { name }, { tint: ink, icon }, x, y, zoom, taken) {
  const lines = inLines(name);
  const label = measured(pen, {
    text: name, lines, leading: LEADING, x, y, ink, icon, below: 17, font: `500 10.5px ${SANS}`,
  });
  const high = 22 + LEADING * lines.length;
  if (taken.claim(x, y + high / 2 - 11, Math.max(label.width, 20) + 8, high, name)) return [label];
  return zoom >= NAMELESS_FROM && taken.claim(x, y, 22, 22, name) ? [{ x, y, ink, icon, width: 20 }] : [];
}

function placePeak(pen, { name, ele }, x, y, taken) {
  const height = Number.parseFloat(ele);
  const lines = Number.isFinite(height) ? [name, metres.format(height)] : [name];
  const label = measured(pen, {
    text: lines.join(" "), lines, leading: LEADING, x, y, ink: "peak", peak: true, below: 12,
    font: `500 10.5px ${SANS}`,
  });
  const high = 14 + LEADING * lines.length;
  return taken.claim(x, y + high / 2 - 6, label.width + 8, high, name) ? [label] : [];
}

export function placeNumbers(pen, zoom, size, taken, numbers, has) {
  if (zoom < NUMBERS_FROM) return [];
  const font = `500 ${zoom > 17 ? 10 : 9}px ${SANS}`;
  return numbers.flatMap(({ name: text, rings: [[x, y]] }) => {
    if (!has(x, y)) return [];
    const label = measured(pen, { text, x: x * size, y: y * size, ink: "number", font });
    return taken.claim(label.x, label.y, label.width + 4, 12) ? [label] : [];
  });
}

// A name is placed in its area if it fits there.
export function placeAreas(pen, zoom, size, taken, shapes, has, ink) {
  return shapes.filter((shape) => shape.name).flatMap((shape) => {
    const [left, top, right, bottom] = shape.box.map((value) => value * size);
    const font = `italic 500 ${zoom > 16 ? 13 : 12}px ${SERIF}`;
    const label = measured(pen, { text: shape.name, x: (left + right) / 2, y: (top + bottom) / 2, ink, font });
    if (label.width > (right - left) * 1.15 || bottom - top < 14) return [];
    if (!has(label.x / size, label.y / size)) return [];
    return taken.claim(label.x, label.y, label.width + 6, 16, shape.name) ? [label] : [];
  });
}
