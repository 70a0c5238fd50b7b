// The answers of a call that has several, one after the other, by the Connect protocol: each in an envelope of a byte
// with flags and four with its length.
import { HEADERS } from "../ground/call.js";
import { t } from "../ground/text.js";

const END = 2;
const HEAD = 5;

// for await (const answer of stream("gateway.v1.ExploreService/ExploreStream", {centre}, signal)) …
// It throws what the call ended with, as `call` does; when the signal aborts, an AbortError.
export const stream = async function* streamed(method, request, signal) {
  const text = new TextEncoder().encode(JSON.stringify(request));
  const body = new Uint8Array(HEAD + text.length);
  new DataView(body.buffer).setUint32(1, text.length);
  body.set(text, HEAD);
  const headers = { ...HEADERS, "content-type": "application/connect+json" };
  const answer = await fetch(`/waymark.${method}`, { method: "POST", headers, body, signal });
  if (!answer.ok) throw refusal(await answer.json().catch(() => ({})));
  const reader = answer.body.getReader();
  let rest = new Uint8Array(0);
  while (true) {
    const { done, value } = await reader.read();
    if (done) throw refusal({ code: "unavailable", message: t("The answer ended in the middle.") });
    rest = joined(rest, value);
    while (rest.length >= HEAD) {
      const length = new DataView(rest.buffer, rest.byteOffset).getUint32(1);
      if (rest.length < HEAD + length) break;
      const message = JSON.parse(new TextDecoder().decode(rest.subarray(HEAD, HEAD + length)));
      if (rest[0] === END) {
        if (message.error) throw refusal(message.error);
        return;
      }
      yield message;
      rest = rest.subarray(HEAD + length);
    }
  }
};

const refusal = ({ code = "unknown", message = t("The server could not answer.") }) =>
  Object.assign(new Error(message), { code });

function joined(first, second) {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
