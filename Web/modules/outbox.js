// Changes that could not be sent because the server is away. They wait here, also when the page is closed, each with
// the request_id of its first try, and are sent in their order when the server is back: it makes none of them twice.
import { onWipe } from "./kept.js";

const KEY = "waymark.outbox";
// After how many milliseconds the next try is made.
const AGAIN = 3000;
// Changes that can be made without seeing their answer.
const CAN_WAIT = new Set([
  "pins.v1.PinService/CreatePin", "pins.v1.PinService/RenamePin", "pins.v1.PinService/MovePin",
  "pins.v1.PinService/DeletePin", "pins.v1.PinService/AnnotatePin", "photos.v1.PhotoService/ChangeFavourite",
  "stars.v1.StarService/StarPlace", "stars.v1.StarService/UnstarPlace",
]);

// Errors that pass.
const PASSES = new Set(["unavailable", "resource_exhausted", "deadline_exceeded"]);

const listeners = new Set();
const asking = new Map(); // request_id → who of this page waits for the answer
let changes = stored(); // [{method, request}]
let isSending = false;
let post;

export const canWait = (method) => CAN_WAIT.has(method);

// Those that wait, in their order.
export const waitingChanges = () => changes;
export const onWaiting = (listener) => listeners.add(listener);

// Begins to send what waits. `send(method, request)` makes a call once; `refused(method, error)` is called when the
// server does not take one whose page was closed since.
export function startOutbox(send, refused) {
  post = { send, refused };
  sendAll();
}

// Keeps a change; resolves with its answer, whenever that comes.
export function later(method, request) {
  const answer = new Promise((resolve, reject) => asking.set(request.requestId, { resolve, reject }));
  keep(method, request);
  sendAll();
  return answer;
}

// The same for a page that is being closed.
export function keep(method, request) {
  changes = [...changes, { method, request }];
  store();
}

async function sendAll() {
  if (isSending || !post) return;
  isSending = true;
  while (changes.length > 0) {
    const change = changes[0];
    const { method, request } = change;
    const caller = asking.get(request.requestId);
    try {
      const answer = await post.send(method, request);
      caller?.resolve(answer);
    } catch (error) {
      if (PASSES.has(error.code)) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
        continue;
      }
      if (caller) caller.reject(error);
      else post.refused(method, error);
    }
    asking.delete(request.requestId);
    changes = changes.filter((other) => other !== change);
    store();
  }
  isSending = false;
}

function store() {
  try {
    if (changes.length > 0) localStorage.setItem(KEY, JSON.stringify(changes));
    else localStorage.removeItem(KEY);
  } catch {
    // Then they wait as long as the page is open.
  }
  for (const listener of listeners) listener(changes);
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

// They were of the account that has left.
onWipe(() => {
  changes = [];
  store();
});
