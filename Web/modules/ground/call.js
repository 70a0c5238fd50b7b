// One request to the gateway, and what its refusal says.
import { t } from "./text.js";

export const HEADERS = { "content-type": "application/json", "connect-protocol-version": "1" };

class CallError extends Error {
  // Who did not answer: the gateway, or a service behind it.
  trouble = "service";
  // What is wrong with each field, by its name.
  fields = {};
  // How many milliseconds until it is worth another try, as far as the server says so.
  wait = 0;

  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// call("pins.v1.PinService/GetPin", {id}) makes a call once.
export async function call(method, request = {}, signal) {
  const response = await ask("POST", `/waymark.${method}`, request, signal);
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    // It broke off, or what answers is not the gateway: the page of a network that wants a login first.
    throw away();
  }
}

// Any request with JSON; throws when it is refused, or given up by the signal.
export async function ask(method, path, message, signal) {
  let response;
  try {
    const body = message && JSON.stringify(message);
    if (path === "/session") window.begun?.forget();
    response = await (window.begun?.answer(path, body) ?? fetch(path, { method, headers: HEADERS, body, signal }));
  } catch (error) {
    if (signal?.aborted) throw error;
    throw away();
  }
  if (response.ok) return response;
  throw await refusal(response);
}

const away = () => Object.assign(
  new CallError("unavailable", t("The server can't be reached.")), { trouble: "gateway" },
);

// The error in Connect's format; a proxy in between may answer with anything.
async function refusal(response) {
  const body = await response.json().catch(() => ({}));
  const code = body.code ?? { 401: "unauthenticated", 429: "resource_exhausted" }[response.status]
    ?? (response.status >= 500 ? "unavailable" : "unknown");
  const status = String(response.status);
  const error = new CallError(code, body.message ?? t("The server answered {status}.", { status }));
  const violations = body.details?.flatMap(({ debug }) => debug?.fieldViolations ?? []) ?? [];
  error.fields = Object.fromEntries(violations.map(({ field, description }) => [field, description]));
  error.wait = Number(response.headers.get("retry-after")) * 1000 || 0;
  return error;
}
