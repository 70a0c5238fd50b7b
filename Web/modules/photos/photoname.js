// What a photo is called: by its title, else as its file, or by who made it and when.
import { t } from "../ground/text.js";
import { networkName, networkOf, takenDay } from "../ground/words.js";

export function nameOf(photo) {
  if (photo.title) return photo.title;
  const network = networkOf(photo.id);
  const author = photo.addedBy || photo.author;
  // A file of the folder of pictures has a name, with the folders that it is in before it.
  if (network === "folder" && !author) return photo.id.split("/").at(-1);
  const source = network === "upload" ? t("Photo of yours") : t("{network} photo", { network: networkName(network) });
  const maker = author ? t("Photo by {author}", { author }) : source;
  return [maker, takenDay(photo)].filter(Boolean).join(", ");
}
