// Which places of a pin are the same thing. The gateway says it; so it is asked again when places have come or gone.
import { LIMITS } from "../ground/limits.js";
import { read } from "../server/api.js";
import { sourceOf } from "./sources.js";

const [, PAGE] = LIMITS.ListPinPlacesRequest.pageSize;

// `changed` is called when it says something else than before.
export function sameThings(pin, changed) {
  const asking = new AbortController();
  let leaders = new Map();
  let known = "";
  let wanted = "";
  let isAsking = false;

  async function ask() {
    isAsking = true;
    while (known !== wanted && !asking.signal.aborted) {
      const now = wanted;
      const found = new Map();
      try {
        for (let pageToken; pageToken !== "";) {
          const page = await read(
            "pins.v1.PinService/ListPinPlaces", { id: pin, grouped: true, pageSize: PAGE, pageToken },
            undefined, asking.signal,
          );
          for (const { id, sources = [] } of page.places ?? []) for (const source of sources) found.set(source.id, id);
          pageToken = page.nextPageToken ?? "";
        }
        const isOther = found.size !== leaders.size || [...found].some(([id, leader]) => leaders.get(id) !== leader);
        leaders = found;
        if (isOther && !asking.signal.aborted) changed();
      } catch {
        // They are listed apart then, as they were.
      }
      known = now;
    }
    isAsking = false;
  }

  return {
    // Tells what there is. Places of one source are all different.
    offer(places) {
      if (new Set(places.map(({ id }) => sourceOf(id))).size < 2) return;
      wanted = places.map(({ id }) => id).sort().join();
      if (!isAsking && wanted !== known) ask();
    },
    // The place that stands for the thing, when it is another one.
    leader: (place) => leaders.get(place.id),
    close: () => asking.abort(),
  };
}
