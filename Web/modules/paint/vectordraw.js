// One tile of the map from a vector tile: land, water, parks, buildings, streets. Where its data ends, it fades out
// over the coarse lines of the world.
import { clip, meet } from "./shapes.js";
import { mapStyles, widthAt } from "./mapstyle.js";

// Pixels of the fading edge.
const FADE = 32;

export function drawVectorTile(pen, view, tile, colour) {
  const own = frameOf(view, tile);
  const covered = tile.content.groups.get("coverage ");
  if (!covered && tile.set.isForeign) draw(pen, view, tile.content, own, colour);
  if (!covered) return;
  const box = own.boxIn(covered.extent);
  if (covered.parts.some((part) => part.box[0] <= box[0] && part.box[1] <= box[1]
    && part.box[2] >= box[2] && part.box[3] >= box[3])) {
    draw(pen, view, tile.content, own, colour);
  } else if (covered.parts.some((part) => meet(part.box, box))) {
    const canvas = new OffscreenCanvas(pen.canvas.width, pen.canvas.height);
    const aside = canvas.getContext("2d");
    aside.lineJoin = aside.lineCap = "round";
    aside.scale(canvas.width / view.size, canvas.height / view.size);
    draw(aside, view, tile.content, own, colour);
    fade(aside, view, covered, own);
    pen.drawImage(canvas, 0, 0, view.size, view.size);
  }
}

// How a view lies in a vector tile: pixels from the corner of the one to that of the other, and pixels for its width.
export function frameOf(view, { z, x, y, set }) {
  const width = view.world / 2 ** z;
  const left = x * width - view.left;
  const top = y * width - view.top;
  return {
    left, top, width, isWhole: width <= (set.pixels ?? view.size), isForeign: set.isForeign === true,
    // The view and the margin that lines need, in units of a layer.
    boxIn: (extent) => [-24 - left, -24 - top, view.size + 24 - left, view.size + 24 - top]
      .map((value) => (value / width) * extent),
  };
}

function draw(pen, view, { groups }, own, colour) {
  pen.fillStyle = colour.land;
  pen.fillRect(0, 0, view.size, view.size);
  const styles = mapStyles();
  const all = [...groups.values()];
  const of = (layer) => all.filter((group) => group.layer === layer);
  const areas = new Map(of("parks").map((group) => [group.name, group]));
  for (const { name, tint } of styles.areas) {
    const group = areas.get(name);
    if (group) painted(pen, own, group, (path) => fill(pen, path, colour[tint]));
  }
  for (const group of [...of("sea"), ...of("water")]) drawWater(pen, view, own, group, colour);
  for (const group of of("waterways")) {
    const width = (styles.waterways[group.name] ?? 1) * 1.5 ** (view.zoom - 15);
    painted(pen, own, group, (path, scale) => stroke(pen, path, Math.max(0.8, width), colour.coast, scale));
  }
  for (const group of of("squares")) painted(pen, own, group, (path) => fill(pen, path, colour.square));
  if (view.zoom > 14) {
    for (const group of of("buildings")) {
      painted(pen, own, group, (path, scale) => {
        fill(pen, path, colour.building);
        if (view.zoom > 15) stroke(pen, path, 0.8, colour.buildingedge, scale);
      });
    }
  }
  drawStreetGroups(pen, view, own, [...of("streets"), ...of("rails")], colour);
  for (const group of of("borders")) {
    const style = styles.borders[group.name];
    if (style) {
      painted(pen, own, group, (path, scale) => stroke(pen, path, style.width, colour.border, scale, style.dash));
    }
  }
}

// The lines of water along the shore run inside of the water, as on an engraved map.
function drawWater(pen, view, own, group, colour) {
  painted(pen, own, group, (path, scale) => {
    fill(pen, path, colour.sea);
    if (group.name === "pool" || view.zoom < 9) return;
    const shore = own.isForeign ? shoreOf(group, own) : path;
    pen.save();
    pen.clip(path);
    for (const [width, tint] of [[22, colour.shoal3], [12, colour.shoal2], [4, colour.shoal1]]) {
      stroke(pen, shore, width, tint, scale);
    }
    pen.restore();
    stroke(pen, shore, 1, colour.coast, scale);
  });
}

// Others cut their water just outside of a tile: a wide line along that cut would be seen inside. What lies outside is
// no shore.
function shoreOf(group, own) {
  if (own.isWhole && group.shore) return group.shore;
  const box = own.isWhole ? [0, 0, group.extent, group.extent] : own.boxIn(group.extent);
  const path = new Path2D();
  for (const { points, box: around } of group.parts) {
    let at = -1; // Where the pen is.
    for (let i = 0; meet(around, box) && i < points.length; i += 2) {
      const next = (i + 2) % points.length;
      const [[left, right], [top, bottom]] = [0, 1].map((axis) => {
        const [a, b] = [points[i + axis], points[next + axis]];
        return a < b ? [a, b] : [b, a];
      });
      if (right <= 0 || bottom <= 0 || left >= group.extent || top >= group.extent) continue;
      if (!meet([left, top, right, bottom], box)) continue;
      if (at !== i) path.moveTo(points[i], points[i + 1]);
      path.lineTo(points[next], points[next + 1]);
      at = next;
    }
  }
  if (own.isWhole) group.shore = path;
  return path;
}

// Widths are right at 60 degrees north, where the map was drawn first; towards the equator a metre is shorter.
function streetZoom({ zoom, world, top, size }) {
  const latitude = Math.atan(Math.sinh(Math.PI * (1 - (2 * top + size) / world)));
  return zoom - Math.max(0, Math.log2(2 * Math.cos(latitude)));
}

// Casing below, filling above, small ones below large ones; what runs in a tunnel is faint, and bridges are on top.
function drawStreetGroups(pen, view, own, groups, colour) {
  const zoom = streetZoom(view);
  const known = mapStyles().streets.filter(({ from }) => view.zoom >= from)
    .flatMap((style) => groups.filter(({ name }) => name === style.name).map((group) => ({ style, group })));
  const [tunnels, ground, bridges] = ["tunnel", "", "bridge"].map((way) =>
    known.filter(({ group }) => group.way === way));
  for (const each of tunnels) drawTunnel(pen, view, zoom, own, each, colour);
  for (const each of ground) if (view.zoom > 9) drawCasing(pen, zoom, own, each, colour, view.zoom > 13 ? 1.6 : 1.2);
  for (const each of ground) drawFilling(pen, view, zoom, own, each, colour);
  pen.lineCap = "butt";
  for (const each of bridges) drawCasing(pen, zoom, own, each, colour, view.zoom > 14 ? 3 : 1.6);
  pen.lineCap = "round";
  for (const each of bridges) drawFilling(pen, view, zoom, own, each, colour);
}

// The edges of a street, if it is wide enough to have some.
function drawCasing(pen, zoom, own, { style, group }, colour, more, dash = []) {
  const width = widthAt(style, zoom);
  if (!style.casing || width < 1) return;
  painted(pen, own, group, (path, scale) => stroke(pen, path, width + more, colour[style.casing], scale, dash));
}

function drawFilling(pen, view, zoom, own, { style, group }, colour) {
  const width = widthAt(style, zoom);
  painted(pen, own, group, (path, scale) => {
    stroke(pen, path, width, colour[style.tint], scale, style.dash);
    if (style.name === "rail" && view.zoom > 15) drawSleepers(pen, path, colour, scale);
  });
}

// Dashes along both sides of it.
function drawTunnel(pen, view, zoom, own, each, colour) {
  if (each.style.casing && view.zoom > 13) {
    pen.lineCap = "butt";
    drawCasing(pen, zoom, own, each, colour, 2, [3, 3]);
    pen.lineCap = "round";
    painted(pen, own, each.group, (path, scale) =>
      stroke(pen, path, widthAt(each.style, zoom), colour.land, scale));
  }
  pen.globalAlpha = 0.4;
  drawFilling(pen, view, zoom, own, each, colour);
  pen.globalAlpha = 1;
}

// Of a railway, across it.
function drawSleepers(pen, path, colour, scale) {
  pen.lineCap = "butt";
  stroke(pen, path, 5, colour.rail, scale, [1.2, 7]);
  pen.lineCap = "round";
}

// Gives `body` the path of a group, with the pen in units of its tile, and how many pixels one of them is.
export function painted(pen, own, group, body) {
  const path = pathOf(group, own);
  const scale = own.width / group.extent;
  pen.save();
  pen.translate(own.left, own.top);
  pen.scale(scale, scale);
  body(path, scale);
  pen.restore();
}

// All of a tile that is drawn as it is; of one that is drawn larger only what is seen.
function pathOf(group, own) {
  const isWhole = own.isWhole || group.layer === "coverage";
  if (isWhole && group.path) return group.path;
  const box = own.boxIn(group.extent);
  const path = new Path2D();
  for (const part of group.parts) {
    if (isWhole) trace(path, part.points, part.closed);
    else if (meet(part.box, box)) traceNear(path, part, box);
  }
  if (isWhole) group.path = path;
  return path;
}

function traceNear(path, { points, closed }, box) {
  if (closed) return trace(path, clip(points, box), true);
  let start = 0;
  for (let i = 2; i <= points.length; i += 2) {
    const isNear = i < points.length && meet([
      Math.min(points[i - 2], points[i]), Math.min(points[i - 1], points[i + 1]),
      Math.max(points[i - 2], points[i]), Math.max(points[i - 1], points[i + 1]),
    ], box);
    if (isNear) continue;
    if (i - start > 2) trace(path, points.subarray(start, i), false);
    start = i;
  }
}

function trace(path, points, closed) {
  if (points.length === 0) return;
  path.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) path.lineTo(points[i], points[i + 1]);
  if (closed) path.closePath();
}

export function fill(pen, path, tint) {
  pen.fillStyle = tint;
  pen.fill(path);
}

export function stroke(pen, path, width, tint, scale, dash = []) {
  pen.setLineDash(dash.map((length) => length / scale));
  pen.lineWidth = width / scale;
  pen.strokeStyle = tint;
  pen.stroke(path);
}

// Takes away what lies where there is no data, softly: the area is drawn very small, and enlarged.
function fade(pen, view, covered, own) {
  const cells = view.size / FADE + 4;
  const small = new OffscreenCanvas(cells, cells);
  const brush = small.getContext("2d");
  brush.translate(2, 2);
  brush.scale(1 / FADE, 1 / FADE);
  painted(brush, own, covered, (path) => fill(brush, path, "black"));
  pen.globalCompositeOperation = "destination-in";
  pen.imageSmoothingEnabled = true;
  pen.drawImage(small, -2 * FADE, -2 * FADE, cells * FADE, cells * FADE);
}
