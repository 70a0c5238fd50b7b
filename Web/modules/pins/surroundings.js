// While a pin's page is open: its circle on the map, and the map region last shown for this pin.
import { L } from "../map/leaflet.js";
import { change, read } from "../server/api.js";
import { boundsOf, latLng, map, regionShown } from "../map/map.js";
import { centre, showBounds, showBox } from "../map/sight.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { pinOf } from "./store.js";
import { select, showPin } from "./pins.js";
import { complain } from "../ground/notices.js";
import { t } from "../ground/text.js";

export function showPinOnMap(id) {
  const pin = pinOf(id);
  select(id);
  const circle = L.circle(latLng(pin.position), { radius: pin.radiusM, className: "pin-circle", interactive: false });
  keepNear(circle.setLatLng(near(circle.getLatLng())).addTo(map));
  if (pin.span) {
    const bounds = boundsOf({ centre: pin.position, span: pin.span }).pad(-0.02);
    centre(circle.getLatLng(), map.getBoundsZoom(bounds));
  } else {
    showBounds(circle.getBounds());
  }
  showPin(id);

  let saving;
  const save = () => {
    clearTimeout(saving);
    saving = setTimeout(() => {
      // As with the map's region: the next move retries it.
      change("pins.v1.PinService/SetPinSpan", { id, span: regionShown().span }).catch(() => {});
    }, 1200);
  };
  const timer = setTimeout(() => map.on("zoomend", save), 1500);

  return {
    async fit() {
      try {
        const { box } = await read("pins.v1.PinService/GetBounds", { pinId: id });
        if (box) showBox(box);
        else showBounds(circle.getBounds());
      } catch (error) {
        complain(t("The places could not be shown."), error);
      }
    },
    draw() {
      const now = pinOf(id);
      if (now) circle.setLatLng(near(latLng(now.position))).setRadius(now.radiusM);
    },
    close() {
      clearTimeout(timer);
      clearTimeout(saving);
      map.off("zoomend", save);
      letGo(circle.remove());
      select(undefined);
    },
  };
}
