// A photo of the map by itself, as the viewer wants it: a list.
import { read } from "../server/api.js";
import { complain } from "../ground/notices.js";

let photos = [];
let asked;

// Undefined until it is known; then `came` is called.
export function onePhoto(id, came) {
  if (photos[0]?.id === id) return photos;
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
    complain("The photo can't be shown.", error);
  }
  asked = undefined;
}
