// The door to the worker that draws the base map (paint/painter.js).
// After how many milliseconds its script is fetched again.
const AGAIN = 3000;
// In how many milliseconds several tiles are put on the page at once; while the map zooms, later.
const TOGETHER = 60;
const WHILE_ZOOMING = 400;

// What was sent to it last of each kind, for when it has to be begun again.
const sent = new Map();
const tiles = new Map(); // number → {canvas, coords, ratio, done}
const numbers = new WeakMap();
let count = 0;
let isThere = false;
/** @type {Map<number, any>} */
const come = new Map(); // number → bitmap
let soon;
let again;
let isZooming = false;
let begunAgain = () => {};
let worker = begin();

// `listener` is called when the worker knows no vector tile any more.
export function onNewPainter(listener) {
  begunAgain = listener;
}

// {kind, …}; what is said later of the same kind takes its place.
export function tell(message) {
  sent.set(message.kind, message);
  worker.postMessage(message);
}

// Once: what it has of the page's vector tiles.
export const give = (message, transfer = []) => worker.postMessage(message, transfer);

// Fills a canvas with a tile of the base map, now and whenever that changes; `done()` is called at the first time.
export function paint(canvas, coords, ratio, done) {
  const id = count += 1;
  numbers.set(canvas, id);
  const { x, y, z } = coords;
  tiles.set(id, { canvas, coords: { x, y, z }, ratio, done });
  ask(id);
}

export function paintNoMore(canvas) {
  const id = numbers.get(canvas);
  tiles.delete(id);
  worker.postMessage({ kind: "forget", id });
}

function ask(id) {
  const { coords, ratio } = tiles.get(id);
  worker.postMessage({ kind: "paint", id, coords, ratio });
}

function begin() {
  const next = new Worker("/modules/paint/painter.js", { type: "module" });
  next.onmessage = take;
  next.onerror = () => { if (!isThere) again ??= setTimeout(beginAgain, AGAIN); };
  return next;
}

// Its script did not come.
function beginAgain() {
  again = undefined;
  worker.terminate();
  worker = begin();
  for (const message of sent.values()) worker.postMessage(message);
  for (const id of tiles.keys()) ask(id);
  begunAgain();
}

function take({ data: { id, bitmap } }) {
  isThere = true;
  come.get(id)?.close();
  come.set(id, bitmap);
  soon ??= setTimeout(show, isZooming ? WHILE_ZOOMING : TOGETHER);
}

// A frame of a zoom has no time for what comes: the page puts its layers together again for it.
export function zooms(now) {
  isZooming = now;
}

function show() {
  soon = undefined;
  for (const [id, bitmap] of come) {
    const tile = tiles.get(id);
    if (!tile) {
      bitmap?.close();
      continue;
    }
    // None of a tile that could not be drawn.
    if (bitmap) tile.canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
    tile.done?.();
    tile.done = undefined;
  }
  come.clear();
}
