// What users do with pins: drop, move, rename.
import { L } from "./leaflet.js";
import { change } from "./api.js";
import { onWaiting, waitingChanges } from "./outbox.js";
import { coordinate, latLng, map } from "./map.js";
import { complain } from "./notices.js";
import { markFresh, movePin, select } from "./pins.js";
import { putPin } from "./store.js";
import { aim } from "./aim.js";
import { centre } from "./sight.js";
import { go } from "./router.js";

// With a name, or by what the server calls the point. Returns whether it is stored.
export async function dropPinAt(point, name) {
  const holder = temporaryMark(point);
  try {
    const { pin } = await change("pins.v1.PinService/CreatePin", { position: coordinate(point), name });
    markFresh(pin.id);
    putPin(pin);
    go({ view: "pin", pin: pin.id });
    return true;
  } catch (error) {
    complain("The pin could not be stored.", error);
    return false;
  } finally {
    holder.remove();
  }
}

// Pins that wait for the server, from an earlier page too.
const marks = L.layerGroup().addTo(map);
onWaiting(drawWaiting);
drawWaiting(waitingChanges());

function drawWaiting(changes) {
  marks.clearLayers();
  for (const { method, request } of changes) {
    if (method.endsWith("/CreatePin")) marks.addLayer(markAt(latLng(request.position)));
  }
}

// Shows something at once, also when the server is slow.
function temporaryMark(point) {
  return markAt(point).addTo(map);
}

function markAt(point) {
  return L.circleMarker(point, { radius: 7, className: "pending", interactive: false });
}

export async function renamePin(id, name) {
  try {
    const { pin } = await change("pins.v1.PinService/RenamePin", { id, name });
    putPin(pin);
  } catch (error) {
    complain("The pin could not be renamed.", error);
  }
}

// Without a long press: by keyboard, or for users who like to see the spot first.
export async function dropPinByAim() {
  const point = await aim("the pin belongs", "Drop the pin");
  if (point) await dropPinAt(point);
}

export async function movePinByAim(pin) {
  select(pin.id);
  centre(latLng(pin.position));
  const point = await aim(`“${pin.name}” belongs`, "Put it here");
  if (point) await movePin(pin, point).catch(() => {});
}
