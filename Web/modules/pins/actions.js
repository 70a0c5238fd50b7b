// What users do with pins: drop, move, rename.
import { L } from "../map/leaflet.js";
import { change } from "../server/api.js";
import { idOfNew } from "../offline/outbox.js";
import { coordinate, latLng, map } from "../map/map.js";
import { complain, say } from "../ground/notices.js";
import { markFresh, movePin, select } from "./pins.js";
import { putPin } from "./store.js";
import { aim } from "./aim.js";
import { centre } from "../map/sight.js";
import { go, route } from "../ground/router.js";
import { t } from "../ground/text.js";

// With a name, or by what the server calls the point. Returns whether it is kept.
export async function dropPinAt(point, name) {
  const holder = temporaryMark(point);
  const before = route();
  try {
    const { pin, waits } = await change("pins.v1.PinService/CreatePin", { position: coordinate(point), name });
    if (waits) {
      say(t("The pin is kept. It waits for the server."));
    } else {
      markFresh(pin.id);
      putPin(pin);
    }
    // Who has opened something else meanwhile is not called back.
    const isOnMap = route() === before || ["home", "pin"].includes(route().view);
    if (isOnMap) go({ view: "pin", pin: waits ? idOfNew(waits) : pin.id });
    return true;
  } catch (error) {
    complain(t("The pin could not be stored."), error);
    return false;
  } finally {
    holder.remove();
  }
}

// Shows something at once, until the server has answered or it is seen that the pin waits.
function temporaryMark(point) {
  return L.circleMarker(point, { radius: 7, className: "pending", interactive: false }).addTo(map);
}

export async function renamePin(id, name) {
  try {
    const { pin } = await change("pins.v1.PinService/RenamePin", { id, name });
    if (pin) putPin(pin);
  } catch (error) {
    complain(t("The pin could not be renamed."), error);
  }
}

// Without a long press: by keyboard, or for users who like to see the spot first.
export async function dropPinByAim() {
  const point = await aim({
    click: t("Click where the pin belongs, or move the map until the cross is there."),
    touch: t("Move the map until the cross is where the pin belongs."),
  }, t("Drop the pin"));
  if (point) await dropPinAt(point);
}

export async function movePinByAim(pin) {
  select(pin.id);
  centre(latLng(pin.position));
  const point = await aim({
    click: t("Click where “{name}” belongs, or move the map until the cross is there.", { name: pin.name }),
    touch: t("Move the map until the cross is where “{name}” belongs.", { name: pin.name }),
  }, t("Put it here"));
  if (point) await movePin(pin, point).catch(() => {});
}
