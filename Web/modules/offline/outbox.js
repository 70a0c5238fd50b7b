// Changes that the server does not have yet. Each is kept the moment that it is made, before anything is tried: in the
// browser's storage, under a key of its own, so that no tab overwrites what another one keeps. It goes when the server
// has answered. What is sent, and when, is the work of sender.js.
import { accountOf, onWipe } from "./kept.js";

// Keys are in the order in which the changes were made, over all tabs: "waymark.change.<number>.<request_id>".
const PREFIX = "waymark.change.";
// What the server called the pins that were made here.
const NAMES = "waymark.names";
const MAXIMUM_NAMES = 200;
// The array that earlier versions kept.
const FORMER = "waymark.outbox";
const VERSION = 1;
// After how many milliseconds without an answer a change is shown as one that waits; when a try has failed, at once.
const GRACE = 4000;
const MADE_HERE = "new-";

// Changes that can be made without seeing their answer.
const CAN_WAIT = new Set([
  "pins.v1.PinService/CreatePin", "pins.v1.PinService/RenamePin", "pins.v1.PinService/MovePin",
  "pins.v1.PinService/DeletePin", "pins.v1.PinService/AnnotatePin", "photos.v1.PhotoService/ChangeFavourite",
  "stars.v1.StarService/StarPlace", "stars.v1.StarService/UnstarPlace",
  "lists.v1.ListService/AddToList", "lists.v1.ListService/RemoveFromList",
]);

const listeners = new Set();
const waiting = new Set(); // keys of those that are shown as waiting
const homeless = new Map(); // key → change, for which the browser has no room
let changes = []; // [{key, account, method, request}], in their order

export const canWait = (method) => CAN_WAIT.has(method);
// A pin that the server does not know yet is called by the request that makes it.
export const idOfNew = (requestId) => MADE_HERE + requestId;
export const isMadeHere = (id) => Boolean(id?.startsWith(MADE_HERE));

export const keptChanges = () => changes;
export const waitingChanges = () => changes.filter(({ key }) => waiting.has(key));
// Whether a change is lost when the page is closed.
export const isHomeless = (change) => homeless.has(change.key);
// Calls `listener` when other changes are kept, or wait.
export const onChanges = (listener) => listeners.add(listener);

// Keeps a change; `isAway`: it will not be sent at once.
export function keep(method, request, isAway = false) {
  const change = { account: accountOf(), method, request, version: VERSION };
  const key = `${PREFIX}${String(nextNumber()).padStart(15, "0")}.${request.requestId}`;
  try {
    localStorage.setItem(key, JSON.stringify(change));
  } catch {
    homeless.set(key, change);
  }
  if (isAway) waiting.add(key);
  look();
  return { key, ...change };
}

// The server has answered.
export function drop({ key }) {
  homeless.delete(key);
  remove(key);
  look();
}

export function show({ key }) {
  if (waiting.has(key) || !changes.some((change) => change.key === key)) return;
  waiting.add(key);
  tell();
}

// Calls `run` once when a change is shown as one that waits, if that ever comes.
export function whenWaiting({ key }, run) {
  const listener = () => {
    const isWaiting = waiting.has(key);
    if (isWaiting) run();
    if (isWaiting || !changes.some((change) => change.key === key)) listeners.delete(listener);
  };
  listeners.add(listener);
  listener();
}

// Whether others about the same thing have to go first, or its name is not known.
export function waitsBehind(change) {
  const subjects = subjectsOf(change);
  const isSame = (other) => subjectsOf(other).some((subject) => subjects.includes(subject));
  return !named(change.request) || changes.some((other) => other.key < change.key && isSame(other));
}

// What a pin is called that was made here; undefined until the server has it.
export const nameOf = (id) => names()[id];

export function setName(id, name) {
  try {
    const known = Object.entries({ ...names(), [id]: name }).slice(-MAXIMUM_NAMES);
    localStorage.setItem(NAMES, JSON.stringify(Object.fromEntries(known)));
  } catch {
    // What was done to it since is refused, and that is said.
  }
}

// The request with the names that the server knows; undefined when it is about a pin that was never made.
export function named(request) {
  const ids = [request.id, ...request.pinIds ?? []].filter(isMadeHere);
  if (ids.some((id) => !nameOf(id))) return undefined;
  const given = (id) => (isMadeHere(id) ? nameOf(id) : id);
  const { id, pinIds } = request;
  return { ...request, ...(id && { id: given(id) }), ...(pinIds && { pinIds: pinIds.map(given) }) };
}

// What a change is about: those about the same are sent in their order.
export function subjectsOf({ method, request: { requestId, id, photoId, place, pinIds = [] } }) {
  const own = method.endsWith("/CreatePin") ? idOfNew(requestId) : id ?? photoId ?? place?.id;
  return [own, ...pinIds].map((each) => nameOf(each) ?? each);
}

// Numbers grow with each change, also when the clock is set back.
function nextNumber() {
  const last = changes.at(-1)?.key.slice(PREFIX.length).split(".")[0];
  return Math.max(Date.now(), Number(last ?? 0) + 1);
}

// Reads what all tabs have kept.
function look(isStart = false) {
  const before = changes;
  changes = [...stored(), ...[...homeless].map(([key, change]) => ({ key, ...change }))].sort(byKey);
  const known = new Set(before.map(({ key }) => key));
  for (const change of changes) {
    if (known.has(change.key) || waiting.has(change.key)) continue;
    if (isStart) waiting.add(change.key);
    else setTimeout(show, GRACE, change);
  }
  for (const key of waiting) if (!changes.some((change) => change.key === key)) waiting.delete(key);
  tell();
}

const byKey = (one, other) => (one.key < other.key ? -1 : 1);

function tell() {
  for (const listener of listeners) listener();
}

function stored() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map(read).filter(Boolean);
  } catch {
    return [];
  }
}

// Undefined for what a later version has written.
function read(key) {
  try {
    const change = JSON.parse(localStorage.getItem(key));
    return change?.version === VERSION && canWait(change.method) ? { key, ...change } : undefined;
  } catch {
    return undefined;
  }
}

function names() {
  try {
    return JSON.parse(localStorage.getItem(NAMES)) ?? {};
  } catch {
    return {};
  }
}

function remove(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then it was not there.
  }
}

function takeFormer() {
  try {
    for (const { method, request } of JSON.parse(localStorage.getItem(FORMER)) ?? []) keep(method, request, true);
  } catch {
    // What can't be read is no change.
  }
  remove(FORMER);
}

// They were of the account that has left.
onWipe(() => {
  homeless.clear();
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) remove(key);
  } catch {
    // Then there are none.
  }
  remove(NAMES);
  remove(FORMER);
  look();
});

// Another tab has kept one, or sent one.
addEventListener("storage", ({ key }) => (key === null || key.startsWith(PREFIX)) && look());
addEventListener("pageshow", ({ persisted }) => persisted && look());
look(true);
takeFormer();
