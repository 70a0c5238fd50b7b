// Follows an album: opens it, so that its pictures are fetched, and takes in what the event stream tells of it.
import { read } from "./api.js";
import { watch } from "./events.js";

// After how many milliseconds an album that couldn't be opened is asked for again.
const AGAIN = 3000;

// `changed(state)` is called with {album, photos} at once when known and at each change; until then with {trouble}, as
// `watch` says it; or with {error} when there will be none.
export function followAlbum(subject, changed, { always = true } = {}) {
  const state = { album: undefined, photos: [], trouble: undefined, error: undefined };
  let stopped = false;
  let stopWatch = () => {};

  const take = ({ album, photos = [], isWhole }) => {
    if (isOlder(album, state.album)) return;
    state.album = album;
    if (isWhole) state.photos = photos;
    else merge(state.photos, photos);
    changed(state);
  };

  const troubled = (trouble) => {
    if (stopped) return;
    state.trouble = trouble;
    changed(state);
  };

  const open = () => read("photos.v1.PhotoService/OpenAlbum", { subject }, troubled).then((answer) => {
    if (stopped) return;
    state.trouble = undefined;
    take({ ...answer, isWhole: true });
    // Nobody else changes what is full; only an album that is being looked at stays watched then.
    if (!isFilling(answer.album) && !always) return;
    stopWatch = watch("photos.v1.PhotoService/WatchAlbum", { subject }, (message) => {
      if (message.deleted) return;
      // What is whole holds whatever was known, even when its version is lower: the data may be another one.
      if (message.isWhole) state.album = undefined;
      take(message);
      if (!isFilling(message.album) && !always) stopWatch();
    });
  }, (error) => {
    if (stopped) return;
    if (PASSES.has(error.code)) return setTimeout(() => stopped || open(), AGAIN);
    state.error = error;
    changed(state);
  });
  open();

  return {
    take,
    stop() {
      stopped = true;
      stopWatch();
    },
  };
}

// What a later answer may not be.
const PASSES = new Set(["unavailable", "deadline_exceeded", "resource_exhausted"]);

const isOlder = (album, known) => known && Number(album.version ?? 0) < Number(known.version ?? 0);

function merge(photos, news) {
  for (const photo of news) {
    const index = photos.findIndex(({ id }) => id === photo.id);
    if (index >= 0) photos[index] = photo;
    else photos.push(photo);
  }
}

// The photos once they are known, else nothing: an album that is being searched for may have none yet.
export const photosOf = ({ album, photos }) =>
  (photos.length > 0 || (album && !isFilling(album)) ? photos : undefined);

export const isFilling = ({ summary = {} }) =>
  ["ALBUM_STATE_SEARCHING", "ALBUM_STATE_DOWNLOADING"].includes(summary.state);
