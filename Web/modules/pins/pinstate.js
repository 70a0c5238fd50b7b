// The result of a pin's search, in words: its state, what is missing, other notes.
import { t, tn } from "../ground/text.js";
import { namingNetworks, networkName, saidBy } from "../ground/words.js";

// Of a pin's state: a word for its mark, and a sentence.
const STATES = {
  PIN_STATE_NEW: { key: "new", label: t("Searching"), sentence: t("Looking for places around it") },
  PIN_STATE_PARTIAL: { key: "partial", label: t("Filling"), sentence: t("First places found, looking for photos") },
  PIN_STATE_READY: { key: "ready", label: t("Complete") },
  PIN_STATE_FAILED: { key: "failed", label: t("Failed"), sentence: t("The search failed") },
};
// It came from a file.
const UNOPENED = { key: "unopened", label: t("Not opened yet"), sentence: t("Open it to look for places") };
// It was made here, and the server does not know it yet.
const WAITING = { key: "waits", label: t("Waits"), sentence: t("Kept here. It waits for the server") };
// No source of places has answered, and some are asked again.
const AWAY = {
  key: "failed", label: t("Failed"), sentence: t("No source of places answers now. They are asked again."),
};
// The search has ended, but it can't be called complete.
const BARE = { key: "bare", label: t("Nothing found"), sentence: t("No places and no photos are known here") };
const GAPS = { key: "gaps", label: t("Partly found"), sentence: t("A source of places did not answer") };
const NO_PHOTOS = { ...GAPS, sentence: t("A source of photos did not answer") };

export function stateOf(pin) {
  if (pin.isNew) return WAITING;
  if (pin.state === "PIN_STATE_NEW" && !pin.generation && !pin.searches?.length) return UNOPENED;
  if (pin.state === "PIN_STATE_FAILED" && (pin.searches ?? []).some(isRetrying)) return AWAY;
  if (pin.state !== "PIN_STATE_READY") return STATES[pin.state] ?? STATES.PIN_STATE_NEW;
  if (lacksPlaces(pin)) return GAPS;
  if (lacksPhotos(pin)) return NO_PHOTOS;
  return pin.placeCount || pin.album?.photoCount ? STATES.PIN_STATE_READY : BARE;
}

const hasFailed = ({ state }) => state === "NETWORK_SEARCH_STATE_FAILED";
const isRetrying = ({ state }) => state === "NETWORK_SEARCH_STATE_RETRYING";

// Whether a source of places did not answer, and whether it is asked again.
export const lacksPlaces = ({ searches = [] }) => searches.some((search) => hasFailed(search) || isRetrying(search));
export const isAskedAgain = ({ searches = [] }) => searches.some(isRetrying);

// How many photos a pin's album has; undefined until that is known.
export function photoCountOf(pin) {
  const { state, photoCount = 0 } = pin.album ?? {};
  const isEmpty = state === "ALBUM_STATE_EMPTY" && !lacksPhotos(pin);
  return photoCount > 0 || isEmpty || ENDED.has(state) ? photoCount : undefined;
}

const ENDED = new Set(["ALBUM_STATE_DOWNLOADING", "ALBUM_STATE_COMPLETE", "ALBUM_STATE_COMPLETE_WITH_ERRORS"]);

// A pin's album is not the sum of its places' albums, so its count says which album it belongs to.
export function albumCount(pin) {
  const photos = photoCountOf(pin);
  return photos === undefined ? t("its photos are not known yet") : tn(
    photos, "{n} photo in its album", "{n} photos in its album",
  );
}

// What was changed of a pin, and the server does not have yet.
export const waitOf = (pin) => (pin.waits && !pin.isNew ? t("What you changed waits for the server.") : undefined);

// What is missing around a pin because a network did not answer.
export function faultsOf(pin) {
  const ofPlaces = (pin.searches ?? []).filter((search) => hasFailed(search) || isRetrying(search)).map((search) => {
    const name = networkName(search.network);
    const own = isRetrying(search)
      ? t("{name} can't be reached just now. It will be tried again.", { name })
      : t("{name} did not answer. Its places may be missing.", { name });
    return saidBy(name, search.warning, own);
  });
  if (!lacksPhotos(pin)) return ofPlaces;
  const ofPhotos = t("Photos may be missing: a source of them did not answer.");
  return [...ofPlaces, saidBy(t("Photos"), namingNetworks(pin.photoWarning), ofPhotos)];
}

// It has looked at the nearest ones alone, which is no problem.
const isCut = (warning) => /the nearest [\d,]+ (are linked|were looked at)$/.test(warning ?? "");

// Whether a source of photos did not answer.
const lacksPhotos = ({ photoWarning }) => Boolean(photoWarning) && !isCut(photoWarning);

// Other notes on its searches, which are no problems.
export function remarksOf(pin) {
  const texts = (pin.searches ?? []).filter((search) => !hasFailed(search) && !isRetrying(search)).map((search) => {
    const areNearest = isCut(search.warning) || (search.truncated && !search.warning);
    if (areNearest) {
      return t("{network}: the nearest {n} are shown", {
        network: networkName(search.network), n: search.placeCount ?? 0,
      });
    }
    return saidBy(networkName(search.network), search.warning, "");
  });
  return [...new Set(texts)].filter((text) => text !== "");
}
