// The current view, in the address: reload, back and forward, and a copied link all lead to the same view.
//   #/                                       the map and the list of pins
//   #ZOOM/LATITUDE/LONGITUDE                 the same, with the map there
//   #/login/SECRET                           the same, after logging in (loginlink.js)
//   #/reset/CODE                             the same, and the form for a new password (loginlink.js)
//   #/provider/NAME/ENDING                   the same, on the way back from a login provider (providerreturn.js)
//   #/pin/ID                                 a pin's callout
//   #/pin/ID/places[/PLACE][/photo/PHOTO]    the places around it, one of them, a photo of that
//   #/pin/ID/album[/photo/PHOTO]             its album, a photo of it
//   #/photo/PHOTO                            the same, and a photo of the map
//   #/favourites[/photo/PHOTO]               the favourites, one of them
//   #/posts[/POST]                           who is on the map, one of them
//   #/post                                   where one puts oneself on the map
//   #/lists[/LIST]                           the lists of pins, one of them
//   #/shared[/SHARED[/pin/PIN]]              what other accounts share with one, one of that, a pin of a shared list
//   #/around                                 what is around the middle of the map
//   #/settings                               how the map shows things, and where places and photos come from
//   #/leftout                                what of the folder of pictures is no photo, and why
//   #/account                                the account: its names, password and sessions

const ALONE = ["settings", "leftout", "account", "post", "around"];

function parse(hash) {
  const parts = hash.replace(/^#?\/?/, "").split("/").map(decode);
  const at = viewOf(parts);
  if (at) return { view: "home", at };
  if (parts[0] === "favourites") return { view: "favourites", photo: parts[1] === "photo" ? parts[2] : undefined };
  if (parts[0] === "photo") return { view: "home", photo: parts[1] };
  if (parts[0] === "posts") return { view: "posts", post: parts[1] };
  if (parts[0] === "shared") return {
    view: "shared", shared: parts[1], inner: parts[2] === "pin" ? parts[3] : undefined,
  };
  if (parts[0] === "lists") return { view: "lists", list: parts[1] };
  // As it was called before.
  if (parts[0] === "networks") return { view: "settings" };
  if (ALONE.includes(parts[0])) return { view: parts[0] };
  if (parts[0] !== "pin" || !parts[1]) return { view: "home" };
  const last = parts.indexOf("photo", 3);
  const photo = last > 0 ? parts[last + 1] : undefined;
  if (parts[2] === "album") return { view: "album", pin: parts[1], photo };
  if (parts[2] === "places") return { view: "places", pin: parts[1], place: last === 3 ? undefined : parts[3], photo };
  return { view: "pin", pin: parts[1] };
}

// As many sites of maps have it; nothing when it is not one.
function viewOf(parts) {
  const [zoom, latitude, longitude] = parts.map(Number);
  if (parts.length !== 3 || parts.some((part) => !/^-?\d+(\.\d+)?$/.test(part))) return undefined;
  const isOne = zoom >= 0 && zoom <= 22 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOne ? { zoom, latitude, longitude } : undefined;
}

// To a metre.
export const linkTo = ({ zoom, latitude, longitude }) =>
  `#${Math.round(zoom)}/${[latitude, longitude].map((degrees) => degrees.toFixed(5)).join("/")}`;

/** @param {Record<string, any>} route */
function format({ view, pin, place, photo, post, list, shared, inner, at: there }) {
  if (there) return linkTo(there);
  const parts = pin ? ["pin", pin] : ["favourites", "posts", "lists", "shared", ...ALONE].includes(view) ? [view] : [];
  if (view === "places" || view === "album") parts.push(view);
  if (place || post || list || shared) parts.push(place ?? post ?? list ?? shared);
  if (inner) parts.push("pin", inner);
  if (photo) parts.push("photo", photo);
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return ""; // A mangled link leads to the map, not to an error.
  }
}

const listeners = new Set();
let current = parse(location.hash);

export const route = () => current;
export const onRoute = (listener) => listeners.add(listener);

// How many history entries this page has made, so that "back" never leaves it.
let depth = 0;

export function go(next, { replace = false } = {}) {
  const hash = format(next);
  if (hash === format(current)) return;
  if (!replace) depth += 1;
  try {
    if (replace) history.replaceState(history.state, "", hash);
    else history.pushState({ depth }, "", hash);
  } catch {
    // Browsers limit the rate of history entries. The view changes all the same; its address comes with the next one.
  }
  arrive(parse(hash));
}

// Back to the previous view, or to `otherwise` when the page was opened by a link.
export function back(otherwise) {
  if (history.state?.depth > 0) history.back();
  else go(otherwise, { replace: true });
}

// From the requested view, and not from the address: a browser may have refused to write it.
function arrive(next) {
  const before = current;
  current = next;
  for (const listener of listeners) listener(current, before);
}

addEventListener("popstate", () => {
  depth = history.state?.depth ?? 0;
  arrive(parse(location.hash));
});
