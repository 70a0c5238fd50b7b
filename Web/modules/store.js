// The pins as this page knows them: what the event stream told, and what answers to our own changes told before it.
import { watch } from "./events.js";

const pins = new Map();
// Those that a person has deleted here, while that can still be undone.
const hidden = new Set();
const listeners = new Set();
let known = false;
let trouble;

export const allPins = () => [...pins.values()].filter((pin) => !hidden.has(pin.id));
export const pinOf = (id) => (hidden.has(id) ? undefined : pins.get(id));
// Whether the server has told all pins once.
export const pinsAreKnown = () => known;
// Why they can't be told just now, as `watch` says it.
export const pinsTrouble = () => trouble;

// Calls `listener({changed, removed})` with sets of ids; gives a function that stops it.
export function onPins(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startPins() {
  watch("pins.v1.PinService/WatchPins", {}, take, (why) => {
    trouble = why;
    update([], new Set(), true);
  });
}

function take(message) {
  const told = message.pins ?? [];
  const removed = new Set(message.removedIds ?? []);
  if (message.isWhole) {
    const kept = new Set(told.map((pin) => pin.id));
    for (const id of pins.keys()) if (!kept.has(id)) removed.add(id);
    // What is whole holds whatever was known, even when its versions are older: the data may be another one.
    for (const id of kept) pins.delete(id);
  }
  const first = !known;
  known = true;
  update(told, removed, first);
}

// Takes in a pin that an answer brought; an older state than is known changes nothing.
export const putPin = (pin) => update([pin], new Set(), false);
export const dropPin = (id) => update([], new Set([id]), false);

export function hidePin(id) {
  hidden.add(id);
  tell(new Set(), new Set([id]));
}

// Gives whether it is still there.
export function unhidePin(id) {
  hidden.delete(id);
  if (pins.has(id)) tell(new Set([id]), new Set());
  return pins.has(id);
}

function update(told, removed, always) {
  const changed = new Set();
  for (const pin of told) {
    const old = pins.get(pin.id);
    if (old && Number(old.version ?? 0) > Number(pin.version ?? 0)) continue;
    pins.set(pin.id, pin);
    if (!hidden.has(pin.id)) changed.add(pin.id);
  }
  for (const id of [...removed]) if (!pins.delete(id)) removed.delete(id);
  if (always || changed.size > 0 || removed.size > 0) tell(changed, removed);
}

function tell(changed, removed) {
  for (const listener of listeners) listener({ changed, removed });
}
