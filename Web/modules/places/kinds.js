// Which of a few kinds a place is, for its mark and its colour. By whole words, never by part of one:
// "public_transport" is no pub, and a "business_park" is no park.

const WORDS = {
  food: `restaurant cafe coffee coffee_shop bar pub fast_food food food_court bakery deli ice_cream nightclub biergarten
    confectionery pastry chocolate tea pizza pizzeria bistro brewery winery diner steakhouse teahouse tea_room`,
  culture: `museum theatre theater arts_centre gallery art_gallery cinema artwork monument memorial attraction library
    place_of_worship church chapel cathedral mosque synagogue temple shrine castle ruins tomb
    archaeological_site opera concert_hall music_venue university events_venue landmark bandstand`,
  green: `park garden playground viewpoint fountain pitch forest wood beach lake water bay tree meadow nature_reserve
    sports_centre dog_park national_park golf_course swimming_pool stadium trail`,
  travel: `station bus_station bus_stop train_station railway_station metro_station subway subway_entrance tram_stop
    tram taxi parking car_park bicycle_parking bicycle_rental car_rental car_sharing ferry ferry_terminal airport
    heliport harbour harbor marina port charging_station fuel train bus`,
  shop: `shop store supermarket mall shopping_mall market marketplace bank atm bureau_de_change post_office pharmacy
    kiosk retail boutique bookstore vending_machine`,
  other: `hotel hostel motel guest_house apartment information business_park office_park industrial_park office
    fire_station police_station`,
};
const KIND = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) => words.split(/\s+/).map((word) => [word, kind])),
);

// The kind that follows from an OpenStreetMap key alone, when its value is not listed.
const KEYS = {
  shop: "shop", public_transport: "travel", railway: "travel", highway: "travel", aeroway: "travel", leisure: "green",
  natural: "green", historic: "culture", tourism: "culture", amenity: "other", office: "other", place: "other",
  landuse: "other", building: "other", man_made: "other", healthcare: "other", craft: "other",
};

export function kindOf(place) {
  for (const path of place.categories ?? []) {
    const kind = kindOfPath(path.toLowerCase().trim().replace(/[\s-]+/g, "_"));
    if (kind) return kind;
  }
  return "other";
}

function kindOfPath(path) {
  const [key, ...rest] = path.split(/_?[/>:]_?/);
  const word = rest.at(-1) ?? key;
  if (key === "office") return "other"; // Whatever its value.
  const known = KIND.get(word) ?? KEYS[key];
  if (known) return known === "other" && !KIND.has(word) ? undefined : known;
  // Names as other networks have them: "Coffee Shop", "Italian Restaurant".
  const words = word.split("_");
  return KIND.get(words.at(-1)) ?? KIND.get(words[0]);
}
