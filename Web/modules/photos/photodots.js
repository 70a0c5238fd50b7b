// An album's pictures on the map, round, where they were taken; those at one spot as one with their number.
import { L } from "../map/leaflet.js";
import { el } from "../ground/dom.js";
import { latLng, map } from "../map/map.js";
import { showBounds } from "../map/sight.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { bestFirst } from "./best.js";
import { frame, show } from "./picture.js";

const SIZE = 46;

export function photoDots(tapped) {
  const group = L.markerClusterGroup({
    maxClusterRadius: 40, showCoverageOnHover: false, iconCreateFunction: pile, zoomToBoundsOnClick: false,
  }).addTo(map);
  const markers = new Map();
  // Those at one spot are spread out instead, by the library itself.
  group.on("clusterclick", ({ layer }) => {
    const bounds = layer.getBounds();
    if (!bounds.getSouthWest().equals(bounds.getNorthEast())) showBounds(bounds, { maxZoom: map.getMaxZoom() });
  });

  return {
    show(photos) {
      const kept = new Set(photos.map((photo) => photo.id));
      for (const [id, marker] of markers) {
        if (kept.has(id)) continue;
        group.removeLayer(marker);
        letGo(marker);
        markers.delete(id);
      }
      for (const photo of photos) if (photo.position) put(photo);
      group.refreshClusters();
    },
    light(id, on) {
      markers.get(id)?.getElement()?.classList.toggle("lit", on);
    },
    close() {
      for (const marker of markers.values()) letGo(marker);
      group.remove();
    },
  };

  function put(photo) {
    const known = markers.get(photo.id);
    if (known) {
      known.photo = photo;
      show(known.box, photo);
      return;
    }
    const box = frame({ small: true });
    // A screen reader gets the album, not its dots on the map.
    box.setAttribute("aria-hidden", "true");
    show(box, photo);
    const icon = L.divIcon({ className: "photo-dot", html: box, iconSize: [SIZE, SIZE] });
    const marker = L.marker(near(latLng(photo.position)), { icon, keyboard: false, zIndexOffset: -200 });
    marker.photo = photo;
    marker.box = box;
    marker.on("click", () => tapped(marker.photo));
    markers.set(photo.id, marker);
    group.addLayer(keepNear(marker));
  }
}

function pile(cluster) {
  const photos = cluster.getAllChildMarkers().map((marker) => marker.photo);
  const box = frame({ small: true });
  show(box, bestFirst(photos)[0]);
  const content = el("div", { class: "pile", "aria-hidden": "true" }, box, el("b", {}, String(photos.length)));
  return L.divIcon({ className: "photo-pile", html: content, iconSize: [SIZE, SIZE] });
}
