// What things are called in vector tiles of others, in the words of ours. Three schemas are common: OpenMapTiles,
// Protomaps and Shortbread; their layers have names that hardly meet. Words are in /map/schema.json, by which pictures
// of the map are drawn too. The tables are maps: a tile may name a layer "constructor".
/** @param {Record<string, any>} entries */
const table = (entries) => new Map(Object.entries(entries));

/** @type {Record<string, Map<string, string>>} */
let words;
/** @type {Record<string, string[]>} */
let lists;
let loading;
// In how many milliseconds they are fetched again when they did not come.
const AGAIN = 3000;

// To be awaited before a tile of others is read.
export function loadSchema() {
  loading ??= load();
  return loading;
}

async function load() {
  const response = await fetch("/map/schema.json").catch(() => undefined);
  if (!response?.ok) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    return load();
  }
  const { parks, streets, rails, marks, places, ...others } = await response.json();
  words = Object.fromEntries(Object.entries({ parks, streets, rails, marks, places })
    .map(([name, entries]) => [name, table(entries)]));
  lists = others;
}

const parks = (kind) => words.parks.has(kind) && { layer: "parks", class: words.parks.get(kind) };
const water = () => ({ layer: "water", class: "water" });
const building = () => ({ layer: "buildings", class: "building" });

function way(kind, detail, tags, tunnel, bridge) {
  const more = { ...(tunnel && { tunnel: 1 }), ...(!tunnel && bridge && { bridge: 1 }) };
  const rail = words.rails.get(detail) ?? words.rails.get(kind);
  if (rail) return { layer: "rails", class: rail, ...more };
  if (lists.airfields.includes(kind)) return { layer: "streets", class: kind };
  const name = words.streets.get(bare(detail)) ?? words.streets.get(bare(kind));
  // Paths have directions too, which matter to few.
  return name && { layer: "streets", class: name, ...more, ...(lists.driven.includes(name) && direction(tags)) };
}

function direction({ oneway, oneway_reverse: isReverse }) {
  if (oneway === -1 || isReverse === true) return { oneway: 1, isTurned: true };
  return oneway === 1 || oneway === true || oneway === "yes" ? { oneway: 1 } : {};
}

const bare = (kind) => (typeof kind === "string" ? kind.replace("_link", "") : "");

// A layer of its own for names, whose lines are those of another one.
const named = (own) => own && { layer: own.layer, class: own.class, isName: true };

const marked = (values) => {
  const kind = values.find((value) => words.marks.has(value));
  return kind && { layer: "marks", class: words.marks.get(kind) };
};
const number = (text) => typeof text === "string" && { layer: "numbers", class: "number", name: text };

function border(level) {
  if (level === 2) return { layer: "borders", class: "country" };
  return level === 4 ? { layer: "borders", class: "region" } : undefined;
}

const place = (kind, more = {}) => words.places.has(kind) && { layer: "places", class: words.places.get(kind), ...more };
const waterway = (kind) => ({ layer: "waterways", class: lists.waterways.includes(kind) ? kind : "stream" });
// OpenMapTiles ranks its places, 1 the first, and says nothing of how many live there.
const ranked = (rank) => (typeof rank === "number" ? { population: 1e7 / Math.max(1, rank) } : {});

const LAYERS = table({
  // Areas and lines of water share a layer in Protomaps' tiles.
  water: ({ kind }) => (lists.waterways.includes(kind) ? waterway(kind) : water()),
  ocean: water,
  water_polygons: ({ kind }) => (kind === "glacier" ? parks(kind) : water()),
  waterway: (tags) => waterway(tags.class),
  water_lines: ({ kind }) => waterway(kind),
  landcover: (tags) => parks(tags.subclass) || parks(tags.class ?? tags.kind),
  landuse: (tags) => parks(tags.class ?? tags.kind),
  park: () => parks("park"),
  land: ({ kind }) => parks(kind),
  transportation: (tags) => way(tags.class, tags.subclass, tags, tags.brunnel === "tunnel", tags.brunnel === "bridge"),
  transportation_name: (tags) => named(way(tags.class, tags.subclass, tags)),
  aeroway: (tags) => way(tags.class, undefined, tags) ?? parks(tags.class),
  roads: (tags) => way(tags.kind, tags.kind_detail, tags, tags.is_tunnel, tags.is_bridge),
  streets: (tags) => way(tags.kind, undefined, tags, tags.tunnel, tags.bridge),
  street_labels: (tags) => named(way(tags.kind, undefined, tags)),
  ferries: () => way("ferry"),
  poi: (tags) => marked([tags.subclass, tags.class]),
  pois: (tags) => marked([tags.kind, ...lists.markKeys.map((key) => tags[key])]) || (tags.shop && marked(["shop"])),
  public_transport: ({ kind }) => marked([kind]),
  mountain_peak: (tags) => marked([tags.class]),
  aerodrome_label: () => marked(["aerodrome"]),
  housenumber: (tags) => number(tags.housenumber),
  addresses: (tags) => number(tags.housenumber),
  sites: ({ kind }) => parks(kind),
  street_polygons: () => ({ layer: "squares", class: "square" }),
  building,
  buildings: (tags) => (tags.kind === "address" ? number(tags.addr_housenumber) : building()),
  boundary: (tags) => (tags.maritime ? undefined : border(tags.admin_level)),
  boundaries: ({ kind, admin_level: level, maritime }) =>
    (maritime ? undefined : border(level ?? { country: 2, region: 4 }[kind])),
  place: (tags) => place(tags.class, ranked(tags.rank)),
  places: ({ kind, kind_detail: detail }) => place(detail) || place(kind),
  place_labels: ({ kind }) => place(kind),
});

const OWN = ["parks", "sea", "waterways", "squares", "rails", "borders", "marks"];

// {layer, class, tunnel, bridge, oneway} of ours; nothing for what we do not draw. An archive that Waymark made is
// taken as it is.
export function ownOf(layer, tags) {
  if ((tags.class && OWN.includes(layer)) || layer === "numbers") return { layer };
  if (tags.class && ["streets", "places", "water", "buildings"].includes(layer) && !tags.kind) return { layer };
  if (layer === "coverage") return { layer };
  return LAYERS.get(layer)?.(tags) || undefined;
}
