// The places of a pin on the map: one dot each, larger with photos, and a flag with its name for the one chosen.
import { L } from "./leaflet.js";
import { latLng, map } from "./map.js";
import { reveal } from "./sight.js";
import { keepNear, letGo, near } from "./turns.js";
import { category } from "./words.js";
import { kindOf } from "./kinds.js";

export function placeDots(tapped) {
  const layer = L.layerGroup().addTo(map);
  const canvas = L.canvas({ padding: 0.4 });
  const dots = new Map();
  const flag = L.tooltip({ permanent: true, direction: "top", offset: [0, -9], className: "place-flag", opacity: 1 });
  let lit;

  const styleOf = (place) => {
    const style = getComputedStyle(document.documentElement);
    const tint = style.getPropertyValue(`--${kindOf(place)}`).trim();
    const paper = style.getPropertyValue("--paper").trim();
    const isLit = place.id === lit;
    const pictured = (place.photoCount ?? 0) > 0;
    return {
      radius: (pictured ? 8 : 4.5) + (isLit ? 3 : 0), fillColor: tint, fillOpacity: 1, color: isLit ? tint : paper,
      weight: isLit ? 4 : pictured ? 2.5 : 1.5, opacity: 1,
    };
  };
  const restyle = () => {
    for (const { dot, place } of dots.values()) dot.setStyle(styleOf(place)).setRadius(styleOf(place).radius);
  };
  document.addEventListener("themechange", restyle);

  return {
    show(places) {
      const kept = new Set(places.map((place) => place.id));
      for (const [id, { dot }] of dots) {
        if (kept.has(id)) continue;
        layer.removeLayer(dot);
        letGo(dot);
        dots.delete(id);
      }
      // Those with photos come last, and so above the others.
      const order = [...places].sort((a, b) => Math.sign(a.photoCount ?? 0) - Math.sign(b.photoCount ?? 0));
      for (const place of order) put(place);
      if (lit && !kept.has(lit)) {
        lit = undefined;
        flag.remove();
      }
    },
    light(place, move) {
      const before = lit;
      lit = place.id;
      for (const id of [before, lit]) {
        const entry = dots.get(id);
        entry?.dot.setStyle(styleOf(entry.place)).setRadius(styleOf(entry.place).radius);
      }
      dots.get(lit)?.dot.bringToFront();
      flag.setLatLng(near(latLng(place.position))).setContent(document.createTextNode(place.name || category(place)));
      if (!map.hasLayer(flag)) keepNear(flag.addTo(map));
      if (move) reveal(latLng(place.position));
    },
    close() {
      document.removeEventListener("themechange", restyle);
      layer.remove();
      for (const { dot } of dots.values()) letGo(dot);
      letGo(flag);
      canvas.remove();
      flag.remove();
    },
  };

  function put(place) {
    const entry = dots.get(place.id);
    if (entry) {
      const changed = entry.place.photoCount !== place.photoCount;
      entry.place = place;
      if (changed) entry.dot.setStyle(styleOf(place)).setRadius(styleOf(place).radius);
      return;
    }
    const dot = L.circleMarker(near(latLng(place.position)), {
      ...styleOf(place), renderer: canvas, bubblingMouseEvents: false,
    });
    dot.on("click", () => tapped(dots.get(place.id).place));
    dots.set(place.id, { dot, place });
    layer.addLayer(keepNear(dot));
  }
}
