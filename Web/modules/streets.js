// A city's streets: casing below, filling above, small ones below large ones, so that crossings look joined.
import { mapStyles, streetStyle, widthAt } from "./mapstyle.js";
import { meet } from "./shapes.js";
import { trace } from "./trace.js";

export const styleOf = (shape) => streetStyle(shape.class) ?? streetStyle("service");

export function drawStreets(pen, view, streets, colour) {
  const paths = pathsByClass(view, streets);
  const drawn = mapStyles().streets.filter((style) => paths.has(style) && view.zoom >= style.from);
  for (const style of drawn) {
    const { casing } = style;
    if (casing && view.zoom >= 14) stroke(pen, paths.get(style), widthAt(style, view.zoom) + 1.6, colour[casing]);
  }
  for (const style of drawn) {
    pen.setLineDash(style.dash ?? []);
    stroke(pen, paths.get(style), widthAt(style, view.zoom), colour[style.tint]);
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
    const style = styleOf(shape);
    if (!paths.has(style)) paths.set(style, new Path2D());
    trace(paths.get(style), view, shape);
  }
  return paths;
}
