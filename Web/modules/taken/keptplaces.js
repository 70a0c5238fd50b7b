// The places of pins that are kept in this browser, found by their names without the server.
import { eachKept } from "../offline/kept.js";

// [{place, pin}] with the pin's id, each once, `limit` at most.
export async function keptPlaces(isWanted, limit) {
  const found = new Map();
  try {
    await eachKept("pins.v1.PinService/WatchPin", ({ places = [], pin }) => {
      for (const place of places.filter(isWanted)) found.set(place.id, { place, pin: pin?.id });
      return found.size >= limit;
    });
  } catch {
    // The store went meanwhile.
  }
  return [...found.values()].slice(0, limit);
}
