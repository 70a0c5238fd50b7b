// A city as its own data has it, over the world's coarse lines. It ends at a straight edge, and so fades out there.
import { cities } from "./mapdata.js";
import { pathOf } from "./trace.js";
import { drawStreets } from "./streets.js";

// Width of the fading edge, as a share of the city's smaller side.
const FADE = 0.07;

export function drawCities(pen, view, colour) {
  for (const city of cities(view.zoom, view.box)) {
    if (city.layers.land) pen.drawImage(drawn(city, view, colour, pen.canvas.width), 0, 0, view.size, view.size);
  }
}

function drawn(city, view, colour, pixels) {
  const canvas = new OffscreenCanvas(pixels, pixels);
  const pen = canvas.getContext("2d");
  pen.scale(pixels / view.size, pixels / view.size);
  pen.lineJoin = pen.lineCap = "round";
  const { layers } = city;
  fill(pen, view, layers.land, colour.land);
  fill(pen, view, layers.parks, colour.park);
  fill(pen, view, layers.squares, colour.square);
  water(pen, view, layers.water, colour);
  fill(pen, view, layers.buildings, colour.building, view.zoom > 15 && colour.buildingedge);
  const streets = [...(layers["streets-minor"] ?? []), ...(layers.rails ?? []), ...(layers["streets-main"] ?? [])];
  drawStreets(pen, view, streets, colour);
  fade(pen, view, city.box);
  return canvas;
}

function fill(pen, view, shapes, tint, edge) {
  if (!shapes) return;
  const path = pathOf(view, shapes);
  pen.fillStyle = tint;
  pen.fill(path, "evenodd");
  if (!edge) return;
  pen.strokeStyle = edge;
  pen.lineWidth = 0.8;
  pen.stroke(path);
}

// The lines of water along the shore run inside of the water here.
function water(pen, view, shapes, colour) {
  if (!shapes) return;
  const path = pathOf(view, shapes);
  pen.save();
  pen.clip(path, "evenodd");
  pen.fillStyle = colour.sea;
  pen.fillRect(0, 0, view.size, view.size);
  for (const [width, tint] of [[22, colour.shoal3], [12, colour.shoal2], [4, colour.shoal1]]) {
    pen.strokeStyle = tint;
    pen.lineWidth = width;
    pen.stroke(path);
  }
  pen.restore();
  pen.strokeStyle = colour.coast;
  pen.lineWidth = 1;
  pen.stroke(path);
}

// Takes away what is near the edge, softly, one side after the other.
function fade(pen, view, box) {
  const [left, right] = [0, 2].map((side) => box[side] * view.world - view.left);
  const [top, bottom] = [1, 3].map((side) => box[side] * view.world - view.top);
  const reach = Math.min(right - left, bottom - top) * FADE;
  pen.globalCompositeOperation = "destination-in";
  for (const [x0, y0, x1, y1] of [
    [left, 0, left + reach, 0], [right, 0, right - reach, 0], [0, top, 0, top + reach], [0, bottom, 0, bottom - reach],
  ]) {
    const gradient = pen.createLinearGradient(x0, y0, x1, y1);
    gradient.addColorStop(0, "transparent");
    gradient.addColorStop(1, "black");
    pen.fillStyle = gradient;
    pen.fillRect(0, 0, view.size, view.size);
  }
}
