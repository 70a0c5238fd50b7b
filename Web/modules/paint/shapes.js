// Places and boxes in units of the whole world: 0 to 1 from west to east and from north to south, in the map's own
// projection.

// The world ends where Mercator's square does.
const TOP = 85.0511287798;

export function project(longitude, latitude) {
  const bounded = Math.max(-TOP, Math.min(TOP, latitude));
  const sine = Math.sin((bounded * Math.PI) / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

// [west, south, east, north] in degrees.
/** @param {number[]} box */
export function unitBox([west, south, east, north]) {
  const [left, bottom] = project(west, south);
  const [right, top] = project(east, north);
  return [left, top, right, bottom];
}

export const meet = (a, b) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

// Whether a closed ring goes around a point.
export function surrounds(ring, x, y) {
  let isIn = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [ring[i], ring[i + 1], ring[j], ring[j + 1]];
    if ((ay > y) !== (by > y) && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isIn = !isIn;
  }
  return isIn;
}

// A closed ring cut to a box, side by side (after Sutherland and Hodgman). Without it a continent would be drawn with
// all its coast, millions of pixels away, on each tile of a city. Any units will do.
export function clip(ring, box) {
  let points = ring;
  for (let side = 0; side < 4 && points.length > 0; side += 1) points = cut(points, box, side);
  return points;
}

function cut(points, box, side) {
  const axis = side % 2;
  const limit = box[side];
  const inside = side < 2 ? (value) => value >= limit : (value) => value <= limit;
  const kept = [];
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    const here = inside(points[i + axis]);
    if (here !== inside(points[j + axis])) {
      const t = (limit - points[j + axis]) / (points[i + axis] - points[j + axis]);
      kept.push(points[j] + t * (points[i] - points[j]), points[j + 1] + t * (points[i + 1] - points[j + 1]));
    }
    if (here) kept.push(points[i], points[i + 1]);
  }
  return kept;
}
