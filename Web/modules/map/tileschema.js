// What things are called in vector tiles of others, in the words of ours. Three schemas are common: OpenMapTiles,
// Protomaps and Shortbread; their layers have names that hardly meet. The tables are maps: a tile may name a layer
// "constructor".
/** @param {Record<string, any>} entries */
const table = (entries) => new Map(Object.entries(entries));

const PARKS = table({
  wood: "wood", forest: "wood", grass: "grass", grassland: "grass", meadow: "grass", scrub: "wood", park: "park",
  cemetery: "park", grave_yard: "park", golf_course: "park", garden: "park", pitch: "pitch", stadium: "pitch",
  playground: "park", sand: "sand", beach: "sand", dune: "sand", allotments: "park", recreation_ground: "park",
  village_green: "park", nature_reserve: "park",
});
const STREETS = table({
  motorway: "motorway", trunk: "trunk", primary: "primary", secondary: "secondary", tertiary: "tertiary",
  minor: "residential", residential: "residential", unclassified: "residential", living_street: "residential",
  busway: "service", service: "service", pedestrian: "pedestrian", path: "foot", footway: "foot", track: "foot",
  steps: "foot", bridleway: "foot", cycleway: "cycle", highway: "motorway", major_road: "primary",
  medium_road: "tertiary", minor_road: "residential",
});
const RAILS = table({
  rail: "rail", transit: "rail", light_rail: "rail", subway: "rail", tram: "tram", narrow_gauge: "rail",
  monorail: "rail", funicular: "rail",
});
const PLACES = table({
  capital: "city", state_capital: "city", city: "city", town: "town", village: "village", hamlet: "hamlet",
  suburb: "suburb", quarter: "quarter", neighbourhood: "neighbourhood", island: "island",
});
const WATERWAYS = new Set(["river", "canal", "stream", "ditch", "drain"]);

const parks = (kind) => PARKS.has(kind) && { layer: "parks", class: PARKS.get(kind) };
const water = () => ({ layer: "water", class: "water" });
const building = () => ({ layer: "buildings", class: "building" });

function way(kind, detail, tunnel) {
  const more = tunnel ? { tunnel: 1 } : {};
  const rail = RAILS.get(detail) ?? RAILS.get(kind);
  if (rail) return { layer: "rails", class: rail, ...more };
  const name = STREETS.get(bare(detail)) ?? STREETS.get(bare(kind));
  return name && { layer: "streets", class: name, ...more };
}

const bare = (kind) => (typeof kind === "string" ? kind.replace("_link", "") : "");

// A layer of its own for names, whose lines are those of another one.
const named = (own) => own && { ...own, isName: true };

function border(level) {
  if (level === 2) return { layer: "borders", class: "country" };
  return level === 4 ? { layer: "borders", class: "region" } : undefined;
}

const place = (kind, more = {}) => PLACES.has(kind) && { layer: "places", class: PLACES.get(kind), ...more };
const waterway = (kind) => ({ layer: "waterways", class: WATERWAYS.has(kind) ? kind : "stream" });
// OpenMapTiles ranks its places, 1 the first, and says nothing of how many live there.
const ranked = (rank) => (typeof rank === "number" ? { population: 1e7 / Math.max(1, rank) } : {});

const LAYERS = table({
  // Areas and lines of water share a layer in Protomaps' tiles.
  water: ({ kind }) => (WATERWAYS.has(kind) ? waterway(kind) : water()),
  ocean: water,
  water_polygons: ({ kind }) => (kind === "glacier" ? undefined : water()),
  waterway: (tags) => waterway(tags.class),
  water_lines: ({ kind }) => waterway(kind),
  landcover: (tags) => parks(tags.subclass) || parks(tags.class ?? tags.kind),
  landuse: (tags) => parks(tags.class ?? tags.kind),
  park: () => parks("park"),
  land: ({ kind }) => parks(kind),
  transportation: (tags) => way(tags.class, tags.subclass, tags.brunnel === "tunnel"),
  transportation_name: (tags) => named(way(tags.class, tags.subclass)),
  roads: ({ kind, kind_detail: detail, is_tunnel: tunnel }) => way(kind, detail, tunnel),
  streets: ({ kind, tunnel }) => way(kind, undefined, tunnel),
  street_labels: ({ kind }) => named(way(kind)),
  street_polygons: () => ({ layer: "squares", class: "square" }),
  building, buildings: building,
  boundary: (tags) => (tags.maritime ? undefined : border(tags.admin_level)),
  boundaries: ({ kind, admin_level: level, maritime }) =>
    (maritime ? undefined : border(level ?? { country: 2, region: 4 }[kind])),
  place: (tags) => place(tags.class, ranked(tags.rank)),
  places: ({ kind, kind_detail: detail }) => place(detail) || place(kind),
  place_labels: ({ kind }) => place(kind),
});

// {layer, class, tunnel} of ours; nothing for what we do not draw. An archive that Waymark made is taken as it is.
export function ownOf(layer, tags) {
  if (tags.class && ["parks", "sea", "waterways", "squares", "rails", "borders"].includes(layer)) return { layer };
  if (tags.class && ["streets", "places", "water", "buildings"].includes(layer) && !tags.kind) return { layer };
  if (layer === "coverage") return { layer };
  return LAYERS.get(layer)?.(tags) || undefined;
}
