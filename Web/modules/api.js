// Calls to the gateway. A call without an answer is retried, and a change has the same request_id each time, so that
// the service recognises it and changes nothing twice.
import { call, HEADERS } from "./call.js";
import { entrance } from "./entrance.js";
import { keepAnswer, keptAnswer } from "./kept.js";
import { link } from "./link.js";
import { canWait, keep, later, startOutbox } from "./outbox.js";

// After how many milliseconds without an answer the user is notified.
const SLOW = 4000;
// The longest pause before another try.
const MOST = 30_000;
const PATIENCE = [300, 700, 1500, 3000, 5000, 8000];
// The same for a change that can wait for longer than a page is open.
const SHORT = [300, 700, 1500];
// How often a call is made again after someone has logged in, or was logged in all the time.
const MOST_REFUSALS = 3;
const AGAIN = new Set(["unavailable", "resource_exhausted", "deadline_exceeded"]);

// read("pins.v1.PinService/GetPin", {id}). `troubled` is called with the reason why there is no answer yet, as with
// `watch`. With a signal it can be given up. While the server is away its last answer is given, if that is kept.
export const read = (method, request = {}, troubled, signal) =>
  attempt(method, request, troubled, PATIENCE, signal, () => keptAnswer(method, request));

// The same for a call that is made once, whatever its answer is.
export const readOnce = (method, request) => attempt(method, request, undefined, []);

// The same for a call that changes something. Some changes wait until a server that is away is back.
export async function change(method, request = {}) {
  const named = { ...request, requestId: newName() };
  if (!canWait(method)) return attempt(method, named);
  try {
    return await attempt(method, named, undefined, SHORT);
  } catch (error) {
    if (error.trouble !== "gateway") throw error;
    return later(method, named);
  }
}

// Sends what waits from before; `refused` is called with what the server does not take.
export const sendWaiting = (refused) =>
  startOutbox((method, request) => attempt(method, request, undefined, []), refused);

// A change whose answer is not needed, and that should arrive even when the page is being closed.
export function leave(method, request) {
  const named = { ...request, requestId: newName() };
  // If it does not arrive, the next page sends it.
  if (link.isAway() && canWait(method)) keep(method, named);
  const body = JSON.stringify(named);
  fetch(`/waymark.${method}`, { method: "POST", headers: HEADERS, body, keepalive: true }).catch(() => {});
}

// The id of a change. Not from crypto.randomUUID, which a page over plain http doesn't have.
const newName = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

async function attempt(method, request, troubled = () => {}, patience = PATIENCE, signal, known = () => {}) {
  let refusals = 0;
  for (let round = 0; ; round += 1) {
    try {
      await entrance.whenOpen();
      const answer = await once(method, request, troubled, signal);
      link.answered("call");
      keepAnswer(method, request, answer);
      return answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      const mayPass = AGAIN.has(error.code);
      if (!mayPass) link.answered("call");
      if (error.code === "unauthenticated" && refusals < MOST_REFUSALS) {
        refusals += 1;
        troubled("login");
        await entrance.check(true);
        continue;
      }
      if (!mayPass) throw error;
      const kept = error.trouble === "gateway" ? await known() : undefined;
      if (kept) return kept;
      if (round >= patience.length) {
        link.gaveUp("call");
        throw error;
      }
      link.failed("call", error);
      troubled(error.trouble);
      await pause(error.wait > 0 ? Math.min(error.wait, MOST) : patience[round]);
    }
  }
}

async function once(method, request, troubled, signal) {
  const waiting = {};
  const slow = setTimeout(() => {
    link.slow(waiting);
    troubled("slow");
  }, SLOW);
  try {
    return await call(method, request, signal);
  } finally {
    clearTimeout(slow);
    link.answered(waiting);
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
