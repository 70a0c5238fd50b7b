// The pins as this page knows them: from the event stream, and from answers to our own changes, which may be faster;
// and as changes that wait for the server will make them.
import { watch } from "../server/events.js";

// Also in begin.js.
const WHOLE = 5000;
const pins = new Map();
// Those that the user has deleted here, while that can still be undone.
const hidden = new Set();
// id → what differs by changes that wait: with `isNew` it is all that is known, with `isGone` it is deleted.
let overlay = new Map();
const listeners = new Set();
let known = false;
// Up to which version of the account's pins the stream has said all.
let heard = 0;
// How many pins the account has, when these are more than a page is sent; then it knows those that it has met.
let crowd = 0;
let trouble;

export const allPins = () => [...new Set([...pins.keys(), ...overlay.keys()])].map(pinOf).filter(Boolean);
export const pinCount = () => (crowd ? crowd + newPins().length : allPins().length);
// Those that the server does not know yet.
export const newPins = () => [...overlay].filter(([, { isNew }]) => isNew).map(([id]) => pinOf(id)).filter(Boolean);
export const isCrowd = () => crowd > 0;
export const isHiddenPin = (id) => hidden.has(id) || overlay.get(id)?.isGone === true;
export function pinOf(id) {
  if (isHiddenPin(id)) return undefined;
  const [pin, differs] = [pins.get(id), overlay.get(id)];
  if (!differs || (!pin && !differs.isNew)) return pin;
  return { ...pin, ...differs, isNew: !pin };
}
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
  heard = Number(message.version ?? heard);
  crowd = message.crowd ?? (message.isWhole ? 0 : crowd);
  update(sent, removed, first);
}

// Stores a pin from an answer; an older version than the known one changes nothing. A change that is sent again is
// answered as it was the first time: a pin of which the stream says nothing any more was deleted since.
export const putPin = (pin) => (isGone(pin) ? undefined : update([pin], new Set(), false));
const isGone = ({ id, version = 0 }) => known && !isCrowd() && !pins.has(id) && Number(version) <= heard;
export const dropPin = (id) => update([], new Set([id]), false);

export function hidePin(id) {
  hidden.add(id);
  tell(new Set(), new Set([id]));
}

// Shows pins with what waits.
export function overlayPins(next) {
  const touched = new Set([...overlay.keys(), ...next.keys()]);
  if (touched.size === 0) return;
  overlay = next;
  tell(touched, new Set());
}

// Returns whether it still exists.
export function unhidePin(id) {
  hidden.delete(id);
  if (pinOf(id) || isCrowd()) tell(new Set(pinOf(id) ? [id] : []), new Set());
  return Boolean(pinOf(id)) || isCrowd();
}

function update(sent, removed, always) {
  const changed = new Set();
  for (const pin of sent) {
    const old = pins.get(pin.id);
    if (old && Number(old.version ?? 0) > Number(pin.version ?? 0)) continue;
    pins.set(pin.id, pin);
    if (!isHiddenPin(pin.id)) changed.add(pin.id);
  }
  for (const id of [...removed]) if (!pins.delete(id)) removed.delete(id);
  // Of a crowd also what is not known here has changed.
  if (always || isCrowd() || changed.size > 0 || removed.size > 0) tell(changed, removed);
}

function tell(touched, gone) {
  const changed = new Set([...touched].filter(pinOf));
  const removed = new Set([...gone, ...[...touched].filter((id) => !changed.has(id))]);
  for (const listener of listeners) listener({ changed, removed });
}
