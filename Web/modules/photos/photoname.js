// What a photo is called: by its title, else by who made it and when.
import { networkName, networkOf, takenDay } from "../ground/words.js";

export function nameOf(photo) {
  if (photo.title) return photo.title;
  const network = networkOf(photo.id);
  const author = photo.addedBy || photo.author;
  const source = network === "upload" ? "Photo of yours" : `${networkName(network)} photo`;
  const maker = author ? `Photo by ${author}` : source;
  return [maker, takenDay(photo)].filter(Boolean).join(", ");
}
