// Sea, land, lakes and borders of the whole world, from a tile of its lines.
import { project } from "./shapes.js";
import { fill, frameOf, painted, stroke } from "./vectordraw.js";

export function drawWorld(pen, view, tile, colour) {
  if (tile) {
    pen.fillStyle = colour.sea;
    pen.fillRect(0, 0, view.size, view.size);
  }
  if (tile?.content) {
    const own = frameOf(view, tile);
    const paint = (name, body) => {
      const group = tile.content.groups.get(name);
      if (group) painted(pen, own, group, body);
    };
    drawLand(pen, view, colour, paint);
    drawLakes(pen, colour, paint);
    drawBorders(pen, view, colour, paint);
  }
  drawGraticule(pen, view, colour);
}

// Land with a few lines of water along its coast, as on an engraved map.
function drawLand(pen, view, colour, paint) {
  const isFar = view.zoom < 4;
  paint("coasts land", (path, scale) => {
    for (const [width, tint] of [[18, colour.shoal3], [10, colour.shoal2], [4, colour.shoal1]]) {
      stroke(pen, path, isFar ? width * 0.6 : width, tint, scale);
    }
  });
  paint("land ", (path) => fill(pen, path, colour.land));
  paint("coasts land", (path, scale) => stroke(pen, path, isFar ? 0.7 : 1, colour.coast, scale));
}

function drawLakes(pen, colour, paint) {
  paint("lakes ", (path) => fill(pen, path, colour.sea));
  paint("coasts lake", (path, scale) => stroke(pen, path, 0.7, colour.coast, scale));
}

function drawBorders(pen, view, colour, paint) {
  if (view.zoom > 3) paint("borders region", (path, scale) => stroke(pen, path, 0.7, colour.border, scale, [2, 3]));
  const [width, dash] = view.zoom < 5 ? [0.8, []] : [1.3, [5, 3.5]];
  paint("borders country", (path, scale) => stroke(pen, path, width, colour.border, scale, dash));
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
