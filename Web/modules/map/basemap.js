// The base map, drawn from bundled lines on canvas tiles: nothing is requested from other servers.
import { L } from "./leaflet.js";
import { attributions, bundledTiles, needNames, startMapData } from "./mapdata.js";
import { colours } from "./palette.js";
import { give, paint, paintNoMore, tell, zooms } from "./painting.js";
import { needTiles, startTileSets } from "./tilesets.js";
import { nameLanguages, onNameLanguage } from "../ground/language.js";
import { el } from "../ground/dom.js";
import { t } from "../ground/text.js";
import { day } from "../ground/words.js";

const SIZE = 256;

// In how many milliseconds tiles are asked for once while the map is dragged.
const OFTEN = 200;

const Basemap = L.GridLayer.extend({
  createTile(coords, done) {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const tile = L.DomUtil.create("canvas", "leaflet-tile");
    tile.width = tile.height = SIZE * ratio;
    paint(tile, coords, ratio, () => done(null, tile));
    return tile;
  },

  // Without a transform: with one, each would be two layers more for the browser to put together in each frame.
  _addTile(coords, container) {
    L.GridLayer.prototype._addTile.call(this, coords, container);
    const { el: tile } = this._tiles[this._tileCoordsToKey(coords)];
    const { x, y } = this._getTilePos(coords);
    Object.assign(tile.style, { transform: "", left: `${x}px`, top: `${y}px` });
  },

  // It comes whole: Leaflet would reckon its opacity in each frame, and what it stands on has gone by then.
  _tileReady(...ready) {
    const map = this._map;
    if (!map) return;
    const isSoft = map._fadeAnimated;
    map._fadeAnimated = false;
    L.GridLayer.prototype._tileReady.apply(this, ready);
    map._fadeAnimated = isSoft;
  },
});

const newLayer = (keepBuffer) =>
  new Basemap({ tileSize: SIZE, maxZoom: 19, keepBuffer, updateWhenZooming: false })
    .on("tileunload", ({ tile }) => paintNoMore(tile));

let main; // The map that has all of it.

// What stands on the main map, as boxes in pixels of its screen: no name is written there.
export function keepNamesClear(boxes) {
  if (!main || !Number.isInteger(main.getZoom())) return;
  const { min, max } = main.getPixelBounds();
  const world = SIZE * 2 ** main.getZoom();
  const left = min.x - Math.floor((min.x + max.x) / 2 / world) * world;
  const clear = boxes.map(([x, y, right, bottom]) => [x + left, y + min.y, right + left, bottom + min.y]);
  tell({ kind: "clear", zoom: main.getZoom(), boxes: clear });
}

const listeners = new Set();

// `listener` is called once there is a base map, and again when more is known of what it shows; until `forget()`, which
// is returned.
export function onBasemap(listener) {
  listeners.add(listener);
  if (main) listener();
  return () => listeners.delete(listener);
}

function tellListeners() {
  for (const listener of listeners) listener();
}

// The same on another map, which needs no more than a look at one spot.
export function showBasemap(other) {
  newLayer(0).addTo(other);
  other.on("moveend", () => need(other));
  need(other);
}

// What the main map needs: another one has asked for its own.
export const lookAgain = () => need(main);

// What is more than the lines of the world comes after `first`.
export async function addBasemap(map, first) {
  await startMapData(first);
  main = map;
  tellColours();
  tellLanguages();
  document.addEventListener("themechange", tellColours);
  map.on("moveend", () => need(map));
  map.on("zoomstart", () => zooms(true));
  map.on("zoomend", () => zooms(false));
  onNameLanguage(tellLanguages);
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
    tellListeners();
  };
  startTileSets(bundledTiles(), showStreets, first).then((texts) => {
    const others = new Set(texts.filter((text) => known.every((one) => one.text !== text)));
    for (const text of others) map.attributionControl.addAttribution(plain(text));
  }, (error) => console.warn(`The maps of datasets are not there: ${error.message}`)).finally(tellListeners);
  newLayer(3).addTo(map);
  tellListeners();
}

function tellColours() {
  tell({ kind: "colours", colours: colours() });
  give({ kind: "again" });
}

function tellLanguages() {
  tell({ kind: "languages", languages: nameLanguages() });
  give({ kind: "again" });
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
