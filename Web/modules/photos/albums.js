// Follows an album: opens it, so that its pictures are fetched, and applies the changes from the event stream.
import { read } from "../server/api.js";
import { watch } from "../server/events.js";

// After how many milliseconds opening an album is retried.
const AGAIN = 3000;

// `changed(state)` is called with {album, photos} as soon as they are known and at each change; until then with
// {trouble}, as `watch` reports it; or with {error} when the album can't be opened.
export function followAlbum(subject, changed, { always = true } = {}) {
  const state = { album: undefined, photos: [], trouble: undefined, error: undefined };
  let stopped = false;
  let stopWatch = () => {};

  const take = ({ album, photos = [], isWhole = false }) => {
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
    // Only the user's own actions change a complete album; so only one that is on screen stays watched.
    if (!isFilling(answer.album) && !always) return;
    stopWatch = watch("photos.v1.PhotoService/WatchAlbum", { subject }, (message) => {
      if (message.deleted) return;
      // A whole answer replaces all that was known, even when its version is lower: the database may be another one.
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

// Errors after which a retry may succeed.
const PASSES = new Set(["unavailable", "deadline_exceeded", "resource_exhausted"]);

const isOlder = (album, known) => known && Number(album.version ?? 0) < Number(known.version ?? 0);

function merge(photos, changes) {
  for (const photo of changes) {
    const index = photos.findIndex(({ id }) => id === photo.id);
    if (index >= 0) photos[index] = photo;
    else photos.push(photo);
  }
}

// The photos once they are known, else undefined: an album that is still being searched may have none yet.
/** @type {(state: {album?: any, photos: any[]}) => any[] | undefined} */
export const photosOf = ({ album, photos }) =>
  (photos.length > 0 || (album && !isFilling(album)) ? photos : undefined);

export const isFilling = ({ summary }) =>
  ["ALBUM_STATE_SEARCHING", "ALBUM_STATE_DOWNLOADING"].includes(summary?.state);
