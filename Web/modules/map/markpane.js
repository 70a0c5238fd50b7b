// A layer of many marks, which is scaled as a whole while the map zooms: to move each one costs a phone ten times as
// much as a frame has. When the zoom has ended they are where they belong, in their own size.
import { L } from "./leaflet.js";
import { map } from "./map.js";

// Gives `mark(point, options)`, as L.marker. Between `hold()` and `release()` marks that are added are not on the page
// yet: each frame in which some come costs a phone as much as one in which all do.
export function markPane(name, zIndex) {
  const pane = map.createPane(name);
  pane.style.zIndex = zIndex;
  pane.classList.add("mark-pane", "leaflet-zoom-animated");
  // It is read, and reached by the tab key, before what is opened from it.
  map.getPane("markerPane").after(pane);
  const marks = new Set();
  let held;
  let base; // The zoom and the origin for which the marks have their positions.

  const Mark = L.Marker.extend({
    options: { pane: name },
    getEvents: () => ({}),
    getPane: () => held ?? pane,
    onAdd(to) {
      L.Marker.prototype.onAdd.call(this, to);
      marks.add(this);
      this.on("drag", this._follow);
    },
    onRemove(from) {
      marks.delete(this);
      this.off("drag", this._follow);
      L.Marker.prototype.onRemove.call(this, from);
    },
    _animateZoom() {},
    _initIcon() {
      L.Marker.prototype._initIcon.call(this);
      this._icon.classList.remove("leaflet-zoom-animated", "leaflet-zoom-hide");
    },
    // Who drags it gives it a transform.
    _follow() {
      this._setPos(L.DomUtil.getPosition(this._icon));
    },
    // Without a transform: with one, each would be a thing of its own for what puts the browser's layers together.
    _setPos(point) {
      L.Marker.prototype._setPos.call(this, point);
      Object.assign(this._icon.style, { transform: "", left: `${point.x}px`, top: `${point.y}px` });
    },
  });

  function scale(centre, zoom) {
    const by = map.getZoomScale(zoom, base.zoom);
    L.DomUtil.setTransform(pane, base.origin.multiplyBy(by).subtract(map._getNewPixelOrigin(centre, zoom)).round(), by);
  }

  function place() {
    base = { zoom: map.getZoom(), origin: map.getPixelOrigin() };
    pane.style.transform = "";
    for (const mark of marks) mark.update();
  }

  map.on("zoom", () => scale(map.getCenter(), map.getZoom()));
  map.on("zoomanim", ({ center, zoom }) => scale(center, zoom));
  map.on("zoomend viewreset", place);
  map.whenReady(place);
  return {
    mark: (point, options) => new Mark(point, options),
    hold() { held ??= document.createDocumentFragment(); },
    release() {
      if (held) pane.append(held);
      held = undefined;
    },
  };
}
