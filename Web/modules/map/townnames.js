// Names of countries, towns and their parts.
import { namesOf } from "./mapdata.js";
import { project } from "./shapes.js";
import { SANS, SERIF, capitals, measured } from "./textsize.js";

export function placeCountries(pen, zoom, size, taken) {
  if (zoom < 3) return [];
  return namesOf("countries", zoom).flatMap(([name, latitude, longitude, rank]) => {
    if (rank > zoom) return [];
    const [x, y] = project(longitude, latitude);
    const label = measured(pen, {
      ...capitals(name, "2px"), x: x * size, y: y * size, ink: "country",
      font: `500 ${zoom < 5 ? 10 : 12}px ${SANS}`,
    });
    return taken.claim(label.x, label.y, label.width + 10, 18) ? [label] : [];
  });
}

// The largest come first; the number of candidates grows with the zoom. A map of streets has its own names.
export function placeTowns(pen, zoom, size, taken, named) {
  return namesOf("towns", zoom).slice(0, 50 * 2.4 ** (zoom - 3))
    .flatMap(([text, latitude, longitude, rank]) => {
      const [x, y] = project(longitude, latitude);
      if (named.some(({ layers, has }) => layers.places && has(x, y))) return [];
      const points = (rank < 90 ? 13.5 : rank < 400 ? 12.5 : 11.5) + (zoom > 8 ? 3 : 0);
      const label = measured(pen, {
        text, x: x * size, y: y * size, ink: "town", dot: true, below: points * 0.95, font: `600 ${points}px ${SERIF}`,
      });
      return taken.claim(label.x, label.y + points / 2, label.width + 10, points + 14, text) ? [label] : [];
    });
}

// Towns and their parts, as the map of a dataset has them: the zoom levels that show them, and their letters.
const PLACES = {
  city: { from: 0, to: 15, points: 15.5 }, town: { from: 0, to: 15, points: 14 },
  island: { from: 11, to: 15, points: 13 }, village: { from: 11, to: 16, points: 13 },
  suburb: { from: 12, to: 17, points: 10.5, isPart: true }, hamlet: { from: 14, to: 17, points: 11.5 },
  quarter: { from: 14, to: 17, points: 10, isPart: true },
  neighbourhood: { from: 15, to: 18, points: 10, isPart: true },
};
const KINDS = Object.keys(PLACES);

export function placePlaces(pen, zoom, size, taken, named) {
  const isShown = ({ class: kind }) => PLACES[kind] && zoom >= PLACES[kind].from && zoom <= PLACES[kind].to;
  const places = named.flatMap(({ layers, has }) =>
    (layers.places ?? []).filter((place) => isShown(place) && has(place.rings[0][0], place.rings[0][1])));
  const rank = (place) => KINDS.indexOf(place.class);
  places.sort((a, b) => rank(a) - rank(b) || b.population - a.population || (a.name < b.name ? -1 : 1));
  return places.flatMap(({ name, class: kind, rings: [[x, y]] }) => {
    const { points, isPart } = PLACES[kind];
    const look = isPart
      ? { ...capitals(name, "1.2px"), ink: "country", font: `500 ${points}px ${SANS}` }
      : { text: name, ink: "town", font: `600 ${points}px ${SERIF}` };
    const label = measured(pen, { ...look, x: x * size, y: y * size });
    return taken.claim(label.x, label.y, label.width + 10, points + 8, name) ? [label] : [];
  });
}
