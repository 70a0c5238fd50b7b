// The pins as this page knows them: from the event stream, and from answers to our own changes, which may be faster.
import { watch } from "./events.js";

// Also in begin.js.
const WHOLE = 5000;
const pins = new Map();
// Those that the user has deleted here, while that can still be undone.
const hidden = new Set();
const listeners = new Set();
let known = false;
// How many pins the account has, when these are more than a page is sent; then it knows those that it has met.
let crowd = 0;
let trouble;

export const allPins = () => [...pins.values()].filter((pin) => !hidden.has(pin.id));
export const pinCount = () => crowd || allPins().length;
export const isCrowd = () => crowd > 0;
export const isHiddenPin = (id) => hidden.has(id);
export const pinOf = (id) => (hidden.has(id) ? undefined : pins.get(id));
// Whether the server has sent all pins once.
export const pinsAreKnown = () => known;
// Why there are no updates just now, as `watch` reports it.
export const pinsTrouble = () => trouble;

// Calls `listener({changed, removed})` with sets of ids; returns a function that stops it.
export function onPins(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startPins() {
  watch("pins.v1.PinService/WatchPins", { wholeAtMost: WHOLE }, take, (why) => {
    trouble = why;
    update([], new Set(), true);
  });
}

function take(message) {
  const sent = message.pins ?? [];
  const removed = new Set(message.removedIds ?? []);
  if (message.isWhole) {
    const kept = new Set(sent.map((pin) => pin.id));
    for (const id of pins.keys()) if (!kept.has(id)) removed.add(id);
    // A whole answer replaces all that was known, even when its versions are older: the database may be another one.
    for (const id of kept) pins.delete(id);
  }
  const first = !known;
  known = true;
  crowd = message.crowd ?? (message.isWhole ? 0 : crowd);
  update(sent, removed, first);
}

// Stores a pin from an answer; an older version than the known one changes nothing.
export const putPin = (pin) => update([pin], new Set(), false);
export const dropPin = (id) => update([], new Set([id]), false);

export function hidePin(id) {
  hidden.add(id);
  tell(new Set(), new Set([id]));
}

// Returns whether it still exists.
export function unhidePin(id) {
  hidden.delete(id);
  if (pins.has(id) || isCrowd()) tell(new Set(pins.has(id) ? [id] : []), new Set());
  return pins.has(id) || isCrowd();
}

function update(sent, removed, always) {
  const changed = new Set();
  for (const pin of sent) {
    const old = pins.get(pin.id);
    if (old && Number(old.version ?? 0) > Number(pin.version ?? 0)) continue;
    pins.set(pin.id, pin);
    if (!hidden.has(pin.id)) changed.add(pin.id);
  }
  for (const id of [...removed]) if (!pins.delete(id)) removed.delete(id);
  // Of a crowd also what is not known here has changed.
  if (always || isCrowd() || changed.size > 0 || removed.size > 0) tell(changed, removed);
}

function tell(changed, removed) {
  for (const listener of listeners) listener({ changed, removed });
}
