// How things are said to a person: counts, distances, states, kinds of places.

const NUMBER = new Intl.NumberFormat("en");
export const number = (value) => NUMBER.format(value);
export const count = (value, one, many) => `${number(value)} ${value === 1 ? one : many}`;

export function distance(metres) {
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${(metres / 1000).toFixed(metres < 10_000 ? 1 : 0)} km`;
}

export function bytes(value) {
  return value < 1_000_000 ? `${Math.max(1, Math.round(value / 1000))} KB` : `${(value / 1_000_000).toFixed(1)} MB`;
}

// Of a pin's state: a word for its mark, and a sentence.
const STATES = {
  PIN_STATE_NEW: { key: "new", label: "Searching", sentence: "Looking for places around it" },
  PIN_STATE_PARTIAL: { key: "partial", label: "Filling", sentence: "First places found, photos are looked for" },
  PIN_STATE_READY: { key: "ready", label: "Complete" },
  PIN_STATE_FAILED: { key: "failed", label: "Failed", sentence: "The search failed" },
};
export const stateOf = (pin) => STATES[pin.state] ?? STATES.PIN_STATE_NEW;

export function warningsOf(pin) {
  const searches = (pin.searches ?? []).flatMap((search) => {
    if (search.warning) return [search.warning[0].toUpperCase() + search.warning.slice(1)];
    return search.truncated ? [`Only the nearest ${number(search.placeCount ?? 0)} places of ${search.network}`] : [];
  });
  return [...new Set(searches)];
}

// "amenity/fast_food" is "Fast food".
export function category(place) {
  const path = place.categories?.[0] ?? "";
  const word = path.split("/").pop().replaceAll("_", " ");
  return word ? word[0].toUpperCase() + word.slice(1) : "Place";
}

// The mark of a place: which of a few kinds it is.
const KINDS = [
  ["food", /cafe|restaurant|bar$|pub|fast_food|food|bakery|ice_cream|nightclub|biergarten|confectionery/],
  ["culture", /museum|theatre|arts|gallery|cinema|artwork|monument|memorial|attraction|worship|library|histor|tourism/],
  ["green", /park|garden|playground|natural|viewpoint|fountain|pitch|sport|leisure/],
  ["travel", /transport|railway|bus|tram|subway|station|taxi|parking|bicycle|ferry|aeroway|airport|highway/],
  ["shop", /shop|supermarket|mall|market|bank|atm|office|post/],
];
export function kindOf(place) {
  for (const path of place.categories ?? []) {
    const kind = KINDS.find(([, pattern]) => pattern.test(path));
    if (kind) return kind[0];
  }
  return "other";
}

export const networkOf = (id) => id.split("/")[0];
const NETWORKS = {
  catalog: "Catalog", openstreetmap: "OpenStreetMap", foursquare: "Foursquare", instagram: "Instagram",
  flickr: "Flickr", commons: "Wikimedia Commons", folder: "Own pictures",
};
export const networkName = (network) => NETWORKS[network] ?? network;

export function day(time) {
  return new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(new Date(time));
}
