// The best pictures of a pin's album, as small frames in its callout and in the list of pins.
import { read } from "../server/api.js";
import { frame, show } from "./picture.js";

// Fills a box with `size` pictures; requests them only when the album has changed since the last time.
export async function showCover(box, pin, size) {
  const { photoCount = 0, readyCount = 0, failedCount = 0 } = pin.album ?? {};
  const settled = readyCount + failedCount;
  // Pictures come in any order: while a frame waits, each may be its own.
  const stage = `${photoCount} ${box.querySelector(".waiting") ? settled : Math.min(settled, size)}`;
  if (box.dataset.stage === stage) return;
  box.dataset.stage = stage;
  const photos = photoCount > 0 ? await bestPhotos(pin.id, size) : [];
  // A newer answer arrived first.
  if (box.dataset.stage !== stage) return;
  box.hidden = photos.length === 0;
  photos.forEach((photo, index) => show(box.children[index] ?? box.appendChild(frame()), photo));
  while (box.children.length > photos.length) box.lastChild.remove();
}

// Without an answer the box stays empty: an error would not help the user.
async function bestPhotos(id, pageSize) {
  const request = { subject: `pin/${id}`, pageSize, bestFirst: true };
  const { photos = [] } = await read("photos.v1.PhotoService/GetAlbum", request).catch(() => ({}));
  return photos;
}
