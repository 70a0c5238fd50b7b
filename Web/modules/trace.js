// Puts shapes into a path for one tile: only what the tile can show of them.
import { clip, meet } from "./shapes.js";

export function pathOf(view, shapes) {
  const path = new Path2D();
  for (const shape of shapes) if (meet(shape.box, view.box)) trace(path, view, shape);
  return path;
}

export function trace(path, view, shape) {
  for (const ring of shape.rings) {
    if (shape.closed) traceRing(path, view, clip(ring, view.box));
    else traceLine(path, view, ring);
  }
}

function traceRing(path, { world, left, top }, ring) {
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i] * world - left;
    const y = ring[i + 1] * world - top;
    if (i === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  path.closePath();
}

function traceLine(path, { world, left, top, box }, line) {
  let drawing = false;
  for (let i = 2; i < line.length; i += 2) {
    const part = [
      Math.min(line[i - 2], line[i]), Math.min(line[i - 1], line[i + 1]),
      Math.max(line[i - 2], line[i]), Math.max(line[i - 1], line[i + 1]),
    ];
    if (!meet(part, box)) {
      drawing = false;
      continue;
    }
    if (!drawing) path.moveTo(line[i - 2] * world - left, line[i - 1] * world - top);
    path.lineTo(line[i] * world - left, line[i + 1] * world - top);
    drawing = true;
  }
}
