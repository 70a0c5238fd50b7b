// What things are called in vector tiles of others, in the words of ours. Three schemas are common: OpenMapTiles,
// Protomaps and Shortbread; their layers have names that hardly meet. The tables are maps: a tile may name a layer
// "constructor".
/** @param {Record<string, any>} entries */
const table = (entries) => new Map(Object.entries(entries));

const PARKS = table({
  wood: "wood", forest: "wood", grass: "grass", grassland: "grass", meadow: "grass", scrub: "wood", park: "park",
  heath: "grass", cemetery: "cemetery", grave_yard: "cemetery", golf_course: "park", garden: "park", pitch: "pitch",
  stadium: "pitch", playground: "park", sand: "sand", beach: "sand", dune: "sand", allotments: "park",
  recreation_ground: "park", village_green: "grass", nature_reserve: "park", farmland: "farm", farm: "farm",
  orchard: "farm", vineyard: "farm", plant_nursery: "farm", residential: "residential", suburb: "residential",
  industrial: "industrial", commercial: "industrial", retail: "industrial", railway: "industrial", quarry: "rock",
  garages: "industrial", bare_rock: "rock", rock: "rock", scree: "rock", shingle: "rock", glacier: "glacier",
  ice: "glacier", wetland: "wetland", marsh: "wetland", swamp: "wetland", bog: "wetland", school: "campus",
  university: "campus", college: "campus", hospital: "campus", parking: "parking", aerodrome: "airfield",
  apron: "parking", runway: "parking",
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
  monorail: "rail", funicular: "tram", ferry: "ferry",
});
const AIRFIELDS = new Set(["runway", "taxiway"]);
// By the value of any of these keys.
const MARK_KEYS = ["tourism", "historic", "amenity", "leisure", "natural", "aeroway", "railway", "highway", "shop"];
const MARKS = table({
  peak: "peak", volcano: "peak", station: "station", railway: "station", halt: "halt", tram_stop: "tram",
  bus_stop: "stop", bus: "stop", bus_station: "bus", ferry_terminal: "ferry", ferry: "ferry", harbor: "ferry",
  marina: "ferry",
  aerodrome: "airport", airport: "airport", hospital: "hospital", museum: "museum", gallery: "museum",
  art_gallery: "museum", attraction: "attraction", zoo: "attraction", theme_park: "attraction", aquarium: "attraction",
  viewpoint: "viewpoint", hotel: "hotel", lodging: "hotel", hostel: "hotel", motel: "hotel", guest_house: "hotel",
  camp_site: "camp", campsite: "camp", caravan_site: "camp", castle: "castle", fort: "castle", ruins: "castle",
  monument: "monument", memorial: "monument", university: "school", college: "school", school: "school",
  library: "library", theatre: "theatre", cinema: "theatre", arts_centre: "theatre", place_of_worship: "worship",
  townhall: "town_hall", town_hall: "town_hall", courthouse: "town_hall", police: "town_hall",
  fire_station: "town_hall", restaurant: "food", food_court: "food", fast_food: "food", cafe: "cafe",
  ice_cream: "cafe", bar: "bar", beer: "bar", pub: "bar", biergarten: "bar", nightclub: "bar", pharmacy: "pharmacy",
  bank: "bank", post_office: "post", post: "post", fuel: "fuel", parking: "parking", marketplace: "market",
  stadium: "sport", sports_centre: "sport", supermarket: "market", grocery: "market", mall: "market",
  department_store: "market", shop: "shop", clothing_store: "shop", bakery: "shop",
});
const PLACES = table({
  capital: "city", state_capital: "city", city: "city", town: "town", village: "village", hamlet: "hamlet",
  suburb: "suburb", quarter: "quarter", neighbourhood: "neighbourhood", island: "island",
});
const WATERWAYS = new Set(["river", "canal", "stream", "ditch", "drain"]);

const parks = (kind) => PARKS.has(kind) && { layer: "parks", class: PARKS.get(kind) };
const water = () => ({ layer: "water", class: "water" });
const building = () => ({ layer: "buildings", class: "building" });

function way(kind, detail, tags, tunnel, bridge) {
  const more = { ...(tunnel && { tunnel: 1 }), ...(!tunnel && bridge && { bridge: 1 }) };
  const rail = RAILS.get(detail) ?? RAILS.get(kind);
  if (rail) return { layer: "rails", class: rail, ...more };
  if (AIRFIELDS.has(kind)) return { layer: "streets", class: kind };
  const name = STREETS.get(bare(detail)) ?? STREETS.get(bare(kind));
  return name && { layer: "streets", class: name, ...more, ...(DRIVEN.has(name) && direction(tags)) };
}

// Paths have directions too, which matter to few.
const DRIVEN = new Set(["motorway", "trunk", "primary", "secondary", "tertiary", "residential", "service"]);

function direction({ oneway, oneway_reverse: isReverse }) {
  if (oneway === -1 || isReverse === true) return { oneway: 1, isTurned: true };
  return oneway === 1 || oneway === true || oneway === "yes" ? { oneway: 1 } : {};
}

const bare = (kind) => (typeof kind === "string" ? kind.replace("_link", "") : "");

// A layer of its own for names, whose lines are those of another one.
const named = (own) => own && { layer: own.layer, class: own.class, isName: true };

const marked = (values) => {
  const kind = values.find((value) => MARKS.has(value));
  return kind && { layer: "marks", class: MARKS.get(kind) };
};
const number = (text) => typeof text === "string" && { layer: "numbers", class: "number", name: text };

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
  pois: (tags) => marked([tags.kind, ...MARK_KEYS.map((key) => tags[key])]) || (tags.shop && marked(["shop"])),
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
