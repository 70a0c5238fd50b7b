// Calls to the gateway. A call without an answer is retried, and a change has the same request_id each time, so that
// the service recognises it and changes nothing twice.
import { link } from "./link.js";

// After how many milliseconds without an answer the user is notified.
const SLOW = 4000;
const PATIENCE = [300, 700, 1500, 3000, 5000, 8000];
const AGAIN = new Set(["unavailable", "resource_exhausted", "deadline_exceeded"]);

class CallError extends Error {
  trouble = "service";

  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// read("pins.v1.PinService/GetPin", {id}). `troubled` is called with the reason why there is no answer yet, as with
// `watch`.
export const read = (method, request = {}, troubled) => attempt(method, request, troubled);

// The same for a call that is made once, whatever its answer is.
export const readOnce = (method, request) => attempt(method, request, undefined, []);

// The same for a call that changes something.
export const change = (method, request = {}) => attempt(method, { ...request, requestId: newName() });

// A change whose answer is not needed, and that should arrive even when the page is being closed.
export function leave(method, request) {
  const body = JSON.stringify({ ...request, requestId: newName() });
  fetch(`/waymark.${method}`, { method: "POST", headers: HEADERS, body, keepalive: true }).catch(() => {});
}

// The id of a change. Not from crypto.randomUUID, which a page over plain http doesn't have.
const newName = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

const HEADERS = { "content-type": "application/json", "connect-protocol-version": "1" };

async function attempt(method, request, troubled = () => {}, patience = PATIENCE) {
  for (let round = 0; ; round += 1) {
    try {
      const answer = await once(method, request, troubled);
      link.answered("call");
      return answer;
    } catch (error) {
      const mayPass = AGAIN.has(error.code);
      if (!mayPass) link.answered("call");
      if (error.code === "unauthenticated") {
        troubled("login");
        await link.login();
        continue;
      }
      if (!mayPass) throw error;
      if (round >= patience.length) {
        link.gaveUp("call");
        throw error;
      }
      link.failed("call", error);
      troubled(error.trouble);
      await pause(error.retryAfter ?? patience[round]);
    }
  }
}

async function once(method, request, troubled) {
  const call = {};
  const slow = setTimeout(() => {
    link.slow(call);
    troubled("slow");
  }, SLOW);
  try {
    return await send(method, request);
  } finally {
    clearTimeout(slow);
    link.answered(call);
  }
}

async function send(method, request) {
  let response;
  try {
    response = await fetch(`/waymark.${method}`, { method: "POST", headers: HEADERS, body: JSON.stringify(request) });
  } catch {
    throw Object.assign(new CallError("unavailable", "The server can't be reached."), { trouble: "gateway" });
  }
  if (response.ok) return response.json();
  throw await refusal(response);
}

// The error in Connect's format; a proxy in between may answer with anything.
async function refusal(response) {
  const body = await response.json().catch(() => ({}));
  const code = body.code ?? { 401: "unauthenticated", 429: "resource_exhausted" }[response.status]
    ?? (response.status >= 500 ? "unavailable" : "unknown");
  const error = new CallError(code, body.message ?? `The server answered ${response.status}.`);
  const seconds = Number(response.headers.get("retry-after"));
  if (seconds > 0) error.retryAfter = Math.min(seconds, 30) * 1000;
  return error;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
