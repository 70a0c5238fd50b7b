// What the server said last of pins, places and albums, for when it is away. It is of one account, in the browser's
// store of answers, and wiped when that logs out or another one comes in. A browser has that store over https, or on
// the machine itself; elsewhere nothing is kept.
const NAME = "waymark-mine";
// What the names of stores begin with that are taken along (taken/takenareas.js): each is of the account as well.
export const TAKEN = "waymark-taken-";
const ACCOUNT = "waymark.account";
// Milliseconds in which what a watch says is put together before it is kept: at first, and from then on.
const GATHER = 400;
const SELDOM = 10_000;
const READS = new Set([
  "pins.v1.PinService/GetPin", "pins.v1.PinService/GetMapRegion", "pins.v1.PinService/GetBounds",
  "lists.v1.ListService/ListLists", "lists.v1.ListService/ListPinsOfList", "stars.v1.StarService/ListStars",
  "photos.v1.PhotoService/OpenAlbum", "photos.v1.PhotoService/GetAlbum", "photos.v1.PhotoService/ListFavourites",
  "places.v1.PlacesService/ListDatasets", "places.v1.PlacesService/ListNetworks", "places.v1.PlacesService/Nearby",
  "accounts.v1.SettingsService/GetSettings",
  "gateway.v1.ExploreService/Viewport",
]);
const WATCHES = new Set([
  "pins.v1.PinService/WatchPins", "pins.v1.PinService/WatchPin", "photos.v1.PhotoService/WatchAlbum",
]);

const wipers = new Set();
const knowers = new Set();
const watched = new Map(); // address → what the watch has said, as one message
const waiting = new Map(); // address → timer
const written = new Set(); // addresses of watches that were kept once
const heard = new Map(); // address → [method, request] of watches of which all is from the server, and nothing kept
// Until it is known whose the page is, nothing is kept.
let isKnown = (_) => {};
const owner = new Promise((resolve) => { isKnown = resolve; });
let isWiped = false;
let known; // the id of the account, as the server says

// The id of the account whose the page is: as the server says, or else as it was last.
export const accountOf = (isSure = false) => known ?? (isSure ? undefined : stored());

// Calls `listener` when all that is kept is wiped.
export const onWipe = (listener) => wipers.add(listener);

// Calls `listener` when the server has said whose the page is.
export const onKnown = (listener) => knowers.add(listener);

// The page is for this account: what is kept of another one goes, and what is kept of one that is not known.
export async function keepFor({ id }) {
  const former = stored();
  // What this page has heard before it was known whose it is.
  const said = [...heard].map(([address, asked]) => [...asked, watched.get(address)]);
  if (former === undefined) await removeStores();
  else if (former !== id) await wipe();
  isWiped = false;
  known = id;
  for (const [method, request, message] of said) keepMessage(method, request, message);
  try {
    localStorage.setItem(ACCOUNT, id);
    isKnown();
  } catch {
    // Storage may be forbidden; then nothing is kept.
  }
  for (const listener of knowers) listener();
}

// From here on this page keeps nothing.
export async function wipe() {
  isWiped = true;
  known = undefined;
  for (const timer of waiting.values()) clearTimeout(timer);
  waiting.clear();
  watched.clear();
  heard.clear();
  for (const listener of wipers) listener();
  try {
    localStorage.removeItem(ACCOUNT);
  } catch {
    // Then there is none.
  }
  await removeStores();
}

async function removeStores() {
  const names = await globalThis.caches?.keys() ?? [];
  await Promise.all(names.filter((name) => name === NAME || name.startsWith(TAKEN)).map((name) => caches.delete(name)));
}

export const keepAnswer = (method, request, answer) => (READS.has(method) ? put(method, request, answer) : undefined);

// What a call answered last; undefined when that is not known.
export const keptAnswer = (method, request) => (READS.has(method) ? get(method, request) : undefined);

export const isRead = (method) => READS.has(method);

// Takes away what is kept of some methods: [address, [method, request]] of each, those that were kept last at the end.
export async function takeKept(methods) {
  const taken = [];
  try {
    const cache = await globalThis.caches?.open(NAME);
    for (const { url } of await cache?.keys() ?? []) {
      const { pathname, search } = new URL(url);
      const method = methods.find((each) => pathname === `/kept/${each}`);
      if (!method) continue;
      await cache.delete(url);
      taken.push([pathname + search, [method, JSON.parse(decodeURIComponent(search.slice(1)))]]);
    }
  } catch {
    // Nothing is kept.
  }
  return taken;
}

// Takes a message of a watch: what it says is added to what it said before.
export function keepMessage(method, request, message) {
  if (!WATCHES.has(method)) return;
  const address = addressOf(method, request);
  if (message.isWhole || !watched.has(address)) heard.set(address, [method, request]);
  watched.set(address, together(watched.get(address), message));
  if (waiting.has(address)) return;
  waiting.set(address, setTimeout(() => idle(() => {
    waiting.delete(address);
    written.add(address);
    put(method, request, watched.get(address));
  }), written.has(address) ? SELDOM : GATHER));
}

// To write thousands of pins takes a while: not while something moves.
const idle = (run) => (globalThis.requestIdleCallback ?? setTimeout)(run);

// What a watch has said, as one message. What it says from then on is added.
export async function keptMessage(method, request) {
  if (!WATCHES.has(method)) return undefined;
  const message = await get(method, request);
  const address = addressOf(method, request);
  if (message && !watched.has(address)) watched.set(address, message);
  return message;
}

// Gives all that is kept of one watch, whatever it was of, also what is taken along, until `take` returns true.
export async function eachKept(method, take) {
  for (const name of await globalThis.caches?.keys() ?? []) {
    if (name !== NAME && !name.startsWith(TAKEN)) continue;
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      if (new URL(url).pathname !== `/kept/${method}`) continue;
      const message = await (await cache.match(url))?.json();
      if (message && take(message)) return;
    }
  }
}

// Things that changed take the place of what they were, those that were removed go.
function together(before, message) {
  if (!before || message.isWhole) return message;
  const all = { ...before, ...message, isWhole: before.isWhole };
  const gone = new Set(message.removedIds);
  delete all.removedIds;
  for (const [name, list] of Object.entries(all)) {
    if (!Array.isArray(list) || list[0]?.id === undefined) continue;
    const things = new Map([...(before[name] ?? []), ...(message[name] ?? [])].map((thing) => [thing.id, thing]));
    for (const id of gone) things.delete(id);
    all[name] = [...things.values()];
  }
  return all;
}

export const addressOf = (method, request) => `/kept/${method}?${encodeURIComponent(JSON.stringify(request))}`;

function stored() {
  try {
    return localStorage.getItem(ACCOUNT) ?? undefined;
  } catch {
    return undefined;
  }
}

async function put(method, request, content) {
  try {
    await owner;
    if (isWiped) return;
    const cache = await globalThis.caches?.open(NAME);
    await cache?.put(addressOf(method, request), new Response(JSON.stringify(content)));
  } catch {
    // There is no room; then it is not kept.
  }
}

async function get(method, request) {
  try {
    const cache = await globalThis.caches?.open(NAME);
    const address = addressOf(method, request);
    return await (await cache?.match(address) ?? await globalThis.caches?.match(address))?.json();
  } catch {
    return undefined;
  }
}
