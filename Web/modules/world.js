// Sea, land, lakes and borders of the whole world.
import { coarse, world } from "./mapdata.js";
import { meet, project } from "./shapes.js";
import { pathOf } from "./trace.js";

export function drawWorld(pen, view, colour) {
  drawOutlines(pen, view, colour, coarse);
  for (const { box, shapes } of world("fine", view.zoom)) {
    if (!meet(box, view.box)) continue;
    pen.save();
    clipTo(pen, view, box);
    drawOutlines(pen, view, colour, (name) => shapes.filter(({ layer }) => layer === name));
    pen.restore();
  }
  drawGraticule(pen, view, colour);
}

function drawOutlines(pen, view, colour, shapes) {
  pen.fillStyle = colour.sea;
  pen.fillRect(0, 0, view.size, view.size);
  drawLand(pen, view, colour, shapes("land"));
  drawLakes(pen, view, colour, shapes("lakes"));
  drawBorders(pen, view, colour, shapes("borders"));
}

// A cell's shapes continue beyond its edge, so that no coast is drawn where they are cut. In whole pixels, so that
// there is no gap between two.
function clipTo(pen, { world: size, left, top }, box) {
  const edge = (value, index) => Math.round(value * size - (index % 2 === 0 ? left : top));
  const [west, north, east, south] = box.map(edge);
  pen.beginPath();
  pen.rect(west, north, east - west, south - north);
  pen.clip();
}

// Meridians and parallels, a hand's breadth apart at each zoom: where nothing else is known, they show the scale.
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

function drawGraticule(pen, view, colour) {
  const degree = view.world / 360;
  const step = STEPS.findLast((each) => each * degree >= 90) ?? STEPS[0];
  const [west, north, east, south] = view.box;
  pen.strokeStyle = colour.graticule;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let n = Math.ceil((west * 360 - 180) / step); n * step <= east * 360 - 180; n += 1) {
    const x = (n * step + 180) * degree - view.left;
    pen.moveTo(x, 0);
    pen.lineTo(x, view.size);
  }
  for (let n = Math.ceil(latitudeOf(south) / step); n * step <= latitudeOf(north); n += 1) {
    const y = project(0, n * step)[1] * view.world - view.top;
    pen.moveTo(0, y);
    pen.lineTo(view.size, y);
  }
  pen.stroke();
}

const latitudeOf = (y) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

// Land with a few lines of water along its coast, as on an engraved map.
function drawLand(pen, view, colour, shapes) {
  const land = pathOf(view, shapes);
  for (const [width, tint] of [[18, colour.shoal3], [10, colour.shoal2], [4, colour.shoal1]]) {
    pen.lineWidth = view.zoom < 4 ? width * 0.6 : width;
    pen.strokeStyle = tint;
    pen.stroke(land);
  }
  pen.fillStyle = colour.land;
  pen.fill(land, "evenodd");
  pen.lineWidth = view.zoom < 4 ? 0.7 : 1;
  pen.strokeStyle = colour.coast;
  pen.stroke(land);
}

function drawLakes(pen, view, colour, shapes) {
  const lakes = pathOf(view, shapes);
  pen.fillStyle = colour.sea;
  pen.fill(lakes, "evenodd");
  pen.lineWidth = 0.7;
  pen.strokeStyle = colour.coast;
  pen.stroke(lakes);
}

function drawBorders(pen, view, colour, shapes) {
  pen.strokeStyle = colour.border;
  pen.lineWidth = view.zoom < 5 ? 0.8 : 1.3;
  pen.setLineDash(view.zoom < 5 ? [] : [5, 3.5]);
  pen.stroke(pathOf(view, shapes));
  pen.setLineDash([]);
}
