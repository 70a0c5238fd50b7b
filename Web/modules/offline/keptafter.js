// What is kept of the server's answers is what was so before a change: from the change on it is not given any more, and
// it is asked for again. Pins and albums are not asked for, as their watches say what changes.
import { call } from "../ground/call.js";
import { isRead, keepAnswer, onWipe, takeKept } from "./kept.js";

const LISTS = "lists.v1.ListService";
// What methods begin with that change something, and which answers they make old.
const ALTERED = {
  [`${LISTS}/`]: [`${LISTS}/ListLists`, `${LISTS}/ListPinsOfList`],
  "stars.v1.StarService/": ["stars.v1.StarService/ListStars"],
  "photos.v1.PhotoService/ChangeFavourite": ["photos.v1.PhotoService/ListFavourites"],
};
// Milliseconds in which changes are put together, and how many answers are asked for, the last ones.
const GATHER = 400;
const MAXIMUM = 20;

const wanted = new Map(); // address → [method, request]
let round = 0;
let timer;

// The server has made a change.
export async function renewKept(method) {
  const reads = Object.entries(ALTERED).find(([start]) => method.startsWith(start))?.[1];
  if (!reads || isRead(method)) return;
  round += 1;
  for (const [address, asked] of await takeKept(reads)) wanted.set(address, asked);
  clearTimeout(timer);
  timer = setTimeout(ask, GATHER);
}

async function ask() {
  const now = round;
  for (const [address, [method, request]] of [...wanted].slice(-MAXIMUM)) {
    const answer = await call(method, request).catch(() => undefined);
    // There was another change, which asks again.
    if (round !== now) return;
    wanted.delete(address);
    if (answer) keepAnswer(method, request, answer);
  }
  wanted.clear();
}

onWipe(() => {
  round += 1;
  clearTimeout(timer);
  wanted.clear();
});
