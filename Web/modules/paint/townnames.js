// Names of countries, towns and their parts.
import { nameLanguages } from "../ground/language.js";
import { mapStyles } from "./mapstyle.js";
import { namesOf } from "./names.js";
import { project } from "./shapes.js";
import { SANS, SERIF, capitals, measured } from "./textsize.js";

// The zoom levels that have towns of the world, and from which on a map of its own has better ones.
const TOWNS = [3, 13];
const OWN_FROM = 8;
// Countries of higher ranks are small ones, whose names are larger than they are.
const SMALL_FROM = 4;
let countries; // {language, names}

export function placeCountries(pen, zoom, size, taken) {
  if (zoom < 3) return [];
  return namesOf("countries", zoom).flatMap(([name, latitude, longitude, rank, code]) => {
    if (rank > zoom) return [];
    const points = zoom < 5 ? 10 : rank > SMALL_FROM ? 10 : 12.5;
    const [x, y] = project(longitude, latitude);
    const label = measured(pen, {
      ...capitals(countryName(code) ?? name, "2px"), x: x * size, y: y * size, ink: "country",
      font: `500 ${points}px ${SANS}`,
    });
    return taken.claim(label.x, label.y, label.width + 10, 18) ? [label] : [];
  });
}

// In the reader's language, by CLDR.
function countryName(code) {
  const [language] = nameLanguages();
  try {
    if (countries?.language !== language) {
      countries = { language, names: new Intl.DisplayNames([language], { type: "region", fallback: "none" }) };
    }
    return countries.names.of(code);
  } catch {
    return undefined; // A language or a code that the browser does not know.
  }
}

// The world's towns, as its tiles have them: those that a zoom level shows, the important ones first. A map of streets
// has its own names.
export function placeTowns(pen, zoom, size, taken, named) {
  if (zoom < TOWNS[0] || zoom > TOWNS[1]) return [];
  const above = zoom < OWN_FROM ? [] : named.filter(({ layers, isWorld }) => !isWorld && layers.places);
  const isShown = ({ from, rings: [[x, y]] }, isThere) =>
    from <= zoom && isThere(x, y) && !above.some((other) => other.isThere(x, y));
  const towns = named.filter(({ isWorld }) => isWorld).flatMap(({ layers: { places = [] }, isThere }) =>
    places.filter((town) => isShown(town, isThere)));
  towns.sort((a, b) => a.from - b.from || b.population - a.population || (a.name < b.name ? -1 : 1));
  return towns.flatMap(({ name: text, from, rings: [[x, y]] }) => {
    const points = (from < 5 ? 13.5 : from < 7 ? 12.5 : 11.5) + (zoom - from > 3 ? 2 : 0);
    const label = measured(pen, {
      text, x: x * size, y: y * size, ink: "town", dot: true, font: `600 ${points}px ${SERIF}`,
    });
    // Below its dot; above it where the name of the country stands there.
    const side = [1, -1].find((each) =>
      taken.claim(label.x, label.y + each * points / 2, label.width + 10, points + 14, text));
    return side ? [{ ...label, below: side * points * 0.95 }] : [];
  });
}

// Towns and their parts, as the map of a dataset has them.
export function placePlaces(pen, zoom, size, taken, named) {
  if (zoom < OWN_FROM) return [];
  const styles = mapStyles().places.filter(({ from, to }) => zoom >= from && zoom <= to);
  const rank = (place) => styles.findIndex(({ name }) => name === place.class);
  const places = named.flatMap(({ layers, has }) =>
    (layers.places ?? []).filter((place) => rank(place) >= 0 && has(place.rings[0][0], place.rings[0][1])));
  places.sort((a, b) => rank(a) - rank(b) || b.population - a.population || (a.name < b.name ? -1 : 1));
  return places.flatMap((place) => {
    const { name, rings: [[x, y]] } = place;
    const { points, isPart } = styles[rank(place)];
    const look = isPart
      ? { ...capitals(name, "1.2px"), ink: "country", font: `500 ${points}px ${SANS}` }
      : { text: name, ink: "town", font: `600 ${points}px ${SERIF}` };
    const label = measured(pen, { ...look, x: x * size, y: y * size });
    return taken.claim(label.x, label.y, label.width + 10, points + 8, name) ? [label] : [];
  });
}
