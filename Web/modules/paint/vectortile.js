// Makes of a Mapbox Vector Tile what the map draws: for each layer and class the parts of its shapes, and shapes with
// names.
import { Pbf } from "./pbf.js";
import { nameLanguages } from "../ground/language.js";
import { loadSchema, ownOf } from "./tileschema.js";

// Layers of which nothing is drawn but names.
const POINTS = new Set(["places", "marks", "numbers"]);
const LINES = 2;
const AREAS = 3;
// More than a tile of any city has. Tiles come from others, too: what has more is damaged.
const MOST_LAYERS = 200;
const MOST_FEATURES = 400000;
const LARGEST_EXTENT = 2 ** 20;
// The longest name that is written.
const LONGEST = 200;

// {groups: Map of "layer class" → {layer, name, parts, way}, named: {layer: [shape]}, extent}; a part is
// {points, box, closed}, in units of its tile. What is damaged throws a RangeError.
export async function readTile(bytes, place) {
  if (place.set.isForeign) await loadSchema();
  const tile = { groups: new Map(), named: {} };
  const layers = [];
  const pbf = new Pbf(bytes);
  pbf.fields((field) => field === 3 && add(layers, pbf.inner(), MOST_LAYERS));
  for (const layer of layers) readLayer(layer, tile, place);
  return tile;
}

function add(list, part, most) {
  if (list.push(part) > most) throw new RangeError(`more than ${most} parts`);
}

function readLayer(pbf, tile, place) {
  const layer = { name: "", extent: 4096, keys: [], values: [], features: [] };
  pbf.fields((field) => {
    if (field === 1) layer.name = pbf.text();
    else if (field === 2) add(layer.features, pbf.inner(), MOST_FEATURES);
    else if (field === 3) layer.keys.push(pbf.text());
    else if (field === 4) layer.values.push(readValue(pbf.inner()));
    else if (field === 5) layer.extent = pbf.number();
  });
  if (!(layer.extent >= 1 && layer.extent <= LARGEST_EXTENT)) throw new RangeError("a layer of no extent");
  for (const feature of layer.features) {
    const found = readFeature(feature, layer);
    const own = place.set.isForeign ? ownOf(layer.name, found.properties) : { layer: layer.name };
    if (own) {
      Object.assign(found.properties, own);
      addFeature(found, own.layer, layer.extent, tile, place);
    }
  }
}

function readValue(pbf) {
  let value;
  pbf.fields((field) => {
    if (field === 1) value = pbf.text();
    else if (field === 4 || field === 5) value = pbf.number();
    else if (field === 6) value = unfolded(pbf.number());
    else if (field === 7) value = pbf.number() === 1;
  });
  return value;
}

function readFeature(pbf, { keys, values }) {
  const feature = { kind: 0, properties: Object.create(null), commands: undefined };
  pbf.fields((field) => {
    if (field === 2) {
      const tags = pbf.numbers();
      for (let i = 0; i + 1 < tags.length; i += 2) feature.properties[keys[tags[i]]] = values[tags[i + 1]];
    } else if (field === 3) feature.kind = pbf.number();
    else if (field === 4) feature.commands = pbf.inner();
  });
  return feature;
}

function addFeature({ kind, properties, commands }, layer, extent, tile, place) {
  if (!commands) return;
  const parts = partsOf(commands, kind);
  if (properties.isTurned) parts.forEach(turn);
  const { class: name = "", tunnel, bridge, oneway, ref } = properties;
  const way = tunnel ? " tunnel" : bridge ? " bridge" : "";
  if (!properties.isName && !POINTS.has(layer)) {
    const key = `${layer} ${name}${way}`;
    if (!tile.groups.has(key)) tile.groups.set(key, { layer, name, way: way.trim(), extent, parts: [] });
    const group = tile.groups.get(key);
    for (const part of parts) group.parts.push(part);
  }
  const keep = (list, text) => {
    tile.named[list] ??= [];
    for (const part of parts) tile.named[list].push(shapeOf(part, text, properties, extent, place));
  };
  const text = nameOf(properties);
  if (text || textOf(ref)) keep(layer, text);
  if (oneway) keep("oneways");
}

function nameOf(properties) {
  const keys = nameLanguages().flatMap((language) => [`name:${language}`, `name_${language}`]);
  return textOf([...keys, "name"].map((key) => properties[key]).find(Boolean));
}

const textOf = (text) => (typeof text === "string" && text.length <= LONGEST ? text : undefined);

// The parts that the commands of a feature draw.
function partsOf(pbf, kind) {
  const parts = [];
  let points = [];
  let x = 0;
  let y = 0;
  const finish = () => {
    if (points.length > 0) parts.push(partOf(points, kind === AREAS));
    points = [];
  };
  while (pbf.at < pbf.end) {
    const command = pbf.number();
    for (let count = Math.floor(command / 8); count > 0 && (command & 7) !== 7; count -= 1) {
      if ((command & 7) === 1) finish();
      x += unfolded(pbf.number());
      y += unfolded(pbf.number());
      points.push(x, y);
    }
  }
  finish();
  return kind >= LINES ? parts.filter((part) => part.points.length >= 4) : parts;
}

// The other way round.
function turn({ points }) {
  for (let i = 0, j = points.length - 2; i < j; i += 2, j -= 2) {
    [points[i], points[i + 1], points[j], points[j + 1]] = [points[j], points[j + 1], points[i], points[i + 1]];
  }
}

const unfolded = (number) => (number % 2 === 1 ? -(number + 1) / 2 : number / 2);

function partOf(points, closed) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    box[0] = Math.min(box[0], points[i]);
    box[1] = Math.min(box[1], points[i + 1]);
    box[2] = Math.max(box[2], points[i]);
    box[3] = Math.max(box[3], points[i + 1]);
  }
  return { points: Int32Array.from(points), box, closed };
}

// A shape in units of the world.
function shapeOf({ points, box, closed }, name, properties, extent, { x, y, z }) {
  const { class: kind, population = 0, from = 0, ref, ele } = properties;
  const size = extent * 2 ** z;
  const ring = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    ring[i] = (points[i] + x * extent) / size;
    ring[i + 1] = (points[i + 1] + y * extent) / size;
  }
  const world = box.map((value, side) => (value + (side % 2 === 0 ? x : y) * extent) / size);
  return { name, class: kind, population, from, ref: textOf(ref), ele, rings: [ring], closed, box: world };
}
