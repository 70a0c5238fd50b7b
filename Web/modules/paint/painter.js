// Draws the base map's tiles in a worker, so that no frame of the page waits for them. The page says what there is to
// draw, by messages {kind, …}, and gets a bitmap for each tile.
import { useLanguages } from "../ground/language.js";
import { forgetTiles, lookAt, drawTiles, namedTiles, takeTile, useLost, useSets } from "./drawntiles.js";
import { REACH, drawLabels, forgetLabels, keepClear, keptClear } from "./labels.js";
import { useStyles } from "./mapstyle.js";
import { namesOf, useNames } from "./names.js";
import { meet } from "./shapes.js";

const SIZE = 256;
// How far outside of its tile a shape is still drawn, for the width of its line.
const MARGIN = 24;
// In how many milliseconds several tiles that came are drawn at once.
const TOGETHER = 100;

const shown = new Map(); // The number of a tile on the page → {coords, ratio}
const waiting = new Set(); // Numbers of those that are to be drawn.
let colour;
let news;
let isWorking = false;

// For tests.
export const drawn = { namedTiles, namesOf, keptClear, isDone: () => waiting.size === 0 && !news };

const TAKES = {
  styles: ({ styles }) => useStyles(styles),
  colours: ({ colours }) => { colour = colours; },
  languages: ({ languages }) => useLanguages(languages),
  sets: ({ sets }) => useSets(sets),
  names: ({ lists }) => useNames(lists),
  // Which tiles are lost, and which the page has no more.
  lost: ({ keys }) => useLost(keys),
  gone: ({ keys }) => forgetTiles(keys),
  view: ({ box }) => lookAt(box),
  clear: ({ zoom, boxes }) => clear(zoom, boxes),
  again: () => again(),
  tile: ({ tile, bytes }) => takeTile(tile, new Uint8Array(bytes)).then((isNew) => isNew && againSoon()),
  paint: ({ id, coords, ratio }) => {
    shown.set(id, { coords, ratio });
    waiting.add(id);
    work();
  },
  forget: ({ id }) => {
    shown.delete(id);
    waiting.delete(id);
  },
};

self.addEventListener("message", ({ data }) => TAKES[data.kind](data));

function againSoon() {
  news ??= setTimeout(again, TOGETHER);
}

function again() {
  clearTimeout(news);
  news = undefined;
  forgetLabels();
  drawAgain();
}

function clear(zoom, boxes) {
  const changed = keepClear(zoom, boxes);
  const around = ({ x, y, z }) => z === zoom && changed.some((box) =>
    meet(box, [x * SIZE - REACH, y * SIZE - REACH, (x + 1) * SIZE + REACH, (y + 1) * SIZE + REACH]));
  if (changed.length > 0) drawAgain(around);
}

function drawAgain(isMeant = (_coords) => true) {
  for (const [id, { coords }] of shown) if (isMeant(coords)) waiting.add(id);
  work();
}

// One after the other; what the page has said meanwhile comes first.
async function work() {
  if (isWorking) return;
  isWorking = true;
  while (waiting.size > 0) {
    const [id] = waiting;
    waiting.delete(id);
    const { coords, ratio } = shown.get(id);
    drawOne(id, coords, ratio);
    await turn();
  }
  isWorking = false;
}

// What can't be drawn costs its tile.
function drawOne(id, coords, ratio) {
  try {
    const bitmap = draw(coords, ratio);
    self.postMessage({ id, bitmap }, { transfer: [bitmap] });
  } catch (error) {
    console.error(error);
    self.postMessage({ id });
  }
}

const { port1: near, port2: far } = new MessageChannel();
const turn = () => new Promise((resolve) => {
  near.onmessage = resolve;
  far.postMessage(0);
});

function draw(coords, ratio) {
  const canvas = new OffscreenCanvas(SIZE * ratio, SIZE * ratio);
  const pen = canvas.getContext("2d", { alpha: false });
  pen.scale(ratio, ratio);
  pen.lineJoin = pen.lineCap = "round";
  const view = viewOf(coords);
  // What is not known yet looks neither like sea nor like land.
  pen.fillStyle = colour.unknown;
  pen.fillRect(0, 0, view.size, view.size);
  drawTiles(pen, view, colour);
  // The names of the others, too.
  if (drawLabels(pen, view, colour)) drawAgain((other) => other !== coords);
  return canvas.transferToImageBitmap();
}

// What a tile shows: how many pixels the world is wide, where the tile begins, and its box in units of the world.
function viewOf({ x, y, z }) {
  const world = SIZE * 2 ** z;
  const box = [x * SIZE - MARGIN, y * SIZE - MARGIN, (x + 1) * SIZE + MARGIN, (y + 1) * SIZE + MARGIN];
  return { zoom: z, size: SIZE, world, left: x * SIZE, top: y * SIZE, box: box.map((value) => value / world) };
}
