// What things are called in vector tiles of others, in the words of ours. Three schemas are common: OpenMapTiles,
// Protomaps and Shortbread; their layers have names that hardly meet.
const PARKS = {
  wood: "wood", forest: "wood", grass: "grass", grassland: "grass", meadow: "grass", scrub: "wood", park: "park",
  cemetery: "park", golf_course: "park", garden: "park", pitch: "pitch", stadium: "pitch", playground: "park",
  sand: "sand", beach: "sand", allotments: "park", recreation_ground: "park", village_green: "park",
  nature_reserve: "park",
};
const STREETS = {
  motorway: "motorway", trunk: "trunk", primary: "primary", secondary: "secondary", tertiary: "tertiary",
  minor: "residential", residential: "residential", unclassified: "residential", living_street: "residential",
  service: "service", pedestrian: "pedestrian", path: "foot", footway: "foot", track: "foot", steps: "foot",
  cycleway: "cycle", highway: "motorway", major_road: "primary", medium_road: "tertiary", minor_road: "residential",
};
const RAILS = { rail: "rail", transit: "rail", light_rail: "rail", subway: "rail", tram: "tram", narrow_gauge: "rail" };
const PLACES = new Set(["city", "town", "village", "hamlet", "suburb", "quarter", "neighbourhood", "island"]);
const WATERWAYS = new Set(["river", "canal", "stream", "ditch", "drain"]);

const parks = (kind) => PARKS[kind] && { layer: "parks", class: PARKS[kind] };
const water = () => ({ layer: "water", class: "water" });
const building = () => ({ layer: "buildings", class: "building" });

function way(kind, detail, tunnel) {
  const more = tunnel ? { tunnel: 1 } : {};
  if (RAILS[detail] ?? RAILS[kind]) return { layer: "rails", class: RAILS[detail] ?? RAILS[kind], ...more };
  const name = STREETS[detail?.replace("_link", "")] ?? STREETS[kind?.replace("_link", "")];
  return name && { layer: "streets", class: name, ...more };
}

function border(level) {
  if (level === 2) return { layer: "borders", class: "country" };
  return level === 4 ? { layer: "borders", class: "region" } : undefined;
}

const place = (kind) => (PLACES.has(kind) ? { layer: "places", class: kind } : undefined);
const waterway = (kind) => ({ layer: "waterways", class: WATERWAYS.has(kind) ? kind : "stream" });

const LAYERS = {
  // Areas and lines of water share a layer in Protomaps' tiles.
  water: ({ kind }) => (WATERWAYS.has(kind) ? waterway(kind) : water()),
  ocean: water, water_polygons: water,
  waterway: (tags) => waterway(tags.class),
  water_lines: ({ kind }) => waterway(kind),
  landcover: (tags) => parks(tags.subclass) ?? parks(tags.class ?? tags.kind),
  landuse: (tags) => parks(tags.class ?? tags.kind),
  park: () => parks("park"),
  land: ({ kind }) => parks(kind),
  transportation: (tags) => way(tags.class, tags.subclass, tags.brunnel === "tunnel"),
  transportation_name: (tags) => way(tags.class, tags.subclass),
  roads: ({ kind, kind_detail: detail, is_tunnel: tunnel }) => way(kind, detail, tunnel),
  streets: ({ kind, tunnel }) => way(kind, undefined, tunnel),
  street_labels: ({ kind }) => way(kind),
  building, buildings: building,
  boundary: (tags) => (tags.maritime ? undefined : border(tags.admin_level)),
  boundaries: ({ kind, admin_level: level, maritime }) =>
    (maritime ? undefined : border(level ?? { country: 2, region: 4 }[kind])),
  place: (tags) => place(tags.class),
  places: ({ kind, kind_detail: detail }) => place(detail) ?? place(kind),
  place_labels: ({ kind }) => place(kind),
};

// {layer, class, tunnel} of ours; nothing for what we do not draw. An archive that Waymark made is taken as it is.
export function ownOf(layer, tags) {
  if (tags.class && ["parks", "sea", "waterways", "squares", "rails", "borders"].includes(layer)) return { layer };
  if (tags.class && ["streets", "places", "water", "buildings"].includes(layer) && !tags.kind) return { layer };
  if (layer === "coverage") return { layer };
  return LAYERS[layer]?.(tags);
}
