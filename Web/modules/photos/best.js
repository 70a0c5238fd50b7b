// Which photo stands for several: a favourite before all, then one's own, then what an album has first; and one with a
// picture before those that have none.
import { hasPicture } from "./picture.js";

// Networks of one's own photos; an id begins with the network's name.
const OWN = /^(upload|folder|immich)\//;

const rank = (photo) => (hasPicture(photo) ? 0 : 4) + (photo.favourite ? 0 : 2) + (OWN.test(photo.id) ? 0 : 1);

// The same photos, those first that stand for them.
export const bestFirst = (photos) => [...photos].sort((one, other) => rank(one) - rank(other));
