// Sends what the outbox keeps: one tab at a time, in their order, each with the request_id that it was made with, so
// that the server makes none of them twice. What is about a thing whose earlier change did not go waits behind that.
import { accountOf, onKnown } from "./kept.js";
import {
  drop, idOfNew, keptChanges, named, onChanges, setName, show, subjectsOf, waitingChanges,
} from "./outbox.js";
import { t } from "../ground/text.js";

// Milliseconds until the next try, and after which one is given up.
const PAUSES = [300, 700, 1500, 3000];
const DEADLINE = 30_000;
// Errors that pass; a proxy in between, or the page of a network that wants a login, says "unknown".
const PASSES = new Set([
  "unavailable", "resource_exhausted", "deadline_exceeded", "unauthenticated", "aborted", "canceled", "unknown",
]);

const asking = new Map(); // request_id → who of this page waits for the answer
// What one tab has sent is answered in all of them.
const tabs = new BroadcastChannel("waymark.outbox");
let post;
let isSending = false;
let failures = 0;
let wake = () => {};

// Begins to send. `send(method, request, signal)` makes a call once, and `confirm()` asks whether the browser is still
// that of the page's account. `taken(change, answer)` and `refused(change, error)` are called for changes that no one
// of this page waits for any more, `failed(error)` when something did not go, `done()` when all have gone.
export function startSender(calls) {
  post = calls;
  onChanges(sendAll);
  addEventListener("online", () => wake());
  onKnown(() => wake());
  sendAll();
}

// Resolves with the answer to a change that is kept, whenever that comes.
export function answerTo({ request }) {
  return new Promise((resolve, reject) => asking.set(request.requestId, { resolve, reject }));
}

// There is no caller any more.
export const letGo = ({ request }) => asking.delete(request.requestId);

async function sendAll() {
  wake();
  if (isSending || !post) return;
  isSending = true;
  while (keptChanges().length > 0) {
    if (await alone(round)) failures = 0;
    else await rest();
  }
  post.done();
  isSending = false;
}

// Resolves after a pause, or when there is a reason to try at once.
function rest() {
  const pause = PAUSES[Math.min(failures, PAUSES.length - 1)];
  failures += 1;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pause);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

// Plain http from another machine knows no locks. Two tabs may send the same change then, which is made once.
const alone = (body) => (navigator.locks ? navigator.locks.request("waymark.outbox", body) : body());

// Sends each that can go once; resolves with whether all have gone.
async function round() {
  await undefined;
  const account = accountOf(true);
  // Until it is known whose the browser is, nothing is sent; and never as someone else.
  if (account === undefined) return false;
  for (const change of keptChanges()) if (change.account && change.account !== account) drop(change);
  // The browser may have become someone else's while they waited.
  if (waitingChanges().length > 0 && !await isOurs()) return false;
  const stuck = new Set();
  let isAway = false;
  for (let change; !isAway && (change = next(stuck));) {
    const error = await sendOne(change);
    if (!error) continue;
    show(change);
    for (const subject of subjectsOf(change)) stuck.add(subject);
    isAway = error.trouble === "gateway";
    post.failed(error);
  }
  return stuck.size === 0;
}

async function isOurs() {
  try {
    return await post.confirm();
  } catch (error) {
    post.failed(error);
    return false;
  }
}

const next = (stuck) => keptChanges().find((change) => !subjectsOf(change).some((subject) => stuck.has(subject)));

// Resolves with the error when it is to be tried again.
async function sendOne(change) {
  const request = named(change.request);
  if (!request) return settle(change, { error: { code: "not_found", message: t("The pin was not stored.") } });
  const signal = /** @type {any} */ (AbortSignal).timeout(DEADLINE);
  try {
    const answer = await post.send(change.method, request, signal);
    if (change.method.endsWith("/CreatePin")) setName(idOfNew(request.requestId), answer.pin.id);
    return settle(change, { answer });
  } catch (error) {
    if (signal.aborted || PASSES.has(error.code)) return error;
    return settle(change, { error });
  }
}

function settle(change, { answer = undefined, error = undefined }) {
  const plain = error && { code: error.code, message: error.message };
  tabs.postMessage({ change, answer, error: plain });
  tell(change, answer, error);
  drop(change);
}

function tell(change, answer, error) {
  const caller = asking.get(change.request.requestId);
  asking.delete(change.request.requestId);
  if (caller) return error ? caller.reject(error) : caller.resolve(answer);
  return error ? post?.refused(change, error) : post?.taken(change, answer);
}

tabs.addEventListener("message", ({ data: { change, answer, error } }) => {
  // That one was refused is said once, by who waits for it or by the tab that has sent it.
  if (!error || asking.has(change.request.requestId)) tell(change, answer, error);
});
