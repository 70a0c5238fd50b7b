// A city's streets: casing below, filling above, small ones below large ones, so that crossings look joined.
import { meet } from "./shapes.js";
import { trace } from "./trace.js";

// Width in pixels at zoom 16, the zoom from which on a class is drawn, and its colours; the smallest first.
const CLASSES = {
  foot: { width: 1.3, from: 16, tint: "path", dash: [3, 2.5] },
  cycle: { width: 1.3, from: 16, tint: "path", dash: [5, 2.5] },
  service: { width: 4, from: 15, tint: "street", casing: "casing" },
  pedestrian: { width: 7, from: 14, tint: "pedestrian", casing: "casing" },
  residential: { width: 8, from: 13, tint: "street", casing: "casing" },
  tertiary: { width: 10, from: 12, tint: "street", casing: "casing" },
  secondary: { width: 12, from: 11, tint: "main", casing: "maincasing" },
  primary: { width: 13, from: 10, tint: "main", casing: "maincasing" },
  trunk: { width: 14, from: 9, tint: "main", casing: "maincasing" },
  motorway: { width: 15, from: 9, tint: "main", casing: "maincasing" },
  tram: { width: 1.2, from: 15, tint: "tram" },
  rail: { width: 1.6, from: 11, tint: "rail" },
};
const ORDER = Object.keys(CLASSES);

// The classes with their names, in the order in which they are drawn.
export const streetStyles = ORDER.map((name) => ({ name, ...CLASSES[name] }));

export const classOf = (shape) => (CLASSES[shape.class] ? shape.class : "service");
export const widthAt = (name, zoom) => Math.max(0.7, CLASSES[name].width * 1.62 ** (zoom - 16));

export function drawStreets(pen, view, streets, colour) {
  const paths = pathsByClass(view, streets);
  const drawn = ORDER.filter((name) => paths.has(name) && view.zoom >= CLASSES[name].from);
  for (const name of drawn) {
    const { casing } = CLASSES[name];
    if (casing && view.zoom >= 14) stroke(pen, paths.get(name), widthAt(name, view.zoom) + 1.6, colour[casing]);
  }
  for (const name of drawn) {
    const { tint, dash } = CLASSES[name];
    pen.setLineDash(dash ?? []);
    stroke(pen, paths.get(name), widthAt(name, view.zoom), colour[tint]);
  }
  pen.setLineDash([]);
}

function stroke(pen, path, width, tint) {
  pen.strokeStyle = tint;
  pen.lineWidth = width;
  pen.stroke(path);
}

function pathsByClass(view, streets) {
  const paths = new Map();
  for (const shape of streets) {
    if (!meet(shape.box, view.box)) continue;
    const name = classOf(shape);
    if (!paths.has(name)) paths.set(name, new Path2D());
    trace(paths.get(name), view, shape);
  }
  return paths;
}
