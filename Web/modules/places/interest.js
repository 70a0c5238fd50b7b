// How interesting a place is to a visitor: sights, then restaurants, then shops, then the rest. Entrances, stops and
// offices come last, and are folded in the list.
import { kindOf } from "./kinds.js";

const SIGHTS = words(`museum attraction gallery art_gallery castle ruins monument viewpoint theatre theater opera
  concert_hall cathedral church temple mosque synagogue library zoo aquarium archaeological_site landmark`);
const MINOR = words(`subway_entrance entrance train_station_entrance stop_position platform bus_stop tram_stop parking
  parking_entrance parking_space bicycle_parking car_park atm vending_machine recycling post_box toilets city_block
  company office business_park office_park coworking_space`);
// The higher, the sooner.
const OF_KIND = { culture: 4, green: 4, food: 3, shop: 2, travel: 1, other: 1 };
const SIGHT = 5;
const LITTLE = 0;

export function interestOf(place) {
  const paths = (place.categories ?? []).map((path) => path.toLowerCase().trim().replace(/[\s-]+/g, "_"));
  const named = paths.map((path) => path.split(/_?[/>:]_?/));
  if (named.some((parts) => SIGHTS.has(parts.at(-1)))) return SIGHT;
  const [first] = named;
  if (first && (first[0] === "office" || MINOR.has(first.at(-1)))) return LITTLE;
  return OF_KIND[kindOf(place)];
}

// Photos are always worth a look.
export const isMinor = (place) => !place.photoCount && interestOf(place) === LITTLE;

function words(text) {
  return new Set(text.split(/\s+/));
}
