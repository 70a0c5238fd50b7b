// Calls to the gateway. A question without an answer is asked again. A change has a request_id, the same each time, so
// that the service recognises it and changes nothing twice.
import { call, HEADERS } from "../ground/call.js";
import { entrance } from "./entrance.js";
import { keepAnswer, keptAnswer } from "../offline/kept.js";
import { renewKept } from "../offline/keptafter.js";
import { link } from "../offline/link.js";
import { canWait, keep, waitsBehind, whenWaiting } from "../offline/outbox.js";
import { answerTo, letGo, startSender } from "../offline/sender.js";
import { viewSignal } from "../ground/view.js";

// After how many milliseconds without an answer the user is notified.
const SLOW = 4000;
// The longest pause before another try.
const LONGEST = 30_000;
const PATIENCE = [300, 700, 1500, 3000, 5000, 8000];
// The pauses before a change that no one keeps is made again, as long as the gateway answers.
const BRIEF = [300, 700, 1500];
// How often a call is made again after someone has logged in, or was logged in all the time.
const MAXIMUM_REFUSALS = 3;
const AGAIN = new Set(["unavailable", "resource_exhausted", "deadline_exceeded"]);

// read("pins.v1.PinService/GetPin", {id}). `troubled` is called with the reason why there is no answer yet, as with
// `watch`. With a signal it can be given up. While the server is away its last answer is given, if that is kept.
export const read = (method, request = {}, troubled, signal) =>
  attempt(method, request, { troubled, signal, patience: PATIENCE, known: () => keptAnswer(method, request) });

// The same for a call that is made once, whatever its answer is.
export const readOnce = (method, request, signal) => attempt(method, request, { signal });

// A call that changes something. What can wait is kept first, until the server has it; it resolves with the answer or,
// as soon as it is seen that it waits, with {waits}: the request_id. Of all else nothing is tried again when the server
// is away, or the view was left. What a signal gives up is not waited for.
export async function change(method, request = {}, signal = undefined) {
  const named = { ...request, requestId: newName() };
  return canWait(method) ? keepAndSend(method, named) : act(method, named, signal);
}

// The same for a call that has no request_id.
export const act = (method, request, signal) =>
  attempt(method, request, { signal, patience: BRIEF, isChange: true, view: viewSignal() });

function keepAndSend(method, request) {
  const kept = keep(method, request, link.isAway() || !navigator.onLine);
  const answer = answerTo(kept);
  return new Promise((resolve, reject) => {
    answer.then(resolve, reject);
    whenWaiting(kept, () => {
      letGo(kept);
      resolve({ waits: request.requestId });
    });
  });
}

// Sends what is kept. `taken(change, answer)` and `refused(change, error)` are called for those that no one waits for.
export const sendWaiting = (taken, refused) => startSender({
  send: readOnce,
  confirm: entrance.confirm,
  taken, refused,
  failed: (error) => link.failed("outbox", error),
  done: () => link.answered("outbox"),
});

// A change whose answer is not needed, and that should arrive even when the page is being closed.
export function leave(method, request) {
  const named = { ...request, requestId: newName() };
  if (canWait(method)) {
    const kept = keep(method, named);
    // Another page sends it behind what waits; now it can go only if there is nothing.
    if (waitsBehind(kept)) return;
  }
  const body = JSON.stringify(named);
  fetch(`/waymark.${method}`, { method: "POST", headers: HEADERS, body, keepalive: true }).catch(() => {});
}

// The id of a change. Not from crypto.randomUUID, which a page over plain http doesn't have.
const newName = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

async function attempt(
  method, request, {
    troubled = (_trouble) => {}, patience = [], signal = undefined, known = async () => undefined, isChange = false,
    view = undefined,
  } = {},
) {
  let refusals = 0;
  for (let round = 0; ; round += 1) {
    try {
      await entrance.whenOpen();
      signal?.throwIfAborted();
      const answer = await once(method, request, troubled, signal);
      link.answered("call");
      keepAnswer(method, request, answer);
      renewKept(method);
      return answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      const mayPass = AGAIN.has(error.code);
      if (!mayPass) link.answered("call");
      if (error.code === "unauthenticated" && refusals < MAXIMUM_REFUSALS) {
        refusals += 1;
        troubled("login");
        await entrance.check(true);
        if (view?.aborted) throw view.reason;
        continue;
      }
      if (!mayPass) throw error;
      const kept = error.trouble === "gateway" ? await known() : undefined;
      if (kept) return kept;
      if (round >= patience.length || (isChange && error.trouble === "gateway") || view?.aborted) {
        link.gaveUp("call");
        throw error;
      }
      link.failed("call", error);
      troubled(error.trouble);
      await pause(error.wait > 0 ? Math.min(error.wait, LONGEST) : patience[round]);
      if (view?.aborted) throw view.reason;
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
