// What a photo is called: by its title, else by who made it and when.
import { t } from "../ground/text.js";
import { networkName, networkOf, takenDay } from "../ground/words.js";

export function nameOf(photo) {
  if (photo.title) return photo.title;
  const network = networkOf(photo.id);
  const author = photo.addedBy || photo.author;
  const source = network === "upload" ? t("Photo of yours") : t("{network} photo", { network: networkName(network) });
  const maker = author ? t("Photo by {author}", { author }) : source;
  return [maker, takenDay(photo)].filter(Boolean).join(", ");
}
