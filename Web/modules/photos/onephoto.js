// Photos of the map, as the viewer wants them: a list. It is of one alone, or of those that stand at one mark.
import { read } from "../server/api.js";
import { complain } from "../ground/notices.js";
import { t } from "../ground/text.js";

let photos = [];
let asked;

// These are looked through together.
export function lookThrough(some) {
  photos = some;
}

// Undefined until it is known; then `came` is called.
export function onePhoto(id, came) {
  if (photos.some((photo) => photo.id === id)) return photos;
  if (asked !== id) fetchPhoto(id, came);
  return undefined;
}

async function fetchPhoto(id, came) {
  asked = id;
  try {
    const { photo } = await read("photos.v1.PhotoService/GetPhoto", { id });
    photos = [photo];
    came();
  } catch (error) {
    complain(t("The photo can't be shown."), error);
  }
  asked = undefined;
}
