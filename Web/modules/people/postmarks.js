// The posts on the map; those that would lie on each other are one mark with their number. The one that is chosen has a
// card with its link.
import { L } from "../map/leaflet.js";
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { covered } from "../map/free.js";
import { isPhone, latLng, map } from "../map/map.js";
import { makeRoom } from "../map/panel.js";
import { linkOf } from "./posttext.js";
import { reveal, showBounds } from "../map/sight.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { t } from "../ground/text.js";
import { moment } from "../ground/words.js";

const SIZE = 34;

// `chosen(post)` is called when one is tapped, and without a post when the map is.
export function postMarks(chosen) {
  const group = L.markerClusterGroup({
    maxClusterRadius: 36, showCoverageOnHover: false, iconCreateFunction: crowd, zoomToBoundsOnClick: false,
  }).addTo(map);
  let marks = new Map();
  let popup;
  // Those at one spot are spread out instead, by the library itself.
  group.on("clusterclick", ({ layer }) => {
    const bounds = layer.getBounds();
    if (!bounds.getSouthWest().equals(bounds.getNorthEast())) showBounds(bounds, { maxZoom: map.getMaxZoom() });
  });
  const aside = () => chosen();
  map.on("click", aside);

  function shut() {
    if (!popup) return;
    letGo(popup.remove());
    popup = undefined;
  }

  function clear() {
    for (const mark of marks.values()) letGo(mark);
    marks = new Map();
    group.clearLayers();
  }

  return {
    show(posts) {
      clear();
      for (const post of posts) {
        const mark = markOf(post);
        mark.on("click", () => chosen(post));
        marks.set(post.id, mark);
        group.addLayer(keepNear(mark));
      }
    },
    open(post) {
      shut();
      if (!post) return;
      makeRoom();
      reveal(latLng(post.position));
      const { top, right, bottom, left } = covered();
      popup = L.popup({
        className: "post-popup", closeButton: false, closeOnEscapeKey: false, autoClose: false, offset: [0, -SIZE / 2],
        minWidth: 200, maxWidth: 280, autoPanPaddingTopLeft: isPhone() ? [10, 12] : [left, top + 12],
        autoPanPaddingBottomRight: isPhone() ? [56, bottom + SIZE] : [right, bottom + SIZE],
      });
      keepNear(popup.setLatLng(near(latLng(post.position))).setContent(card(post))).openOn(map);
    },
    close() {
      shut();
      clear();
      map.off("click", aside);
      group.remove();
    },
  };
}

// A mark that stands for a post, or for one that is about to be made.
export function markOf({ position, own }) {
  const look = el("span", { class: own ? "post-mark own" : "post-mark", "aria-hidden": "true" }, icon("person"));
  const shape = L.divIcon({ className: "", html: look, iconSize: [SIZE, SIZE] });
  return L.marker(near(latLng(position)), { icon: shape, keyboard: false });
}

function crowd(cluster) {
  const look = el("span", { class: "post-mark crowd", "aria-hidden": "true" }, String(cluster.getChildCount()));
  return L.divIcon({ className: "", html: look, iconSize: [SIZE + 6, SIZE + 6] });
}

const card = (post) => el(
  "div", { class: "post-card", role: "dialog", "aria-label": t("{name} on the map", { name: post.author }) },
  el("h2", {}, post.author), el("p", {}, post.place), linkOf(post),
  el("p", { class: "quiet" }, moment(post.updateTime)),
);
