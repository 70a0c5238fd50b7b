// The base map, drawn from bundled lines on canvas tiles: nothing is requested from other servers.
import { L } from "./leaflet.js";
import { attributions, bundledTiles, needNames, onMapData, startMapData } from "./mapdata.js";
import { colours } from "./palette.js";
import { drawTiles, needTiles, startTileSets } from "./tilesets.js";
import { REACH, drawLabels, forgetLabels, keepClear } from "./labels.js";
import { forgetWidths } from "./textsize.js";
import { meet } from "./shapes.js";
import { onNameLanguage } from "../ground/language.js";
import { el } from "../ground/dom.js";
import { t } from "../ground/text.js";
import { day } from "../ground/words.js";

const SIZE = 256;
// How far outside of its tile a shape is still drawn, for the width of its line.
const MARGIN = 24;

// In how many milliseconds tiles are asked for once while the map is dragged.
const OFTEN = 200;

// Milliseconds of a frame that drawing may take; a tile that is begun is finished, and one is not begun that would take
// longer, if it is like those before it in the frame.
const SLICE = 4;

const Basemap = L.GridLayer.extend({
  // The current tiles, by their canvas, so that they can be redrawn when more of the map has arrived.
  shown: new Map(),
  // Those that are to be drawn, and what is called then.
  waiting: new Map(),

  createTile(coords, done) {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const tile = L.DomUtil.create("canvas", "leaflet-tile");
    tile.width = tile.height = SIZE * ratio;
    tile.getContext("2d", { alpha: false }).scale(ratio, ratio);
    this.shown.set(tile, coords);
    this.waiting.set(tile, done);
    this.begin();
    return tile;
  },

  drawAgain(isMeant = (_coords) => true) {
    for (const [tile, coords] of this.shown) if (isMeant(coords) && !this.waiting.has(tile)) this.waiting.set(tile);
    this.begin();
  },

  forget(tile) {
    this.shown.delete(tile);
    this.waiting.delete(tile);
  },

  begin() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.work();
    });
  },

  work() {
    const start = performance.now();
    let count = 0;
    for (const [tile, done] of this.waiting) {
      this.waiting.delete(tile);
      const isAnother = draw(tile, this.shown.get(tile));
      done?.(null, tile);
      if (isAnother) this.drawAgain((coords) => coords !== this.shown.get(tile));
      count += 1;
      const spent = performance.now() - start;
      if (spent + spent / count > SLICE) break;
    }
    if (this.waiting.size > 0) this.begin();
  },
});

// Whether the names of the others are to be drawn again.
function draw(tile, coords) {
  const pen = tile.getContext("2d");
  const view = viewOf(coords);
  const colour = colours();
  pen.lineJoin = pen.lineCap = "round";
  // What is not known yet looks neither like sea nor like land.
  pen.fillStyle = colour.unknown;
  pen.fillRect(0, 0, view.size, view.size);
  drawTiles(pen, view, colour);
  return drawLabels(pen, view, colour);
}

// What a tile shows: how many pixels the world is wide, where the tile begins, and its box in units of the world.
function viewOf({ x, y, z }) {
  const world = SIZE * 2 ** z;
  const box = [x * SIZE - MARGIN, y * SIZE - MARGIN, (x + 1) * SIZE + MARGIN, (y + 1) * SIZE + MARGIN];
  return { zoom: z, size: SIZE, world, left: x * SIZE, top: y * SIZE, box: box.map((value) => value / world) };
}

const newLayer = (keepBuffer) =>
  new Basemap({ tileSize: SIZE, maxZoom: 19, keepBuffer, updateWhenZooming: false })
    .on("tileunload", ({ target, tile }) => target.forget(tile));

let main; // The map that has all of it.

let clearNames = (_zoom, _boxes) => {};

// What stands on the main map, as boxes in pixels of its screen: no name is written there.
export function keepNamesClear(boxes) {
  if (!main || !Number.isInteger(main.getZoom())) return;
  const { min, max } = main.getPixelBounds();
  const world = SIZE * 2 ** main.getZoom();
  const left = min.x - Math.floor((min.x + max.x) / 2 / world) * world;
  clearNames(main.getZoom(), boxes.map(([x, y, right, bottom]) => [x + left, y + min.y, right + left, bottom + min.y]));
}

export const hasBasemap = () => main !== undefined;

// The same on another map, which needs no more than a look at one spot.
export function showBasemap(other) {
  newLayer(0).addTo(other);
  need(other);
}

// What the main map needs: another one has asked for its own.
export const lookAgain = () => need(main);

// What is more than the lines of the world comes after `first`.
export async function addBasemap(map, first) {
  await startMapData(first);
  main = map;
  const tiles = newLayer(3);
  const again = () => {
    forgetLabels();
    tiles.drawAgain();
  };
  clearNames = (zoom, boxes) => {
    const changed = keepClear(zoom, boxes);
    const around = ({ x, y, z }) => z === zoom && changed.some((box) =>
      meet(box, [x * SIZE - REACH, y * SIZE - REACH, (x + 1) * SIZE + REACH, (y + 1) * SIZE + REACH]));
    if (changed.length > 0) tiles.drawAgain(around);
  };
  onMapData(again);
  document.addEventListener("themechange", again);
  document.fonts?.ready.then(() => {
    forgetWidths();
    again();
  });
  map.on("moveend", () => need(map));
  onNameLanguage(again);
  // While it is dragged, too; in between, a zoom that moves has no tiles.
  map.on("move", L.Util.throttle(() => Number.isInteger(map.getZoom()) && need(map), OFTEN));
  need(map);
  const known = attributions();
  for (const { text, href } of known) map.attributionControl.addAttribution(anchor(text, href));
  const plain = (text) => el("span", {}, text).outerHTML;
  let ofStreets;
  const showStreets = (text, since) => {
    if (ofStreets) map.attributionControl.removeAttribution(ofStreets);
    const age = since ? ` (${t("as of {day}", { day: day(since * 1000) })})` : "";
    ofStreets = text && plain(text + age);
    if (ofStreets) map.attributionControl.addAttribution(ofStreets);
  };
  startTileSets(bundledTiles(), again, showStreets, first).then((texts) => {
    const others = new Set(texts.filter((text) => known.every((one) => one.text !== text)));
    for (const text of others) map.attributionControl.addAttribution(plain(text));
  }, (error) => console.warn(`The maps of datasets are not there: ${error.message}`));
  return tiles.addTo(map);
}

// Leaflet expects markup here; it is made from a node, so that the text in it stays text.
function anchor(text, href) {
  return el("a", { href, target: "_blank", rel: "noopener" }, text).outerHTML;
}

function need(map) {
  const { min, max } = map.getPixelBounds();
  const world = SIZE * 2 ** map.getZoom();
  const turns = Math.floor((min.x + max.x) / 2 / world); // Once around the world is the same world.
  const box = [min.x / world - turns, min.y / world, max.x / world - turns, max.y / world];
  needNames(map.getZoom());
  needTiles(box, map.getZoom());
}
