// The pins around the middle of the map, nearest first: of an account that has too many for a list of all.
import { LIMITS } from "../ground/limits.js";
import { read } from "../server/api.js";
import { visibleMiddle } from "../map/free.js";
import { coordinate, map } from "../map/map.js";
import { isHiddenPin, newPins, onPins, pinOf } from "../pins/store.js";

const [, RADIUS_M] = LIMITS.PinsNearRequest.radiusM;
const [, LIMIT] = LIMITS.PinsNearRequest.limit;
// In how many milliseconds the map must have rested.
const REST = 300;

// Calls `changed()` when they are other ones.
export function nearPins(changed) {
  let found;
  let timer;
  let asking;

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(ask, REST);
  }

  async function ask() {
    asking?.abort();
    const own = new AbortController();
    asking = own;
    const centre = coordinate(map.containerPointToLatLng(visibleMiddle()));
    try {
      const request = { centre, radiusM: RADIUS_M, limit: LIMIT };
      const { pins = [] } = await read("pins.v1.PinService/PinsNear", request, undefined, own.signal);
      if (own.signal.aborted) return;
      found = pins;
      changed();
    } catch {
      // What was near stays; the next move asks again.
    }
  }

  map.on("moveend", soon);
  const stop = onPins(soon);
  ask();
  return {
    // Undefined until they are known.
    pins: () => found && [
      ...newPins(), ...found.filter(({ id }) => !isHiddenPin(id)).map((pin) => pinOf(pin.id) ?? pin),
    ],
    find: (id) => found?.find((pin) => pin.id === id),
    close() {
      map.off("moveend", soon);
      clearTimeout(timer);
      asking?.abort();
      stop();
    },
  };
}
