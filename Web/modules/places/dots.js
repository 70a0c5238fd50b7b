// The places of a pin on the map, few marks at once: a dot for one place, larger with photos, a number for several that
// would lie on each other, and a flag with its name for the one chosen.
import { L } from "../map/leaflet.js";
import { latLng, map } from "../map/map.js";
import { openUp, reveal } from "../map/sight.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { interestOf } from "./interest.js";
import { thin } from "../map/thin.js";
import { dotIcon, numberIcon, spotIcon } from "./dotmark.js";
import { partLabels } from "../map/overlaps.js";
import { category } from "../ground/words.js";

// The most marks on the screen at once, with the selected one.
const MAXIMUM = 60;
// How far beyond the screen marks are drawn, for dragging the map.
const BESIDE = 0.4;
map.createPane("places").style.zIndex = 550;

export function placeDots(tapped) {
  const layer = L.layerGroup().addTo(map);
  const drawn = new Map();
  const spot = L.marker([0, 0], { pane: "places", interactive: false, keyboard: false, zIndexOffset: 9000 });
  const flag = L.tooltip({ permanent: true, direction: "top", offset: [0, -9], className: "place-flag", opacity: 1 });
  let places = [];
  let marks = [];
  let lit;

  function think() {
    const first = places[0] && latLng(places[0].position).lng;
    const points = places.map((place) => {
      const { lat, lng } = latLng(place.position);
      const { x, y } = map.project([lat, lng + 360 * Math.round((first - lng) / 360)]);
      const importance = interestOf(place) + (place.photoCount ? 100 : 0);
      return { id: place.id, x, y, importance, place };
    });
    const { x: width, y: height } = map.getSize();
    marks = thin(points, { width, height, most: MAXIMUM - 1 }).map(({ members }) => members.map(({ place }) => place));
    draw();
  }

  // What looks the same stays.
  function draw() {
    const seen = map.getBounds().pad(BESIDE);
    const wanted = new Map();
    for (const members of marks) {
      if (seen.contains(near(latLng(members[0].position)))) wanted.set(keyOf(members), members);
    }
    for (const [key, mark] of drawn) {
      if (wanted.has(key)) continue;
      layer.removeLayer(mark);
      letGo(mark);
      drawn.delete(key);
    }
    for (const [key, members] of wanted) {
      if (!drawn.has(key)) drawn.set(key, put(members));
      drawn.get(key).members = members;
    }
    partLabels();
  }

  function keyOf(members) {
    const [{ id, position, photoCount }] = members;
    return JSON.stringify([id, position, photoCount > 0, members.length]);
  }

  function put(members) {
    const [head] = members;
    const icon = members.length > 1 ? numberIcon(members) : dotIcon(head);
    const zIndexOffset = head.photoCount ? 3000 : 0;
    const mark = L.marker(near(latLng(head.position)), { icon, pane: "places", keyboard: false, zIndexOffset });
    mark.on("click", () => open(mark));
    layer.addLayer(keepNear(mark));
    return mark;
  }

  // For several the map zooms in; those that overlap even then are selected in turn.
  function open({ members }) {
    const at = members.findIndex(({ id }) => id === lit?.id);
    if (members.length === 1 || !openUp(members.map(({ position }) => latLng(position)))) {
      tapped(members[(at + 1) % members.length]);
    }
  }

  map.on("zoomend resize", think);
  map.on("moveend", draw);

  return {
    show(shown) {
      places = shown;
      think();
      if (lit && !places.some(({ id }) => id === lit.id)) {
        lit = undefined;
        spot.remove();
        flag.remove();
        partLabels();
      }
    },
    light(place, move) {
      lit = place;
      const point = near(latLng(place.position));
      spot.setIcon(spotIcon(place)).setLatLng(point);
      flag.setLatLng(point).setContent(document.createTextNode(place.name || category(place)));
      if (!map.hasLayer(flag)) for (const part of [spot, flag]) keepNear(part.addTo(map));
      partLabels();
      if (move) reveal(latLng(place.position));
    },
    close() {
      map.off("zoomend resize", think);
      map.off("moveend", draw);
      partLabels();
      for (const part of [layer, spot, flag]) part.remove();
      for (const part of [...drawn.values(), spot, flag]) letGo(part);
    },
  };
}
