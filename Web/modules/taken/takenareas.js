// Areas that are taken along: each has a store of answers of its own, with what it is beside them, until it is removed.
import { TAKEN, addressOf } from "../offline/kept.js";

const ABOUT = "/taken/about";

// Over https, or on the machine itself; and not before the service worker has begun.
export const canTake = () => Boolean(globalThis.caches && navigator.serviceWorker?.controller);

// {id, name, box, zoom, time, byteCount, missing, why}: `missing` is how many of its files have not come, and `why`
// what ended it before.
export async function takenAreas() {
  const names = (await globalThis.caches?.keys() ?? []).filter((name) => name.startsWith(TAKEN));
  const areas = await Promise.all(names.map(async (name) => {
    const about = await (await caches.open(name)).match(ABOUT);
    return about?.json().catch(() => undefined);
  }));
  return areas.filter(Boolean).sort((a, b) => b.time - a.time);
}

export const storeOf = ({ id }) => `${TAKEN}${id}`;

export async function saveArea(area) {
  await (await caches.open(storeOf(area))).put(ABOUT, new Response(JSON.stringify(area)));
}

export const removeArea = (area) => caches.delete(storeOf(area));

// What a call answered; returns how many bytes that is.
export async function saveAnswer(area, method, request, answer) {
  const text = JSON.stringify(answer);
  await (await caches.open(storeOf(area))).put(addressOf(method, request), new Response(text));
  return text.length;
}
