// The star of a photo: whether it is one of the favourites.
import { change } from "../server/api.js";
import { reasonOf, say } from "../ground/notices.js";
import { waitingChanges } from "../offline/outbox.js";
import { t } from "../ground/text.js";

// Whether it is one, with what waits for the server.
export function isFavourite(photo) {
  const last = waitingChanges().findLast(({ request }) => request.photoId === photo.id);
  return last ? last.request.change === "FAVOURITE_CHANGE_ADD" : photo.favourite === true;
}

// Sets or takes it at once, and takes that back when the server refuses. `redraw` is called with what went wrong.
export async function toggleStar(photo, placeName, redraw) {
  const wanted = !isFavourite(photo);
  photo.favourite = wanted;
  redraw();
  try {
    await change("photos.v1.PhotoService/ChangeFavourite", {
      photoId: photo.id, placeName, change: wanted ? "FAVOURITE_CHANGE_ADD" : "FAVOURITE_CHANGE_REMOVE",
    });
    say(wanted ? t("It is one of your favourites.") : t("It is no favourite any more."));
  } catch (error) {
    photo.favourite = !wanted;
    redraw(`${t("The star could not be changed.")} ${reasonOf(error)}`);
  }
}
