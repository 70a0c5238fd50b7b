// The service worker: lets the app open, and its map be looked at, while the server is away. What a page fetches comes
// from the server as long as that answers; what came last is kept. Calls and events are not its business: what they
// brought is kept by the page itself (modules/kept.js), under the name that is wiped when one logs out.
const SHELL = "waymark-shell";
const MINE = "waymark-mine";
// How many tiles and pictures are kept, and answers of calls; the oldest go first.
const MAXIMUM = 600;
const MAXIMUM_ANSWERS = 2000;
// After how many milliseconds without an answer what is kept is shown.
const PATIENCE = 4000;
// Parts of the app, the map of the world and its settings; tiles and pictures, which are of an account.
const OF_SHELL = /^\/($|modules\/|styles\/|words\/|libraries\/|map\/|icons?\.svg$|settings\.json$)/;
const OF_ACCOUNT = /^\/(tiles|basemap|pictures|maps)\//;
// In a request: into which store its answer is taken along. That is answered with 507 when the browser has no room.
const TAKES = "waymark-take";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || request.headers.has("range")) return;
  if (request.headers.has(TAKES)) event.respondWith(take(request.url, request.headers.get(TAKES)));
  else if (OF_SHELL.test(pathname)) event.respondWith(fresh(event, SHELL));
  else if (OF_ACCOUNT.test(pathname)) event.respondWith(fresh(event, MINE));
});

// What a page had fetched before there was a worker: it is in the browser's cache, or is asked for once more.
self.addEventListener("message", (event) => {
  const { data: { keep = [] } } = event;
  event.waitUntil(Promise.all(keep.map(async (url) => {
    const { origin, pathname } = new URL(url, location.origin);
    const name = OF_SHELL.test(pathname) ? SHELL : OF_ACCOUNT.test(pathname) && MINE;
    if (origin !== location.origin || !name || await (await caches.open(name)).match(url)) return;
    const response = await fetch(url).catch(() => undefined);
    if (response) await keepIn(name, url, response);
  })));
});

// From the server; when it does not answer, or takes too long, what is kept.
async function fresh(event, name) {
  const answer = fetch(event.request);
  const kept = answer.then((response) => keepIn(name, event.request, response.clone()), () => {});
  event.waitUntil(kept);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const first = await Promise.race([answer, late]).catch(() => undefined);
  return first ?? await found(name, event.request) ?? answer;
}

// A page is the same whatever its query.
async function found(name, request) {
  const cache = await caches.open(name);
  return await cache.match(request, { ignoreSearch: request.mode === "navigate", ignoreVary: true })
    ?? caches.match(takenAs(request.url), { ignoreVary: true });
}

// What is taken along stays good when there is a newer edition of it, which an address says behind the mark; the
// ticket in that of a picture has another end each day.
function takenAs(url) {
  const { pathname } = new URL(url);
  const end = pathname.lastIndexOf(".");
  return pathname.startsWith("/pictures/") && end > 0 ? pathname.slice(0, end - 9) : pathname;
}

async function take(url, name) {
  const cache = await caches.open(name);
  const before = await cache.match(takenAs(url), { ignoreVary: true });
  if (before) return before;
  const response = await caches.match(url, { ignoreVary: true }) ?? await fetch(url);
  if (!response.ok) return response;
  try {
    await cache.put(takenAs(url), response.clone());
  } catch {
    return new Response(null, { status: 507 });
  }
  return response;
}

async function keepIn(name, request, response) {
  if (!response.ok) return;
  const cache = await caches.open(name);
  await cache.put(request, response);
  if (name !== MINE || Math.random() > 0.05) return;
  const keys = await cache.keys();
  for (const [isAnswer, maximum] of [[false, MAXIMUM], [true, MAXIMUM_ANSWERS]]) {
    const some = keys.filter(({ url }) => url.includes("/kept/") === isAnswer && !url.includes("/WatchPins?"));
    for (const key of some.slice(0, Math.max(0, some.length - maximum))) await cache.delete(key);
  }
}
