// One stream of server-sent events for everything that this page watches. When the set of watches changes the stream is
// reopened, and each watch resumes from the last version it received: nothing is sent twice, nothing is lost.
import { entrance } from "./entrance.js";
import { keepMessage, keptMessage } from "../offline/kept.js";
import { link } from "../offline/link.js";

const watches = new Set();
let source;
let timer;
let failures = 0;
// Since the stream broke, or the page was in the background: the browser may be someone else's by now.
let isUnsure = false;
let isMakingSure = false;

// Debounces new streams: a change of the view starts and ends several watches at once. The first one has begun already.
const GATHER = 60;
let gather = 0;
// A gateway accepts no more watches in one stream.
const MAXIMUM = 32;
// How long a watch that failed waits before a retry.
const REST = 2000;
// How long after the stream broke it is opened again: at first, and at most.
const [BRIEF, LONG] = [500, 8000];
// After how long without a message a server is called slow.
const SLOW = 4000;
// Errors that a retry doesn't change: there is nothing to watch, or it can't be watched.
const FINAL = new Set(["not_found", "invalid_argument", "permission_denied", "unimplemented"]);

// watch("pins.v1.PinService/WatchPin", {id}, (message) => {}) returns a function that ends the watch. Until the
// first message has come, and whenever none can come, `troubled` is called with the reason: "gateway" when the gateway
// doesn't answer, "service" when the watch ended with an error, "slow" when no message comes; and with undefined when
// that is over.
export function watch(method, request, take, troubled = () => {}) {
  const entry = {
    method, request, take, troubled, trouble: undefined, version: "0", isWanted: true, patience: undefined,
  };
  add(entry);
  return () => {
    entry.isWanted = false;
    clearTimeout(entry.patience);
    if (watches.delete(entry)) schedule(GATHER);
  };
}

function add(entry) {
  watches.add(entry);
  if (entry.version === "0") entry.patience ??= setTimeout(() => entry.trouble ?? tell(entry, "slow"), SLOW);
  schedule(gather);
}

function tell(entry, trouble) {
  if (entry.trouble === trouble || !entry.isWanted) return;
  entry.trouble = trouble;
  entry.troubled(trouble);
}

function schedule(milliseconds) {
  timer ??= setTimeout(open, milliseconds);
}

// A browser opens six connections to a server for all tabs together: a page in the background leaves them to others.
document.addEventListener("visibilitychange", open);
// A stream does not always end when the line breaks.
addEventListener("offline", () => {
  isUnsure = true;
  link.failed("events", {});
});
addEventListener("online", () => {
  failures = 0;
  open();
});

function open() {
  clearTimeout(timer);
  timer = undefined;
  gather = GATHER;
  source?.close();
  source = undefined;
  const entries = inOneStream();
  isUnsure ||= document.hidden;
  if (entries.length === 0 || document.hidden) return;
  const opening = entrance.whenOpen();
  if (opening) {
    if (entrance.isAsking()) waitForLogin();
    opening.then(() => schedule(0));
    return;
  }
  if (isUnsure) {
    makeSure();
    return;
  }
  const url = `/events?${entries.map((entry) => `watch=${spec(entry)}`).join("&")}`;
  const begun = window.begun?.stream(url);
  const stream = begun?.source ?? new EventSource(url);
  source = stream;
  stream.onopen = () => {
    failures = 0;
    link.answered("events");
    for (const entry of entries) if (["gateway", "login"].includes(entry.trouble)) tell(entry, undefined);
  };
  stream.onmessage = (event) => deliver(entries, JSON.parse(event.data));
  stream.onerror = () => lost(stream);
  if (stream.readyState === EventSource.OPEN) stream.onopen();
  for (const message of begun?.messages ?? []) stream.onmessage(message);
}

// What a stream says is another account's if that has logged in meanwhile.
async function makeSure() {
  if (isMakingSure) return;
  isMakingSure = true;
  try {
    isUnsure = !await entrance.confirm();
    schedule(0);
  } catch {
    away();
    failures += 1;
    schedule(pace());
  }
  isMakingSure = false;
}

const pace = () => Math.min(BRIEF * 2 ** failures, LONG);

// The watches of pins come first. The others get the remaining slots, and those that become free.
function inOneStream() {
  const isOfPins = ({ method }) => method.startsWith("pins.");
  return [...watches].sort((a, b) => isOfPins(b) - isOfPins(a)).slice(0, MAXIMUM);
}

function spec({ method, request, version }) {
  const body = version === "0" ? request : { ...request, fromVersion: version };
  return encodeURIComponent(`waymark.${method}:${JSON.stringify(body)}`);
}

function deliver(entries, event) {
  const entry = entries[event.watch];
  if (!entry || !watches.has(entry)) return;
  if (event.message) {
    entry.version = event.message.version ?? entry.version;
    clearTimeout(entry.patience);
    tell(entry, undefined);
    entry.take(event.message);
    keepMessage(entry.method, entry.request, event.message);
  }
  if (event.error || event.end) end(entry, event.error);
}

function end(entry, error) {
  watches.delete(entry);
  if (watches.size >= MAXIMUM) schedule(GATHER);
  if (!error || FINAL.has(error.code)) return;
  const again = () => entry.isWanted && add(entry);
  if (error.code === "unauthenticated") {
    entrance.check(true).then(again);
    return;
  }
  tell(entry, "service");
  setTimeout(again, REST);
}

function waitForLogin() {
  link.answered("events");
  for (const entry of watches) tell(entry, "login");
}

entrance.onAsk(waitForLogin);

// Until the server says more, what it said last.
async function recall(entry) {
  if (entry.version !== "0") return;
  const message = await keptMessage(entry.method, entry.request);
  if (!message || entry.version !== "0" || !entry.isWanted) return;
  entry.version = message.version ?? "0";
  clearTimeout(entry.patience);
  entry.take(message);
}

function away() {
  link.failed("events", {});
  for (const entry of watches) {
    tell(entry, "gateway");
    recall(entry);
  }
}

// The browser would reopen a broken stream by itself, whosever it is by then, but not one that was refused.
function lost(stream) {
  if (source !== stream) return;
  // A stream may be refused only after a call was, and someone was asked to log in.
  if (entrance.isAsking()) {
    waitForLogin();
  } else {
    away();
  }
  stream.close();
  source = undefined;
  isUnsure = true;
  schedule(pace());
  failures += 1;
}
